/* Devices: where paths run. */
#ifndef HALO_DEVICE_H
#define HALO_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct counters;
struct job;
struct path;

/* Nanoseconds that bands took on a device: copied to it, computed, copied back. */
struct band_cost {
  unsigned long long upload, kernel, download;
};

/* What a repeated band finds in the device's caches. */
enum repeat_rows {
  REPEAT_ROTATED, /* each run takes another copy of the rows, so that none finds what the last one left */
  REPEAT_COLD, /* the caches are filled with something else before each */
  REPEAT_HOT,  /* the same rows again and again */
};

/* How a band is timed, and what was measured: the first two are given, the others filled in. */
struct repeat {
  size_t count;
  enum repeat_rows rows;
  unsigned long long *nanoseconds; /* of each */
  float *megahertz;    /* the device's clock at each; 0 where it isn't known.  NULL if not wanted */
  size_t launches;     /* per time, which is their mean: one can be too short to be timed */
  unsigned registers;  /* per thread of the path's kernel; 0 where there is no kernel */
  size_t shared_bytes; /* per block */
  double occupancy;    /* share of the warps that a multiprocessor can hold */
};

/* Measured peaks of a device (the ceilings of the roofline model); 0 on a device whose times mean nothing. */
struct ceilings {
  double copy_bytes_per_second; /* of its memory, read and written */
  double fma_per_second;        /* of floats */
};

struct device {
  const char *name;
  const char *about; /* one line */

  /* Why nothing can run there, or NULL.  Asked only when the device is wanted or listed, since on a
     GPU the question alone can cost a third of a second. */
  const char *(*missing)(void);

  /* Chooses among several of its kind, by what stands behind a colon in --device=NAME:WHICH, before
     anything else is asked of it.  NULL where there is but one. */
  bool (*select)(const char *which, struct error *error);

  /* Computes a band by a path of this device, from rows of the program's memory to rows of the
     program's memory, and adds up what that cost. */
  bool (*run)(const struct path *path, const struct job *job, struct band_cost *cost,
              struct error *error);

  /* How much of the program's memory run() takes for such a band while it runs, or keeps for the next. */
  size_t (*host_bytes)(const struct path *path, const struct job *job);

  /* Computes the band several times over, its rows and results being on the device already; the job's
     rows get the result of the first.  NULL where that is the program's memory. */
  bool (*repeat)(const struct path *path, const struct job *job, struct repeat *repeat,
                 struct error *error);

  bool (*measure)(struct ceilings *ceilings, size_t threads, struct error *error);

  /* Counts what the band asks of the device's memory.  Where that can't be had, counters->unavailable
     says why, which is no error.  NULL where the device has no counters. */
  bool (*count)(const struct path *path, const struct job *job, struct counters *counters,
                struct error *error);

  /* Writes one line that says what the device is, with the versions of the software that runs it. */
  void (*describe)(char *text, size_t size);

  /* Nanoseconds that it took to start the device; 0 where it needs no start. */
  unsigned long long (*started)(void);

  size_t band_bytes; /* of float32 samples in a band that suits the device */
};

/* One line a device: an object `device_NAME`. */
#ifdef HAVE_CUDA
#define DEVICES(X) X(cpu) X(cuda) X(emulated)
#else
#define DEVICES(X) X(cpu) X(emulated)
#endif

extern const struct device device_cpu, device_cuda, device_emulated;

/* All devices, ended by NULL. */
extern const struct device *const devices[];

/* The device of that name, or NULL. */
const struct device *device_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
