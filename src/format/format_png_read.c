/* Reading PNG through libpng's low-level interface.

   libpng undoes the packing of pixels and nothing else: no gamma, no profile is applied.  Metadata
   is taken from it chunk by chunk as it stands in the file, to be written again as it was.

   What libpng reads in spite of a fault is read here too, with a warning; but pixels whose checksum is
   wrong or that are not all there, and memory that is short, are errors.

   libpng reports an error by longjmp().  All calls of it therefore stand in small functions that
   reader_run() calls behind a setjmp(), and whose whole state is the reader. */
#include "config.h"

#include "format_png.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png_chunk.h"
#include "png_palette.h"

enum { METADATA_BYTES_MAX = 64 << 20 }; /* of one picture */

struct reader {
  png_structp png;
  png_infop info;
  struct input *input;
  struct picture *picture;    /* what the file says goes here */
  unsigned char *const *rows; /* where pixels go, while they are read */
  size_t count;               /* of those rows */
  int passes;                 /* over the image: 7 for Adam7 */
  bool indexed;               /* pixels are indexes into the palette */
  struct png_palette palette; /* if they are */
  bool past_palette;          /* an index past it was seen */
  bool after_pixels;          /* chunks that come now stand behind them */
  char bad_checksum[5];       /* the type of the last chunk whose checksum was wrong */
  struct chunk_tally chunks;  /* those that were kept so far */
  size_t metadata_bytes;      /* of them */
  struct error failure;       /* what made libpng stop; empty text until then */
};

/* Stops libpng, with the message that is in reader->failure already, or else with this one. */
static void on_error(png_structp png, png_const_charp message)
{
  struct reader *reader = png_get_error_ptr(png);

  if (!reader->failure.text[0])
    error_set(&reader->failure, STATUS_FAILED,
              "the file is damaged: %s; a whole copy of it is needed", message);
  png_longjmp(png, 1);
}

/* Memory for libpng.  It goes on with a warning where there is none for an ancillary chunk: that it was
   short is remembered, and makes reader_run() fail. */
static png_voidp on_allocate(png_structp png, png_alloc_size_t bytes)
{
  struct reader *reader = png_get_mem_ptr(png);
  void *memory = malloc(bytes);

  if (!memory && !reader->failure.text[0])
    error_set(&reader->failure, STATUS_FAILED, "no memory to read a PNG (%zu bytes)",
              (size_t)bytes);
  return memory;
}

static void on_free(png_structp png, png_voidp memory)
{
  (void)png;
  free(memory);
}

/* Warns that a chunk is left out. */
static void chunk_warn(struct reader *reader, const char *type, const char *fault)
{
  picture_warn(reader->picture, "a part of the file (%.4s) %s and is left out", type, fault);
}

/* Handles a warning of libpng that concerns the picture as a whole; returns false where it does not. */
static bool warning_is_of_picture(struct reader *reader, const char *message)
{
  static const struct {
    const char *libpng; /* part of what libpng says */
    const char *words;  /* what the user is told; NULL for nothing */
  } known[] = {
      {"Extra compressed data", "has more pixel data than pixels; the surplus is ignored"},
      {"Too much image data", "has more pixel data than pixels; the surplus is ignored"},
      {"Too many IDATs found", "has more pixel data than pixels; the surplus is ignored"},
      /* of less than 16 bits per sample, only the low bits count: the specification says so */
      {"tRNS chunk has out-of-range samples", NULL},
  };

  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!strstr(message, known[i].libpng))
      continue;
    if (known[i].words && strcmp(known[i].words, reader->picture->warning) != 0)
      picture_warn(reader->picture, "%s", known[i].words);
    return true;
  }
  return false;
}

