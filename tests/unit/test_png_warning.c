/* What is odd in a PNG and does not keep it from being read: which pixels come of it, and which warning.

   The pictures are made here byte by byte; what is expected of them is what the PNG specification says
   and, where that is silent, what libpng does. */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "drawn.h"
#include "unit.h"

enum { SIDE = 4 }; /* pixels of the pictures below */

/* A picture of 4×4 pixels of this depth and colour type: `raw` are its rows, each behind the number of
   its row filter, and what may follow them; `surplus` bytes follow the zlib stream. */
static struct file png_make(unsigned char depth, unsigned char colour, const void *raw, size_t size,
                            size_t surplus)
{
  static const unsigned char start[] = "\x89PNG\r\n\x1a\n";
  unsigned char header[13] = {0, 0, 0, SIDE, 0, 0, 0, SIDE, depth, colour};
  uLongf deflated = compressBound(size);
  unsigned char *stream = calloc(deflated + surplus, 1);
  struct file file = {malloc(8), 8};

  memcpy(file.bytes, start, 8);
  chunk_insert(&file, 8, "IHDR", header, sizeof header, 0);
  ck_assert_int_eq(compress(stream, &deflated, raw, size), Z_OK);
  chunk_insert(&file, file.size, "IDAT", stream, deflated + surplus, 0);
  chunk_insert(&file, file.size, "IEND", "", 0, 0);
  free(stream);
  return file;
}

/* Reads the file, frees it, and wants these samples in each row, and one warning with these words, or
   none where they are NULL. */
static void expect_read(struct file file, unsigned channels, const char *row, const char *words)
{
  struct drawn drawn;
  struct error error;

  ck_assert_msg(drawn_decode(&drawn, file.bytes, file.size, &error), "%s", error.text);
  free(file.bytes);
  ck_assert_uint_eq(drawn.picture.shape.channels, channels);
  for (size_t y = 0; y < SIDE; y++)
    ck_assert_mem_eq(raster_row(&drawn.raster, y), row, SIDE * channels);
  ck_assert_msg(drawn.picture.warnings == (words != NULL), "%s", drawn.picture.warning);
  if (words)
    ck_assert_msg(strstr(drawn.picture.warning, words) != NULL, "%s", drawn.picture.warning);
  drawn_free(&drawn);
}

#define GREY_ROW "\0\1\2\3\4"
#define GREY GREY_ROW GREY_ROW GREY_ROW GREY_ROW
#define GREY_BYTES 20

/* The transparent colour is 16 bits a sample; of less deep pictures, only the low bits count. */
START_TEST(high_bits_of_the_transparent_colour_are_ignored)
{
  static const char rgb[] = "\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc";
  char rows[4 * 13];
  struct file file = png_make(8, 0, GREY, GREY_BYTES, 0);

  chunk_insert(&file, 33, "tRNS", "\x12\x03", 2, 0);
  expect_read(file, 2, "\1\xff\2\xff\3\0\4\xff", NULL);

  file = png_make(4, 0, "\0\x12\x34\0\x12\x34\0\x12\x34\0\x12\x34", 12, 0);
  chunk_insert(&file, 33, "tRNS", "\xff\xf2", 2, 0);
  expect_read(file, 2, "\x11\xff\x22\0\x33\xff\x44\xff", NULL);

  for (size_t y = 0; y < SIDE; y++)
    memcpy(rows + 13 * y, rgb, 13);
  file = png_make(8, 2, rows, sizeof rows, 0);
  chunk_insert(&file, 33, "tRNS", "\1\4\xff\5\x80\6", 6, 0);
  expect_read(file, 4, "\1\2\3\xff\4\5\6\0\7\x8\x9\xff\xa\xb\xc\xff", NULL);
}
END_TEST

/* In the zlib stream, behind it, or both: the pixels are whole. */
START_TEST(surplus_pixel_data_are_ignored)
{
  unsigned char raw[5000] = GREY;
  static const size_t inside[] = {1, 100, sizeof raw - GREY_BYTES};

  for (size_t i = GREY_BYTES; i < sizeof raw; i++)
    raw[i] = (unsigned char)(i * i >> 3);
  for (size_t i = 0; i < 3; i++) {
    expect_read(png_make(8, 0, raw, GREY_BYTES + inside[i], 0), 1, "\1\2\3\4", "surplus");
    expect_read(png_make(8, 0, raw, GREY_BYTES + inside[i], 7), 1, "\1\2\3\4", "surplus");
  }
  expect_read(png_make(8, 0, raw, GREY_BYTES, 7), 1, "\1\2\3\4", "surplus");
}
END_TEST

