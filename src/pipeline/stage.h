/* Stages: what happens to a picture on its way, band by band.

   A stage makes the rows of one image from the rows of the stage before it: the reader's rows from
   nothing, a convolution's from its source, encoded bytes from the last image.  It makes them in bands,
   and keeps those that other stages still need in a ring of slots: band b lies in slot b mod slots.

   A band can be made when

   - the bands of the stage's sources that lie under it are done,
   - its slot is free: the band that was there before is done, and no unfinished band of any stage reads
     it any more,
   - the stage is not serial, or the band before is done.

   A stage starts its bands in their order; on several threads they may be done out of order.  Nothing
   else orders the work, so decoding, convolving and encoding overlap, and memory is bounded by the slots.

   Why this never comes to a standstill.  graph_arrange() walks through the bands of all stages in one
   sequential order, in which each band comes after those that it reads, and gives every stage as many
   slots as that order needs: whenever the order makes band r of some stage, the bands of its source from
   the first one that r reads to the last one that the order has made fit in the source's slots.  Suppose
   now that no band is being made and that some are left.  Let b, of stage S, be the first of these in the
   sequential order.  All bands before b in that order are done: those that b reads, and band b − 1 of S.
   Every unfinished band r that reads S comes after b in the order, so when the order makes r, it has made
   b, and everything from the first band that r reads up to b fits in the slots; so r does not read band
   b − slots, whose slot b takes.  Hence b can be made. */
#ifndef HALO_STAGE_H
#define HALO_STAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "border.h"
#include "error.h"
#include "image.h"

struct stage {
  void *context; /* of run */

  /* Makes band `band`, which is rows first … first + count − 1 of this stage. */
  bool (*run)(struct stage *stage, size_t band, size_t first, size_t count, struct error *error);

  size_t rows;      /* of the image that the stage makes */
  size_t band_rows; /* rows of a band; the last may be shorter */
  bool serial;      /* its bands are made one after the other, in order */

  /* Row y is made from rows y − above … y + below of `source`, where `border` tells which rows those are
     that lie outside; and from row y + second_shift of `second`.  NULL where there is none. */
  struct stage *source;
  size_t above, below;
  enum border border;
  struct stage *second;
  size_t second_shift;

  size_t row_bytes;     /* of the rows in the ring; 0 where the stage keeps something of its own */
  size_t slot_bytes;    /* of what it keeps of its own for each slot */
  size_t scratch_bytes; /* that `run` takes, and gives back when it returns */
  size_t kept_bytes;    /* that `run` takes for the next bands as well: once per band at a time */
  bool keep_all;        /* the ring holds all bands */

  /* Set by graph_arrange(). */
  size_t bands;
  size_t slots_least; /* that the sequential order needs */
  size_t slots;
  size_t at_once;           /* so many bands are made in one go, where they are tiny */
  struct stage *readers[2]; /* the stages of which this is source or second; NULL for none */
  size_t last_first[2];     /* of its source and second: the first band that its last band reads */
  struct raster ring;       /* slots · band_rows rows; set by graph_start() */

  /* How far it is; only for who holds the scheduler's lock. */
  size_t started;          /* bands 0 … started − 1 are started */
  size_t done;             /* bands 0 … done − 1 are done */
  size_t next_end[2];      /* its next band needs bands 0 … next_end − 1 of source and second */
  size_t still_first[2];   /* the first band of them that its unfinished bands read */
  unsigned char *finished; /* by slot: a band after `done` that is done as well */

  atomic_ullong nanoseconds; /* spent in run, over all threads */
};

/* The stages of one picture, in the order of the data, from the first to the last. */
struct graph {
  struct stage *const *stages;
  size_t count;
  size_t
      own_bytes; /* of memory that the picture takes apart from its stages; the caller counts it */

  /* Set by graph_arrange(). */
  size_t bands_at_once; /* of all its stages, at most */
  size_t bytes;         /* of memory, for everything */

  /* Kept by the scheduler. */
  size_t index;   /* its place among the pictures: those before it go first */
  size_t running; /* bands (or runs of tiny ones) that are being made */
  bool failed;
  struct error error; /* the first one */
  struct graph *next; /* the next younger one that runs, or that waits for memory */
};

/* The row of a stage's image; its band must be in the ring. */
static inline unsigned char *stage_row(const struct stage *stage, size_t row)
{
  size_t slot = row / stage->band_rows % stage->slots;

  return raster_row(&stage->ring, slot * stage->band_rows + row % stage->band_rows);
}

/* Finds how many slots each stage needs, with room for as many bands at a time as `threads` can use and
   `max_bytes` of memory allow, and sums up the memory.  More than `max_bytes` (--max-memory) for the least
   that goes is refused. */
bool graph_arrange(struct graph *graph, size_t threads, size_t max_bytes, struct error *error);

/* Allocates the rings. */
bool graph_start(struct graph *graph, struct error *error);

/* Releases the rings. */
void graph_free(struct graph *graph);

/* Whether all bands of all stages are done. */
bool graph_done(const struct graph *graph);

/* Whether the next band of the stage can be made now. */
bool stage_ready(const struct stage *stage);

/* Starts the next band, and as many after it as can be made in one go; returns how many. */
size_t stage_start(struct stage *stage);

/* Makes those bands. */
bool stage_make(struct stage *stage, size_t band, size_t count, struct error *error);

/* Notes that they are done. */
void stage_finish(struct stage *stage, size_t band, size_t count);

#endif
