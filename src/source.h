/* Sources: a picture that is read. */
#ifndef HALO_SOURCE_H
#define HALO_SOURCE_H

#include "error.h"
#include "format.h"
#include "input.h"
#include "options.h"

struct source {
  const struct format *format;
  void *reader;
  struct picture *picture;
};

/* Recognises the format of the input, and reads all that precedes the pixels into *source->picture.
   More pixels than --max-pixels allows are refused.  format->close() releases the reader, if there is
   one, whatever came of it. */
bool source_open(struct source *source, struct input *input, const struct options *options,
                 struct error *error);

/* Reads all rows of the picture, to its end. */
bool source_read_all(struct source *source, struct raster *raster, struct error *error);

#endif