/* libpng only warns where all pixels are there but their checksum is wrong; that is an error here. */
static void on_warning(png_structp png, png_const_charp message)
{
  struct reader *reader = png_get_error_ptr(png);
  char fault[100];

  if (warning_is_of_picture(reader, message))
    return;
  if (strncmp(message, "IDAT:", 5) == 0)
    png_error(png, message);
  if (strlen(message) < 6 || message[4] != ':') {
    picture_warn(reader->picture, "libpng says: %s", message);
    return;
  }
  if (strcmp(message + 4, ": CRC error") == 0) {
    memcpy(reader->bad_checksum, message, 4);
    snprintf(fault, sizeof fault, "has a wrong checksum");
  } else {
    snprintf(fault, sizeof fault, "is not valid (%s)", message + 6);
  }
  chunk_warn(reader, message, fault);
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

/* Keeps a chunk as metadata, or warns why not. */
static void chunk_keep(struct reader *reader, const char type[5], const png_unknown_chunk *chunk)
{
  const char *fault = "is longer than halo keeps";

  if (chunk->size <= METADATA_BYTES_MAX - reader->metadata_bytes)
    fault = chunk_fault(&reader->chunks, type, chunk->data, chunk->size, reader->after_pixels);
  if (fault) {
    chunk_warn(reader, type, fault);
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

/* Calls libpng by way of `step`; returns false with the reason if that failed, or if memory was short. */
static bool reader_run(struct reader *reader, void (*step)(struct reader *), struct error *error)
{
  if (setjmp(png_jmpbuf(reader->png))) {
    *error = reader->failure;
    return false;
  }
  step(reader);
  if (reader->failure.text[0])
    *error = reader->failure;
  return !reader->failure.text[0];
}

static void step_open(struct reader *reader)
{
  png_structp png = reader->png;

  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_chunk_malloc_max(png, METADATA_BYTES_MAX);
  png_set_read_fn(png, reader, on_bytes);
  png_set_read_user_chunk_fn(png, reader, on_chunk);
  png_set_check_for_invalid_index(png, 0); /* png_palette_apply() does that */
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, NULL, -1);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "cICP\0mDCV\0cLLI",
                              3);
  png_read_info(png, reader->info);
  reader->indexed = png_get_color_type(png, reader->info) == PNG_COLOR_TYPE_PALETTE;
  if (reader->indexed) {
    png_palette_get(&reader->palette, png, reader->info);
    png_set_packing(png); /* indexes of 1, 2, 4 bits become bytes */
  } else {
    png_set_expand(png); /* samples of 1, 2, 4 bits become bytes, the transparent colour alpha */
  }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  png_set_swap(png);
#endif
  reader->passes = png_set_interlace_handling(png);
}

/* What the picture is when its rows have been read.  Asking libpng for it would allocate rows. */
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

void format_png_close(void *context)
{
  struct reader *reader = context;

  if (!reader)
    return;
  if (reader->png)
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

bool format_png_open(struct input *input, struct picture *picture, void **context,
                     struct error *error)
{
  struct reader *reader = calloc(1, sizeof *reader);

  *context = NULL;
  if (!reader)
    return error_set(error, STATUS_FAILED, "no memory to read a PNG");
  reader->input = input;
  reader->picture = picture;
  reader->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning,
                                         reader, on_allocate, on_free);
  if (reader->png)
    reader->info = png_create_info_struct(reader->png);
  if (!reader->info) {
    if (!reader->failure.text[0])
      error_set(&reader->failure, STATUS_FAILED, "libpng does not start: %s", picture->warning);
    *error = reader->failure;
    goto close_reader;
  }
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
  for (size_t i = 0; reader->indexed && i < reader->count; i++)
    if (!png_palette_apply(&reader->palette, reader->rows[i], reader->picture->shape.width))
      reader->past_palette = true;
}

bool format_png_read(void *context, unsigned char *const *rows, size_t count, struct error *error)
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

bool format_png_finish(void *context, struct picture *picture, struct error *error)
{
  struct reader *reader = context;

  if (reader->past_palette)
    picture_warn(picture, "has pixels whose colour is not in its palette; they are black");
  reader->after_pixels = true;
  return reader_run(reader, step_finish, error) && picture_end(picture, reader->input, error);
}
