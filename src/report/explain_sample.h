/* The windows of a picture that --explain looks at: its corners, the middle of its edges, and its middle,
   each of some blocks.  Put together they are a small picture with the real border on all sides; what a
   kernel touches does not depend on the values of samples, so the seams between them do no harm. */
#ifndef HALO_EXPLAIN_SAMPLE_H
#define HALO_EXPLAIN_SAMPLE_H

#include "error.h"
#include "filter.h"
#include "image.h"
#include "input.h"
#include "settings.h"

struct sample {
  struct shape picture; /* as it was read */
  struct shape shape;   /* of the windows put together: the picture's own, where that is small */
  double gamma;         /* of the picture's encoding, as plan_make() wants it */
  struct raster raster;
};

/* Reads a picture to its end, and keeps its sample: less of it where the filters have many taps, since
   recording takes its time.  The raster is to be freed, whatever came of it. */
bool sample_read(struct sample *sample, struct input *input, const struct settings *settings,
                 const struct chain *chain, struct error *error);

#endif
