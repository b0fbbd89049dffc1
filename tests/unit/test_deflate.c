/* Pieces of deflate: put behind one another they are one stream, and they are the same bytes wherever the
   compressor lies in memory. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "deflate.h"
#include "unit.h"

enum { PIECE_MOST = 6000, KINDS = 5 };

static unsigned state = 1;

static unsigned noise(void)
{
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/* Bytes as rows of pictures have them: noise, repeated, steps, runs. */
static size_t piece_make(unsigned char *bytes, unsigned kind)
{
  size_t count = 1 + noise() % (noise() % 4 ? 900 : PIECE_MOST), period = 1 + noise() % 97;

  for (size_t i = 0; i < count; i++) {
    unsigned any = noise();
    unsigned char values[KINDS] = {
        (unsigned char)(any & 3),
        i > period && any & 15 ? bytes[i - period] : (unsigned char)(any >> 8),
        (unsigned char)((any & 15) + (any >> 4 & 15) - 15),
        (unsigned char)(i * 3 + i / period * 40),
        i % period == 0 ? any & 7 : 0,
    };

    bytes[i] = values[kind];
  }
  return count;
}

static size_t piece_deflate(struct deflate *deflate, const unsigned char *bytes, size_t count,
                            bool last, unsigned char *deflated, size_t capacity)
{
  struct error error;
  size_t size = 0;

  ck_assert_msg(deflate_raw(deflate, bytes, count, last, deflated, capacity, &size, &error), "%s",
                error.text);
  return size;
}

/* Compressors that exist at the same time lie at different addresses. */
START_TEST(bytes_do_not_depend_on_addresses)
{
  enum { COMPRESSORS = 12, PIECES = 400 };
  static unsigned char bytes[PIECE_MOST], first[2 * PIECE_MOST + 2048], other[sizeof first];
  struct deflate *deflate[COMPRESSORS];
  struct error error;

  for (int i = 0; i < COMPRESSORS; i++)
    deflate[i] = deflate_create(_i, &error);
  for (unsigned piece = 0; piece < PIECES; piece++) {
    size_t count = piece_make(bytes, piece % KINDS), capacity = deflate_bound(count);
    size_t size = piece_deflate(deflate[0], bytes, count, piece % 2, first, capacity);

    for (int i = 1; i < COMPRESSORS; i++) {
      size_t again = piece_deflate(deflate[i], bytes, count, piece % 2, other, capacity);

      ck_assert_msg(again == size && memcmp(first, other, size) == 0,
                    "level %d: %zu bytes become %zu, and %zu elsewhere", _i, count, size, again);
    }
  }
  for (int i = 0; i < COMPRESSORS; i++)
    deflate_free(deflate[i]);
}
END_TEST

START_TEST(pieces_are_one_stream)
{
  enum { PIECES = 20 };
  unsigned char *bytes = malloc(PIECES * PIECE_MOST), *again = malloc(PIECES * PIECE_MOST);
  unsigned char *deflated = malloc(PIECES * (2 * PIECE_MOST + 2048));
  struct error error;
  struct deflate *deflate = deflate_create(_i, &error);
  size_t count = 0, size = 0;
  z_stream stream = {0};

  for (unsigned piece = 0; piece < PIECES; piece++) {
    size_t some = piece_make(bytes + count, piece % KINDS);

    size += piece_deflate(deflate, bytes + count, some, piece == PIECES - 1, deflated + size,
                          deflate_bound(some));
    count += some;
  }
  ck_assert_int_eq(inflateInit2(&stream, -MAX_WBITS), Z_OK);
  stream.next_in = deflated;
  stream.avail_in = (uInt)size;
  stream.next_out = again;
  stream.avail_out = PIECES * PIECE_MOST;
  ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
  ck_assert_uint_eq(stream.total_out, count);
  ck_assert_uint_eq(stream.avail_in, 0);
  ck_assert_int_eq(memcmp(bytes, again, count), 0);
  inflateEnd(&stream);
  deflate_free(deflate);
  free(deflated);
  free(again);
  free(bytes);
}
END_TEST

START_TEST(checksums_are_those_of_zlib)
{
  static unsigned char bytes[PIECE_MOST];

  for (unsigned piece = 0; piece < 100; piece++) {
    size_t count = piece_make(bytes, piece % KINDS), begin = noise() % count;
    size_t some = count - begin;

    ck_assert_uint_eq(deflate_adler(piece + 1, bytes + begin, some),
                      adler32_z(piece + 1, bytes + begin, some));
    ck_assert_uint_eq(deflate_crc(piece, bytes + begin, some), crc32_z(piece, bytes + begin, some));
  }
}
END_TEST

/* What goes wrong is told by its name: here the bytes do not fit. */
START_TEST(a_failure_is_not_called_lack_of_memory)
{
  unsigned char bytes[4000], deflated[64];
  struct error error = {0};
  struct deflate *deflate = deflate_create(_i, &error);
  uint32_t noise = 1;
  size_t size;

  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)((noise = 1664525 * noise + 1013904223) >> 24);
  ck_assert(
      !deflate_raw(deflate, bytes, sizeof bytes, true, deflated, sizeof deflated, &size, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "can't be compressed"));
  ck_assert_ptr_null(strstr(error.text, "memory"));
  deflate_free(deflate);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("deflate");

  tcase_set_timeout(test, 120);
  tcase_add_loop_test(test, bytes_do_not_depend_on_addresses, 0, 10);
  tcase_add_loop_test(test, pieces_are_one_stream, 0, 10);
  tcase_add_loop_test(test, a_failure_is_not_called_lack_of_memory, 0, 10);
  tcase_add_test(test, checksums_are_those_of_zlib);
  return unit_run("deflate", test);
}
