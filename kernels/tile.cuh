/* Tiles in shared memory: what the paths `shared` and `constant` have in common.

   A block owns 32 × 32 samples of the result: a warp 4 rows of 32, a thread one sample in each of
   them, 8 rows apart.  It brings the source samples beneath all of their taps to shared memory, as
   floats, each of them once; where the tile would be too large for that, as many rows of taps at a
   time as fit, and of very wide filters as many taps of one row.  The order of a result's taps is
   always row by row.

   Read per result: (32 + (w − 1) · channels) · (32 + h − 1) / 1024 samples from global memory, and
   w · h words from shared memory.  The lanes of a warp touch 32 words side by side, on every line
   that fills the tile or reads it, so no two of them share a bank: converting to float when the tile
   is filled is what makes it so for bytes, too, and rows of a multiple of 32 words keep the lanes
   together when it is filled.  What binds is the rate of loads from shared memory: one for each
   multiply-add. */
#ifndef HALO_TILE_CUH
#define HALO_TILE_CUH

#include "passes.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

enum {
  TILE_ACROSS = 32,
  TILE_DOWN = 32,
  TILE_WARPS = 8,
  TILE_RESULTS = TILE_DOWN / TILE_WARPS, /* of a thread */
  TILE_FLOATS = 12288,                   /* 48 KiB, what a block gets without asking for more */
};

/* How the taps are cut so that the tile beneath a part fits. */
struct tile {
  int columns, lines; /* taps of a part */
  int across, down;   /* floats of a row, a multiple of 32; rows */
};

static inline struct tile tile_make(const struct view &view)
{
  struct tile tile;
  int columns_most = (TILE_FLOATS / TILE_DOWN - TILE_ACROSS) / view.channels + 1;
  int lines_most;

  tile.columns = view.columns < columns_most ? view.columns : columns_most;
  tile.across = TILE_ACROSS +
                ((tile.columns - 1) * view.channels + TILE_ACROSS - 1) / TILE_ACROSS * TILE_ACROSS;
  lines_most = tile.columns < view.columns ? 1 : TILE_FLOATS / tile.across - TILE_DOWN + 1;
  tile.lines = view.lines < lines_most ? view.lines : lines_most;
  tile.down = TILE_DOWN + tile.lines - 1;
  return tile;
}

/* Brings the source samples beneath taps (column …, line …) of the block's results to the tile, as floats or as
   ints. */
template <class From, class Cell>
DEVICE void tile_fill(const struct view &view, const struct tile &tile, shared<Cell> cells,
                      int sample, int row, int column, int line)
{
  int rows = view.rows + view.lines - 1;
  int samples = view.samples + (view.columns - 1) * view.channels;
  int first = sample + column * view.channels;

  for (int y = (int)threadIdx.y; y < tile.down; y += TILE_WARPS) {
    int at = row + line + y;

    if (at >= rows)
      break;
    global<const From> source = source_row<From>(view, at);
    for (int x = (int)threadIdx.x; x < tile.across; x += TILE_ACROSS)
      cells[y * tile.across + x] = first + x < samples ? (Cell)source[first + x] : (Cell)0;
  }
}

/* The loops of both paths; tap(j, i) gives a tap, add(sum, tap, cell) the next sum, end(row, sample, sum) stores
   a result. */
template <class From, class Cell, class Sum, class Tap, class Add, class End>
DEVICE void tile_loops(const struct view &view, const struct tile &tile, Tap tap, Add add, End end)
{
  shared<Cell> cells = dynamic_shared<Cell>();
  Sum sum[TILE_RESULTS] = {};
  int sample, row;

  tile_place(view, TILE_ACROSS, TILE_DOWN, &sample, &row);
  wait_for_launch_before();
  for (int line = 0; line < view.lines; line += tile.lines) {
    int line_end = line + tile.lines < view.lines ? line + tile.lines : view.lines;

    for (int column = 0; column < view.columns; column += tile.columns) {
      int column_end = column + tile.columns < view.columns ? column + tile.columns : view.columns;

      if (line > 0 || column > 0)
        barrier(); /* the part before has been read */
      tile_fill<From, Cell>(view, tile, cells, sample, row, column, line);
      barrier();
      for (int j = line; j < line_end; j++) {
        shared<Cell> beneath =
            cells + (j - line + (int)threadIdx.y) * tile.across + (int)threadIdx.x;

        for (int i = column; i < column_end; i++, beneath = beneath + view.channels) {
          float t = tap(j, i);

          for (int k = 0; k < TILE_RESULTS; k++)
            sum[k] = add(sum[k], t, beneath[k * TILE_WARPS * tile.across]);
        }
      }
    }
  }
  sample += (int)threadIdx.x;
  row += (int)threadIdx.y;
  for (int k = 0; k < TILE_RESULTS; k++, row += TILE_WARPS)
    if (sample < view.samples && row < view.rows)
      end(row, sample, sum[k]);
}

/* The kernel of both paths. */
template <class From, class To, class Tap>
DEVICE void tile_convolve(const struct view &view, const struct tile &tile, Tap tap)
{
  tile_loops<From, float, float>(
      view, tile, tap,
      [](float sum, float t, float sample) -> float { return sum_add<From>(sum, t, sample); },
      [&](int row, int sample, float sum) {
        result_row<To>(view, row)[sample] = (To)sample_end(sum, &view.ending);
      });
}

/* The same with sums of integers. */
template <class From, class Tap>
DEVICE void tile_convolve_integers(const struct view &view, const struct tile &tile,
                                   const struct integers &integers, Tap tap)
{
  tile_loops<From, int, long long>(
      view, tile, tap,
      [](long long sum, float t, int sample) -> long long { return term_add(sum, t, sample); },
      [&](int row, int sample, long long sum) { integer_store(view, integers, row, sample, sum); });
}

/* The launch that goes with it. */
static inline struct shape_of_launch tile_shape(const char *name, const struct frame_pass *pass,
                                                const struct tile &tile)
{
  return {name,
          tiles_count(pass->view, TILE_ACROSS, TILE_DOWN),
          {TILE_ACROSS, TILE_WARPS, 1},
          (size_t)tile.across * (size_t)tile.down * sizeof(float),
          pass->stream,
          pass->margins};
}

} // namespace GPU_MACHINE
} // namespace gpu

#endif
