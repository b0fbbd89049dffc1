/* A job: the convolution of one band.  It says all that a path has to know, and nothing of where
   pictures come from.  Compiles as C11 and as C++17. */
#ifndef HALO_JOB_H
#define HALO_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "border.h"
#include "filter.h"
#include "image.h"
#include "sample.h"

struct job {
  const struct pass *pass;   /* the taps; with `column` set, the row pass (height 1) */
  const struct pass *column; /* the column pass (width 1) that follows it, or NULL */

  enum border border;         /* what lies left and right of a source row */
  float beyond[CHANNELS_MAX]; /* the pixel that stands there, for BORDER_CONSTANT */

  unsigned channels;         /* 1 … 4, interleaved: a tap to the right is `channels` samples on */
  enum sample_type from, to; /* samples of the source, and of the result */
  bool absolute;             /* the last ending takes the absolute value */

  size_t width;        /* pixels of a source row */
  size_t result_width; /* pixels of a result row: `width`, or less where the border is `crop` */
  size_t left;         /* the first tap of result pixel x lies over source pixel x − left */

  /* Result row r is made of source[r] … source[r + height − 1], where height is the height of the
     taps (of the column pass, if there is one): rows + height − 1 pointers, in which the border
     above and below is already settled.  No row may be read outside its width · channels
     samples. */
  const void *const *source;
  size_t rows;

  void *result; /* `rows` rows; a path writes result_width · channels samples of each, no more */
  size_t pitch; /* bytes from one result row to the next */

  /* How many blocks the GPU is assumed to run at once, for paths that divide their work by that; 0: as many
     as this GPU can.  --explain sets it, so that the work is divided alike on every device. */
  size_t blocks_at_once;

  /* Where source, taps and result lie in the memory of a GPU (kernels/host/placement.cuh), once its device has
     placed them; NULL on the CPU. */
  const void *placement;
};

/* The height of the taps: that of the column pass, if there is one. */
static inline size_t job_taps_high(const struct job *job)
{
  return job->column ? job->column->height : job->pass->height;
}

/* The ending of a pass with results of type `to`. */
static inline struct ending pass_ending(const struct pass *pass, enum sample_type to, bool absolute)
{
  float white = to == SAMPLE_F32 ? 0.0f : sample_white(to);

  return ending_make((float)pass->bias, (float)pass->scale, white, absolute);
}

/* How the job's sums are added up, on whatever path: see passes_sums(). */
static inline enum sums job_sums(const struct job *job)
{
  return passes_sums(job->pass, job->column, job->from);
}

/* The ending of a job whose sums are integers.  A row pass does not divide then; the end divides by the scales
   of both passes. */
static inline struct integer_ending job_integer_ending(const struct job *job)
{
  const struct pass *last = job->column ? job->column : job->pass;
  double between = job->column ? job->pass->scale : 1;
  float white = job->to == SAMPLE_F32 ? 0.0f : sample_white(job->to);

  return integer_ending_make(last->bias * between, last->scale * between, white, job->absolute);
}

#endif
