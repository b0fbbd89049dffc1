/* global: the plain loop.

   A thread owns one sample of the result, a warp 32 adjacent ones, a block 32 × 8.  For each tap a
   thread reads the tap and the sample beneath it from global memory, and finds the sample's place
   anew, by the border's rule: w · h loads of 4 bytes of taps and w · h of samples a result.  The
   loads of a warp are adjacent, so each is served in as few sectors as can be, and the same sample
   comes from the caches w · h times.  What binds is the rate of loads, and the whole numbers that
   find the place. */
#include "passes.cuh"

namespace
{

using namespace gpu;

enum { ACROSS = 32, DOWN = 8 };

template <class From, class To>
KERNEL(ACROSS *DOWN, 1)
convolve_global(const GRID_CONSTANT struct view view)
{
  int sample, row;

  tile_place(view, ACROSS, DOWN, &sample, &row);
  sample += (int)threadIdx.x;
  row += (int)threadIdx.y;
  if (sample >= view.samples || row >= view.rows)
    return;

  int pixel = sample / view.channels, channel = sample % view.channels;
  float sum = 0;
  for (int j = 0; j < view.lines; j++) {
    global<const From> source = source_row<From>(view, row + j);

    for (int i = 0; i < view.columns; i++) {
      float tap = view.taps[j * view.tap_pitch + i];
      int at = (int)border_index(pixel + i - view.left, view.width, view.border);

      if (at >= 0)
        sum = sum_add<From>(sum, tap, (float)source[at * view.channels + channel]);
      else
        sum = sum_add<float>(sum, tap, view.beyond[channel]);
    }
  }
  result_row<To>(view, row)[sample] = (To)sample_end(sum, &view.ending);
}

/* The same with sums of integers. */
template <class From>
KERNEL(ACROSS *DOWN, 1)
convolve_global_integers(const GRID_CONSTANT struct view view,
                         const GRID_CONSTANT struct integers integers)
{
  int sample, row;

  tile_place(view, ACROSS, DOWN, &sample, &row);
  sample += (int)threadIdx.x;
  row += (int)threadIdx.y;
  if (sample >= view.samples || row >= view.rows)
    return;

  int pixel = sample / view.channels, channel = sample % view.channels;
  long long sum = 0;
  for (int j = 0; j < view.lines; j++) {
    global<const From> source = source_row<From>(view, row + j);

    for (int i = 0; i < view.columns; i++) {
      int at = (int)border_index(pixel + i - view.left, view.width, view.border);
      int value = at >= 0 ? (int)source[at * view.channels + channel] : (int)view.beyond[channel];

      sum = term_add(sum, view.taps[j * view.tap_pitch + i], value);
    }
  }
  integer_store(view, integers, row, sample, sum);
}

bool launch_pass(const struct frame_pass *pass, struct error *)
{
  struct shape_of_launch shape = {
      "global", tiles_count(pass->view, ACROSS, DOWN), {ACROSS, DOWN, 1}, 0, pass->stream};

  if (pass->sums == SUMS_INTEGER) {
    with_integers(pass, [&](auto from) {
      launch(shape, convolve_global_integers<decltype(from)>, pass->view, pass->integers);
    });
    return true;
  }
  with_types(pass->from, pass->to, [&](auto from, auto to) {
    launch(shape, convolve_global<decltype(from), decltype(to)>, pass->view);
  });
  return true;
}

} // namespace

GPU_PATH(global, "every tap and every sample from global memory", false, gpu::frame_refuse,
         launch_pass)
