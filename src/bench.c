/* --bench: what is measured, and in which order.  See bench.h.

   Nothing is timed before its result was right.  Paths take turns, a few samples each, so that a
   machine that slows down slows all of them; a path is done when the quartiles of its samples lie
   within 2% of the median, or its time is up. */
#include "config.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum {
  TURN_CPU = 3, /* samples of a turn */
  TURN_GPU = 21,
  SAMPLES_LEAST = 9,
  FLUSH_BYTES = 64 << 20, /* of a thread */
};

#define NOISE 0.02                  /* that is low enough: (upper − lower quartile) / median */
#define ROW_NANOSECONDS 3000000000u /* that a path gets, samples with cold caches included */

static int time_compare(const void *a, const void *b)
{
  unsigned long long p = *(const unsigned long long *)a, q = *(const unsigned long long *)b;

  return (p > q) - (p < q);
}

/* Rows first … of a job, as one of its own. */
static struct job job_part(const struct job *job, size_t first, size_t rows)
{
  struct job part = *job;

  part.source += first;
  part.rows = rows;
  part.result = (unsigned char *)job->result + first * job->pitch;
  return part;
}

/* Computes the job in bands, as many at a time as there are threads: what a picture costs on the cpu. */
static bool job_bands(const struct path *path, const struct job *job, size_t threads,
                      struct error *error)
{
  size_t row_bytes = job->result_width * job->channels * sizeof(float);
  size_t rows = path->device->band_bytes / row_bytes + 1, bands;
  bool failed = false;

  if (rows > job->rows / (4 * threads) + 1)
    rows = job->rows / (4 * threads) + 1;
  bands = (job->rows - 1) / rows + 1;
#pragma omp parallel for schedule(dynamic) num_threads((int)threads)
  for (size_t band = 0; band < bands; band++) {
    size_t first = band * rows;
    struct job part = job_part(job, first, job->rows - first < rows ? job->rows - first : rows);
    struct band_cost cost = {0};
    struct error own;

    if (!path->device->run(path, &part, &cost, &own)) {
#pragma omp critical(halo_bench_error)
      {
        failed = true;
        *error = own;
      }
    }
  }
  return !failed;
}

/* Fills the processor's caches with something else, those of each core too. */
static void caches_flush(size_t threads)
{
#pragma omp parallel for num_threads((int)threads)
  for (size_t t = 0; t < threads; t++) {
    volatile char *memory = malloc(FLUSH_BYTES);

    for (size_t i = 0; memory && i < FLUSH_BYTES; i += 64)
      memory[i] = 1;
    free((void *)memory);
  }
}

/* Takes `count` samples, or fewer where there is no room for them. */
static bool row_sample(struct bench_row *row, const struct job *job, size_t threads, bool cold,
                       size_t count, struct error *error)
{
  size_t *samples = cold ? &row->cold_samples : &row->samples;
  unsigned long long *sample = (cold ? row->cold_sample : row->sample) + *samples;
  struct repeat repeat = {.count = count, .cold = cold, .nanoseconds = sample};
  bool done = true;

  if (*samples + count > BENCH_SAMPLES_MAX)
    return true;
  if (row->path->device != &device_cpu) {
    done = row->path->device->repeat(row->path, job, &repeat, error);
    row->registers = repeat.registers;
    row->shared_bytes = repeat.shared_bytes;
    row->occupancy = repeat.occupancy;
  } else {
    for (size_t i = 0; done && i < count; i++) {
      unsigned long long start;

      if (cold)
        caches_flush(threads);
      start = clock_nanoseconds();
      done = job_bands(row->path, job, threads, error);
      sample[i] = clock_nanoseconds() - start;
    }
  }
  *samples += done ? count : 0;
  return done;
}

/* What the samples say. */
static void row_sum_up(struct bench_row *row)
{
  size_t count = row->samples;

  qsort(row->sample, count, sizeof *row->sample, time_compare);
  qsort(row->cold_sample, row->cold_samples, sizeof *row->cold_sample, time_compare);
  row->median = count ? (double)row->sample[count / 2] : 0;
  row->range = count ? (double)(row->sample[count * 3 / 4] - row->sample[count / 4]) : 0;
  row->hot = count ? (double)row->sample[0] : 0;
  row->cold = row->cold_samples ? (double)row->cold_sample[row->cold_samples / 2] : 0;
}

