/* --bench: what is measured, and in which order.  See bench.h.

   Nothing is timed before its result was right.  Paths take turns, a few samples each, so that a
   machine that slows down slows all of them; a path is done when the quartiles of its samples lie
   within 2% of the median, or its time is up. */
#include "config.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "parallel.h"

enum {
  TURN_CPU = 3, /* samples of a turn */
  TURN_GPU = 21,
  SAMPLES_LEAST = 9,
};

#define NOISE 0.02                  /* that is low enough: (upper − lower quartile) / median */
#define ROW_NANOSECONDS 3000000000u /* that a path gets, samples of every kind included */

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

/* One turn of a path; samples with cold and with hot caches are soon enough, and one has to do of a path
   that is slow. */
static bool row_turn(struct bench *bench, struct bench_row *row,
                     const struct bench_picture *picture, struct error *error)
{
  size_t turn = row->path->device == &device_cpu ? TURN_CPU : TURN_GPU;
  bool slow = row->once > ROW_NANOSECONDS / SAMPLES_LEAST;
  struct bench_device *device = &bench->device[row->device];

  if (!bench_row_sample(row, picture, bench->team, REPEAT_ROTATED, turn, error) ||
      (row->cold.kept < SAMPLES_LEAST &&
       !bench_row_sample(row, picture, bench->team, REPEAT_COLD, slow ? 1 : turn, error)) ||
      (row->hot.kept < SAMPLES_LEAST &&
       !bench_row_sample(row, picture, bench->team, REPEAT_HOT, slow ? 1 : turn, error)))
    return false;
  bench_clock_find(bench, device);
  bench_row_sum_up(row, device->clock_most);
  return true;
}

static bool row_is_done(const struct bench_row *row, unsigned long long spent)
{
  bool emulated = row->path->device == &device_emulated; /* where time means nothing */

  if (row->failed[0] || emulated || spent > ROW_NANOSECONDS ||
      row->rotated.count + TURN_GPU > BENCH_SAMPLES_MAX)
    return true;
  return row->rotated.kept >= SAMPLES_LEAST && row->cold.kept >= SAMPLES_LEAST &&
         row->hot.kept >= SAMPLES_LEAST && row->rotated.range <= NOISE * row->rotated.median;
}

/* Paths in turns, until all are done. */
static bool rows_time(struct bench *bench, const struct bench_picture *picture, struct error *error)
{
  unsigned long long spent[PATHS_MAX] = {0};
  bool done = false;

  while (!done) {
    done = true;
    for (size_t i = 0; i < bench->rows; i++) {
      unsigned long long start = clock_nanoseconds();

      if (row_is_done(&bench->row[i], spent[i]))
        continue;
      done = false;
      if (!row_turn(bench, &bench->row[i], picture, error))
        return false;
      spent[i] += clock_nanoseconds() - start;
    }
  }
  for (size_t i = 0; i < bench->rows; i++) { /* once more: the highest clock may have come late */
    struct bench_row *row = &bench->row[i];

    row->throttled = row->rotated.count && row->rotated.kept == 0;
    bench_row_sum_up(row, bench->device[row->device].clock_most);
  }
  return true;
}

/* Every device that takes part: what it is, and its ceilings. */
static bool devices_measure(struct bench *bench, struct error *error)
{
  for (size_t i = 0; i < bench->rows; i++) {
    struct bench_row *row = &bench->row[i];
    struct bench_device *device = bench->device;

    while (device < bench->device + bench->devices && device->device != row->path->device)
      device++;
    row->device = (size_t)(device - bench->device);
    if (row->device < bench->devices)
      continue;
    bench->devices++;
    device->device = row->path->device;
    device->device->describe(device->about, sizeof device->about);
    if (!device->device->measure(&device->ceilings, bench->threads, error))
      return false;
  }
  return true;
}

/* After all has been timed, since a profiler changes that.  What can't be counted is said, and the rest is
   told all the same. */
static void rows_count(struct bench *bench, const struct bench_picture *picture)
{
  for (size_t i = 0; i < bench->rows; i++) {
    struct bench_row *row = &bench->row[i];
    struct job job = bench_job(picture, 0);
    struct error error;

    if (row->failed[0] || !row->path->device->count)
      continue;
    row->counted = true;
    if (!row->path->device->count(row->path, &job, &row->counters, &error))
      snprintf(row->counters.unavailable, sizeof row->counters.unavailable, "%.200s", error.text);
  }
}

static bool rows_run(struct bench *bench, const struct choice *choice,
                     const struct bench_picture *picture, struct error *error)
{
  struct job job = bench_job(picture, 0);
  struct raster right = {0};
  bool done = raster_allocate(&right, job.rows,
                              job.result_width * job.channels * sample_bytes(job.to), error);

  if (done) {
    job.result = right.data;
    job.pitch = right.pitch;
    done = bench_job_run(&path_cpu_reference, &job, bench->team, error);
  }
  for (size_t i = 0; done && i < choice->count; i++) {
    struct bench_row *row = &bench->row[bench->rows++];

    row->path = choice->paths[i];
    row_count(row, &job);
    bench_row_check(row, picture, &right, bench->team);
  }
  raster_free(&right);
  return done && devices_measure(bench, error) && rows_time(bench, picture, error);
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

static bool bench_print(const struct bench *bench, const struct settings *settings,
                        struct error *error)
{
  if (!settings->format)
    bench_print_table(bench);
  else if (strcmp(settings->format, "csv") == 0)
    bench_print_csv(bench);
  else
    return bench_print_json(bench, error);
  return true;
}

bool bench_run(const struct settings *settings, const struct choice *choice,
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
  bench->team = team_start(bench->threads);
  if (!bench_picture_make(&picture, settings, choice, chain, error))
    goto free_bench;
  bench_describe(bench, &picture, chain);
  done = rows_run(bench, choice, &picture, error) &&
         bench_picture_through(bench, settings, choice, chain, &picture, error);
  if (done && settings->counters)
    rows_count(bench, &picture);
  done = done && bench_print(bench, settings, error);
  for (size_t i = 0; done && i < bench->rows; i++)
    if (bench->row[i].wrong)
      done = error_set(error, STATUS_FAILED, "the path %s on the device %s is wrong",
                       bench->row[i].path->name, bench->row[i].path->device->name);
  bench_picture_free(&picture);
free_bench:
  team_stop(bench->team);
  free(bench);
  return done;
}
