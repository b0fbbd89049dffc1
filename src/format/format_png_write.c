/* Writing PNG: libpng writes the header and what surrounds the pixels; the pixels are encoded here,
   so that bands can be encoded at the same time.

   A piece of about half a MiB of rows is filtered (png_row_filter.h) and deflated without reference to the deflated
   bytes before it, and becomes one chunk IDAT, complete with its checksum.  In front of the first
   piece stand the two bytes that begin a zlib stream; the checksum over all pieces, which is known
   last, is an IDAT of four bytes of its own. */
#include "format_png.h"

#include <png.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "deflate.h"
#include "png_row_filter.h"

enum {
  PIECE_BYTES = 1 << 19, /* of rows, before encoding */
  SIDE_MAX = 0x7fffffff, /* pixels */
  CHUNK_HEAD = 8,        /* bytes of length and type */
  CHUNK_TAIL = 4,        /* bytes of checksum */
};

/* What encoding one piece needs; for one thread at a time. */
struct scratch {
  struct scratch *next; /* free as well */
  struct deflate *deflate;
  unsigned char *filtered;   /* the rows of a piece, each behind the number of its row filter */
  unsigned char *swapped[2]; /* two rows, most significant byte first */
};

struct pool {
  pthread_mutex_t lock;
  struct scratch *free;
};

struct writer {
  png_structp png;
  png_infop info;
  struct output *output;
  const struct picture *picture; /* in begin and end only */
  struct error failure;          /* what made libpng stop; empty text until then */
  size_t height, row_bytes, pixel_bytes;
  bool swap; /* 16 bit on a machine that keeps the least significant byte first */
  int level; /* of deflate, 0 … 9 */
  size_t piece_rows;
  struct pool *pool;
  uint32_t check; /* Adler-32 of the pieces written so far */
};

const char *format_png_refuse(const struct picture *picture)
{
  if (picture->shape.width > SIDE_MAX || picture->shape.height > SIDE_MAX)
    return "PNG holds no more than 2147483647 pixels in a row or in a column";
  if (picture->shape.type == SAMPLE_F32)
    return "PNG holds samples of 8 or 16 bit, no floats";
  return NULL;
}

static void on_error(png_structp png, png_const_charp message)
{
  struct writer *writer = png_get_error_ptr(png);

  if (!writer->failure.text[0])
    error_set(&writer->failure, STATUS_FAILED, "can't be written as PNG: %s", message);
  png_longjmp(png, 1);
}

/* What libpng warns of while it writes concerns its caller, not the user. */
static void on_warning(png_structp png, png_const_charp message)
{
  (void)png;
  (void)message;
}

static void on_bytes(png_structp png, png_bytep bytes, size_t count)
{
  struct writer *writer = png_get_io_ptr(png);

  if (!output_write(writer->output, bytes, count, &writer->failure))
    png_error(png, "write error");
}

static void on_flush(png_structp png)
{
  (void)png; /* output_commit() does it */
}

/* Calls libpng by way of `step`, and returns false with the reason if that failed: libpng leaves an
   error by longjmp(), over nothing but that function. */
static bool writer_run(struct writer *writer, void (*step)(struct writer *), struct error *error)
{
  if (setjmp(png_jmpbuf(writer->png))) {
    *error = writer->failure;
    return false;
  }
  step(writer);
  return true;
}

static void metadata_write(struct writer *writer, bool after_pixels)
{
  const struct metadata *metadata = &writer->picture->metadata;

  for (size_t i = 0; i < metadata->count; i++) {
    const struct metadata_item *item = &metadata->items[i];

    if (item->after_pixels == after_pixels)
      png_write_chunk(writer->png, (png_const_bytep)item->type, item->data, item->size);
  }
}

