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
template <> struct four<int> {
  typedef int4 type;
};

/* Loads `WINDOW` samples from sample `first` of a row on, as `Cell`s. */
template <class From, class Cell, int WINDOW>
DEVICE void window_load(Cell *window, global<const From> source, int first)
{
  typedef typename four<From>::type V;

  unroll<WINDOW / 4>([&](auto k) {
    V v = load<V>(source, first + 4 * k);

    window[4 * k] = (Cell)v.x;
    window[4 * k + 1] = (Cell)v.y;
    window[4 * k + 2] = (Cell)v.z;
    window[4 * k + 3] = (Cell)v.w;
  });
}

/* The sums of a thread: those of `rows` rows from `row` on, of SHARE samples from `sample` on.  add(sum, tap,
   cell) is the next sum. */
template <class From, class Cell, int CHANNELS, int TAPS, class Sum, class Add>
DEVICE void gather_sums(const struct view &view, int row, int rows, int sample, Sum (*sum)[SHARE],
                        Add add)
{
  constexpr int WINDOW = (SHARE + (TAPS - 1) * CHANNELS + 3) / 4 * 4;

  unroll<ROWS>([&](auto r) { unroll<SHARE>([&](auto s) { sum[r][s] = 0; }); });
  for (int y = 0; y < rows + view.lines - 1; y++) {
    global<const From> source = source_row<From>(view, row + y) + sample;

    for (int column = 0; column < view.columns; column += TAPS) {
      Cell window[WINDOW];

      window_load<From, Cell, WINDOW>(window, source, column * CHANNELS);
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
          unroll<SHARE>(
              [&](auto s) { sum[r][s] = add(sum[r][s], tap[i], window[s + i * CHANNELS]); });
        });
      });
    }
  }
}

/* The thread's first sample and row; false where these lie beyond the result. */
DEVICE bool gather_place(const struct view &view, int *sample, int *row, int *rows)
{
  unsigned blocks_across = (unsigned)(view.samples - 1) / (ACROSS * SHARE) + 1;

  *sample = (int)(blockIdx.x % blocks_across * ACROSS + threadIdx.x) * SHARE;
  *row = (int)(blockIdx.x / blocks_across * DOWN + threadIdx.y) * ROWS;
  *rows = view.rows - *row < ROWS ? view.rows - *row : ROWS;
  return *sample < view.samples && *row < view.rows;
}

template <class From, class To, int CHANNELS, int TAPS>
KERNEL(ACROSS *DOWN, 4)
convolve_gather(const GRID_CONSTANT struct view view)
{
  float sum[ROWS][SHARE];
  int sample, row, rows;

  if (!gather_place(view, &sample, &row, &rows))
    return;
  wait_for_launch_before();
  gather_sums<From, float, CHANNELS, TAPS>(view, row, rows, sample, sum,
                                           [](float before, float tap, float value) -> float {
                                             return sum_add<From>(before, tap, value);
                                           });
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

/* The same with sums of integers. */
template <class From, class Sum, int CHANNELS, int TAPS>
KERNEL(ACROSS *DOWN, 4)
convolve_gather_integers(const GRID_CONSTANT struct view view,
                         const GRID_CONSTANT struct integers integers)
{
  Sum sum[ROWS][SHARE];
  int sample, row, rows;

  if (!gather_place(view, &sample, &row, &rows))
    return;
  wait_for_launch_before();
  gather_sums<From, int, CHANNELS, TAPS>(
      view, row, rows, sample, sum,
      [](Sum before, float tap, int value) -> Sum { return term_add(before, tap, value); });
  unroll<ROWS>([&](auto r) {
    if (r < rows)
      integers_store<SHARE>(view, integers, row + r, sample, sum[r]);
  });
}

struct shape_of_launch gather_shape(const struct frame_pass *pass)
{
  size_t blocks = (((size_t)pass->view.samples - 1) / (ACROSS * SHARE) + 1) *
                  (((size_t)pass->view.rows - 1) / (DOWN * ROWS) + 1);

  return {"register", blocks, {ACROSS, DOWN, 1}, 0, pass->stream, pass->margins};
}

template <class From, class To, int CHANNELS> void gather_channels(const struct frame_pass *pass)
{
  const struct view &view = pass->view;
  struct shape_of_launch shape = gather_shape(pass);

  if (view.columns == 1)
    launch(shape, convolve_gather<From, To, 1, 1>, view); /* channels make no difference */
  else
    launch(shape, convolve_gather<From, To, CHANNELS, 4>, view);
}

template <class From, int CHANNELS, int TAPS> void gather_integers(const struct frame_pass *pass)
{
  if (pass->integers.narrow)
    launch(gather_shape(pass), convolve_gather_integers<From, unsigned, CHANNELS, TAPS>, pass->view,
           pass->integers);
  else
    launch(gather_shape(pass), convolve_gather_integers<From, long long, CHANNELS, TAPS>,
           pass->view, pass->integers);
}

template <class From> void gather_integers_channels(const struct frame_pass *pass)
{
  if (pass->view.columns == 1)
    return gather_integers<From, 1, 1>(pass);
  switch (pass->view.channels) {
  case 1:
    return gather_integers<From, 1, 4>(pass);
  case 2:
    return gather_integers<From, 2, 4>(pass);
  case 3:
    return gather_integers<From, 3, 4>(pass);
  default:
    return gather_integers<From, 4, 4>(pass);
  }
}

/* Sums of a row pass are added only by columns. */
void gather_integers_launch(const struct frame_pass *pass)
{
  if (pass->of_sums)
    launch(gather_shape(pass), convolve_gather_integers<int, long long, 1, 1>, pass->view,
           pass->integers);
  else if (pass->from == SAMPLE_U8)
    gather_integers_channels<unsigned char>(pass);
  else
    gather_integers_channels<unsigned short>(pass);
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
  if (pass->sums == SUMS_INTEGER)
    return march_words_integers(pass, size);
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
  if (march_try(pass, square_choose(pass)))
    return true;
  if (pass->sums == SUMS_INTEGER)
    gather_integers_launch(pass);
  else
    gather_launch(pass);
  return true;
}

} // namespace

GPU_PATH(register, "a window of registers that marches down the image", true, gpu::frame_refuse,
         launch_pass)
