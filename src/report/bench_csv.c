/* The report of --bench as CSV: see bench.h; its fields are explained in the manual. */
#include "config.h"

#include <math.h>

#include "bench.h"
#include "csv.h"

/* A figure of a row that was timed; NaN, which is an empty field, for the others. */
static double timed(const struct bench_row *row, double value)
{
  return row->rotated.kept ? value : NAN;
}

static void times_csv(struct csv *csv, const struct bench_row *row)
{
  const struct bench_samples *samples = &row->rotated;

  csv_count(csv, samples->kept);
  csv_count(csv, bench_thrown(row));
  csv_fixed(csv, 0, timed(row, samples->median));
  csv_fixed(csv, 0, timed(row, samples->upper - samples->lower));
  csv_fixed(csv, 0, timed(row, samples->minimum));
  csv_fixed(csv, 0, timed(row, samples->lower));
  csv_fixed(csv, 0, timed(row, samples->upper));
  csv_fixed(csv, 0, row->cold.kept ? row->cold.median : NAN);
  csv_fixed(csv, 0, row->hot.kept ? row->hot.median : NAN);
}

static void figures_csv(struct csv *csv, const struct bench *bench, const struct bench_row *row)
{
  struct bench_figures figures = bench_figures(bench, row);
  char doubt[BENCH_DOUBT_BYTES];

  csv_fixed(csv, 2, timed(row, figures.mpx_per_second));
  csv_fixed(csv, 0, row->bytes);
  csv_fixed(csv, 0, row->fmas);
  csv_fixed(csv, 4, timed(row, figures.copy));
  csv_fixed(csv, 4, timed(row, figures.fma));
  csv_text(csv, figures.binds);
  csv_fixed(csv, 3, *figures.against ? figures.speedup : NAN);
  csv_number(csv, row->registers ? row->registers : NAN);
  csv_number(csv, row->registers ? (double)row->shared_bytes : NAN);
  csv_fixed(csv, 3, row->registers ? row->occupancy : NAN);
  csv_number(csv, row->failed[0] && !row->wrong ? NAN : row->difference);
  csv_text(csv, row->failed);
  csv_text(csv, figures.note);
  csv_text(csv, bench_doubt(bench, row, doubt, sizeof doubt));
}

static void row_csv(const struct bench *bench, const struct bench_row *row)
{
  bool counted = row->counted && !row->counters.unavailable[0];
  struct csv csv = {0};

  csv_text(&csv, row->path->name);
  csv_text(&csv, row->path->device->name);
  csv_count(&csv, bench->shape.width);
  csv_count(&csv, bench->shape.height);
  csv_count(&csv, bench->shape.channels);
  csv_text(&csv, sample_name(bench->shape.type));
  csv_count(&csv, bench->filter_width);
  csv_count(&csv, bench->filter_height);
  times_csv(&csv, row);
  figures_csv(&csv, bench, row);
  for (int c = 0; c < COUNTER_COUNT; c++)
    csv_number(&csv, counted ? row->counters.value[c] : NAN);
  csv_end(&csv);
}

void bench_print_csv(const struct bench *bench)
{
  struct csv csv = {0};

  csv_names(&csv,
            "path,device,width,height,channels,type,filter_width,filter_height,samples,thrown,"
            "median_ns,iqr_ns,minimum_ns,lower_quartile_ns,upper_quartile_ns,cold_ns,hot_ns,"
            "mpx_per_s,bytes,fmas,share_of_copy,share_of_fma,binds,speedup,registers,"
            "shared_bytes,occupancy,largest_difference,failed,note,doubt");
  for (int c = 0; c < COUNTER_COUNT; c++)
    csv_text(&csv, counter_table[c].name);
  csv_end(&csv);
  for (size_t i = 0; i < bench->rows; i++)
    row_csv(bench, &bench->row[i]);
}
