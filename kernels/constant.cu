/* constant: as `shared`, with the taps in constant memory.

   All lanes of a warp want the same tap at the same time: constant memory gives it to them in one
   broadcast, and as an operand of the multiply-add, so that it costs no load.  Who owns what, and
   what binds, stands in tile.cuh. */
#include "constant_bank.cuh"
#include "tile.cuh"

namespace
{

using namespace gpu;

CONSTANT(float, constant_taps, CONSTANT_TAPS);
struct constant_bank bank;

template <class From, class To>
KERNEL(TILE_ACROSS *TILE_WARPS, 4)
convolve_constant(const GRID_CONSTANT struct view view, const GRID_CONSTANT struct tile tile)
{
  tile_convolve<From, To>(
      view, tile, [&](int j, int i) -> float { return constant_taps[j * view.columns + i]; });
}

template <class From>
KERNEL(TILE_ACROSS *TILE_WARPS, 4)
convolve_constant_integers(const GRID_CONSTANT struct view view,
                           const GRID_CONSTANT struct tile tile,
                           const GRID_CONSTANT struct integers integers)
{
  tile_convolve_integers<From>(view, tile, integers, [&](int j, int i) -> float {
    return constant_taps[j * view.columns + i];
  });
}

void taps_set(const float *taps, size_t count, struct stream *stream)
{
  constant_set(constant_taps, taps, count, stream);
}

bool launch_pass(const struct frame_pass *pass, struct error *error)
{
  struct tile tile = tile_make(pass->view);
  struct shape_of_launch shape = tile_shape("constant", pass, tile);

  if (!constant_claim(&bank, pass, taps_set, error))
    return false;
  if (pass->sums == SUMS_INTEGER) {
    with_integers(pass, [&](auto from) {
      launch(shape, convolve_constant_integers<decltype(from)>, pass->view, tile, pass->integers);
    });
    return true;
  }
  with_types(pass->from, pass->to, [&](auto from, auto to) {
    launch(shape, convolve_constant<decltype(from), decltype(to)>, pass->view, tile);
  });
  return true;
}

} // namespace

GPU_PATH(constant, "as shared, with the taps in constant memory", true, gpu::constant_refuse,
         launch_pass)
