/* Shapes of images, and memory for rows of samples. */
#include "image.h"

#include <stdint.h>
#include <stdlib.h>

float sample_white(enum sample_type type)
{
  return type == SAMPLE_F32 ? 1.0f : type == SAMPLE_U16 ? 65535.0f : 255.0f;
}

const char *sample_name(enum sample_type type)
{
  return type == SAMPLE_F32 ? "float" : type == SAMPLE_U16 ? "16-bit" : "8-bit";
}

const char *channels_name(unsigned channels)
{
  static const char *const names[] = {"grey", "grey with alpha", "RGB", "RGBA"};

  return names[channels - 1];
}

bool shape_row_bytes(const struct shape *shape, size_t *bytes, struct error *error)
{
  size_t pixel = shape->channels * sample_bytes(shape->type);

  if (__builtin_mul_overflow(shape->width, pixel, bytes) || *bytes > SIZE_MAX / 4)
    return error_set(error, STATUS_FAILED, "a row of %zu pixels is too long for this machine",
                     shape->width);
  return true;
}

bool raster_allocate(struct raster *raster, size_t rows, size_t row_bytes, struct error *error)
{
  size_t size;

  raster->rows = rows;
  raster->pitch = (row_bytes + 63) / 64 * 64;
  if (__builtin_mul_overflow(rows, raster->pitch, &size) || size > SIZE_MAX - 128)
    size = SIZE_MAX;
  raster->data = size == SIZE_MAX ? NULL : aligned_alloc(128, (size + 128) / 128 * 128);
  if (!raster->data)
    return error_set(error, STATUS_FAILED,
                     "no memory for %zu rows of %zu bytes; a smaller picture, a lower --band or "
                     "fewer --threads need less",
                     rows, row_bytes);
  return true;
}

void raster_free(struct raster *raster)
{
  free(raster->data);
  raster->data = NULL;
}
