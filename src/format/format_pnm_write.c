/* Writing the Netpbm formats: PGM, PPM and PAM of 8 or 16 bits, and PFM of float32, whose rows stand
   bottom-up. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_pnm.h"

enum { PIECE_BYTES = 1 << 18 };

struct pnm_writer {
  struct output *output;
  struct shape shape;
  size_t row_bytes;
};

static bool writer_make(struct output *output, const struct picture *picture, void **made,
                        struct error *error)
{
  struct pnm_writer *writer = calloc(1, sizeof *writer);

  if (!writer)
    return error_set(error, STATUS_FAILED, "no memory for a writer");
  *made = writer;
  writer->output = output;
  writer->shape = picture->shape;
  return shape_row_bytes(&picture->shape, &writer->row_bytes, error);
}

bool pnm_begin(struct output *output, const struct picture *picture,
               const struct encoding *encoding, void **made, struct error *error)
{
  const struct shape *shape = &picture->shape;
  char header[128];
  int bytes;

  (void)encoding;
  if (shape->type == SAMPLE_F32)
    bytes = snprintf(header, sizeof header, "P%c\n%zu %zu\n-1.0\n",
                     shape->channels == 3 ? 'F' : 'f', shape->width, shape->height);
  else
    bytes = snprintf(header, sizeof header, "P%c\n%zu %zu\n%u\n", shape->channels == 3 ? '6' : '5',
                     shape->width, shape->height, (unsigned)sample_white(shape->type));
  return writer_make(output, picture, made, error) &&
         output_write(output, header, (size_t)bytes, error);
}

bool pam_begin(struct output *output, const struct picture *picture,
               const struct encoding *encoding, void **made, struct error *error)
{
  static const char *const types[] = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
  const struct shape *shape = &picture->shape;
  char header[256];
  int bytes = snprintf(header, sizeof header,
                       "P7\nWIDTH %zu\nHEIGHT %zu\nDEPTH %u\nMAXVAL %u\nTUPLTYPE %s\nENDHDR\n",
                       shape->width, shape->height, shape->channels,
                       (unsigned)sample_white(shape->type), types[shape->channels - 1]);

  (void)encoding;
  return writer_make(output, picture, made, error) &&
         output_write(output, header, (size_t)bytes, error);
}

size_t pnm_rows_at_once(const void *opaque)
{
  const struct pnm_writer *writer = opaque;
  size_t rows = PIECE_BYTES / writer->row_bytes + 1;

  if (writer->shape.type == SAMPLE_F32)
    return writer->shape.height;
  return rows < writer->shape.height ? rows : writer->shape.height;
}

void pnm_encode_memory(const void *opaque, size_t *encoded, size_t *working)
{
  *encoded = pnm_rows_at_once(opaque) * ((const struct pnm_writer *)opaque)->row_bytes;
  *working = 0;
}

/* Copies a row with the bytes of each sample in the order of the file: 16 bits with the high byte
   first, floats with the low byte first. */
static void row_put(unsigned char *to, const unsigned char *row, const struct pnm_writer *writer)
{
  memcpy(to, row, writer->row_bytes);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (writer->shape.type == SAMPLE_U16)
#else
  if (writer->shape.type != SAMPLE_U8)
#endif
  {
    size_t step = sample_bytes(writer->shape.type);

    for (size_t i = 0; i < writer->row_bytes; i += step)
      for (size_t b = 0; b < step; b++)
        to[i + b] = row[i + step - 1 - b];
  }
}

bool pnm_encode(const void *opaque, size_t first, const unsigned char *const *rows, size_t count,
                struct encoded *encoded, struct error *error)
{
  const struct pnm_writer *writer = opaque;
  bool upwards = writer->shape.type == SAMPLE_F32;
  size_t bytes;

  (void)first;
  if (__builtin_mul_overflow(count, writer->row_bytes, &bytes))
    return error_set(error, STATUS_FAILED, "the picture is too large for this machine");
  if (!encoded_reserve(encoded, bytes, error))
    return false;
  for (size_t y = 0; y < count; y++)
    row_put(encoded->bytes + (upwards ? count - 1 - y : y) * writer->row_bytes, rows[y], writer);
  encoded->size = bytes;
  return true;
}

bool pnm_write(void *opaque, const struct encoded *encoded, struct error *error)
{
  struct pnm_writer *writer = opaque;

  return output_write(writer->output, encoded->bytes, encoded->size, error);
}

bool pnm_end(void *writer, const struct picture *picture, struct error *error)
{
  (void)writer, (void)picture, (void)error;
  return true;
}
