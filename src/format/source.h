/* A source: a picture that is read, whatever its format. */
#ifndef HALO_SOURCE_H
#define HALO_SOURCE_H

#include "error.h"
#include "format.h"
#include "input.h"

struct source {
  const struct format *format; /* NULL until it is recognised */
  void *reader;                /* of that format; format->close() releases it */
  struct picture *picture;     /* set by the caller, who frees it */
};

/* Recognises the format of the input, and reads all that precedes the pixels into *source->picture.
   More pixels than `max_pixels` (--max-pixels) are refused.  There may be a reader to close on
   failure, too. */
bool source_open(struct source *source, struct input *input, size_t max_pixels,
                 struct error *error);

/* Allocates the raster, and reads into it all rows of the picture and what follows them. */
bool source_read_all(struct source *source, struct raster *raster, struct error *error);

#endif
