/* What an image is made of: its shape, and memory for its rows.

   Samples of a pixel stay interleaved as in the file; 16-bit samples are in the machine's own byte
   order; float samples run from 0 (black) to 1 (white) and may lie outside. */
#ifndef HALO_IMAGE_H
#define HALO_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CHANNELS_MAX = 4 };

enum sample_type { SAMPLE_U8, SAMPLE_U16, SAMPLE_F32 };

struct shape {
  size_t width, height;  /* pixels, at least 1 each */
  unsigned channels;     /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha */
  enum sample_type type; /* of every channel */
};

/* Whether the last channel is alpha. */
static inline bool shape_has_alpha(const struct shape *shape)
{
  return shape->channels == 2 || shape->channels == 4;
}

/* Bytes of one sample: 1, 2 or 4. */
static inline size_t sample_bytes(enum sample_type type)
{
  return type == SAMPLE_F32 ? 4 : type == SAMPLE_U16 ? 2 : 1;
}

/* The sample that means white or opaque: 255, 65535 or 1. */
float sample_white(enum sample_type type);

/* Reads sample `index` of a row as a float; and writes it, where the value must be one that the type can
   hold. */
static inline float sample_load(const void *row, size_t index, enum sample_type type)
{
  return type == SAMPLE_U8    ? (float)((const uint8_t *)row)[index]
         : type == SAMPLE_U16 ? (float)((const uint16_t *)row)[index]
                              : ((const float *)row)[index];
}

static inline void sample_store(void *row, size_t index, enum sample_type type, float value)
{
  if (type == SAMPLE_U8)
    ((uint8_t *)row)[index] = (uint8_t)value;
  else if (type == SAMPLE_U16)
    ((uint16_t *)row)[index] = (uint16_t)value;
  else
    ((float *)row)[index] = value;
}

/* "8-bit", "16-bit" or "float"; and "grey", "grey with alpha", "RGB" or "RGBA". */
const char *sample_name(enum sample_type type);
const char *channels_name(unsigned channels);

/* Bytes of one row of samples without any padding; false, with the reason, where that overflows. */
bool shape_row_bytes(const struct shape *shape, size_t *bytes, struct error *error);

/* Rows in one block of memory that starts at a multiple of 128 bytes. */
struct raster {
  unsigned char *data;
  size_t rows;
  size_t pitch; /* bytes from one row to the next, a multiple of 64 */
};

/* Allocates `rows` rows of at least `row_bytes` bytes.  False, with a message that says how much
   was asked for, where the memory can't be had or the size overflows. */
bool raster_allocate(struct raster *raster, size_t rows, size_t row_bytes, struct error *error);
void raster_free(struct raster *raster);

static inline unsigned char *raster_row(const struct raster *raster, size_t row)
{
  return raster->data + row * raster->pitch;
}

#ifdef __cplusplus
}
#endif
#endif
