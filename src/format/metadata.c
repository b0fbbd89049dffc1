/* The list of a picture's metadata, and the one value that halo itself uses: see metadata.h. */
#include "metadata.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool metadata_add(struct metadata *metadata, const char type[5], const unsigned char *data,
                  size_t size, bool after_pixels, struct error *error)
{
  size_t bytes = (metadata->count + 1) * sizeof *metadata->items;
  struct metadata_item *items = realloc(metadata->items, bytes);
  unsigned char *copy = malloc(size ? size : 1);

  if (items)
    metadata->items = items;
  if (!items || !copy) {
    free(copy);
    return error_set(error, STATUS_FAILED, "no memory for %zu bytes of metadata", size);
  }
  if (size)
    memcpy(copy, data, size);
  items += metadata->count++;
  memcpy(items->type, type, 4);
  items->type[4] = '\0';
  items->after_pixels = after_pixels;
  items->data = copy;
  items->size = size;
  return true;
}

void metadata_free(struct metadata *metadata)
{
  for (size_t i = 0; i < metadata->count; i++)
    free(metadata->items[i].data);
  free(metadata->items);
  memset(metadata, 0, sizeof *metadata);
}

double metadata_gamma(const struct metadata *metadata)
{
  uint32_t gamma = 0; /* times 100,000, as gAMA has it */

  for (size_t i = 0; i < metadata->count; i++) {
    const struct metadata_item *item = &metadata->items[i];
    const unsigned char *byte = item->data;

    if (strcmp(item->type, "sRGB") == 0 || strcmp(item->type, "iCCP") == 0 ||
        strcmp(item->type, "cICP") == 0)
      return 0.0; /* gAMA is a fallback for programs that don't know these */
    if (strcmp(item->type, "gAMA") == 0 && item->size == 4 && gamma == 0)
      gamma = (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
  }
  return gamma / 100000.0;
}
