/* Steps: the convolutions of a plan, one for each filter of the chain. */
#ifndef HALO_STEP_H
#define HALO_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "filter.h"
#include "job.h"

/* One convolution: the one pass of a filter, or its row pass and column pass at once. */
struct step {
  const struct pass *pass, *column; /* the latter NULL for a filter of one pass */
  enum sample_type from, to;
  bool absolute;
  struct shape source, result; /* what the step reads and makes */
  float beyond[CHANNELS_MAX];  /* the pixel beyond a constant border */
};

/* Makes the step of a filter that reads pictures of this shape, and makes results of float samples: as
   large as the source, or smaller by the filter where the border is `crop`.  A filter larger than the
   picture leaves nothing there, which is an error. */
bool step_make(struct step *step, const struct filter *filter, const struct shape *source,
               enum border border, const float *beyond, struct error *error);

/* The pass that reaches up and down: the column pass, or the only one. */
const struct pass *step_high(const struct step *step);

/* The job of a step, without its rows. */
struct job step_job(const struct step *step, enum border border);

/* A row of the pixel beyond a constant border, in the samples of the step's source; to be freed.  NULL
   where there is no memory for it. */
void *step_row_beyond(const struct step *step);

/* Where row `row` of a step's source lies. */
typedef const void *row_place(const void *source, size_t row);

/* The source rows that result rows first … first + count − 1 are made of, as struct job wants them: the
   border above and below is settled, `beyond` being step_row_beyond()'s.  count + (height of the taps) − 1
   pointers, to be freed; NULL where there is no memory for them. */
const void **step_rows(const struct step *step, enum border border, size_t first, size_t count,
                       const void *beyond, row_place *place, const void *source);

/* The row_place of a struct raster that holds the whole source. */
const void *step_raster_row(const void *raster, size_t row);

#endif