static void step_begin(struct writer *writer)
{
  static const int colours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
  const struct shape *shape = &writer->picture->shape;

  png_set_user_limits(writer->png, SIDE_MAX, SIDE_MAX);
  png_set_write_fn(writer->png, writer, on_bytes, on_flush);
  png_set_IHDR(writer->png, writer->info, (png_uint_32)shape->width, (png_uint_32)shape->height,
               shape->type == SAMPLE_U16 ? 16 : 8, colours[shape->channels - 1], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer->png, writer->info);
  metadata_write(writer, false);
}

/* Sizes that stay the same for all pieces. */
static bool writer_measure(struct writer *writer, const struct shape *shape, struct error *error)
{
  size_t rows;

  if (!shape_row_bytes(shape, &writer->row_bytes, error))
    return false;
  writer->height = shape->height;
  writer->pixel_bytes = shape->channels * sample_bytes(shape->type);
  writer->swap = shape->type == SAMPLE_U16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  rows = PIECE_BYTES / (writer->row_bytes + 1);
  rows = rows ? rows : 1;
  writer->piece_rows = rows < shape->height ? rows : shape->height;
  return true;
}

static struct pool *pool_create(void)
{
  struct pool *pool = calloc(1, sizeof *pool);

  if (pool && pthread_mutex_init(&pool->lock, NULL) != 0) {
    free(pool);
    pool = NULL;
  }
  return pool;
}

static void scratch_free(struct scratch *scratch)
{
  deflate_free(scratch->deflate);
  free(scratch->filtered);
  free(scratch->swapped[0]);
  free(scratch->swapped[1]);
  free(scratch);
}

