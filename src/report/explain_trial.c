/* A sample convolved: see explain_trial.h. */
#include "config.h"

#include "explain_trial.h"

#include <stdlib.h>

#include "device.h"

/* Blocks that a GPU is assumed to run at a time.  Few, so that the strips of rows of the sample are as high as
   those of a large picture. */
enum { BLOCKS_AT_ONCE = 8 };

/* The job of a step, whose rows are to be freed; without rows where there is no memory. */
static struct job trial_job_make(const struct trial *trial, size_t index, struct error *error)
{
  const struct step *step = &trial->plan.steps[index];
  struct job job = step_job(step, trial->settings->border);

  job.source = step_rows(step, trial->settings->border, 0, step->result.height,
                         trial->beyond_row[index], step_raster_row, &trial->raster[index]);
  job.rows = step->result.height;
  job.result = trial->raster[index + 1].data;
  job.pitch = trial->raster[index + 1].pitch;
  job.blocks_at_once = BLOCKS_AT_ONCE;
  if (!job.source)
    error_set(error, STATUS_FAILED, "no memory for %zu rows", step->result.height);
  return job;
}

bool trial_run(void *context, struct error *error)
{
  const struct trial *trial = context;
  bool done = true;

  for (size_t i = 0; done && i < trial->plan.step_count; i++) {
    struct job job = trial_job_make(trial, i, error);
    struct band_cost cost = {0};

    done = job.source && trial->path->device->run(trial->path, &job, &cost, error);
    free((void *)job.source);
  }
  return done;
}

bool trial_count(const struct trial *trial, const struct path *path, struct counters *counters,
                 struct error *error)
{
  bool done = true;

  *counters = (struct counters){0};
  for (size_t i = 0; done && i < trial->plan.step_count; i++) {
    struct job job = trial_job_make(trial, i, error);
    struct counters step = {0};

    done = job.source && path->device->count(path, &job, &step, error);
    counters_add(counters, &step);
    free((void *)job.source);
  }
  return done;
}

bool trial_make(struct trial *trial, struct raster *sample, struct error *error)
{
  const struct plan *plan = &trial->plan;
  size_t bytes;

  trial->raster = calloc(plan->step_count + 1, sizeof *trial->raster);
  trial->beyond_row = calloc(plan->step_count, sizeof *trial->beyond_row);
  if (!trial->raster || !trial->beyond_row)
    return error_set(error, STATUS_FAILED, "no memory for %zu steps", plan->step_count);
  if (!plan->convert) {
    trial->raster[0] = *sample;
    *sample = (struct raster){0};
  } else if (!shape_row_bytes(&plan->steps[0].source, &bytes, error) ||
             !raster_allocate(&trial->raster[0], plan->source.height, bytes, error)) {
    return false;
  }
  for (size_t y = 0; plan->convert && y < plan->source.height; y++)
    colour_prepare(&plan->colour, raster_row(sample, y), (float *)raster_row(&trial->raster[0], y),
                   plan->source.width);
  for (size_t i = 0; i < plan->step_count; i++) {
    const struct step *step = &plan->steps[i];

    trial->beyond_row[i] = step_row_beyond(step);
    if (!trial->beyond_row[i])
      return error_set(error, STATUS_FAILED, "no memory for a row of the border");
    if (!shape_row_bytes(&step->result, &bytes, error) ||
        !raster_allocate(&trial->raster[i + 1], step->result.height, bytes, error))
      return false;
  }
  return true;
}

void trial_free(struct trial *trial)
{
  for (size_t i = 0; trial->raster && i <= trial->plan.step_count; i++)
    raster_free(&trial->raster[i]);
  for (size_t i = 0; trial->beyond_row && i < trial->plan.step_count; i++)
    free(trial->beyond_row[i]);
  free(trial->raster);
  free(trial->beyond_row);
  plan_free(&trial->plan);
}
