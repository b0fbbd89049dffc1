/* The plan: what is done to a picture, step by step, by whatever path.

   The plan is made first, from what the user asked for and from the picture.  The choice then says by which
   paths its steps are done, in bands of which height, on how many threads (choice.h).  Neither changes the
   other. */
#ifndef HALO_PLAN_H
#define HALO_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "colour.h"
#include "error.h"
#include "filter.h"
#include "path.h"
#include "settings.h"
#include "step.h"

struct plan {
  struct chain chain; /* the filters, fitted to this picture; the steps point into it */
  struct step *steps;
  size_t step_count;
  bool convert;       /* samples go through `colour` before and after the steps */
  bool restore_alpha; /* alpha is copied from the source after the steps */
  struct colour colour;
  struct shape source, result;
  size_t crop_left, crop_top; /* where the result's first pixel lies in the source */
};

/* Makes the plan for a picture of this shape (gamma: of its encoding, 0 for sRGB), with results of type
   `to`.  `split` allows a matrix to become a row and a column with the same results, where that is faster;
   a path that the user named computes a filter as it was typed.  On failure nothing is to be freed. */
bool plan_make(struct plan *plan, const struct settings *settings, bool split,
               const struct chain *chain, const struct shape *shape, double gamma,
               enum sample_type to, struct error *error);
void plan_free(struct plan *plan);

/* The first reason why the path can't do a step of the plan, or NULL. */
const char *plan_refuse(const struct plan *plan, const struct path *path, enum border border);

#endif