/* Compares the result with the reference's. */
static void row_check(struct bench_row *row, const struct job *job, const struct raster *right)
{
  size_t samples = job->result_width * job->channels;

  for (size_t y = 0; y < job->rows; y++) {
    const void *got = (const unsigned char *)job->result + y * job->pitch;
    const void *expected = raster_row(right, y);

    if (memcmp(got, expected, samples * sample_bytes(job->to)) == 0)
      continue;
    for (size_t x = 0; x < samples; x++) {
      double p = (double)sample_load(got, x, job->to);
      double q = (double)sample_load(expected, x, job->to);

      if (fabs(p - q) > row->difference)
        row->difference = fabs(p - q);
      row->wrong = row->wrong || (isnan(p) != isnan(q));
    }
  }
  row->wrong = row->wrong || row->difference > (double)row->path->tolerance;
}

/* Runs the path once, and looks at what it made. */
static void row_start(struct bench_row *row, const struct job *job, const struct raster *right,
                      size_t threads)
{
  struct repeat repeat = {.count = 1, .nanoseconds = row->sample};
  const char *reason = row->path->refuse(job);
  size_t bytes = job->result_width * job->channels * sample_bytes(job->to);
  struct error error;
  bool done;

  if (reason) {
    snprintf(row->failed, sizeof row->failed, "%s", reason);
    return;
  }
  for (size_t y = 0; y < job->rows; y++)
    memset((unsigned char *)job->result + y * job->pitch, 0xa5, bytes);
  done = row->path->device == &device_cpu
             ? job_bands(row->path, job, threads, &error)
             : row->path->device->repeat(row->path, job, &repeat, &error);
  if (!done) {
    snprintf(row->failed, sizeof row->failed, "%.200s", error.text);
    return;
  }
  row_check(row, job, right);
  if (row->wrong)
    snprintf(row->failed, sizeof row->failed, "wrong: differs from the reference by up to %g",
             row->difference);
}

/* What a result can't do without: each sample read and written once, and the taps; two passes of a GPU
   write and read what lies between them. */
static void row_count(struct bench_row *row, const struct job *job)
{
  double results = (double)job->result_width * (double)job->rows * job->channels;
  double between = job->column && row->path->device != &device_cpu ? 2 * sizeof(float) : 0;

  row->bytes = results * ((double)(sample_bytes(job->from) + sample_bytes(job->to)) + between);
  row->fmas = results * (job->column ? (double)(job->pass->width + job->column->height)
                                     : (double)(job->pass->width * job->pass->height));
}

static bool row_is_done(const struct bench_row *row, unsigned long long spent)
{
  bool emulated = row->path->device == &device_emulated; /* where time means nothing */

  if (row->failed[0] || emulated || spent > ROW_NANOSECONDS || row->samples >= BENCH_SAMPLES_MAX)
    return true;
  return row->samples >= SAMPLES_LEAST && row->range <= NOISE * row->median;
}

/* Paths in turns, until all are done. */
static bool rows_time(struct bench *bench, const struct job *job, struct error *error)
{
  unsigned long long spent[PATHS_MAX] = {0};
  bool done = false;

  while (!done) {
    done = true;
    for (size_t i = 0; i < bench->rows; i++) {
      struct bench_row *row = &bench->row[i];
      size_t turn = row->path->device == &device_cpu ? TURN_CPU : TURN_GPU;
      unsigned long long start = clock_nanoseconds();

      if (row_is_done(row, spent[i]))
        continue;
      done = false;
      if (!row_sample(row, job, bench->threads, false, turn, error) ||
          (row->cold_samples < SAMPLES_LEAST &&
           !row_sample(row, job, bench->threads, true, turn, error)))
        return false;
      row_sum_up(row);
      if (row->samples + turn > BENCH_SAMPLES_MAX)
        spent[i] = ROW_NANOSECONDS;
      spent[i] += clock_nanoseconds() - start;
    }
  }
  return true;
}

