/* Writing the Netpbm formats, and their entries in the table: PGM, PPM and PAM of 8 or 16 bits, and
   PFM of float32, whose rows stand bottom-up. */
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

static const char *refuse_channels(const struct picture *picture, unsigned channels,
                                   const char *reason)
{
  if (picture->shape.type == SAMPLE_F32)
    return "it holds no float samples; pfm does";
  return channels && picture->shape.channels != channels ? reason : NULL;
}

static const char *pgm_refuse(const struct picture *picture)
{
  return refuse_channels(picture, 1, "it holds grey without alpha; pam holds any picture");
}

static const char *ppm_refuse(const struct picture *picture)
{
  return refuse_channels(picture, 3, "it holds RGB without alpha; pam holds any picture");
}

static const char *pam_refuse(const struct picture *picture)
{
  return refuse_channels(picture, 0, NULL);
}

static const char *pfm_refuse(const struct picture *picture)
{
  return picture->shape.channels == 1 || picture->shape.channels == 3
             ? NULL
             : "it holds no alpha; pam and png do";
}

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

static bool pnm_begin(struct output *output, const struct picture *picture,
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

static bool pam_begin(struct output *output, const struct picture *picture,
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

static size_t pnm_rows_at_once(const void *opaque)
{
  const struct pnm_writer *writer = opaque;
  size_t rows = PIECE_BYTES / writer->row_bytes + 1;

  if (writer->shape.type == SAMPLE_F32)
    return writer->shape.height;
  return rows < writer->shape.height ? rows : writer->shape.height;
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

static bool pnm_encode(const void *opaque, size_t first, const unsigned char *const *rows,
                       size_t count, struct encoded *encoded, struct error *error)
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

static bool pnm_write(void *opaque, const struct encoded *encoded, struct error *error)
{
  struct pnm_writer *writer = opaque;

  return output_write(writer->output, encoded->bytes, encoded->size, error);
}

static bool pnm_end(void *writer, const struct picture *picture, struct error *error)
{
  (void)writer, (void)picture, (void)error;
  return true;
}

/* Whether the file begins with P and one of these, and then white space or a comment. */
static bool pnm_matches(const unsigned char *head, size_t bytes, const char *kinds)
{
  return bytes >= 3 && head[0] == 'P' && head[1] && strchr(kinds, head[1]) && head[2] &&
         strchr(" \t\n\v\f\r#", head[2]);
}

static bool pgm_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "1245");
}

static bool ppm_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "36");
}

static bool pam_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "7");
}

static bool pfm_matches(const unsigned char *head, size_t bytes)
{
  return pnm_matches(head, bytes, "fF");
}

static const char *const pgm_extensions[] = {"pgm", "pbm", NULL};
static const char *const ppm_extensions[] = {"ppm", "pnm", NULL};
static const char *const pam_extensions[] = {"pam", NULL};
static const char *const pfm_extensions[] = {"pfm", NULL};

/* What all of them have in common. */
#define PNM                                                                                        \
  .open = pnm_open, .read = pnm_read, .finish = pnm_finish, .close = pnm_close,                    \
  .rows_at_once = pnm_rows_at_once, .encode = pnm_encode, .write = pnm_write, .end = pnm_end,      \
  .discard = free

const struct format format_pgm = {
    .name = "pgm",
    .about = "Netpbm, grey",
    .extensions = pgm_extensions,
    .matches = pgm_matches,
    .refuse = pgm_refuse,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .begin = pnm_begin,
    PNM,
};

const struct format format_ppm = {
    .name = "ppm",
    .about = "Netpbm, RGB",
    .extensions = ppm_extensions,
    .matches = ppm_matches,
    .refuse = ppm_refuse,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .begin = pnm_begin,
    PNM,
};

const struct format format_pam = {
    .name = "pam",
    .about = "Netpbm, any channels",
    .extensions = pam_extensions,
    .matches = pam_matches,
    .refuse = pam_refuse,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .begin = pam_begin,
    PNM,
};

const struct format format_pfm = {
    .name = "pfm",
    .about = "Netpbm, float samples, grey or RGB",
    .extensions = pfm_extensions,
    .matches = pfm_matches,
    .refuse = pfm_refuse,
    .types = SAMPLE_SET(SAMPLE_F32),
    .begin = pnm_begin,
    PNM,
};
