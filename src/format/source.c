/* Opening and reading pictures: see source.h. */
#include "config.h"

#include "source.h"

#include <stdlib.h>

/* Recognises the format by the first bytes, and reads all that precedes the pixels. */
static bool source_recognise(struct source *source, struct input *input, struct error *error)
{
  const unsigned char *head;
  size_t bytes;
  char known[256];

  if (!input_peek(input, 16, &head, &bytes, error))
    return false;
  source->format = format_for_head(head, bytes);
  if (source->format)
    return source->format->open(input, source->picture, &source->reader, error);
  if (bytes == 0)
    return error_set(error, STATUS_FAILED, "is empty, where a picture was expected");
  return error_set(error, STATUS_FAILED, "is no picture that halo reads (%s)",
                   format_names(known, sizeof known, format_reads, " or "));
}

static bool picture_check(const struct picture *picture, size_t max_pixels, struct error *error)
{
  size_t pixels;

  if (!__builtin_mul_overflow(picture->shape.width, picture->shape.height, &pixels) &&
      pixels <= max_pixels)
    return true;
  return error_set(error, STATUS_FAILED,
                   "%zux%zu pixels are more than --max-pixels=%zu allows; raise it if they are "
                   "meant",
                   picture->shape.width, picture->shape.height, max_pixels);
}

bool source_open(struct source *source, struct input *input, size_t max_pixels, struct error *error)
{
  return source_recognise(source, input, error) &&
         picture_check(source->picture, max_pixels, error);
}

bool source_read_all(struct source *source, struct raster *raster, struct error *error)
{
  const struct shape *shape = &source->picture->shape;
  unsigned char **table;
  size_t bytes;
  bool done;

  if (!shape_row_bytes(shape, &bytes, error) ||
      !raster_allocate(raster, shape->height, bytes, error))
    return false;
  table = malloc(shape->height * sizeof *table);
  if (!table)
    return error_set(error, STATUS_FAILED, "no memory for %zu rows", shape->height);
  for (size_t y = 0; y < shape->height; y++)
    table[y] = raster_row(raster, y);
  done = source->format->read(source->reader, table, shape->height, error) &&
         source->format->finish(source->reader, source->picture, error);
  free(table);
  return done;
}
