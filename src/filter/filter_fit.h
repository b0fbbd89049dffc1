/* Scale, offset and depth of samples as changes of the taps, bias and scale of a filter. */
#ifndef HALO_FILTER_FIT_H
#define HALO_FILTER_FIT_H

#include <stdbool.h>

#include "error.h"
#include "filter.h"
#include "image.h"

/* --scale: results are divided by `scale` instead of by the scale that was given with the taps.  0 and
   what float32 does not hold are refused, status STATUS_USAGE. */
bool filter_set_scale(struct filter *filter, double scale, struct error *error);

/* --normalize: the scale becomes the sum of the taps, unless that is 0 or no more than rounding next
   to Σ|tap| (2^-20 of it or less): such a filter, an edge finder, stays as it is. */
void filter_normalize(struct filter *filter);

/* Turns the offset into the bias of the last pass for samples of type `from`, and multiplies results
   by what brings them to the range of type `to` (257 from 8 to 16 bits, and so on).  The last filter
   of a chain gets the type of the output as `to`, the others their own `from`.  Only for plain filters;
   others stay as they are.  Where float32 cannot hold the
   new scale or bias, the filter stays as it was and the status is STATUS_USAGE. */
bool filter_fit(struct filter *filter, enum sample_type from, enum sample_type to,
                struct error *error);

#endif
