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
  bool margins;                /* on a GPU: wants the border filled in beside the source rows */
  float tolerance;             /* how far results may lie from the reference, in output units */

  /* Why this path can't do the job (for job NULL: any job on this machine), or NULL if it can.  The
     same words serve the planner, --list-paths, errors and skipped tests. */
  const char *(*refuse)(const struct job *job);

  /* Computes one band whose memory is already on the path's device; called by the device's run. */
  bool (*launch)(const struct job *job, struct error *error);

  /* Bytes of memory that launch() takes for such a job, on the cpu; NULL on a GPU, whose device knows. */
  size_t (*scratch_bytes)(const struct job *job);
};

/* One line a path: an object `path_DEVICE_NAME`, defined in the file that computes it.  The order is
   the order of --list-paths; which one `auto` prefers stands in choice.c alone. */
#define CPU_PATHS(X)                                                                               \
  X(cpu, reference)                                                                                \
  X(cpu, vector)

/* Each of these is one file of kernels/, built for every device that runs kernels. */
#define GPU_PATHS(X, device)                                                                       \
  X(device, global)                                                                                \
  X(device, shared)                                                                                \
  X(device, constant)                                                                              \
  X(device, register)                                                                              \
  X(device, texture)

#define X(device, name) extern const struct path path_##device##_##name;
CPU_PATHS(X)
GPU_PATHS(X, cuda)
GPU_PATHS(X, emulated)
#undef X

/* All paths, ended by NULL. */
extern const struct path *const paths[];

enum { PATHS_MAX = 16 };

/* The index of a path in `paths`. */
size_t path_index(const struct path *path);

/* The path of that name on a device (on any, for NULL), or NULL. */
const struct path *path_find(const char *name, const struct device *device);

/* Why the path can't be used on this machine, or NULL: its device may be missing. */
const char *path_missing(const struct path *path);

#ifdef __cplusplus
}
#endif
#endif
