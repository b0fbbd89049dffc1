/* Encoding rows of a PNG: see png_encode.h. */
#include "png_encode.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "deflate.h"
#include "png_row_filter.h"

enum {
  PIECE_BYTES = 1 << 19, /* of rows, before encoding */
  CHUNK_HEAD = 8,        /* bytes of length and type */
  CHUNK_TAIL = 4,        /* bytes of checksum */
};

/* What encoding one piece needs; for one thread at a time. */
struct scratch {
  struct scratch *next; /* not in use either */
  struct deflate *deflate;
  unsigned char *filtered;   /* the rows of a piece, each behind the number of its row filter */
  unsigned char *swapped[2]; /* two rows, most significant byte first */
};

struct png_encoder {
  size_t height, row_bytes, pixel_bytes;
  bool swap; /* 16 bit on a machine that keeps the least significant byte first */
  int level; /* of deflate, 0 … 9 */
  size_t piece_rows;
  pthread_mutex_t lock;
  struct scratch *unused; /* guarded by the lock; a list */
};

/* Sizes that stay the same for all pieces. */
static bool encoder_measure(struct png_encoder *encoder, const struct shape *shape,
                            struct error *error)
{
  size_t rows;

  if (!shape_row_bytes(shape, &encoder->row_bytes, error))
    return false;
  encoder->height = shape->height;
  encoder->pixel_bytes = shape->channels * sample_bytes(shape->type);
  encoder->swap = shape->type == SAMPLE_U16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  rows = PIECE_BYTES / (encoder->row_bytes + 1);
  rows = rows ? rows : 1;
  encoder->piece_rows = rows < shape->height ? rows : shape->height;
  return true;
}

struct png_encoder *png_encoder_create(const struct shape *shape, int level, struct error *error)
{
  struct png_encoder *encoder = calloc(1, sizeof *encoder);

  if (!encoder || pthread_mutex_init(&encoder->lock, NULL) != 0) {
    error_set(error, STATUS_FAILED, "no memory to write a PNG");
    free(encoder);
    return NULL;
  }
  encoder->level = level;
  if (encoder_measure(encoder, shape, error))
    return encoder;
  png_encoder_free(encoder);
  return NULL;
}

static void scratch_free(struct scratch *scratch)
{
  deflate_free(scratch->deflate);
  free(scratch->filtered);
  free(scratch->swapped[0]);
  free(scratch->swapped[1]);
  free(scratch);
}

void png_encoder_free(struct png_encoder *encoder)
{
  struct scratch *next;

  if (!encoder)
    return;
  for (struct scratch *scratch = encoder->unused; scratch; scratch = next) {
    next = scratch->next;
    scratch_free(scratch);
  }
  pthread_mutex_destroy(&encoder->lock);
  free(encoder);
}

size_t png_encoder_rows(const struct png_encoder *encoder)
{
  return encoder->piece_rows;
}

void png_encoder_memory(const struct png_encoder *encoder, size_t *encoded, size_t *working)
{
  *working = encoder->piece_rows * (encoder->row_bytes + 1) + 2 * encoder->row_bytes;
  *encoded = deflate_bound(*working) + CHUNK_HEAD + CHUNK_TAIL;
  *working += deflate_bytes();
}

static struct scratch *scratch_create(const struct png_encoder *encoder, struct error *error)
{
  struct scratch *scratch = calloc(1, sizeof *scratch);

  if (!scratch) {
    error_set(error, STATUS_FAILED, "no memory to encode rows");
    return NULL;
  }
  scratch->deflate = deflate_create(encoder->level, error);
  scratch->filtered = malloc(encoder->piece_rows * (encoder->row_bytes + 1));
  for (int i = 0; encoder->swap && i < 2; i++)
    scratch->swapped[i] = malloc(encoder->row_bytes);
  if (scratch->deflate && scratch->filtered &&
      (!encoder->swap || (scratch->swapped[0] && scratch->swapped[1])))
    return scratch;
  error_set(error, STATUS_FAILED, "no memory to encode %zu rows of %zu bytes", encoder->piece_rows,
            encoder->row_bytes);
  scratch_free(scratch);
  return NULL;
}

static struct scratch *scratch_take(struct png_encoder *encoder, struct error *error)
{
  struct scratch *scratch;

  pthread_mutex_lock(&encoder->lock);
  scratch = encoder->unused;
  if (scratch)
    encoder->unused = scratch->next;
  pthread_mutex_unlock(&encoder->lock);
  return scratch ? scratch : scratch_create(encoder, error);
}

