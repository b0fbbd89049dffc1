/* The table of --timings. */
#ifndef HALO_TIMINGS_H
#define HALO_TIMINGS_H

#include <stdio.h>

#include "pipeline.h"

/* Adds the cost of one picture to a sum. */
void cost_add(struct cost *sum, const struct cost *cost);

/* Prints a row per path: what decoding, colour work, copies, kernels and encoding cost, added up over
   threads, and the time that the clock on the wall showed for all of it. */
void timings_print(FILE *stream, size_t threads, const struct cost *cost, size_t pictures);

#endif
