/* Filters made of numbers: of one matrix as it was typed, or of a row and a column of integers. */
#ifndef HALO_FILTER_TAPS_H
#define HALO_FILTER_TAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "filter.h"

/* Makes a filter of one pass from width · height real taps (row by row), so that result =
   Σ tap · sample / scale + offset.  Taps with decimals are brought to a common denominator, so that
   `0.0625` becomes 625 / 10000, and then divided by the greatest common divisor; where that does not
   fit (24 bits, and 52 for the scale) the taps become float32 as they are and the pass is not integral.
   The anchor is (width / 2, height / 2).  A scale of 0 and numbers that no float32 holds are refused,
   status STATUS_USAGE. */
bool filter_from_taps(struct filter *filter, const char *name, size_t width, size_t height,
                      const double *taps, double scale, double offset, struct error *error);

/* Makes a separable filter of integral taps: a row of `width` and a column of `height`.  The row
   pass divides by row_scale, the column pass by column_scale.  The anchor is the middle.  False where memory
   is short. */
bool filter_from_passes(struct filter *filter, const char *name, size_t width,
                        const float *row_taps, double row_scale, size_t height,
                        const float *column_taps, double column_scale, struct error *error);

#endif
