/* texture: pixels from a texture, whose address modes do the border.

   A thread owns one pixel of the result with all its channels, a warp 32 adjacent ones, a block
   32 × 8.  For each tap one fetch brings all channels of a pixel, and one broadcast from constant
   memory the tap.  `clamp`, `mirror` and `wrap` are what the texture unit does by itself with a
   coordinate outside; a constant border of 0 too.  It has no `reflect` and no other constant: there
   the kernel finds the place of the pixel.  Textures have 1, 2 or 4 channels: pictures of 3 are spread
   to 4 by a kernel before, which is part of what the path costs.  What binds is the texture unit: w · h
   fetches a pixel, at a quarter of the rate of loads. */
#include <type_traits>

#include "constant_bank.cuh"
#include "slot.cuh"

namespace
{

using namespace gpu;

enum {
  ACROSS = 32,
  DOWN = 8,
  TEXELS_ACROSS = 131072, /* of a texture over linear memory; rows, bytes of a row: */
  TEXELS_DOWN = 65000,
  TEXELS_PITCH = 2097120,
};

CONSTANT(float, texture_taps, CONSTANT_TAPS);
struct constant_bank bank;

/* CUDA's vector of N channels. */
template <class T, int N> struct texel;
template <> struct texel<unsigned char, 1> {
  typedef uchar1 type;
};
template <> struct texel<unsigned char, 2> {
  typedef uchar2 type;
};
template <> struct texel<unsigned char, 4> {
  typedef uchar4 type;
};
template <> struct texel<unsigned short, 1> {
  typedef ushort1 type;
};
template <> struct texel<unsigned short, 2> {
  typedef ushort2 type;
};
template <> struct texel<unsigned short, 4> {
  typedef ushort4 type;
};
template <> struct texel<float, 1> {
  typedef float1 type;
};
template <> struct texel<float, 2> {
  typedef float2 type;
};
template <> struct texel<float, 4> {
  typedef float4 type;
};
template <> struct texel<int, 1> {
  typedef int1 type;
};
template <> struct texel<int, 2> {
  typedef int2 type;
};
template <> struct texel<int, 4> {
  typedef int4 type;
};

template <class From> constexpr enum texel_kind kind_of()
{
  return (From)0.5f != 0 ? TEXEL_FLOAT : (From)-1 < 0 ? TEXEL_SIGNED : TEXEL_UNSIGNED;
}

/* Channel c of a texel, with c known when this is compiled. */
template <int c, class V> DEVICE auto channel_of(const V &v)
{
  if constexpr (c == 0)
    return v.x;
  else if constexpr (c == 1)
    return v.y;
  else if constexpr (c == 2)
    return v.z;
  else
    return v.w;
}

/* sum[c] += tap · channel c, for all channels. */
template <class From, int CHANNELS, int c = 0, class V>
DEVICE void sums_add(float *sum, float tap, const V &texel)
{
  if constexpr (c < CHANNELS) {
    sum[c] = sum_add<From>(sum[c], tap, (float)channel_of<c>(texel));
    sums_add<From, CHANNELS, c + 1>(sum, tap, texel);
  }
}

template <class From, int CHANNELS, int c = 0, class V>
DEVICE void sums_add(long long *sum, float tap, const V &texel)
{
  if constexpr (c < CHANNELS) {
    sum[c] = term_add(sum[c], tap, (int)channel_of<c>(texel));
    sums_add<From, CHANNELS, c + 1>(sum, tap, texel);
  }
}

/* The same for the pixel beyond a constant border. */
template <int CHANNELS> DEVICE void beyond_add(float *sum, float tap, const struct view &view)
{
  for (int c = 0; c < CHANNELS; c++)
    sum[c] = sum_add<float>(sum[c], tap, view.beyond[c]);
}

template <int CHANNELS> DEVICE void beyond_add(long long *sum, float tap, const struct view &view)
{
  for (int c = 0; c < CHANNELS; c++)
    sum[c] = term_add(sum[c], tap, (int)view.beyond[c]);
}

/* How a coordinate comes to the texture unit. */
struct addressing {
  bool computed;      /* by border_index(), not by the texture's address mode */
  float across, down; /* what one pixel is: 1, or 1 / width and 1 / height */
};

/* The sums of the thread's pixel; end(row, sample, sum) stores one. */
template <class From, int CHANNELS, class Sum, class End>
DEVICE void texture_loops(const struct view &view, const struct texture &texture,
                          const struct addressing &addressing, End end)
{
  constexpr int TEXEL_CHANNELS = CHANNELS == 3 ? 4 : CHANNELS;
  typedef typename texel<From, TEXEL_CHANNELS>::type V;
  int pixels = view.samples / CHANNELS;
  unsigned tiles_across = (unsigned)(pixels - 1) / ACROSS + 1;
  int pixel = (int)(blockIdx.x % tiles_across * ACROSS + threadIdx.x);
  int row = (int)(blockIdx.x / tiles_across * DOWN + threadIdx.y);
  Sum sum[CHANNELS] = {};

  if (pixel >= pixels || row >= view.rows)
    return;
  for (int j = 0; j < view.lines; j++) {
    float y = ((float)(row + j) + 0.5f) * addressing.down;

    for (int i = 0; i < view.columns; i++) {
      float tap = texture_taps[j * view.columns + i];
      int at = pixel + i - view.left;

      if (addressing.computed)
        at = (int)border_index(at, view.width, view.border);
      if (addressing.computed && at < 0) {
        beyond_add<CHANNELS>(sum, tap, view);
      } else {
        V texel = fetch<V>(texture, ((float)at + 0.5f) * addressing.across, y);

        sums_add<From, CHANNELS>(sum, tap, texel);
      }
    }
  }
  for (int c = 0; c < CHANNELS; c++)
    end(row, pixel * CHANNELS + c, sum[c]);
}

template <class From, class To, int CHANNELS>
KERNEL(ACROSS *DOWN, 1)
convolve_texture(const GRID_CONSTANT struct view view, const GRID_CONSTANT struct texture texture,
                 const GRID_CONSTANT struct addressing addressing)
{
  texture_loops<From, CHANNELS, float>(
      view, texture, addressing, [&](int row, int sample, float sum) {
        result_row<To>(view, row)[sample] = (To)sample_end(sum, &view.ending);
      });
}

/* The same with sums of integers. */
template <class From, int CHANNELS>
KERNEL(ACROSS *DOWN, 1)
convolve_texture_integers(const GRID_CONSTANT struct view view,
                          const GRID_CONSTANT struct texture texture,
                          const GRID_CONSTANT struct addressing addressing,
                          const GRID_CONSTANT struct integers integers)
{
  texture_loops<From, CHANNELS, long long>(
      view, texture, addressing,
      [&](int row, int sample, long long sum) { integer_store(view, integers, row, sample, sum); });
}

/* Spreads pixels of 3 channels to 4, so that a texture can hold them. */
template <class From>
KERNEL(ACROSS *DOWN, 1)
spread_pixels(const GRID_CONSTANT struct view view, global<unsigned char> texels, size_t pitch,
              int rows)
{
  typedef typename texel<From, 4>::type V;
  unsigned tiles_across = (unsigned)(view.width - 1) / ACROSS + 1;
  int pixel = (int)(blockIdx.x % tiles_across * ACROSS + threadIdx.x);
  int row = (int)(blockIdx.x / tiles_across * DOWN + threadIdx.y);

  if (pixel >= view.width || row >= rows)
    return;
  global<const From> source = source_row<From>(view, row) + (ptrdiff_t)pixel * 3;
  V texel = {source[0], source[1], source[2], 0};
  store(as<From>(texels + (ptrdiff_t)((size_t)row * pitch)), (ptrdiff_t)pixel * 4, texel);
}

bool beyond_is_zero(const struct view &view)
{
  bool zero = true;

  for (int c = 0; c < view.channels; c++)
    zero = zero && view.beyond[c] == 0;
  return zero;
}

/* The texture's own address mode for the border; *computed where it has none, and the mode is no matter. */
enum texture_border address_mode(const struct view &view, bool *computed)
{
  *computed = false;
  switch (view.border) { /* without default: a new border is a warning of the compiler */
  case BORDER_CLAMP:
  case BORDER_CROP: /* no tap lies outside */
    return TEXTURE_CLAMP;
  case BORDER_MIRROR:
    return TEXTURE_MIRROR;
  case BORDER_WRAP:
    return TEXTURE_WRAP;
  case BORDER_CONSTANT:
    if (beyond_is_zero(view))
      return TEXTURE_ZERO;
    break;
  case BORDER_REFLECT:
    break;
  }
  *computed = true;
  return TEXTURE_CLAMP;
}

template <class From>
bool texels_prepare(const struct frame_pass *pass, void **memory, size_t *pitch,
                    struct error *error)
{
  const struct view &view = pass->view;
  size_t blocks = (((size_t)view.width - 1) / ACROSS + 1) * ((pass->source.rows - 1) / DOWN + 1);
  struct shape_of_launch shape = {"spread", blocks, {ACROSS, DOWN, 1}, 0, pass->stream};

