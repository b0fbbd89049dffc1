/* How a plan treats colour: whether samples are convolved as they stand. */
#ifndef HALO_PLAN_COLOUR_H
#define HALO_PLAN_COLOUR_H

#include "plan.h"

/* Decides between convolving the samples of plan->source as they stand and converting them first, for
   plan->chain as the user gave it; fills in plan->colour, plan->convert and plan->restore_alpha. */
bool plan_colour(struct plan *plan, const struct settings *settings, double gamma,
                 enum sample_type to, struct error *error);

/* The pixel beyond a constant border, as the first filter of the plan sees it. */
void plan_beyond(const struct plan *plan, const struct settings *settings, float *beyond);

#endif
