/* The pipeline of one picture: decode → [prepare] → convolve … → [finish] → encode → write, each a
   stage (stage.h), run by the scheduler (scheduler.h). */
#ifndef HALO_PIPELINE_H
#define HALO_PIPELINE_H

#include "choice.h"
#include "device.h"
#include "error.h"
#include "format.h"
#include "plan.h"
#include "source.h"

struct pipeline;

/* Where rows go. */
struct target {
  const struct format *format;
  void *writer;
  struct output *output;
};

/* What a picture cost, in nanoseconds: of work, added up over threads. */
struct cost {
  unsigned long long decode, encode;
  unsigned long long colour; /* weighting by alpha and linear light, before and after the filters */
  struct band_cost path[PATHS_MAX]; /* of each path, in the order of the table `paths` */
  bool ran[PATHS_MAX];
  unsigned long long total; /* by the clock on the wall */
};

/* Makes the stages of a picture, arranged for as many as `threads` bands at a time.  What they are made from
   must stay until pipeline_free().  A picture that needs more than settings' max_memory is refused; NULL
   then. */
struct pipeline *pipeline_make(const struct plan *plan, const struct settings *settings,
                               const struct choice *choice, struct source *source,
                               struct target *target, size_t threads, struct error *error);

/* What the scheduler runs.  Once it is done, the source is read to its end, and the target's writer has got
   all rows. */
struct graph *pipeline_graph(struct pipeline *pipeline);

/* Adds up what the stages cost. */
void pipeline_cost(const struct pipeline *pipeline, struct cost *cost);

void pipeline_free(struct pipeline *pipeline);

#endif
