/* Sources: a picture that is read. */
#ifndef HALO_SOURCE_H
#define HALO_SOURCE_H

#include "error.h"
#include "format.h"
#include "input.h"

struct source {
  const struct format *format;
  void *reader;
  struct picture *picture;
};

/* Recognises the format of the input, and reads all that precedes the pixels into *source->picture.
   More pixels than `max_pixels` (--max-pixels) are refused.  format->close() releases the reader, if there is
   one, whatever came of it. */
bool source_open(struct source *source, struct input *input, size_t max_pixels,
                 struct error *error);

/* Reads all rows of the picture, to its end. */
bool source_read_all(struct source *source, struct raster *raster, struct error *error);

#endif
