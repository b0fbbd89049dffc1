/* --bench: a path is run, checked and sampled.  See bench.h. */
#include "config.h"

#include "bench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "compare.h"
#include "cpu_ceiling.h"
#include "parallel.h"

enum { FLUSH_BYTES = 64 << 20 }; /* of a thread */

/* Rows first … of a job, as one of its own. */
static struct job job_part(const struct job *job, size_t first, size_t rows)
{
  struct job part = *job;

  part.source += first;
  part.rows = rows;
  part.result = (unsigned char *)job->result + first * job->pitch;
  return part;
}

/* A job that a team computes band by band. */
struct bands {
  const struct path *path;
  const struct job *job;
  size_t rows; /* of a band */
  pthread_mutex_t lock;
  bool failed;
  struct error *error;
};

static void bands_turn(void *context, size_t band)
{
  struct bands *bands = context;
  const struct job *job = bands->job;
  size_t first = band * bands->rows, left = job->rows - first;
  struct job part = job_part(job, first, left < bands->rows ? left : bands->rows);
  struct band_cost cost = {0};
  struct error own;

  if (bands->path->device->run(bands->path, &part, &cost, &own))
    return;
  pthread_mutex_lock(&bands->lock);
  bands->failed = true;
  *bands->error = own;
  pthread_mutex_unlock(&bands->lock);
}

bool bench_job_run(const struct path *path, const struct job *job, struct team *team,
                   struct error *error)
{
  struct bands bands = {.path = path, .job = job, .error = error};
  size_t row_bytes = job->result_width * job->channels * sizeof(float);
  size_t share = job->rows / (4 * team_size(team)) + 1;

  bands.rows = path->device->band_bytes / row_bytes + 1;
  bands.rows = bands.rows < share ? bands.rows : share;
  pthread_mutex_init(&bands.lock, NULL);
  team_loop(team, (job->rows - 1) / bands.rows + 1, bands_turn, &bands);
  pthread_mutex_destroy(&bands.lock);
  return !bands.failed;
}

/* Fills a core's own caches with something else. */
static void cache_flush(void *context, size_t index)
{
  volatile char *memory = malloc(FLUSH_BYTES);

  (void)context, (void)index;
  for (size_t i = 0; memory && i < FLUSH_BYTES; i += 64)
    memory[i] = 1;
  free((void *)memory);
}

/* Fills the processor's caches with something else, those of each core too: a thread is busy with its turn
   long enough for the others to take theirs. */
static void caches_flush(struct team *team)
{
  team_loop(team, team_size(team), cache_flush, NULL);
}

static struct bench_samples *samples_of(struct bench_row *row, enum repeat_rows rows)
{
  return rows == REPEAT_ROTATED ? &row->rotated : rows == REPEAT_COLD ? &row->cold : &row->hot;
}

static bool cpu_repeat(const struct path *path, const struct bench_picture *picture,
                       struct team *team, struct repeat *repeat, struct error *error)
{
  for (size_t i = 0; i < repeat->count; i++) {
    size_t copy = repeat->rows == REPEAT_ROTATED ? i % picture->copies : 0;
    struct job job = bench_job(picture, copy);
    unsigned long long start;

    repeat->megahertz[i] = (float)(cpu_clock_rate() * 1e-6);
    if (repeat->rows == REPEAT_COLD)
      caches_flush(team);
    start = clock_nanoseconds();
    if (!bench_job_run(path, &job, team, error))
      return false;
    repeat->nanoseconds[i] = clock_nanoseconds() - start;
  }
  return true;
}

bool bench_row_sample(struct bench_row *row, const struct bench_picture *picture, struct team *team,
                      enum repeat_rows rows, size_t count, struct error *error)
{
  struct bench_samples *samples = samples_of(row, rows);
  struct repeat repeat = {
      .count = count,
      .rows = rows,
      .nanoseconds = samples->nanoseconds + samples->count,
      .megahertz = samples->megahertz + samples->count,
      .launches = 1,
  };
  struct job job = bench_job(picture, 0);
  bool done;

  if (samples->count + count > BENCH_SAMPLES_MAX)
    return true;
  if (row->path->device->repeat)
    done = row->path->device->repeat(row->path, &job, &repeat, error);
  else
    done = cpu_repeat(row->path, picture, team, &repeat, error);
  samples->launches = repeat.launches;
  row->registers = repeat.registers;
  row->shared_bytes = repeat.shared_bytes;
  row->occupancy = repeat.occupancy;
  samples->count += done ? count : 0;
  return done;
}

/* Compares the result with the reference's, and says where it is wrong. */
static void result_compare(struct bench_row *row, const struct job *job, const struct raster *right)
{
  const struct shape shape = {job->result_width, job->rows, job->channels, job->to};
  struct difference difference = rows_compare(&shape, job->result, job->pitch, right->data,
                                              right->pitch, row->path->tolerance);

  row->difference = difference.largest;
  row->wrong = difference.found;
  if (row->wrong)
    snprintf(row->failed, sizeof row->failed,
             "wrong: x %zu, y %zu, channel %zu is %.9g, and %.9g by the reference; differences of "
             "up to %g",
             difference.x, difference.y, difference.channel, (double)difference.one,
             (double)difference.other, difference.largest);
}

void bench_row_check(struct bench_row *row, const struct bench_picture *picture,
                     const struct raster *right, struct team *team)
{
  struct job job = bench_job(picture, 0);
  struct repeat repeat = {.count = 1, .rows = REPEAT_HOT, .nanoseconds = row->hot.nanoseconds};
  const char *reason = row->path->refuse(&job);
  size_t bytes = job.result_width * job.channels * sample_bytes(job.to);
  unsigned long long start;
  struct error error;
  bool done;

  if (reason) {
    snprintf(row->failed, sizeof row->failed, "%s", reason);
    return;
  }
  for (size_t y = 0; y < job.rows; y++)
    memset((unsigned char *)job.result + y * job.pitch, 0xa5, bytes);
  start = clock_nanoseconds();
  done = row->path->device->repeat ? row->path->device->repeat(row->path, &job, &repeat, &error)
                                   : bench_job_run(row->path, &job, team, &error);
  row->once = clock_nanoseconds() - start;
  if (!done) {
    snprintf(row->failed, sizeof row->failed, "%.200s", error.text);
    return;
  }
  result_compare(row, &job, right);
}
