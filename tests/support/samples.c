/* Pictures as plain samples: see samples.h. */
#include "config.h"

#include "samples.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 512 };

size_t samples_encode(const struct format *format, const struct shape *shape, int quality,
                      const void *samples, unsigned char *bytes, size_t room)
{
  struct picture picture = {.shape = *shape};
  struct encoding encoding = {-1, quality};
  struct encoded encoded = {0};
  struct output output = {.name = "test", .descriptor = -1, .held = true};
  struct error error;
  void *writer = NULL;
  size_t row_bytes, at_once, count;
  const unsigned char *rows[ROWS_MOST];

  ck_assert_ptr_null(format->refuse(&picture));
  ck_assert(shape_row_bytes(shape, &row_bytes, &error));
  ck_assert(format->begin(&output, &picture, &encoding, &writer, &error));
  for (size_t y = 0; y < shape->height; y++)
    rows[y] = (const unsigned char *)samples + y * row_bytes;
  at_once = format->rows_at_once(writer);
  for (size_t y = 0; y < shape->height; y += at_once) {
    count = shape->height - y < at_once ? shape->height - y : at_once;
    ck_assert_msg(format->encode(writer, y, rows + y, count, &encoded, &error), "%s", error.text);
    ck_assert(format->write(writer, &encoded, &error));
  }
  ck_assert(format->end(writer, &picture, &error));
  format->discard(writer);
  encoded_free(&encoded);
  count = output.size;
  ck_assert_uint_le(count, room);
  memcpy(bytes, output.bytes, count);
  output_discard(&output);
  return count;
}

/* The bytes lie in a block of exactly their size, so that a sanitizer sees its end. */
bool samples_decode(const void *bytes, size_t count, struct shape *shape, void *samples,
                    size_t room, struct error *error)
{
  struct picture picture = {0};
  const struct format *format = format_for_head(bytes, count < 16 ? count : 16);
  struct input input = {.name = "test", .descriptor = -1, .ended = true};
  void *reader = NULL;
  unsigned char *rows[ROWS_MOST];
  size_t row_bytes = 0;
  bool done;

  if (!format)
    return error_set(error, STATUS_FAILED, "unknown");
  input.buffer = malloc(count);
  ck_assert_ptr_nonnull(input.buffer);
  memcpy(input.buffer, bytes, count);
  input.end = input.capacity = count;
  done = format->open(&input, &picture, &reader, error) &&
         shape_row_bytes(&picture.shape, &row_bytes, error);
  if (done) {
    ck_assert_uint_le(picture.shape.height, ROWS_MOST);
    ck_assert_uint_le(picture.shape.height * row_bytes, room);
    for (size_t y = 0; y < picture.shape.height; y++)
      rows[y] = (unsigned char *)samples + y * row_bytes;
    done = format->read(reader, rows, picture.shape.height, error) &&
           format->finish(reader, &picture, error);
  }
  *shape = picture.shape;
  if (reader)
    format->close(reader);
  picture_free(&picture);
  input_close(&input);
  return done;
}
