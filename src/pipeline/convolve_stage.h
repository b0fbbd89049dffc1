/* The convolving stage: one step of the plan, by one path or by several that must agree. */
#ifndef HALO_CONVOLVE_STAGE_H
#define HALO_CONVOLVE_STAGE_H

#include <stdatomic.h>

#include "choice.h"
#include "stage.h"

/* What bands cost so far; several may be under way. */
struct convolve_cost {
  atomic_ullong upload, kernel, download;
};

struct convolve {
  const struct step *step;
  const struct choice *choice;
  enum border border;
  void *beyond_row;                     /* a source row of nothing but step->beyond; or NULL */
  struct convolve_cost cost[PATHS_MAX]; /* of each path */
};

/* Prepares the context, and the stage that reads `source`.  Every path of the choice can do the step. */
bool convolve_start(struct convolve *convolve, struct stage *stage, struct stage *source,
                    const struct step *step, const struct choice *choice, enum border border,
                    struct error *error);
void convolve_free(struct convolve *convolve);

#endif
