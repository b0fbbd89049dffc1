/* Comparing two results.  --path=A,B, --bench and the tests all decide here whether they are the same. */
#ifndef HALO_COMPARE_H
#define HALO_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "image.h"

/* Samples are the same where they have the same bits, where both are NaN, or where a tolerance over 0
   allows for their difference.  So without a tolerance −0 is not 0. */
struct difference {
  bool found; /* whether samples differ; below, the first that do, row by row */
  size_t x, y, channel;
  float one, other;
  double largest; /* finite difference, in units of the samples, within the tolerance or not */
};

/* Compares shape->height rows of samples; a pitch is in bytes from one row to the next, and the
   tolerance in units of the samples. */
struct difference rows_compare(const struct shape *shape, const void *one, size_t one_pitch,
                               const void *other, size_t other_pitch, float tolerance);

#endif
