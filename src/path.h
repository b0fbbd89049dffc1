/* Paths: the ways to compute the same convolution. */
#ifndef HALO_PATH_H
#define HALO_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "job.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device;

struct path {
  const char *name;
  const char *about;           /* one line */
  const struct device *device; /* where it runs */
  bool separable;              /* takes a row pass and a column pass in one job */
  float tolerance;             /* how far results may lie from the reference, in output units */

  /* Why this path can't do the job (for job NULL: any job on this machine), or NULL if it can.  The
     same words serve the planner, --list-paths, errors and skipped tests. */
  const char *(*refuse)(const struct job *job);

  /* Computes one band whose memory is already on the path's device. */
  bool (*launch)(const struct job *job, struct error *error);
};

/* One line a path: an object `path_NAME`, defined in the file that computes it.  The order is the
   order of --list-paths; which one `auto` prefers stands in plan.c alone. */
#define PATHS(X)                                                                                   \
  X(reference)                                                                                     \
  X(vector)

#define X(name) extern const struct path path_##name;
PATHS(X)
#undef X

/* All paths, ended by NULL. */
extern const struct path *const paths[];

/* The path of that name, or NULL. */
const struct path *path_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
