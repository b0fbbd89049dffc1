/* The plan: what is done to a picture, step by step.  The only choosing heuristics of the program are
   in plan.c and choice.c; what the user asked for by name is never replaced by something else. */
#ifndef HALO_PLAN_H
#define HALO_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "choice.h"
#include "colour.h"
#include "error.h"
#include "filter.h"
#include "job.h"
#include "settings.h"

/* One convolution: the one pass of a filter, or its row pass and column pass at once. */
struct step {
  const struct pass *pass, *column;
  enum sample_type from, to;
  bool absolute;
  struct shape source, result; /* what the step reads and makes */
  float beyond[CHANNELS_MAX];  /* the pixel beyond a constant border */
};

struct plan {
  struct chain chain; /* the filters, fitted to this picture; the steps point into it */
  struct step *steps;
  size_t step_count;
  bool convert;       /* samples go through `colour` before and after the steps */
  bool restore_alpha; /* alpha is copied from the source after the steps */
  struct colour colour;
  struct shape source, result;
  size_t crop_left, crop_top; /* where the result's first pixel lies in the source */
  size_t threads;             /* that can help this picture, at most */
  size_t band_rows;
};

/* Makes the plan for a picture of this shape (gamma: of its encoding, 0 for sRGB), with results of
   type `to`. */
bool plan_make(struct plan *plan, const struct settings *settings, const struct choice *choice,
               const struct chain *chain, const struct shape *shape, double gamma,
               enum sample_type to, struct error *error);
void plan_free(struct plan *plan);

/* The first reason why the path can't do a step of the plan, or NULL. */
const char *plan_refuse(const struct plan *plan, const struct path *path, enum border border);

/* Where all paths were asked for: leaves out those that can't do a step of the plan. */
void plan_leave_out(const struct plan *plan, struct choice *choice, enum border border);

/* A row of the pixel beyond a constant border, in the samples of the step's source; to be freed.  NULL
   where there is no memory for it. */
void *step_row_beyond(const struct step *step);

/* The rows beneath the taps of a step over a whole raster, with the border above and below settled:
   job.source; to be freed.  `beyond` is step_row_beyond()'s.  NULL where there is no memory for it. */
const void **step_rows(const struct step *step, enum border border, const struct raster *raster,
                       const void *beyond);

/* The job of a step, without its rows. */
struct job step_job(const struct step *step, enum border border);

#endif