  *memory = pass->source.start;
  *pitch = pass->source.pitch;
  if (view.channels != 3)
    return true;
  *pitch = ((size_t)view.width * 4 * sizeof(From) + 127) / 128 * 128;
  *memory = slot_extra(pass->slot, *pitch * pass->source.rows, error);
  if (*memory)
    launch(shape, spread_pixels<From>, view, global_from<unsigned char>(*memory), *pitch,
           (int)pass->source.rows);
  return *memory != nullptr;
}

/* The launch of what launch_with() gets: the number of channels, known when this is compiled. */
template <class From, class F>
bool launch_channels(const struct frame_pass *pass, struct error *error, F launch_with)
{
  const struct view &view = pass->view;
  struct addressing addressing = {false, 1, 1};
  enum texture_border border = address_mode(view, &addressing.computed);
  struct texture *texture;
  void *memory;
  size_t pitch;

  if (pass->source.rows > TEXELS_DOWN)
    return error_set(error, STATUS_DEVICE, "textures have at most %d rows", TEXELS_DOWN);
  if (!texels_prepare<From>(pass, &memory, &pitch, error))
    return false;
  if (border == TEXTURE_MIRROR || border == TEXTURE_WRAP) {
    addressing.across = 1.0f / (float)view.width;
    addressing.down = 1.0f / (float)pass->source.rows;
  }
  texture = slot_texture(pass->slot);
  if (!texture_make(texture, memory, pitch, (size_t)view.width, pass->source.rows,
                    view.channels == 3 ? 4 : (unsigned)view.channels, kind_of<From>(), sizeof(From),
                    border, error))
    return false;
  switch (view.channels) {
  case 1:
    launch_with(*texture, addressing, std::integral_constant<int, 1>());
    break;
  case 2:
    launch_with(*texture, addressing, std::integral_constant<int, 2>());
    break;
  case 3:
    launch_with(*texture, addressing, std::integral_constant<int, 3>());
    break;
  default:
    launch_with(*texture, addressing, std::integral_constant<int, 4>());
  }
  return true;
}

struct shape_of_launch texture_shape(const struct frame_pass *pass)
{
  const struct view &view = pass->view;
  size_t pixels = (size_t)view.samples / view.channels;
  size_t blocks = ((pixels - 1) / ACROSS + 1) * (((size_t)view.rows - 1) / DOWN + 1);

