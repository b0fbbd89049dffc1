/* Stages: what happens to an image on its way, band by band.

   A stage makes the rows of one image from the rows of the stage before it: the reader's rows from
   nothing, a convolution's from its source, encoded bytes from the last image.  It keeps the bands
   that others still need in a ring of slots.  Every band of every stage is one OpenMP task, and its
   dependences (the source's bands that lie under it, the slot that it fills) are the whole
   scheduler: decoding, convolving and encoding overlap, and memory is bounded by the slots. */
#ifndef HALO_STAGE_H
#define HALO_STAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "border.h"
#include "error.h"
#include "image.h"

struct stage {
  const char *name; /* for --timings */
  void *context;    /* of run */

  /* Makes band `band`, which is rows first … first + count − 1 of this stage. */
  bool (*run)(struct stage *stage, size_t band, size_t first, size_t count, struct error *error);

  size_t rows;      /* of the image that the stage makes */
  size_t band_rows; /* rows of a band; the last may be shorter */
  bool serial;      /* its bands are made one after the other, in order */

  struct stage *source;     /* where its rows come from; NULL for the first stage */
  size_t above, below;      /* row y needs source rows y − above … y + below … */
  enum border border;       /* … with what this makes of those outside */
  const struct stage *also; /* and row y + also_shift of this stage; or NULL */
  size_t also_shift;

  size_t row_bytes;   /* of the rows that it keeps; 0 where it keeps something of its own */
  size_t slots;       /* bands it can hold: at least what stages_arrange() found, or all */
  bool keep_all;      /* all its bands are to be held */
  struct raster ring; /* slots · band_rows rows */
  unsigned char
      *ready;         /* a byte per slot that stands for it in the dependences, and as many more for
                           stages without a turn to wait for */
  unsigned char turn; /* stands for "one after the other" */

  atomic_ullong nanoseconds; /* spent in run, over all threads */
};

/* The row of a stage's image; its band must be in the ring. */
static inline unsigned char *stage_row(const struct stage *stage, size_t row)
{
  size_t slot = row / stage->band_rows % stage->slots;

  return raster_row(&stage->ring, slot * stage->band_rows + row % stage->band_rows);
}

/* Number of bands. */
size_t stage_bands(const struct stage *stage);

/* Finds how many slots each stage needs, with room for `threads` bands under way, and sums up the
   bytes of all rings.  Stages stand in the order of the data. */
bool stages_arrange(struct stage *const *stages, size_t count, size_t threads, size_t *bytes,
                    struct error *error);

/* Allocates the rings and runs everything, to the end or to the first error.  Called in a task of a
   parallel region (or outside any, on one thread): tasks with dependences that are children of the
   region itself are leaked by the libgomp of GCC 12. */
bool stages_run(struct stage *const *stages, size_t count, struct error *error);

/* Releases the rings. */
void stages_free(struct stage *const *stages, size_t count);

#endif
