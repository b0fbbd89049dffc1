/* Reading the samples of the Netpbm formats.

   A maximum other than 255 or 65535 is brought to the full range of 8 or 16 bits; a bitmap becomes
   8-bit grey; the rows of a float picture stand bottom-up, so they are read all at once. */
#include "format_pnm.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pnm_header.h"

struct pnm_reader {
  struct input *input;
  struct pnm_header header;
  size_t file_row_bytes; /* of raw rows of whole bytes */
};

bool pnm_open(struct input *input, struct picture *picture, void **made, struct error *error)
{
  struct pnm_reader *reader = calloc(1, sizeof *reader);

  if (!reader)
    return error_set(error, STATUS_FAILED, "no memory for a reader");
  *made = reader;
  reader->input = input;
  if (!pnm_header_read(input, &reader->header, error))
    return false;
  picture->shape = reader->header.shape;
  picture->whole = picture->shape.type == SAMPLE_F32;
  return shape_row_bytes(&picture->shape, &reader->file_row_bytes, error);
}

static bool bytes_read(struct pnm_reader *reader, void *bytes, size_t count, struct error *error)
{
  size_t got;

  if (!input_take(reader->input, bytes, count, &got, error))
    return false;
  return got == count || error_set(error, STATUS_FAILED, "ends too early; the file is cut off");
}

/* A bitmap's row: 1 is black, eight to a byte, the leftmost in the highest bit. */
static bool read_bits(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  size_t width = reader->header.shape.width, bytes = (width + 7) / 8;
  unsigned char *packed = row + width - bytes; /* at the end: none is overwritten unread */

  if (!bytes_read(reader, packed, bytes, error))
    return false;
  for (size_t x = 0; x < width; x += 8) {
    unsigned char bits = *packed++;

    for (size_t i = 0; i < 8 && x + i < width; i++)
      row[x + i] = bits & (128 >> i) ? 0 : 255;
  }
  return true;
}

/* Samples from 0 to the maximum become samples of the full range, rounded to the nearest. */
static bool row_scale(const struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  size_t samples = reader->header.shape.width * reader->header.shape.channels;
  bool wide = reader->header.shape.type == SAMPLE_U16;
  uint16_t *words = (uint16_t *)(void *)row;
  uint64_t white = wide ? 65535 : 255, maximum = reader->header.maximum;

  if (maximum == white)
    return true;
  for (size_t i = 0; i < samples; i++) {
    uint64_t sample = wide ? words[i] : row[i];

    if (sample > maximum)
      return error_set(error, STATUS_FAILED, "a sample is %llu, over the maximum of %u",
                       (unsigned long long)sample, reader->header.maximum);
    sample = (2 * sample * white + maximum) / (2 * maximum);
    if (wide)
      words[i] = (uint16_t)sample;
    else
      row[i] = (unsigned char)sample;
  }
  return true;
}

static bool read_raw(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  if (!bytes_read(reader, row, reader->file_row_bytes, error))
    return false;
  if (reader->header.shape.type == SAMPLE_U16)
    for (size_t i = 0; i < reader->file_row_bytes; i += 2) { /* the high byte comes first */
      uint16_t word = (uint16_t)(row[i] << 8 | row[i + 1]);

      memcpy(row + i, &word, sizeof word);
    }
  return row_scale(reader, row, error);
}

/* A plain sample; the last of the file may end with it.  Bits stand with or without white space
   between them. */
static bool plain_sample(struct pnm_reader *reader, size_t *sample, struct error *error)
{
  int byte = pnm_byte(reader->input, error);

  while (pnm_is_space(byte))
    byte = pnm_byte(reader->input, error);
  if (pnm_ended(byte, error))
    return false;
  *sample = 0;
  for (; byte >= '0' && byte <= '9'; byte = pnm_byte(reader->input, error)) {
    *sample = *sample * 10 + (size_t)(byte - '0');
    if (*sample > reader->header.maximum)
      return error_set(error, STATUS_FAILED, "a sample is over the maximum of %u",
                       reader->header.maximum);
    if (reader->header.kind == '1')
      return true;
  }
  if (byte == -2)
    return false;
  return byte == -1 || pnm_is_space(byte) ||
         error_set(error, STATUS_FAILED, "a number is expected where a sample stands");
}

static bool read_plain(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  size_t samples = reader->header.shape.width * reader->header.shape.channels;

  for (size_t i = 0; i < samples; i++) {
    size_t sample;

    if (!plain_sample(reader, &sample, error))
      return false;
    if (reader->header.shape.type == SAMPLE_U16)
      ((uint16_t *)(void *)row)[i] = (uint16_t)sample;
    else
      row[i] = (unsigned char)(reader->header.kind == '1' ? !sample : sample);
  }
  return row_scale(reader, row, error);
}

static bool read_float(struct pnm_reader *reader, unsigned char *row, struct error *error)
{
  if (!bytes_read(reader, row, reader->file_row_bytes, error))
    return false;
  for (size_t i = 0; reader->header.swap && i < reader->file_row_bytes; i += 4) {
    uint32_t word;

    memcpy(&word, row + i, sizeof word);
    word = __builtin_bswap32(word);
    memcpy(row + i, &word, sizeof word);
  }
  return true;
}

bool pnm_read(void *opaque, unsigned char *const *rows, size_t count, struct error *error)
{
  struct pnm_reader *reader = opaque;
  bool done = true;

  for (size_t y = 0; done && y < count; y++) {
    switch (reader->header.kind) {
    case '4':
      done = read_bits(reader, rows[y], error);
      break;
    case '1':
    case '2':
    case '3':
      done = read_plain(reader, rows[y], error);
      break;
    case 'f':
    case 'F':
      done = read_float(reader, rows[count - 1 - y], error);
      break;
    default:
      done = read_raw(reader, rows[y], error);
    }
  }
  return done;
}

/* Behind the samples of a plain picture there may be white space and comments. */
static bool plain_end(struct input *input, struct error *error)
{
  const unsigned char *next;
  size_t bytes;

  for (;;) {
    if (!input_peek(input, 1, &next, &bytes, error))
      return false;
    if (bytes == 0 || (*next != '#' && !pnm_is_space(*next)))
      return true;
    if (pnm_byte(input, error) == -2)
      return false;
  }
}

bool pnm_finish(void *opaque, struct picture *picture, struct error *error)
{
  struct pnm_reader *reader = opaque;

  if (strchr("123", reader->header.kind) && !plain_end(reader->input, error))
    return false;
  return picture_end(picture, reader->input, error);
}

void pnm_close(void *reader)
{
  free(reader);
}
