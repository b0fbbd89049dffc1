/* --bench: what samples say.  See bench.h. */
#include "config.h"

#include "bench.h"

#include <stdlib.h>

#define CLOCK_LEAST                                                                                \
  0.95 /* of the highest clock that was seen: below, a sample says little of the path */

static int time_compare(const void *a, const void *b)
{
  unsigned long long p = *(const unsigned long long *)a, q = *(const unsigned long long *)b;

  return (p > q) - (p < q);
}

static int clock_compare(const void *a, const void *b)
{
  float p = *(const float *)a, q = *(const float *)b;

  return (p > q) - (p < q);
}

void bench_samples_sum_up(struct bench_samples *samples, double clock_most, bool all)
{
  unsigned long long kept[BENCH_SAMPLES_MAX];
  size_t count = 0;

  for (size_t i = 0; i < samples->count; i++)
    if (all || (double)samples->megahertz[i] >= CLOCK_LEAST * clock_most)
      kept[count++] = samples->nanoseconds[i];
  qsort(kept, count, sizeof *kept, time_compare);
  samples->kept = count;
  samples->median = count ? (double)kept[count / 2] : 0;
  samples->range = count ? (double)(kept[count * 3 / 4] - kept[count / 4]) : 0;
}

/* A processor's clock is told, but no reason to throw a sample away: there, other programs take time, too. */
void bench_row_sum_up(struct bench_row *row, double clock_most)
{
  bool all = row->path->device == &device_cpu || row->throttled;

  bench_samples_sum_up(&row->rotated, clock_most, all);
  bench_samples_sum_up(&row->cold, clock_most, all);
  bench_samples_sum_up(&row->hot, clock_most, all);
}

size_t bench_thrown(const struct bench_row *row)
{
  return row->rotated.count + row->cold.count + row->hot.count - row->rotated.kept -
         row->cold.kept - row->hot.kept;
}

void bench_clock_find(struct bench *bench, struct bench_device *device)
{
  enum { MOST = 3 * BENCH_SAMPLES_MAX };
  float *clocks = malloc(bench->rows * MOST * sizeof *clocks);
  size_t count = 0;

  for (size_t i = 0; clocks && i < bench->rows; i++) {
    const struct bench_row *row = &bench->row[i];
    const struct bench_samples *all[] = {&row->rotated, &row->cold, &row->hot};

    for (size_t s = 0; s < 3 && row->path->device == device->device; s++)
      for (size_t n = 0; n < all[s]->count; n++)
        clocks[count++] = all[s]->megahertz[n];
  }
  if (count) {
    qsort(clocks, count, sizeof *clocks, clock_compare);
    device->clock_most = (double)clocks[count - 1];
    device->clock_lower = (double)clocks[count / 4];
    device->clock_upper = (double)clocks[count * 3 / 4];
  }
  free(clocks);
}
