/* One step of the plan as a stage: see convolve_stage.h. */
#include "convolve_stage.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "device.h"

/* The row_place of a stage: the row must be in its ring. */
static const void *stage_place(const void *stage, size_t row)
{
  return stage_row(stage, row);
}

/* Compares what two paths made of a band; the larger tolerance of both holds. */
static bool results_agree(const struct job *one, const struct job *other, const struct path *path,
                          const struct path *first_path, size_t first, struct error *error)
{
  const struct shape shape = {one->result_width, one->rows, one->channels, one->to};
  struct difference difference =
      rows_compare(&shape, one->result, one->pitch, other->result, other->pitch,
                   fmaxf(path->tolerance, first_path->tolerance));

  return !difference.found ||
         error_set(error, STATUS_FAILED,
                   "paths differ at x %zu, y %zu, channel %zu: %s makes %.9g, %s makes %.9g",
                   difference.x, first + difference.y, difference.channel, first_path->name,
                   (double)difference.one, path->name, (double)difference.other);
}

static bool path_run(struct convolve *convolve, size_t place, const struct job *job,
                     struct error *error)
{
  const struct path *path = convolve->choice->paths[place];
  struct convolve_cost *sum = &convolve->cost[place];
  struct band_cost cost = {0};
  bool done = path->device->run(path, job, &cost, error);

  atomic_fetch_add(&sum->upload, cost.upload);
  atomic_fetch_add(&sum->kernel, cost.kernel);
  atomic_fetch_add(&sum->download, cost.download);
  return done;
}

/* The memory of the program that a band takes while it runs: pointers to its source rows, what its path
   needs, and another result where paths are compared. */
static size_t convolve_bytes(const struct convolve *convolve, const struct job *job)
{
  const struct choice *choice = convolve->choice;
  size_t bytes = 0, rows = job->rows + job_taps_high(job) - 1;

  for (size_t i = 0; i < choice->count; i++) {
    size_t own = choice->paths[i]->device->host_bytes(choice->paths[i], job);

    bytes = own > bytes ? own : bytes;
  }
  if (choice->count > 1)
    bytes += job->rows * (job->result_width * job->channels * sample_bytes(job->to) + 64);
  return bytes + rows * sizeof(void *);
}

/* Runs the other paths on the same band, and compares. */
static bool convolve_others(struct convolve *convolve, const struct job *job, size_t first,
                            struct error *error)
{
  const struct choice *choice = convolve->choice;
  struct raster scratch;
  struct job other = *job;
  bool done = true;

  if (choice->count == 1)
    return true;
  if (!raster_allocate(&scratch, job->rows,
                       job->result_width * job->channels * sample_bytes(job->to), error))
    return false;
  other.result = scratch.data;
  other.pitch = scratch.pitch;
  for (size_t i = 1; done && i < choice->count; i++)
    done = path_run(convolve, i, &other, error) &&
           results_agree(job, &other, choice->paths[i], choice->paths[0], first, error);
  raster_free(&scratch);
  return done;
}

static bool convolve_run(struct stage *stage, size_t band, size_t first, size_t count,
                         struct error *error)
{
  struct convolve *convolve = stage->context;
  struct job job = step_job(convolve->step, convolve->border);
  const void **rows = step_rows(convolve->step, convolve->border, first, count,
                                convolve->beyond_row, stage_place, stage->source);
  bool done;

  (void)band;
  if (!rows)
    return error_set(error, STATUS_FAILED, "no memory for a band of %zu rows", count);
  job.source = rows;
  job.rows = count;
  job.result = stage_row(stage, first);
  job.pitch = stage->ring.pitch;
  done = path_run(convolve, 0, &job, error) && convolve_others(convolve, &job, first, error);
  free(rows);
  return done;
}

bool convolve_start(struct convolve *convolve, struct stage *stage, struct stage *source,
                    const struct step *step, const struct choice *choice, enum border border,
                    struct error *error)
{
  const struct pass *high = step_high(step);
  size_t band_rows = choice->band_rows;
  bool crop = border == BORDER_CROP;
  struct job job;

  convolve->step = step;
  convolve->choice = choice;
  convolve->border = border;
  job = step_job(step, border);
  if (border == BORDER_CONSTANT && !(convolve->beyond_row = step_row_beyond(step)))
    return error_set(error, STATUS_FAILED, "no memory for a row of %zu pixels", job.width);
  *stage = (struct stage){
      .context = convolve,
      .run = convolve_run,
      .rows = step->result.height,
      .band_rows = band_rows < step->result.height ? band_rows : step->result.height,
      .source = source,
      .above = crop ? 0 : high->anchor_y,
      .below = high->height - 1 - (crop ? 0 : high->anchor_y),
      .border = border,
  };
  job.rows = stage->band_rows;
  stage->scratch_bytes = convolve_bytes(convolve, &job);
  return shape_row_bytes(&step->result, &stage->row_bytes, error);
}

void convolve_free(struct convolve *convolve)
{
  free(convolve->beyond_row);
  convolve->beyond_row = NULL;
}
