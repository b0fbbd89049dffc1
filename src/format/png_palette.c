/* From palette indexes to colours: see png_palette.h.

   libpng can do this (png_set_expand), but does not tell of indexes past the palette then. */
#include "png_palette.h"

#include <string.h>

void png_palette_get(struct png_palette *palette, png_structp png, png_infop info)
{
  static const unsigned char black[4] = {0, 0, 0, 255};
  png_colorp colours = NULL;
  png_bytep alpha = NULL;
  int count = 0, alpha_count = 0;

  png_get_PLTE(png, info, &colours, &count);
  png_get_tRNS(png, info, &alpha, &alpha_count, NULL);
  palette->count = (unsigned)count;
  palette->channels = alpha_count > 0 ? 4 : 3;
  for (int i = 0; i < 256; i++) {
    unsigned char *colour = palette->colour[i];

    memcpy(colour, black, sizeof black);
    if (i < count) {
      colour[0] = colours[i].red;
      colour[1] = colours[i].green;
      colour[2] = colours[i].blue;
    }
    if (i < alpha_count)
      colour[3] = alpha[i];
  }
}

/* From the right, so that no index is overwritten before it is read. */
bool png_palette_apply(const struct png_palette *palette, unsigned char *row, size_t width)
{
  unsigned char most = 0;

  for (size_t x = 0; x < width; x++)
    most = row[x] > most ? row[x] : most;
  if (palette->channels == 4)
    for (size_t x = width; x-- > 0;)
      memcpy(row + 4 * x, palette->colour[row[x]], 4);
  else
    for (size_t x = width; x-- > 0;)
      memcpy(row + 3 * x, palette->colour[row[x]], 3);
  return most < palette->count;
}
