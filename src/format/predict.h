/* Prediction: before a row of a PNG is compressed, each byte gives way to its difference from what
   its neighbours let expect.  PNG calls that filtering. */
#ifndef HALO_PREDICT_H
#define HALO_PREDICT_H

#include <stddef.h>

/* Writes the number of the predictor and then `bytes` differences to `result`.  `above` is the row
   above, NULL for the first row of a picture; `pixel` the bytes of a pixel. */
void predict_row(const unsigned char *row, const unsigned char *above, size_t bytes, size_t pixel,
                 unsigned char *result);

/* The same without prediction. */
void predict_nothing(const unsigned char *row, size_t bytes, unsigned char *result);

#endif