/* But a wrong checksum behind a surplus is still an error. */
START_TEST(surplus_with_a_wrong_checksum_is_an_error)
{
  struct file file = png_make(8, 0, GREY "more than that", GREY_BYTES + 14, 0);
  struct drawn drawn;
  struct error error;

  file.bytes[file.size - 12 - 4 - 1] ^= 1; /* before IEND and the checksum of IDAT */
  chunk_repair(&file, chunk_find(&file, "IDAT"));
  ck_assert(!drawn_decode(&drawn, file.bytes, file.size, &error));
  drawn_free(&drawn);
  free(file.bytes);
}
END_TEST

/* Two colours, and pixels that name others. */
START_TEST(indexes_past_the_palette_are_black)
{
  static const char rows[] = "\0\0\1\2\xc8\0\0\1\2\xc8\0\0\1\2\xc8\0\0\1\2\xc8";
  struct file file = png_make(8, 3, rows, GREY_BYTES, 0);

  chunk_insert(&file, 33, "PLTE", "abcdef", 6, 0);
  expect_read(file, 3, "abcdef\0\0\0\0\0\0", "palette");

  file = png_make(8, 3, rows, GREY_BYTES, 0);
  chunk_insert(&file, 33, "PLTE", "abcdef", 6, 0);
  chunk_insert(&file, 33 + 18, "tRNS", "\x7", 1, 0);
  expect_read(file, 4,
              "abc\x7"
              "def\xff\0\0\0\xff\0\0\0\xff",
              "palette");

  file = png_make(2, 3, "\0\x1b\0\x1b\0\x1b\0\x1b", 8, 0);
  chunk_insert(&file, 33, "PLTE", "abcdef", 6, 0);
  expect_read(file, 3, "abcdef\0\0\0\0\0\0", "palette");

  file = png_make(1, 3, "\0\x50\0\x50\0\x50\0\x50", 8,
                  0); /* 0 1 0 1 and four bits that are no pixel */
  chunk_insert(&file, 33, "PLTE", "abcdef", 6, 0);
  expect_read(file, 3, "abcdefabcdef", NULL);
}
END_TEST

START_TEST(many_bad_chunks_are_one_warning)
{
  struct file file = png_make(8, 0, GREY, GREY_BYTES, 0);
  struct drawn drawn;
  struct error error;

  for (unsigned i = 0; i < 20; i++)
    chunk_insert(&file, 33, "tEXt", "Comment\0text", 12, 1);
  for (unsigned i = 0; i < 20; i++)
    chunk_insert(&file, 33, "pHYs", "short", 5, 0);
  ck_assert_msg(drawn_decode(&drawn, file.bytes, file.size, &error), "%s", error.text);
  ck_assert_ptr_nonnull(strstr(drawn.picture.warning, "; more warnings: 39"));
  ck_assert_uint_eq(drawn.picture.metadata.count, 0);
  drawn_free(&drawn);
  free(file.bytes);
}
END_TEST

static void file_append(struct file *file, const void *bytes, size_t size)
{
  file->bytes = realloc(file->bytes, file->size + size);
  memcpy(file->bytes + file->size, bytes, size);
  file->size += size;
}

START_TEST(what_follows_the_picture_is_noted)
{
  struct file file = png_make(8, 0, GREY, GREY_BYTES, 0), again;

  file_append(&file, "\n", 1);
  expect_read(file, 1, "\1\2\3\4", "goes on behind the picture");

  file = png_make(8, 0, GREY, GREY_BYTES, 0);
  again = png_make(8, 0, GREY, GREY_BYTES, 0);
  file_append(&file, again.bytes, again.size);
  free(again.bytes);
  expect_read(file, 1, "\1\2\3\4", "another picture follows");
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("png_warning");

  tcase_add_test(test, high_bits_of_the_transparent_colour_are_ignored);
  tcase_add_test(test, surplus_pixel_data_are_ignored);
  tcase_add_test(test, surplus_with_a_wrong_checksum_is_an_error);
  tcase_add_test(test, indexes_past_the_palette_are_black);
  tcase_add_test(test, many_bad_chunks_are_one_warning);
  tcase_add_test(test, what_follows_the_picture_is_noted);
  return unit_run("png_warning", test);
}
