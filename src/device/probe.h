/* Probes: small experiments that show what each kind of GPU memory does, measured beside what the
   rules predict.  The kernels and the table of probes stand in kernels/probe/probe.cu. */
#ifndef HALO_PROBE_H
#define HALO_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "device.h"
#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PROBE_VARIANTS_MAX = 9 };

/* The unit of what a request costs, as the emulator counts it. */
enum probe_unit {
  PROBE_WAVEFRONTS,   /* of shared memory, per request */
  PROBE_SECTORS,      /* of 32 bytes of global memory or a texture, per request */
  PROBE_SECTORS_MUCH, /* of 32 bytes of global memory, per 32 multiply-adds */
  PROBE_ADDRESSES,    /* of constant memory, per request */
  PROBE_NOTHING,      /* nothing is counted: the probe is about time */
};

/* One way to do the same work. */
struct probe_variant {
  const char *name;
  int how, much;      /* parameters of the probe's kernel */
  double served;      /* predicted: units */
  const char *slower; /* predicted: time, as a multiple of the first variant's */
};

struct probe {
  const char *name;
  const char *title;   /* what is measured */
  const char *teaches; /* one line */
  const char *seek;    /* what in a program of one's own shows the same effect */
  const char *gone;    /* advice for older GPUs that does not hold any more */
  enum probe_unit unit;
  const char *rate; /* unit of the rate of work, such as GB/s */
  const struct probe_variant *variants;
  size_t count;
};

/* What was measured of a variant, after its results were checked. */
struct probe_figure {
  const char *refused; /* why it was not tried, or NULL */
  double served;       /* where accesses are counted: units */
  double microseconds; /* where time means something: the median of a launch */
  double rate;
};

/* The probes of a machine that runs kernels. */
struct probe_machine {
  bool timed; /* else accesses are counted */

  /* The i-th probe, or NULL beyond the last. */
  const struct probe *(*probe)(size_t i);

  /* Measures all variants of the i-th probe.  A wrong result is an error. */
  bool (*measure)(size_t i, struct probe_figure *figures, struct error *error);
};

extern const struct probe_machine probes_cuda, probes_emulated;

/* Runs the probes of a list of names separated by commas, or all for NULL, on a device, and prints
   what they found to standard output: as `format` says, csv or json, or a table for NULL. */
bool probe_run(const char *names, const char *format, const struct device *device,
               struct error *error);

#ifdef __cplusplus
}
#endif
#endif
