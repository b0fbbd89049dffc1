/* PNG, read through libpng's low-level interface; and the entry in the table of formats.

   libpng undoes the packing of pixels and nothing else: no gamma, no profile is applied.  Metadata
   is taken from it chunk by chunk as it stands in the file, to be written again as it was.

   libpng leaves an error by longjmp().  All calls of it therefore stand in small functions that
   reader_run() calls behind a setjmp(), and whose whole state is the reader. */
#include "config.h"

#include "format_png.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png_chunk.h"

enum {
  METADATA_BYTES_MAX = 64 << 20, /* of one picture */
  BAD_CHUNKS_MAX = 8,            /* with more of them the whole file is not to be trusted */
};

struct reader {
  png_structp png;
  png_infop info;
  struct input *input;
  struct picture *picture;    /* what the file says goes here */
  unsigned char *const *rows; /* where pixels go, while they are read */
  size_t count;
  int passes;            /* over the image: 7 for Adam7 */
  bool after_pixels;     /* chunks that come now stand behind them */
  char bad_checksum[5];  /* the type of the last chunk whose checksum was wrong */
  size_t bad_chunks;     /* so far */
  size_t metadata_bytes; /* so far */
  struct error failure;  /* what made libpng stop; empty text until then */
};

/* Ends what libpng does, with a message that is already in reader->failure, or else with this. */
static void on_error(png_structp png, png_const_charp message)
{
  struct reader *reader = png_get_error_ptr(png);

  if (!reader->failure.text[0] && strstr(message, "emory"))
    error_set(&reader->failure, STATUS_FAILED, "can't be read: %s", message);
  if (!reader->failure.text[0])
    error_set(&reader->failure, STATUS_FAILED,
              "the file is damaged: %s; a whole copy of it is needed", message);
  png_longjmp(png, 1);
}

/* Notes that something is left out. */
static void reader_warn(struct reader *reader, const char *type, const char *fault)
{
  picture_warn(reader->picture, "a part of the file (%.4s) %s and is left out", type, fault);
  if (++reader->bad_chunks <= BAD_CHUNKS_MAX)
    return;
  error_set(&reader->failure, STATUS_FAILED,
            "the file is damaged: %zu parts of it are wrong, the first warning is that %s; a whole "
            "copy of it is needed",
            reader->bad_chunks, reader->picture->warning);
  png_error(reader->png, "bad chunks");
}

/* libpng only warns where pixels are there but their checksum is wrong, or where there are more of
   them than the header says.  Bytes that follow the compressed pixels do no harm. */
static void on_warning(png_structp png, png_const_charp message)
{
  struct reader *reader = png_get_error_ptr(png);

  if (strncmp(message, "IDAT:", 5) == 0 && !strstr(message, "Extra compressed data"))
    png_error(png, message);
  if (strlen(message) < 6 || message[4] != ':') {
    reader_warn(reader, "PNG", message);
    return;
  }
  if (strcmp(message + 4, ": CRC error") == 0) {
    memcpy(reader->bad_checksum, message, 4);
    reader_warn(reader, message, "has a wrong checksum");
  } else {
    char fault[100];

    snprintf(fault, sizeof fault, "is not right (%s)", message + 6);
    reader_warn(reader, message, fault);
  }
}

static void on_bytes(png_structp png, png_bytep bytes, size_t count)
{
  struct reader *reader = png_get_io_ptr(png);
  size_t got;

  if (!input_take(reader->input, bytes, count, &got, &reader->failure))
    png_error(png, "read error");
  if (got < count)
    png_error(png, "it ends too early");
}

static void chunk_keep(struct reader *reader, const char type[5], const png_unknown_chunk *chunk)
{
  const char *fault =
      chunk_fault(&reader->picture->metadata, type, chunk->data, chunk->size, reader->after_pixels);

  if (!fault && chunk->size > METADATA_BYTES_MAX - reader->metadata_bytes)
    fault = "is longer than halo keeps";
  if (fault) {
    reader_warn(reader, type, fault);
    return;
  }
  reader->metadata_bytes += chunk->size;
  if (!metadata_add(&reader->picture->metadata, type, chunk->data, chunk->size,
                    reader->after_pixels, &reader->failure))
    png_error(reader->png, "no memory");
}

/* Gets every chunk but IHDR, PLTE, tRNS, IDAT and IEND.  libpng has read it whole and compared its
   checksum, but hands it over even if that was wrong.  Returns 1 for "done". */