static void scratch_return(struct png_encoder *encoder, struct scratch *scratch)
{
  pthread_mutex_lock(&encoder->lock);
  scratch->next = encoder->unused;
  encoder->unused = scratch;
  pthread_mutex_unlock(&encoder->lock);
}

/* The row as PNG has it: 16-bit samples with the most significant byte first. */
static const unsigned char *row_ordered(const struct png_encoder *encoder, const unsigned char *row,
                                        unsigned char *swapped)
{
  if (!encoder->swap)
    return row;
#pragma omp simd
  for (size_t i = 0; i < encoder->row_bytes / 2; i++) {
    uint16_t sample;

    memcpy(&sample, row + 2 * i, 2);
    sample = (uint16_t)(sample << 8 | sample >> 8);
    memcpy(swapped + 2 * i, &sample, 2);
  }
  return swapped;
}

/* Applies row filters to rows first … first + count − 1 into scratch->filtered; returns its bytes. */
static size_t rows_filter(const struct png_encoder *encoder, struct scratch *scratch, size_t first,
                          const unsigned char *const *rows, size_t count)
{
  const unsigned char *above = NULL, *row;
  unsigned char *end = scratch->filtered;

  if (first > 0 && encoder->level != 0)
    above = row_ordered(encoder, rows[-1], scratch->swapped[1]);
  for (size_t i = 0; i < count; i++) {
    row = row_ordered(encoder, rows[i], scratch->swapped[i % 2]);
    if (encoder->level == 0)
      png_row_filter_none(row, encoder->row_bytes, end);
    else
      png_row_filter(row, above, encoder->row_bytes, encoder->pixel_bytes, end);
    above = row;
    end += encoder->row_bytes + 1;
  }
  return (size_t)(end - scratch->filtered);
}

static void big_endian_store(unsigned char *bytes, uint32_t value)
{
  bytes[0] = (unsigned char)(value >> 24);
  bytes[1] = (unsigned char)(value >> 16);
  bytes[2] = (unsigned char)(value >> 8);
  bytes[3] = (unsigned char)value;
}

/* The two bytes that begin a zlib stream: deflate with a window of 32 KiB, a hint at the level, and
   check bits that make the two bytes, as one number, a multiple of 31 (RFC 1950). */
static size_t stream_begin(int level, unsigned char *bytes)
{
  bytes[0] = 0x78;
  bytes[1] = level < 2 ? 0x01 : level < 6 ? 0x5e : level == 6 ? 0x9c : 0xda;
  return 2;
}

/* Puts one chunk IDAT with these bytes, deflated, behind what is encoded already. */
static bool chunk_encode(struct deflate *deflate, int begin_level, bool begin, bool last,
                         const unsigned char *bytes, size_t count, struct encoded *encoded,
                         struct error *error)
{
  size_t capacity = deflate_bound(count), size, head = 0;
  unsigned char *chunk;

  if (!encoded_reserve(encoded, encoded->size + CHUNK_HEAD + 2 + capacity + CHUNK_TAIL, error))
    return false;
  chunk = encoded->bytes + encoded->size;
  if (begin)
    head = stream_begin(begin_level, chunk + CHUNK_HEAD);
  if (!deflate_raw(deflate, bytes, count, last, chunk + CHUNK_HEAD + head, capacity, &size, error))
    return false;
  size += head;
  big_endian_store(chunk, (uint32_t)size);
  memcpy(chunk + 4, "IDAT", 4);
  big_endian_store(chunk + CHUNK_HEAD + size, deflate_crc(0, chunk + 4, 4 + size));
  encoded->size += CHUNK_HEAD + size + CHUNK_TAIL;
  return true;
}

bool png_encoder_encode(struct png_encoder *encoder, size_t first, const unsigned char *const *rows,
                        size_t count, struct encoded *encoded, struct error *error)
{
  struct scratch *scratch = scratch_take(encoder, error);
  bool done = scratch != NULL;

  if (!scratch)
    return false;
  encoded->size = 0;
  encoded->raw_size = rows_filter(encoder, scratch, first, rows, count);
  encoded->raw_checksum = deflate_adler(1, scratch->filtered, encoded->raw_size);
  for (size_t i = 0, piece; done && i < encoded->raw_size; i += piece) {
    piece = encoded->raw_size - i < DEFLATE_BYTES_MAX ? encoded->raw_size - i : DEFLATE_BYTES_MAX;
    done = chunk_encode(scratch->deflate, encoder->level, first == 0 && i == 0,
                        first + count == encoder->height && i + piece == encoded->raw_size,
                        scratch->filtered + i, piece, encoded, error);
  }
  scratch_return(encoder, scratch);
  return done;
}
