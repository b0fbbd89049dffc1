/* Metadata: what a picture carries besides pixels, kept as it came.

   Each item is a PNG chunk as it stood in the file: its type and its bytes, unread, so that nothing is
   lost or changed on the way (text stays compressed, profiles stay whole).  Formats without chunks
   have none. */
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

bool metadata_add(struct metadata *metadata, const char type[5], const unsigned char *data,
                  size_t size, bool after_pixels, struct error *error);
void metadata_free(struct metadata *metadata);

/* The exponent of the picture's gAMA (0.45455 for most), or 0 where sRGB, a profile or nothing says
   how light becomes numbers: sRGB is meant then. */
double metadata_gamma(const struct metadata *metadata);

#endif
