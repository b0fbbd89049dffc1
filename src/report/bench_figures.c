/* --bench: what follows from the figures of a row.  See bench.h. */
#include "config.h"

#include "bench.h"

#include <string.h>

/* The row that the speed of this one is compared with, or NULL where that was not timed. */
static const struct bench_row *row_against(const struct bench *bench, const struct bench_row *row)
{
  const char *name = row->path->device == &device_cpu ? "reference" : "global";

  for (size_t i = 0; i < bench->rows; i++)
    if (bench->row[i].path->device == row->path->device && bench->row[i].rotated.median > 0 &&
        strcmp(bench->row[i].path->name, name) == 0)
      return &bench->row[i];
  return NULL;
}

struct bench_figures bench_figures(const struct bench *bench, const struct bench_row *row)
{
  const struct ceilings *ceilings = &bench->device[row->device].ceilings;
  const struct bench_row *against = row_against(bench, row);
  double median = row->rotated.median;
  struct bench_figures figures = {.binds = "", .against = "", .note = ""};

  if (median <= 0 || ceilings->copy_bytes_per_second <= 0 || ceilings->fma_per_second <= 0)
    return figures;
  figures.mpx_per_second = (double)bench->shape.width * (double)bench->shape.height / median * 1e3;
  figures.gb_per_second = row->bytes / median;
  figures.gfma_per_second = row->fmas / median;
  figures.copy = figures.gb_per_second * 1e9 / ceilings->copy_bytes_per_second;
  figures.fma = figures.gfma_per_second * 1e9 / ceilings->fma_per_second;
  figures.binds = figures.copy > figures.fma ? "memory" : "arithmetic";
  if (against) {
    figures.speedup = against->rotated.median / median;
    figures.against = against->path->name;
  }
  if (figures.copy > 1)
    figures.note = "above the peak of copies: the picture fits in the cache";
  else if (figures.fma > 1)
    figures.note = "above the measured peak: the machine was busy when that was measured";
  else if (row->throttled)
    figures.note = "no sample was taken at full clock";
  return figures;
}
