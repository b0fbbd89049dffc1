/* Devices: where paths run. */
#ifndef HALO_DEVICE_H
#define HALO_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct job;
struct path;

/* What bands cost on a device, in nanoseconds. */
struct band_cost {
  unsigned long long upload, kernel, download;
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

  /* Computes the band `count` times over, its rows and results being on the device already, and gives
     the nanoseconds that each took; the job's rows get the result of the last. */
  bool (*repeat)(const struct path *path, const struct job *job, size_t count,
                 unsigned long long *nanoseconds, struct error *error);

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
