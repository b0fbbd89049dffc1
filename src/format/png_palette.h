/* The palette of a PNG, and rows of its indexes. */
#ifndef HALO_PNG_PALETTE_H
#define HALO_PNG_PALETTE_H

#include <png.h>
#include <stdbool.h>
#include <stddef.h>

struct png_palette {
  unsigned count;               /* of colours */
  unsigned channels;            /* of a colour: 3, or 4 with alpha */
  unsigned char colour[256][4]; /* RGB and alpha of each index; opaque black past the palette */
};

/* Fills the palette from what libpng has read of PLTE and tRNS. */
void png_palette_get(struct png_palette *palette, png_structp png, png_infop info);

/* Replaces the `width` indexes, one byte each, that a row begins with by their colours, of `channels`
   bytes each.  Returns false where an index lies past the palette. */
bool png_palette_apply(const struct png_palette *palette, unsigned char *row, size_t width);

#endif
