/* One matrix as a row and a column, where that gives the same results. */
#ifndef HALO_FILTER_SPLIT_H
#define HALO_FILTER_SPLIT_H

#include <stdbool.h>

#include "filter.h"
#include "image.h"

/* Makes `split` a row pass and a column pass of integers with the same results to the bit, where
   the filter is one integral pass of rank 1 (each row is a multiple of one row) that is exact for
   samples of this type.  False, and nothing made, where that is not so; that is no error. */
bool filter_split(const struct filter *filter, enum sample_type type, struct filter *split);

#endif
