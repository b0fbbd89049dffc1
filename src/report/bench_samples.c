/* --bench: samples, and the figures made of them.  See bench.h. */
#include "config.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>

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
  unsigned long long sorted[BENCH_SAMPLES_MAX];
  size_t count = 0;

  for (size_t i = 0; i < samples->count; i++)
    if (all || (double)samples->megahertz[i] >= CLOCK_LEAST * clock_most)
      samples->kept_nanoseconds[count++] = samples->nanoseconds[i];
  memcpy(sorted, samples->kept_nanoseconds, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, time_compare);
  samples->kept = count;
  samples->minimum = count ? (double)sorted[0] : 0;
  samples->lower = count ? (double)sorted[count / 4] : 0;
  samples->median = count ? (double)sorted[count / 2] : 0;
  samples->upper = count ? (double)sorted[count * 3 / 4] : 0;
}

/* A processor's clock is reported, but is no reason to leave a sample out: it says too little of how much of
   the processor this program had. */
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
