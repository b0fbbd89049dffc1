/* register: straight from global memory into a window of registers.

   Squares of 3 to 15 taps over pictures of 1, 3 and 4 channels are done by marching down strips
   (march.cuh); a filter of another shape is the next larger square, with taps of zero, where that
   costs less than the kernel of this file, which does all others.

   Here a thread owns 4 rows of 8 adjacent samples of the result, a warp 4 rows of 256, a block 16 rows
   of 256.  For each source row beneath them, and 4 taps of a row at a time (1 where the filter is one
   tap wide), a thread loads the window of 8 + 3 · channels samples in aligned vectors, and adds them
   to all of its rows of sums that the row lies beneath.  Taps come from global memory, 4 to a load,
   one address for a whole warp.  Read per result, for 4 taps of a row: about (8 + 3 · channels) / 32
   samples, in loads of 4; what binds is the rate of loads, at about half of that of multiply-adds. */
#include "march_launch.cuh"

namespace
{

using namespace gpu;

enum { SHARE = 8, ROWS = 4, ACROSS = 32, DOWN = 4 };

/* Four samples, as CUDA's vector of them. */
template <class T> struct four;
template <> struct four<unsigned char> {
  typedef uchar4 type;
};
template <> struct four<unsigned short> {
  typedef ushort4 type;
};
template <> struct four<float> {
  typedef float4 type;
};

template <class From, class To, int CHANNELS, int TAPS>
KERNEL(ACROSS *DOWN, 4)
convolve_gather(const GRID_CONSTANT struct view view)
{
  constexpr int WINDOW = (SHARE + (TAPS - 1) * CHANNELS + 3) / 4 * 4;
  typedef typename four<From>::type V;
  unsigned blocks_across = (unsigned)(view.samples - 1) / (ACROSS * SHARE) + 1;
  int sample = (int)(blockIdx.x % blocks_across * ACROSS + threadIdx.x) * SHARE;
  int row = (int)(blockIdx.x / blocks_across * DOWN + threadIdx.y) * ROWS;
  float sum[ROWS][SHARE];

  if (sample >= view.samples || row >= view.rows)
    return;
  wait_for_launch_before();
  int rows = view.rows - row < ROWS ? view.rows - row : ROWS;
  unroll<ROWS>([&](auto r) { unroll<SHARE>([&](auto s) { sum[r][s] = 0; }); });
  for (int y = 0; y < rows + view.lines - 1; y++) {
    global<const From> source = source_row<From>(view, row + y) + sample;

    for (int column = 0; column < view.columns; column += TAPS) {
      float window[WINDOW];

      unroll<WINDOW / 4>([&](auto k) {
        V v = load<V>(source, column * CHANNELS + 4 * k);

        window[4 * k] = (float)v.x;
        window[4 * k + 1] = (float)v.y;
        window[4 * k + 2] = (float)v.z;
        window[4 * k + 3] = (float)v.w;
      });
      unroll<ROWS>([&](auto r) {
        int line = y - r;

        if (line < 0 || line >= view.lines)
          return;
        ptrdiff_t at = (ptrdiff_t)line * view.tap_pitch + column;
        float tap[4] = {};
        if constexpr (TAPS == 4) {
          float4 taps = load<float4>(view.taps, at);

          tap[0] = taps.x;
          tap[1] = taps.y;
          tap[2] = taps.z;
          tap[3] = taps.w;
        } else {
          tap[0] = view.taps[at];
        }
        unroll<TAPS>([&](auto i) {
          unroll<SHARE>([&](auto s) {
            sum[r][s] = sum_add<From>(sum[r][s], tap[i], window[s + i * CHANNELS]);
          });
        });
      });
    }
  }
  unroll<ROWS>([&](auto r) {
    if (r < rows) {
      global<To> result = result_row<To>(view, row + r) + sample;

      unroll<SHARE / 4>([&](auto k) {
        typename four<To>::type v = {(To)sample_end(sum[r][4 * k], &view.ending),
                                     (To)sample_end(sum[r][4 * k + 1], &view.ending),
                                     (To)sample_end(sum[r][4 * k + 2], &view.ending),
                                     (To)sample_end(sum[r][4 * k + 3], &view.ending)};

        store(result, 4 * k, v);
      });
    }
  });
}

template <class From, class To, int CHANNELS> void gather_channels(const struct frame_pass *pass)
{
  const struct view &view = pass->view;
  size_t blocks = (((size_t)view.samples - 1) / (ACROSS * SHARE) + 1) *
                  (((size_t)view.rows - 1) / (DOWN * ROWS) + 1);
  struct shape_of_launch shape = {"register", blocks,       {ACROSS, DOWN, 1},
                                  0,          pass->stream, pass->margins};

  if (view.columns == 1)
    launch(shape, convolve_gather<From, To, 1, 1>, view); /* channels make no difference */
  else
    launch(shape, convolve_gather<From, To, CHANNELS, 4>, view);
}

void gather_launch(const struct frame_pass *pass)
{
  with_types(pass->from, pass->to, [&](auto from, auto to) {
    switch (pass->view.channels) {
    case 1:
      return gather_channels<decltype(from), decltype(to), 1>(pass);
    case 2:
      return gather_channels<decltype(from), decltype(to), 2>(pass);
    case 3:
      return gather_channels<decltype(from), decltype(to), 3>(pass);
    default:
      return gather_channels<decltype(from), decltype(to), 4>(pass);
    }
  });
}

/* The side of the square to march with, or 0 where gathering is faster: a multiply-add costs there
   about twice as much. */
int square_choose(const struct frame_pass *pass)
{
  int longer = pass->view.columns > pass->view.lines ? pass->view.columns : pass->view.lines;
  int size = longer <= 3 ? 3 : longer | 1;

  if (size > 15 || !march_fits(pass))
    return 0;
  return size == 3 || size * size <= 2 * pass->view.columns * pass->view.lines ? size : 0;
}

/* False where no kernel marches with that square. */
bool march_try(const struct frame_pass *pass, int size)
{
  if (size == 0)
    return false;
  switch (pass->from) {
  case SAMPLE_U8:
    return march_bytes(pass, size);
  case SAMPLE_U16:
    return march_words(pass, size);
  case SAMPLE_F32:
    return march_floats(pass, size);
  }
  return false;
}

bool launch_pass(const struct frame_pass *pass, struct error *)
{
  if (!march_try(pass, square_choose(pass)))
    gather_launch(pass);
  return true;
}

} // namespace

GPU_PATH(register, "a window of registers that marches down the image", true, gpu::frame_refuse,
         launch_pass)
