/* A trial: the sample of a picture, convolved step by step by one path after the other. */
#ifndef HALO_EXPLAIN_TRIAL_H
#define HALO_EXPLAIN_TRIAL_H

#include "counters.h"
#include "error.h"
#include "explain_sample.h"
#include "path.h"
#include "plan.h"

struct trial {
  const struct settings *settings;
  const struct path *path; /* that trial_run() takes */
  struct plan plan;
  struct raster *raster; /* step i reads raster[i] and makes raster[i + 1] */
  void **beyond_row;     /* of step i, for a constant border */
};

/* Converts the sample to what the first step of the plan reads, and allocates the results of the steps.  The
   trial is to be freed, whatever came of it, with its plan. */
bool trial_make(struct trial *trial, struct raster *sample, struct error *error);
void trial_free(struct trial *trial);

/* Convolves the sample by trial->path; a function for explain_record(). */
bool trial_run(void *trial, struct error *error);

/* Adds up what the device of the path counts in all steps. */
bool trial_count(const struct trial *trial, const struct path *path, struct counters *counters,
                 struct error *error);

#endif