/* The ceilings of every device that takes part. */
static bool devices_measure(struct bench *bench, struct error *error)
{
  for (size_t i = 0; i < bench->rows; i++) {
    const struct device *device = bench->row[i].path->device;
    size_t d = 0;

    while (d < bench->devices && bench->device[d].device != device)
      d++;
    if (d < bench->devices || d == BENCH_DEVICES_MAX)
      continue;
    bench->device[d].device = device;
    if (!device->measure(&bench->device[d].ceilings, bench->threads, error))
      return false;
    bench->devices++;
  }
  return true;
}

static bool rows_run(struct bench *bench, const struct choice *choice,
                     const struct bench_picture *picture, struct error *error)
{
  struct job job = picture->job;
  size_t bytes = job.result_width * job.channels * sample_bytes(job.to);
  struct raster right = {0}, result = {0};
  bool done = raster_allocate(&right, job.rows, bytes, error) &&
              raster_allocate(&result, job.rows, bytes, error);

  if (done) {
    job.result = right.data;
    job.pitch = right.pitch;
    done = job_bands(&path_cpu_reference, &job, bench->threads, error);
    job.result = result.data;
    job.pitch = result.pitch;
  }
  for (size_t i = 0; done && i < choice->count; i++) {
    struct bench_row *row = &bench->row[bench->rows++];

    row->path = choice->paths[i];
    row_count(row, &job);
    row_start(row, &job, &right, bench->threads);
  }
  done = done && devices_measure(bench, error) && rows_time(bench, &job, error);
  raster_free(&right);
  raster_free(&result);
  return done;
}

const struct ceilings *bench_ceilings(const struct bench *bench, const struct bench_row *row)
{
  for (size_t i = 0; i < bench->devices; i++)
    if (bench->device[i].device == row->path->device)
      return &bench->device[i].ceilings;
  return NULL;
}

const struct bench_row *bench_against(const struct bench *bench, const struct bench_row *row)
{
  const char *name = row->path->device == &device_cpu ? "reference" : "global";

  for (size_t i = 0; i < bench->rows; i++)
    if (bench->row[i].path->device == row->path->device && bench->row[i].median > 0 &&
        strcmp(bench->row[i].path->name, name) == 0)
      return &bench->row[i];
  return NULL;
}

static void bench_describe(struct bench *bench, const struct bench_picture *picture,
                           const struct chain *chain)
{
  size_t x, y;

  bench->shape = picture->shape;
  bench->seed = picture->seed;
  bench->passes = chain->filters[0].passes;
  bench->taps = filter_taps(&picture->plan.chain.filters[0]);
  filter_extent(&chain->filters[0], &bench->filter_width, &bench->filter_height, &x, &y);
  snprintf(bench->filter, sizeof bench->filter, "%s", chain->filters[0].name);
}

static bool bench_print(const struct bench *bench, const struct options *options,
                        struct error *error)
{
  if (!options->format)
    bench_print_table(bench);
  else if (strcmp(options->format, "csv") == 0)
    bench_print_csv(bench);
  else
    return bench_print_json(bench, error);
  return true;
}

bool bench_run(const struct options *options, const struct choice *choice,
               const struct chain *chain, struct error *error)
{
  struct bench *bench = calloc(1, sizeof *bench);
  struct bench_picture picture;
  bool done = false;

  if (!bench)
    return error_set(error, STATUS_FAILED, "no memory for a bench");
  if (chain->count != 1) {
    error_set(error, STATUS_USAGE,
              "--bench compares paths with one filter, not with a chain of %zu", chain->count);
    goto free_bench;
  }
  bench->threads = choice->threads;
  if (!bench_picture_make(&picture, options, choice, chain, error))
    goto free_bench;
  bench_describe(bench, &picture, chain);
  done = rows_run(bench, choice, &picture, error) &&
         bench_picture_through(bench, options, choice, chain, &picture, error) &&
         bench_print(bench, options, error);
  for (size_t i = 0; done && i < bench->rows; i++)
    if (bench->row[i].wrong)
      done = error_set(error, STATUS_FAILED, "the path %s on the device %s is wrong",
                       bench->row[i].path->name, bench->row[i].path->device->name);
  bench_picture_free(&picture);
free_bench:
  free(bench);
  return done;
}
