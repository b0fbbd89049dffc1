/* Colour: what happens to samples before the first filter and after the last, where they are not
   convolved as they stand: weighting by alpha, and linear light. */
#ifndef HALO_COLOUR_H
#define HALO_COLOUR_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "image.h"

/* How samples become what the filters see, and how their results become samples again. */
struct colour {
  struct shape from;   /* of the source; only channels and type count */
  enum sample_type to; /* of the result */
  bool weigh;          /* colours are multiplied by alpha / white (premultiplied) */
  bool divide;         /* … and results are divided by the filtered alpha */
  bool keep;           /* alpha comes from the source */
  bool linear;         /* samples are converted to linear light and back */
  double gamma;        /* exponent of the picture's encoding; 0 for the curve of sRGB */
  float gain;          /* of the filters together: Σ tap / scale */
  float offset;        /* added to colours at the end, in units of the source's samples */
  bool absolute;       /* |colour| */
  float *light;        /* linear: light[sample] for integer samples, from 0 to white; owned */
  float *thresholds;   /* linear: the least light that rounds to sample i, in 0 … 1; owned */
  unsigned *starts;    /* linear: where to begin to look among them; owned */
};

/* Makes the tables for linear light, if it is asked for. */
bool colour_start(struct colour *colour, struct error *error);
void colour_free(struct colour *colour);

/* Makes float32 of `pixels` pixels, for the filters. */
void colour_prepare(const struct colour *colour, const void *source, float *prepared,
                    size_t pixels);

/* Makes samples of what the filters made; `original` are the pixels of the source at the same
   places, for colour->keep, otherwise not looked at. */
void colour_finish(const struct colour *colour, const float *filtered, const void *original,
                   void *result, size_t pixels);

/* Copies alpha from the original pixels, of the same shape, into the result. */
void colour_restore_alpha(const struct shape *shape, const void *original, void *result,
                          size_t pixels);

#endif
