/* Writing PNG: libpng writes the header and what surrounds the pixels; png_encode.c makes the chunks of
   the pixels, which may go on in several threads, and the checksum over all of them is a last IDAT of four
   bytes. */
#include "format_png.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "png_encode.h"

enum { SIDE_MAX = 0x7fffffff }; /* pixels */

struct writer {
  png_structp png;
  png_infop info;
  struct output *output;
  const struct picture *picture; /* in begin and end only */
  struct error failure;          /* what made libpng stop; empty text until then */
  struct png_encoder *encoder;
  uint32_t checksum; /* Adler-32 of the pieces written so far */
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

/* Calls libpng by way of `step`, and returns false with the reason if that failed.  libpng reports an error by
   longjmp(), which skips the rest of `step` and of nothing else of ours. */
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

void format_png_discard(void *context)
{
  struct writer *writer = context;

  if (!writer)
    return;
  if (writer->png)
    png_destroy_write_struct(&writer->png, &writer->info);
  png_encoder_free(writer->encoder);
  free(writer);
}

bool format_png_begin(struct output *output, const struct picture *picture,
                      const struct encoding *encoding, void **context, struct error *error)
{
  int level = encoding->compression < 0 ? ENCODING_COMPRESSION : encoding->compression;
  struct writer *writer = calloc(1, sizeof *writer);

  *context = NULL;
  if (writer)
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  if (writer && writer->png)
    writer->info = png_create_info_struct(writer->png);
  if (!writer || !writer->info) {
    error_set(error, STATUS_FAILED, "no memory to write a PNG");
    goto discard_writer;
  }
  writer->output = output;
  writer->picture = picture;
  writer->checksum = 1;
  writer->encoder = png_encoder_create(&picture->shape, level, error);
  if (!writer->encoder || !writer_run(writer, step_begin, error))
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

  return png_encoder_rows(writer->encoder);
}

void format_png_encode_memory(const void *context, size_t *encoded, size_t *working)
{
  png_encoder_memory(((const struct writer *)context)->encoder, encoded, working);
}

bool format_png_encode(const void *context, size_t first, const unsigned char *const *rows,
                       size_t count, struct encoded *encoded, struct error *error)
{
  const struct writer *writer = context;

  return png_encoder_encode(writer->encoder, first, rows, count, encoded, error);
}

bool format_png_write(void *context, const struct encoded *encoded, struct error *error)
{
  struct writer *writer = context;

  writer->checksum = (uint32_t)adler32_combine(writer->checksum, encoded->raw_checksum,
                                               (z_off_t)encoded->raw_size);
  return output_write(writer->output, encoded->bytes, encoded->size, error);
}

static void step_end(struct writer *writer)
{
  unsigned char checksum[4];

  png_save_uint_32(checksum, writer->checksum);
  png_write_chunk(writer->png, (png_const_bytep) "IDAT", checksum, sizeof checksum);
  metadata_write(writer, true);
  png_write_chunk(writer->png, (png_const_bytep) "IEND", NULL, 0);
}

bool format_png_end(void *context, const struct picture *picture, struct error *error)
{
  struct writer *writer = context;

  writer->picture = picture;
  return writer_run(writer, step_end, error);
}
