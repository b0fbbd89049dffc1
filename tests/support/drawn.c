/* Pictures in memory for the tests of PNG: see drawn.h. */
#include "config.h"

#include "drawn.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

const char *corpus_path(const char *rest)
{
  static char path[4096];
  const char *shared = getenv("HALO_SHARED");

  snprintf(path, sizeof path, "%s/corpus/%s", shared ? shared : "../shared", rest);
  return path;
}

bool corpus_is_there(const char *folder)
{
  if (access(corpus_path(folder), R_OK) == 0)
    return true;
  printf("SKIP: %s is missing; HALO_SHARED names the folder with corpus/ in it\n",
         corpus_path(folder));
  return false;
}

struct file file_load(const char *path)
{
  struct file file = {NULL, 0};
  FILE *stream = fopen(path, "rb");
  long size;

  ck_assert_msg(stream != NULL, "%s can't be opened", path);
  fseek(stream, 0, SEEK_END);
  size = ftell(stream);
  rewind(stream);
  file.bytes = malloc((size_t)size + 1);
  file.size = fread(file.bytes, 1, (size_t)size, stream);
  fclose(stream);
  return file;
}

/* An input that lies in memory, in a block of exactly its size so that a sanitizer sees its end. */
static struct input input_of(const unsigned char *bytes, size_t size)
{
  struct input input = {.name = "test", .descriptor = -1, .ended = true};

  input.buffer = malloc(size ? size : 1);
  memcpy(input.buffer, bytes, size);
  input.end = input.capacity = size;
  return input;
}

static bool rows_read(void *reader, struct drawn *drawn, struct error *error)
{
  size_t height = drawn->picture.shape.height, bytes, some;
  unsigned char **rows = calloc(height, sizeof *rows);
  bool done = shape_row_bytes(&drawn->picture.shape, &bytes, error) &&
              raster_allocate(&drawn->raster, height, bytes, error);

  for (size_t y = 0; done && y < height; y++)
    rows[y] = raster_row(&drawn->raster, y);
  for (size_t y = 0; done && y < height; y += some) {
    some = drawn->picture.whole || height - y < 5 ? height - y : 5;
    done = format_png.read(reader, rows + y, some, error);
  }
  free(rows);
  return done;
}

/* Decodes a picture; whatever comes, drawn_free() is to follow. */
bool drawn_decode(struct drawn *drawn, const unsigned char *bytes, size_t size, struct error *error)
{
  struct input input = input_of(bytes, size);
  void *reader = NULL;
  bool done;

  memset(drawn, 0, sizeof *drawn);
  memset(error, 0, sizeof *error);
  done = format_png.open(&input, &drawn->picture, &reader, error);
  if (done) {
    done = rows_read(reader, drawn, error) && format_png.finish(reader, &drawn->picture, error);
    format_png.close(reader);
  }
  input_close(&input);
  if (!done) {
    ck_assert_int_eq(error->status, STATUS_FAILED);
    ck_assert_ptr_null(strchr(error->text, '\n'));
    ck_assert_uint_gt(strlen(error->text), 10);
  }
  return done;
}

void drawn_free(struct drawn *drawn)
{
  picture_free(&drawn->picture);
  raster_free(&drawn->raster);
}

/* The bytes of a band must not depend on the order in which bands are encoded. */
struct file drawn_encode(const struct drawn *drawn, int compression, bool backwards)
{
  struct output output = {.name = "test", .descriptor = -1, .held = true};
  struct encoding encoding = {.compression = compression, .quality = 90};
  struct error error = {0};
  size_t height = drawn->picture.shape.height, at_once, bands;
  unsigned char **rows = calloc(height, sizeof *rows);
  struct encoded *encoded;
  void *writer;

  for (size_t y = 0; y < height; y++)
    rows[y] = raster_row(&drawn->raster, y);
  ck_assert_ptr_null(format_png.refuse(&drawn->picture));
  ck_assert_msg(format_png.begin(&output, &drawn->picture, &encoding, &writer, &error), "%s",
                error.text);
  at_once = format_png.rows_at_once(writer);
  bands = (height + at_once - 1) / at_once;
  encoded = calloc(bands, sizeof *encoded);
  for (size_t i = 0; i < bands; i++) {
    size_t band = backwards ? bands - 1 - i : i, first = band * at_once;

    ck_assert_msg(format_png.encode(writer, first, (const unsigned char *const *)rows + first,
                                    height - first < at_once ? height - first : at_once,
                                    &encoded[band], &error),
                  "%s", error.text);
  }
  for (size_t i = 0; i < bands; i++) {
    ck_assert(format_png.write(writer, &encoded[i], &error));
    encoded_free(&encoded[i]);
  }
  ck_assert(format_png.end(writer, &drawn->picture, &error));
  format_png.discard(writer);
  free(encoded);
  free(rows);
  return (struct file){output.bytes, output.size};
}

/* A picture with something in it: steps, slopes and, in the lower half, noise. */
struct drawn drawn_make(size_t width, size_t height, unsigned channels, enum sample_type type)
{
  struct drawn drawn = {.picture.shape = {width, height, channels, type}};
  struct error error;
  size_t bytes;
  unsigned noise = 1;

  ck_assert(shape_row_bytes(&drawn.picture.shape, &bytes, &error));
  ck_assert(raster_allocate(&drawn.raster, height, bytes, &error));
  for (size_t y = 0; y < height; y++)
    for (size_t i = 0; i < bytes; i++) {
      noise = noise * 1664525u + 1013904223u;
      raster_row(&drawn.raster, y)[i] =
          (unsigned char)(y < height / 2 ? (i * 3 + y * (i / 64 % 3) + (y / 8) * 40) : noise >> 24);
    }
  return drawn;
}

bool drawn_equal(const struct drawn *a, const struct drawn *b)
{
  size_t bytes =
      a->picture.shape.width * a->picture.shape.channels * sample_bytes(a->picture.shape.type);

  if (memcmp(&a->picture.shape, &b->picture.shape, sizeof a->picture.shape) != 0)
    return false;
  for (size_t y = 0; y < a->picture.shape.height; y++)
    if (memcmp(raster_row(&a->raster, y), raster_row(&b->raster, y), bytes) != 0)
      return false;
  return true;
}

static void number_put(unsigned char *bytes, unsigned long number)
{
  for (int i = 0; i < 4; i++)
    bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

static size_t number_get(const unsigned char *bytes)
{
  return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

void chunk_insert(struct file *file, size_t offset, const char *type, const void *data, size_t size,
                  unsigned wrong)
{
  unsigned char *chunk;

  file->bytes = realloc(file->bytes, file->size + size + 12);
  chunk = file->bytes + offset;
  memmove(chunk + size + 12, chunk, file->size - offset);
  number_put(chunk, size);
  memcpy(chunk + 4, type, 4);
  if (size)
    memcpy(chunk + 8, data, size);
  number_put(chunk + 8 + size, crc32(0, chunk + 4, (uInt)size + 4) + wrong);
  file->size += size + 12;
}

size_t chunk_find(const struct file *file, const char *type)
{
  size_t offset = 8;

  while (memcmp(file->bytes + offset + 4, type, 4) != 0) {
    offset += number_get(file->bytes + offset) + 12;
    ck_assert_msg(offset < file->size, "there is no chunk %s", type);
  }
  return offset;
}

void chunk_repair(struct file *file, size_t offset)
{
  size_t size = number_get(file->bytes + offset);

  number_put(file->bytes + offset + 8 + size, crc32(0, file->bytes + offset + 4, (uInt)size + 4));
}
