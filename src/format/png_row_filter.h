/* PNG's row filters: before a row is compressed, each byte is replaced by its difference from a
   prediction made from its neighbours to the left and above (PNG specification, "Filtering").
   They have nothing to do with the filters of a convolution. */
#ifndef HALO_PNG_ROW_FILTER_H
#define HALO_PNG_ROW_FILTER_H

#include <stddef.h>

/* Chooses a filter for the row of `bytes` bytes, and writes 1 + `bytes` bytes to `result`: the filter's
   number (0 … 4), then the differences.  `above` is the row above, unfiltered, or NULL for the first row
   of a picture; `pixel` is the number of bytes of a pixel. */
void png_row_filter(const unsigned char *row, const unsigned char *above, size_t bytes,
                    size_t pixel, unsigned char *result);

/* The same with filter 0, which leaves the bytes as they are. */
void png_row_filter_none(const unsigned char *row, size_t bytes, unsigned char *result);

#endif