static void pool_free(struct pool *pool)
{
  struct scratch *next;

  if (!pool)
    return;
  for (struct scratch *scratch = pool->free; scratch; scratch = next) {
    next = scratch->next;
    scratch_free(scratch);
  }
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

void format_png_discard(void *context)
{
  struct writer *writer = context;

  if (!writer)
    return;
  if (writer->png)
    png_destroy_write_struct(&writer->png, &writer->info);
  pool_free(writer->pool);
  free(writer);
}

bool format_png_begin(struct output *output, const struct picture *picture,
                      const struct encoding *encoding, void **context, struct error *error)
{
  struct writer *writer = calloc(1, sizeof *writer);

  *context = NULL;
  if (writer) {
    writer->pool = pool_create();
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  }
  if (writer && writer->png)
    writer->info = png_create_info_struct(writer->png);
  if (!writer || !writer->info || !writer->pool) {
    error_set(error, STATUS_FAILED, "no memory to write a PNG");
    goto discard_writer;
  }
  writer->output = output;
  writer->picture = picture;
  writer->level = encoding->compression < 0 ? ENCODING_COMPRESSION : encoding->compression;
  writer->check = 1;
  if (!writer_measure(writer, &picture->shape, error) || !writer_run(writer, step_begin, error))
    goto discard_writer;
  *context = writer;
  return true;

discard_writer:
  format_png_discard(writer);
  return false;
}

size_t format_png_rows_at_once(const void *context)
{
  const struct writer *writer = context;

  return writer->piece_rows;
}

static struct scratch *scratch_create(const struct writer *writer, struct error *error)
{
  struct scratch *scratch = calloc(1, sizeof *scratch);

  if (!scratch) {
    error_set(error, STATUS_FAILED, "no memory to encode rows");
    return NULL;
  }
  scratch->deflate = deflate_create(writer->level, error);
  scratch->filtered = malloc(writer->piece_rows * (writer->row_bytes + 1));
  for (int i = 0; writer->swap && i < 2; i++)
    scratch->swapped[i] = malloc(writer->row_bytes);
  if (scratch->deflate && scratch->filtered &&
      (!writer->swap || (scratch->swapped[0] && scratch->swapped[1])))
    return scratch;
  error_set(error, STATUS_FAILED, "no memory to encode %zu rows of %zu bytes", writer->piece_rows,
            writer->row_bytes);
  scratch_free(scratch);
  return NULL;
}

static struct scratch *scratch_take(const struct writer *writer, struct error *error)
{
  struct scratch *scratch;

  pthread_mutex_lock(&writer->pool->lock);
  scratch = writer->pool->free;
  if (scratch)
    writer->pool->free = scratch->next;
  pthread_mutex_unlock(&writer->pool->lock);
  return scratch ? scratch : scratch_create(writer, error);
}

static void scratch_return(const struct writer *writer, struct scratch *scratch)
{
  pthread_mutex_lock(&writer->pool->lock);
  scratch->next = writer->pool->free;
  writer->pool->free = scratch;
  pthread_mutex_unlock(&writer->pool->lock);
}

/* The row as PNG has it: 16-bit samples with the most significant byte first. */
static const unsigned char *row_ordered(const struct writer *writer, const unsigned char *row,
                                        unsigned char *swapped)
{
  if (!writer->swap)
    return row;
#pragma omp simd
  for (size_t i = 0; i < writer->row_bytes / 2; i++) {
    uint16_t sample;

    memcpy(&sample, row + 2 * i, 2);
    sample = (uint16_t)(sample << 8 | sample >> 8);
    memcpy(swapped + 2 * i, &sample, 2);
  }
  return swapped;
}

/* Applies row filters to rows first … first + count − 1 into scratch->filtered; returns its bytes. */
static size_t rows_filter(const struct writer *writer, struct scratch *scratch, size_t first,
                          const unsigned char *const *rows, size_t count)
{
  const unsigned char *above = NULL, *row;
  unsigned char *end = scratch->filtered;

  if (first > 0 && writer->level != 0)
    above = row_ordered(writer, rows[-1], scratch->swapped[1]);
  for (size_t i = 0; i < count; i++) {
    row = row_ordered(writer, rows[i], scratch->swapped[i % 2]);
    if (writer->level == 0)
      png_row_filter_none(row, writer->row_bytes, end);
    else
      png_row_filter(row, above, writer->row_bytes, writer->pixel_bytes, end);
    above = row;
    end += writer->row_bytes + 1;
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
   what makes the two of them, as one number, a multiple of 31. */
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

bool format_png_encode(const void *context, size_t first, const unsigned char *const *rows,
                       size_t count, struct encoded *encoded, struct error *error)
{
  const struct writer *writer = context;
  struct scratch *scratch = scratch_take(writer, error);
  bool done = scratch != NULL;

  if (!scratch)
    return false;
  encoded->size = 0;
  encoded->raw_size = rows_filter(writer, scratch, first, rows, count);
  encoded->raw_checksum = deflate_adler(1, scratch->filtered, encoded->raw_size);
  for (size_t i = 0, piece; done && i < encoded->raw_size; i += piece) {
    piece = encoded->raw_size - i < DEFLATE_BYTES_MAX ? encoded->raw_size - i : DEFLATE_BYTES_MAX;
    done = chunk_encode(scratch->deflate, writer->level, first == 0 && i == 0,
                        first + count == writer->height && i + piece == encoded->raw_size,
                        scratch->filtered + i, piece, encoded, error);
  }
  scratch_return(writer, scratch);
  return done;
}

bool format_png_write(void *context, const struct encoded *encoded, struct error *error)
{
  struct writer *writer = context;

  writer->check =
      (uint32_t)adler32_combine(writer->check, encoded->raw_checksum, (z_off_t)encoded->raw_size);
  return output_write(writer->output, encoded->bytes, encoded->size, error);
}

static void step_end(struct writer *writer)
{
  unsigned char check[4];

  big_endian_store(check, writer->check);
  png_write_chunk(writer->png, (png_const_bytep) "IDAT", check, sizeof check);
  metadata_write(writer, true);
  png_write_chunk(writer->png, (png_const_bytep) "IEND", NULL, 0);
}

bool format_png_end(void *context, const struct picture *picture, struct error *error)
{
  struct writer *writer = context;

  writer->picture = picture;
  return writer_run(writer, step_end, error);
}
