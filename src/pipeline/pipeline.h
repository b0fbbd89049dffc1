/* The pipeline of one picture: decode → [prepare] → convolve … → [finish] → encode → write, each a
   stage (stage.h) whose bands run as tasks. */
#ifndef HALO_PIPELINE_H
#define HALO_PIPELINE_H

#include "device.h"
#include "error.h"
#include "format.h"
#include "plan.h"
#include "source.h"

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

/* Runs the picture through; the source is read to its end, and the target's writer has got all rows.
   More than settings' max_memory for bands is refused. */
bool pipeline_run(const struct plan *plan, const struct settings *settings,
                  const struct choice *choice, struct source *source, struct target *target,
                  struct cost *cost, struct error *error);

#endif
