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
#include "progress.h"
#include "report_format.h"

enum {
  TURN_CPU = 3, /* samples of a turn */
  TURN_GPU = 21,
  SAMPLES_LEAST = 9,
};

#define NOISE 0.02                  /* low enough to stop: (upper − lower quartile) / median */
#define ROW_NANOSECONDS 3000000000u /* that a path gets at most, samples of every kind included */

/* The least that has to be done: each sample is read and written once, and the result of the first of two
   passes is written and read on a GPU; a multiply-add for each tap. */
static void row_count(struct bench_row *row, const struct job *job)
{
  double results = (double)job->result_width * (double)job->rows * job->channels;
  double between = job->column && row->path->device != &device_cpu ? 2 * sizeof(float) : 0;

  row->bytes = results * ((double)(sample_bytes(job->from) + sample_bytes(job->to)) + between);
  row->fmas = results * (job->column ? (double)(job->pass->width + job->column->height)
                                     : (double)(job->pass->width * job->pass->height));
}

/* One turn of a path.  Samples with cold and with hot caches are taken until there are SAMPLES_LEAST of each,
   of a slow path one at a time. */
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
  bool emulated = row->path->device == &device_emulated; /* its times say nothing about a GPU */

  if (row->failed[0] || emulated || spent > ROW_NANOSECONDS ||
      row->rotated.count + TURN_GPU > BENCH_SAMPLES_MAX)
    return true;
  return row->rotated.kept >= SAMPLES_LEAST && row->cold.kept >= SAMPLES_LEAST &&
         row->hot.kept >= SAMPLES_LEAST &&
         row->rotated.upper - row->rotated.lower <= NOISE * row->rotated.median;
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

      struct load_mark mark;

      if (row_is_done(&bench->row[i], spent[i]))
        continue;
      done = false;
      progress_show("halo: timing %s on %s: %zu samples", bench->row[i].path->name,
                    bench->row[i].path->device->name, bench->row[i].rotated.kept);
      mark = load_begin();
      if (!row_turn(bench, &bench->row[i], picture, error))
        return false;
      load_add(&bench->row[i].load, &mark);
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

/* Every device that takes part: what it is, and its peaks, copy bandwidth and rate of multiply-adds. */
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
    progress_show("halo: measuring what %s can do", device->device->name);
    device->device->describe(device->about, sizeof device->about);
    if (!device->device->measure(&device->ceilings, bench->threads, error))
      return false;
  }
  return true;
}

/* After everything has been timed, since a profiler changes times.  What can't be counted is no error: the
   row says why. */
static void rows_count(struct bench *bench, const struct bench_picture *picture)
{
  for (size_t i = 0; i < bench->rows; i++) {
    struct bench_row *row = &bench->row[i];
    struct job job = bench_job(picture, 0);
    struct error error;

    if (row->failed[0] || !row->path->device->count)
      continue;
    row->counted = true;
    progress_show("halo: counting %s on %s", row->path->name, row->path->device->name);
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

  progress_show("halo: computing the reference");
  if (done) {
    job.result = right.data;
    job.pitch = right.pitch;
    done = bench_job_run(&path_cpu_reference, &job, bench->team, error);
  }
  for (size_t i = 0; done && i < choice->count; i++) {
    struct bench_row *row = &bench->row[bench->rows++];

    row->path = choice->paths[i];
    row_count(row, &job);
    progress_show("halo: checking %s on %s", row->path->name, row->path->device->name);
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
  bench->passes = chain->filters[0].term[0].passes;
  bench->taps = filter_taps(&picture->plan.chain.filters[0]);
  filter_extent(&chain->filters[0], &bench->filter_width, &bench->filter_height, &x, &y);
  snprintf(bench->filter, sizeof bench->filter, "%s", chain->filters[0].name);
}

static bool bench_print(const struct bench *bench, enum report_format format, struct error *error)
{
  if (format == REPORT_JSON)
    return bench_print_json(bench, error);
  if (format == REPORT_CSV)
    bench_print_csv(bench);
  else
    bench_print_table(bench);
  return true;
}

/* A wrong path is an error, though the report was written. */
static bool bench_judge(const struct bench *bench, struct error *error)
{
  for (size_t i = 0; i < bench->rows; i++)
    if (bench->row[i].wrong)
      return error_set(error, STATUS_FAILED, "the path %s on the device %s is wrong",
                       bench->row[i].path->name, bench->row[i].path->device->name);
  return true;
}

/* Everything that is measured. */
static bool bench_measure(struct bench *bench, const struct settings *settings,
                          const struct choice *choice, const struct chain *chain,
                          struct bench_picture *picture, struct error *error)
{
  bool done = rows_run(bench, choice, picture, error);

  progress_show("halo: the whole picture");
  done = done && bench_picture_through(bench, settings, choice, chain, picture, error);
  if (done && settings->counters)
    rows_count(bench, picture);
  progress_end();
  return done;
}

bool bench_run(const struct settings *settings, const struct choice *choice,
               const struct chain *chain, struct error *error)
{
  struct bench *bench;
  struct bench_picture picture;
  enum report_format format;
  bool done = false;

  if (!report_format_read(&format, settings->format, error))
    return false;
  if (chain->count != 1)
    return error_set(error, STATUS_USAGE,
                     "--bench compares paths with one filter, not with a chain of %zu",
                     chain->count);
  bench = calloc(1, sizeof *bench);
  if (!bench)
    return error_set(error, STATUS_FAILED, "no memory for a bench");
  bench->threads = choice->threads;
  bench->team = team_start(bench->threads);
  if (!bench_picture_make(&picture, settings, choice, chain, error))
    goto free_bench;
  bench_describe(bench, &picture, chain);
  done = bench_measure(bench, settings, choice, chain, &picture, error) &&
         bench_print(bench, format, error) && bench_judge(bench, error);
  bench_picture_free(&picture);
free_bench:
  team_stop(bench->team);
  free(bench);
  return done;
}
