/* shared: the tile of source samples that a block needs, once, in shared memory.

   Against `global` a sample is read from global memory once a block, not once a tap; the taps still
   come from there, one address for a whole warp.  Who owns what, and what binds, stands in
   tile.cuh. */
#include "tile.cuh"

namespace
{

using namespace gpu;

template <class From, class To>
KERNEL(TILE_ACROSS *TILE_WARPS, 4)
convolve_shared(const GRID_CONSTANT struct view view, const GRID_CONSTANT struct tile tile)
{
  tile_convolve<From, To>(view, tile,
                          [&](int j, int i) -> float { return view.taps[j * view.tap_pitch + i]; });
}

template <class From>
KERNEL(TILE_ACROSS *TILE_WARPS, 4)
convolve_shared_integers(const GRID_CONSTANT struct view view, const GRID_CONSTANT struct tile tile,
                         const GRID_CONSTANT struct integers integers)
{
  tile_convolve_integers<From>(view, tile, integers, [&](int j, int i) -> float {
    return view.taps[j * view.tap_pitch + i];
  });
}

bool launch_pass(const struct frame_pass *pass, struct error *)
{
  struct tile tile = tile_make(pass->view);
  struct shape_of_launch shape = tile_shape("shared", pass, tile);

  if (pass->sums == SUMS_INTEGER) {
    with_integers(pass, [&](auto from) {
      launch(shape, convolve_shared_integers<decltype(from)>, pass->view, tile, pass->integers);
    });
    return true;
  }
  with_types(pass->from, pass->to, [&](auto from, auto to) {
    launch(shape, convolve_shared<decltype(from), decltype(to)>, pass->view, tile);
  });
  return true;
}

} // namespace

GPU_PATH(shared, "a tile of the image in shared memory", true, gpu::frame_refuse, launch_pass)
