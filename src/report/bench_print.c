/* The report of --bench as a table: see bench.h; its columns are explained in the manual. */
#include "config.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void heading_print(const struct bench *bench)
{
  char made[64] = "", filter[256];

  if (bench->seed)
    snprintf(made, sizeof made, " (made, seed %llu)", bench->seed);
  printf("halo %s: %zux%zu %s, %s%s; filter %s, %zux%zu in %zu pass%s; %zu thread%s\n", VERSION,
         bench->shape.width, bench->shape.height, channels_name(bench->shape.channels),
         sample_name(bench->shape.type), made, quote_name(bench->filter, filter, sizeof filter),
         bench->filter_width, bench->filter_height, bench->passes, bench->passes == 1 ? "" : "es",
         bench->threads, bench->threads == 1 ? "" : "s");
}

/* Samples of the device's rows, and those of them that were thrown away. */
static size_t samples_of(const struct bench *bench, size_t device, size_t *thrown)
{
  size_t samples = 0;

  *thrown = 0;
  for (size_t i = 0; i < bench->rows; i++) {
    const struct bench_row *row = &bench->row[i];

    if (row->device != device)
      continue;
    samples += row->rotated.count + row->cold.count + row->hot.count;
    *thrown += bench_thrown(row);
  }
  return samples;
}

static void device_print(const struct bench *bench, size_t which)
{
  const struct bench_device *device = &bench->device[which];
  size_t thrown, samples = samples_of(bench, which, &thrown);

  printf("%s: %s\n", device->device->name, device->about);
  if (device->ceilings.fma_per_second > 0)
    printf("  measured peaks: copies %.1f GB/s, multiply-adds %.1f G/s\n",
           device->ceilings.copy_bytes_per_second * 1e-9, device->ceilings.fma_per_second * 1e-9);
  if (device->clock_most > 0)
    printf(
        "  clock %.2f GHz at most, quartiles %.2f and %.2f GHz; %zu of %zu samples thrown away%s\n",
        device->clock_most * 1e-3, device->clock_lower * 1e-3, device->clock_upper * 1e-3, thrown,
        samples, thrown ? ", taken at a lower clock" : "");
}

/* The figures of a row that was timed, up to those of the kernel; the speedup is left out where there is nothing
   to compare with. */
static void figures_print(const struct bench_row *row, const struct bench_figures *figures)
{
  const struct bench_samples *samples = &row->rotated;

  printf(" %4zu %11.1f %7.1f %11.1f %11.1f %9.1f %8.2f %9.2f %5.1f%% %5.1f%% %-10s", samples->kept,
         samples->median / 1e3, (samples->upper - samples->lower) / 1e3, row->cold.median / 1e3,
         row->hot.median / 1e3, figures->mpx_per_second, figures->gb_per_second,
         figures->gfma_per_second, 100 * figures->copy, 100 * figures->fma, figures->binds);
  if (*figures->against)
    printf(" %7.2f", figures->speedup);
  else
    printf(" %7s", "-");
}

static void row_print(const struct bench *bench, const struct bench_row *row)
{
  struct bench_figures figures = bench_figures(bench, row);
  char doubt[BENCH_DOUBT_BYTES];

  printf("%-10s %-9s", row->path->name, row->path->device->name);
  if (row->failed[0] || row->rotated.count == 0) {
    printf(" %s\n",
           row->failed[0] ? row->failed : "correct; not timed, since this device is emulated");
    return;
  }
  figures_print(row, &figures);
  if (row->registers)
    printf(" %4u %6zu %4.0f%%", row->registers, row->shared_bytes, 100 * row->occupancy);
  else
    printf(" %4s %6s %5s", "", "", "");
  printf(" %g%s%s\n", row->difference, *figures.note ? "  " : "", figures.note);
  if (*bench_doubt(bench, row, doubt, sizeof doubt))
    printf("%10s doubtful: %s\n", "", doubt);
}

/* A line for each counter, a column for each path. */
static void counters_print(const struct bench *bench)
{
  bool any = false;

  for (size_t i = 0; i < bench->rows; i++) {
    const struct bench_row *row = &bench->row[i];

    any = any || (row->counted && !row->counters.unavailable[0]);
    if (row->counted && row->counters.unavailable[0])
      printf("\ncounters of %s on %s: %s\n", row->path->name, row->path->device->name,
             row->counters.unavailable);
  }
  if (!any)
    return;
  printf("\n%-32s", "counted, per run");
  for (size_t i = 0; i < bench->rows; i++)
    if (bench->row[i].counted)
      printf(" %12s", bench->row[i].path->name);
  printf("\n%-32s", "");
  for (size_t i = 0; i < bench->rows; i++)
    if (bench->row[i].counted)
      printf(" %12s", bench->row[i].path->device->name);
  putchar('\n');
  for (int c = 0; c < COUNTER_COUNT; c++) {
    printf("%-32s", counter_table[c].title);
    for (size_t i = 0; i < bench->rows; i++) {
      double value = bench->row[i].counters.value[c];

      if (bench->row[i].counted && (isnan(value) || bench->row[i].counters.unavailable[0]))
        printf(" %12s", "-");
      else if (bench->row[i].counted)
        printf(" %12.*f", counter_table[c].kind == COUNTED_SHARE, value);
    }
    putchar('\n');
  }
}

void bench_print_table(const struct bench *bench)
{
  const struct cost *picture = &bench->picture;
  const struct band_cost *band = &picture->path[path_index(bench->through)];

  heading_print(bench);
  for (size_t i = 0; i < bench->devices; i++)
    device_print(bench, i);
  printf("\n%-10s %-9s %4s %11s %7s %11s %11s %9s %8s %9s %6s %6s %-10s %7s %4s %6s %5s %s\n",
         "path", "device", "n", "median us", "iqr us", "cold us", "hot us", "Mpx/s", "GB/s",
         "GFMA/s", "copy", "fma", "binds", "speedup", "regs", "shared", "occ", "differs");
  for (size_t i = 0; i < bench->rows; i++)
    row_print(bench, &bench->row[i]);
  counters_print(bench);
  printf("\nthe picture through %s on %s: decode %.2f ms, upload %.2f, kernel %.2f, download %.2f, "
         "encode %.2f, start of the device %.2f, total %.2f ms\n",
         bench->through->name, bench->through->device->name, (double)picture->decode * 1e-6,
         (double)band->upload * 1e-6, (double)band->kernel * 1e-6, (double)band->download * 1e-6,
         (double)picture->encode * 1e-6, (double)bench->started * 1e-6,
         (double)picture->total * 1e-6);
}