  return {"texture", blocks, {ACROSS, DOWN, 1}, 0, pass->stream};
}

template <class From, class To>
bool launch_floats(const struct frame_pass *pass, struct error *error)
{
  return launch_channels<From>(
      pass, error,
      [&](const struct texture &texture, const struct addressing &addressing, auto channels) {
        launch(texture_shape(pass), convolve_texture<From, To, decltype(channels)::value>,
               pass->view, texture, addressing);
      });
}

template <class From> bool launch_integers(const struct frame_pass *pass, struct error *error)
{
  return launch_channels<From>(
      pass, error,
      [&](const struct texture &texture, const struct addressing &addressing, auto channels) {
        launch(texture_shape(pass), convolve_texture_integers<From, decltype(channels)::value>,
               pass->view, texture, addressing, pass->integers);
      });
}

void taps_set(const float *taps, size_t count, struct stream *stream)
{
  constant_set(texture_taps, taps, count, stream);
}

bool launch_pass(const struct frame_pass *pass, struct error *error)
{
  bool launched = false;

  if (!constant_claim(&bank, pass, taps_set, error))
    return false;
  if (pass->sums == SUMS_INTEGER)
    with_integers(pass,
                  [&](auto from) { launched = launch_integers<decltype(from)>(pass, error); });
  else
    with_types(pass->from, pass->to, [&](auto from, auto to) {
      launched = launch_floats<decltype(from), decltype(to)>(pass, error);
    });
  return launched;
}

const char *texture_refuse(const struct job *job)
{
  const char *reason = constant_refuse(job);

  if (reason || !job)
    return reason;
  if (job->width > TEXELS_ACROSS || (job->width + 2 * SHARE_MAX) * 4 * sizeof(float) > TEXELS_PITCH)
    return "rows are wider than a texture over linear memory can be (131,008 pixels)";
  if (job_taps_high(job) >= TEXELS_DOWN)
    return "the filter is higher than a texture (65,000 rows)";
  return nullptr;
}

} // namespace

GPU_PATH(texture, "pixels from a texture, whose address modes do the border", false, texture_refuse,
         launch_pass)
