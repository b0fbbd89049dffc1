/* Metadata: what a picture carries besides pixels, such as its colour profile and its text.

   Each item is a PNG chunk as it stood in the file, its type and its uninterpreted bytes, so that nothing
   is lost or changed from PNG to PNG (text stays compressed, profiles stay whole).  Other formats give
   none, and keep none. */
#ifndef HALO_METADATA_H
#define HALO_METADATA_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct metadata_item {
  char type[5];        /* "iCCP", … */
  bool after_pixels;   /* it stood behind the pixels */
  unsigned char *data; /* owned */
  size_t size;
};

struct metadata {
  struct metadata_item *items;
  size_t count;
};

/* Adds an item with a copy of the `size` bytes of data. */
bool metadata_add(struct metadata *metadata, const char type[5], const unsigned char *data,
                  size_t size, bool after_pixels, struct error *error);
void metadata_free(struct metadata *metadata);

/* The exponent that turned linear light into samples, from the picture's gAMA (0.45455 for most).  0 where
   there is no gAMA, or where sRGB, iCCP or cICP takes precedence over it: sRGB's curve is meant then. */
double metadata_gamma(const struct metadata *metadata);

#endif