static int on_chunk(png_structp png, png_unknown_chunkp chunk)
{
  struct reader *reader = png_get_user_chunk_ptr(png);
  char type[5] = "";
  bool bad;

  memcpy(type, chunk->name, 4);
  bad = strcmp(type, reader->bad_checksum) == 0;
  reader->bad_checksum[0] = '\0';
  if (bad)
    return 1;
  if (type[0] >= 'A' && type[0] <= 'Z') {
    error_set(&reader->failure, STATUS_FAILED,
              "the file has a part (%s) that halo does not know and may not leave out; convert it "
              "to a plain PNG",
              type);
    png_error(png, "unknown critical chunk");
  }
  if (strcmp(type, "acTL") == 0)
    picture_warn(reader->picture, "is an animation, of which only the first picture is read");
  if (chunk_is_kept(type))
    chunk_keep(reader, type, chunk);
  return 1;
}

/* Calls libpng by way of `step`, and returns false with the reason if that failed. */
static bool reader_run(struct reader *reader, void (*step)(struct reader *), struct error *error)
{
  if (setjmp(png_jmpbuf(reader->png))) {
    *error = reader->failure;
    return false;
  }
  step(reader);
  return true;
}

static bool format_png_matches(const unsigned char *head, size_t bytes)
{
  /* the other four bytes only show what text conversion did to a file: libpng says so */
  return bytes >= 4 && memcmp(head, "\x89PNG", 4) == 0;
}

static void step_open(struct reader *reader)
{
  png_structp png = reader->png;

  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_chunk_malloc_max(png, METADATA_BYTES_MAX);
  png_set_read_fn(png, reader, on_bytes);
  png_set_read_user_chunk_fn(png, reader, on_chunk);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, NULL, -1);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "cICP\0mDCV\0cLLI",
                              3);
  png_read_info(png, reader->info);
  png_set_expand(png); /* palette, 1, 2, 4 bits, and the transparent colour */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  png_set_swap(png);
#endif
  reader->passes = png_set_interlace_handling(png);
}

/* What the picture is after png_set_expand().  Asking libpng for it would allocate rows. */
static void picture_describe(struct picture *picture, png_structp png, png_infop info)
{
  int colour = png_get_color_type(png, info);
  bool transparent = png_get_valid(png, info, PNG_INFO_tRNS) != 0;

  picture->shape.width = png_get_image_width(png, info);
  picture->shape.height = png_get_image_height(png, info);
  picture->shape.channels = (colour & PNG_COLOR_MASK_COLOR) ? 3 : 1;
  if ((colour & PNG_COLOR_MASK_ALPHA) || transparent)
    picture->shape.channels++;
  picture->shape.type = png_get_bit_depth(png, info) == 16 ? SAMPLE_U16 : SAMPLE_U8;
  picture->whole = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
}

static void format_png_close(void *context)
{
  struct reader *reader = context;

  if (!reader)
    return;
  if (reader->png)
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

static bool format_png_open(struct input *input, struct picture *picture, void **context,
                            struct error *error)
{
  struct reader *reader = calloc(1, sizeof *reader);

  *context = NULL;
  if (reader)
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader && reader->png)
    reader->info = png_create_info_struct(reader->png);
  if (!reader || !reader->info) {
    error_set(error, STATUS_FAILED, "no memory to read a PNG");
    goto close_reader;
  }
  reader->input = input;
  reader->picture = picture;
  if (!reader_run(reader, step_open, error))
    goto close_reader;
  picture_describe(picture, reader->png, reader->info);
  *context = reader;
  return true;

close_reader:
  format_png_close(reader);
  return false;
}

/* Adam7: each pass adds its pixels to the rows that the passes before it left there. */
static void step_read(struct reader *reader)
{
  for (int pass = 0; pass < reader->passes; pass++)
    for (size_t i = 0; i < reader->count; i++)
      png_read_row(reader->png, reader->rows[i], NULL);
}

static bool format_png_read(void *context, unsigned char *const *rows, size_t count,
                            struct error *error)
{
  struct reader *reader = context;

  reader->rows = rows;
  reader->count = count;
  return reader_run(reader, step_read, error);
}

static void step_finish(struct reader *reader)
{
  png_read_end(reader->png, reader->info);
}

static bool format_png_finish(void *context, struct picture *picture, struct error *error)
{
  struct reader *reader = context;

  reader->picture = picture;
  reader->after_pixels = true;
  return reader_run(reader, step_finish, error);
}

static const char *const extensions[] = {"png", NULL};

const struct format format_png = {
    .name = "png",
    .about = "Portable Network Graphics, 8 and 16 bit, with metadata",
    .extensions = extensions,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .compression = true,
    .matches = format_png_matches,
    .open = format_png_open,
    .read = format_png_read,
    .finish = format_png_finish,
    .close = format_png_close,
    .refuse = format_png_refuse,
    .begin = format_png_begin,
    .rows_at_once = format_png_rows_at_once,
    .encode = format_png_encode,
    .write = format_png_write,
    .end = format_png_end,
    .discard = format_png_discard,
};
