/* Writing PNG: what is written is read again as it was, whatever its shape and level; row filters
   against their definition; metadata. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drawn.h"
#include "png_row_filter.h"
#include "unit.h"

/* Writes and reads again, and compares; the bands are encoded in both orders. */
static void trip_expect(const struct drawn *source, int level)
{
  struct file file = drawn_encode(source, level, false);
  struct file again = drawn_encode(source, level, true);
  const struct shape *shape = &source->picture.shape;
  struct drawn drawn;
  struct error error;

  ck_assert_msg(drawn_decode(&drawn, file.bytes, file.size, &error), "%zu × %zu, level %d: %s",
                shape->width, shape->height, level, error.text);
  ck_assert_str_eq(drawn.picture.warning, "");
  ck_assert_msg(drawn_equal(source, &drawn), "%zu × %zu, %u channels, level %d: pixels changed",
                shape->width, shape->height, shape->channels, level);
  ck_assert(file.size == again.size && memcmp(file.bytes, again.bytes, file.size) == 0);
  drawn_free(&drawn);
  free(again.bytes);
  free(file.bytes);
}

static void trips_expect(size_t width, size_t height, const int *levels, size_t count)
{
  for (unsigned channels = 1; channels <= 4; channels++)
    for (int type = SAMPLE_U8; type <= SAMPLE_U16; type++) {
      struct drawn drawn = drawn_make(width, height, channels, (enum sample_type)type);

      for (size_t i = 0; i < count; i++)
        trip_expect(&drawn, levels[i]);
      drawn_free(&drawn);
    }
}

START_TEST(every_shape_and_level_comes_back)
{
  static const size_t sizes[][2] = {{1, 1},   {1, 2},   {2, 1},    {1, 300},
                                    {300, 1}, {17, 13}, {161, 64}, {483, 3}};
  static const int levels[] = {-1, 0, 1, 2, 3, 4, 6, 9};

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    trips_expect(sizes[i][0], sizes[i][1], levels, sizeof levels / sizeof *levels);
}
END_TEST

START_TEST(pictures_of_several_pieces_come_back)
{
  static const int levels[] = {-1, 0, 3, 5};

  trips_expect(700, 761, levels, 4);  /* a part of a piece at the end */
  trips_expect(600000, 3, levels, 1); /* rows longer than a piece */
}
END_TEST

/* A file of each kind, as pngcheck sees it. */
START_TEST(pngcheck_finds_nothing_wrong)
{
  char name[] = "/tmp/halo-png-XXXXXX", command[128];
  int descriptor = mkstemp(name);

  ck_assert_int_ge(descriptor, 0);
  snprintf(command, sizeof command, "pngcheck -q %s", name);
  for (unsigned i = 0; i < 8 && system("command -v pngcheck > /dev/null") == 0; i++) {
    struct drawn drawn = drawn_make(500, 700, i % 4 + 1, i < 4 ? SAMPLE_U8 : SAMPLE_U16);
    struct file file = drawn_encode(&drawn, i % 2 ? -1 : 6, false);

    ck_assert_int_eq(ftruncate(descriptor, 0), 0);
    ck_assert_int_eq(pwrite(descriptor, file.bytes, file.size, 0), (ssize_t)file.size);
    ck_assert_int_eq(system(command), 0);
    drawn_free(&drawn);
    free(file.bytes);
  }
  if (system("command -v pngcheck > /dev/null") != 0)
    printf("SKIP: pngcheck is missing\n");
  close(descriptor);
  unlink(name);
}
END_TEST

/* The prediction of a row filter by the letter of the specification, in whole numbers. */
static int filter_prediction(int filter, int a, int b, int c)
{
  int p = a + b - c;

  switch (filter) {
  case 1:
    return a;
  case 2:
    return b;
  case 3:
    return (a + b) / 2;
  case 4:
    if (abs(p - a) <= abs(p - b) && abs(p - a) <= abs(p - c))
      return a;
    return abs(p - b) <= abs(p - c) ? b : c;
  default:
    return 0;
  }
}

/* Rows that each filter suits in turn, of all sizes of a pixel. */
START_TEST(row_filter_is_as_defined)
{
  enum { BYTES = 1200 };
  static unsigned char row[BYTES], above[BYTES], result[BYTES + 1];
  int chosen[5] = {0};
  unsigned noise = 1;

  for (int turn = 0; turn < 4000; turn++) {
    size_t pixel = (size_t)(turn % 8) + 1, bytes = pixel * (size_t)(turn % 149 + 1);

    for (size_t i = 0; i < bytes; i++) {
      int a = i >= pixel ? row[i - pixel] : 0, b, c;

      noise = noise * 1664525u + 1013904223u;
      above[i] = (unsigned char)(turn % 3 ? noise >> 24 : noise >> 29);
      b = above[i];
      c = i >= pixel ? above[i - pixel] : 0;
      row[i] = (unsigned char)(filter_prediction(turn / 8 % 5, a, b, c) + (noise >> 21) % 3 +
                               (noise % 97 == 0 ? noise >> 22 : 0));
    }
    png_row_filter(row, above, bytes, pixel, result);
    ck_assert_int_lt(result[0], 5);
    chosen[result[0]]++;
    for (size_t i = 0; i < bytes; i++) {
      int value = filter_prediction(result[0], i >= pixel ? row[i - pixel] : 0, above[i],
                                    i >= pixel ? above[i - pixel] : 0);

      ck_assert_msg((unsigned char)(result[i + 1] + value) == row[i],
                    "byte %zu of %zu, pixels of %zu, filter %d", i, bytes, pixel, result[0]);
    }
  }
  for (int i = 0; i < 5; i++)
    ck_assert_msg(chosen[i] > 100, "filter %d was chosen %d times only", i, chosen[i]);
}
END_TEST

/* Item n of the metadata is this chunk. */
static void item_expect(const struct metadata *metadata, size_t n, const char *type,
                        const void *data, size_t size, bool after_pixels)
{
  ck_assert_uint_lt(n, metadata->count);
  ck_assert_str_eq(metadata->items[n].type, type);
  ck_assert_uint_eq(metadata->items[n].size, size);
  ck_assert_int_eq(memcmp(metadata->items[n].data, data, size), 0);
  ck_assert_int_eq(metadata->items[n].after_pixels, after_pixels);
}

static const struct {
  const char *type, *data;
  size_t size;
  bool behind;
} chunks[] = {
    {"gAMA", "\0\0\xb1\x8f", 4, false},
    {"cHRM", "01234567890123456789012345678901", 32, false},
    {"iCCP", "p\0\0not really deflated", 22, false},
    {"cICP", "\11\20\0\1", 4, false},
    {"pHYs", "\0\0\x0b\x13\0\0\x0b\x13\1", 9, false},
    {"tEXt", "Title\0one", 9, false},
    {"eXIf", "MM\0*\0\0\0\10", 8, false},
    {"zTXt", "Comment\0\0xyz", 12, true},
    {"iTXt", "Comment\0\0\0\0\0\xc3\xa4", 14, true},
    {"tIME", "\7\xe8\1\1\0\0\0", 7, true},
    {"tEXt", "Title\0two", 9, true},
};

START_TEST(metadata_comes_back_byte_for_byte)
{
  struct drawn source = drawn_make(5, 4, 3, SAMPLE_U8), drawn;
  struct error error;
  struct file file;

  for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
    ck_assert(metadata_add(&source.picture.metadata, chunks[i].type,
                           (const unsigned char *)chunks[i].data, chunks[i].size, chunks[i].behind,
                           &error));
  file = drawn_encode(&source, -1, false);
  ck_assert_uint_lt(chunk_find(&file, "eXIf"), chunk_find(&file, "IDAT"));
  ck_assert_uint_gt(chunk_find(&file, "zTXt"), chunk_find(&file, "IDAT"));
  ck_assert_msg(drawn_decode(&drawn, file.bytes, file.size, &error), "%s", error.text);
  ck_assert_str_eq(drawn.picture.warning, "");
  ck_assert_uint_eq(drawn.picture.metadata.count, sizeof chunks / sizeof *chunks);
  for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
    item_expect(&drawn.picture.metadata, i, chunks[i].type, chunks[i].data, chunks[i].size,
                chunks[i].behind);
  drawn_free(&drawn);
  drawn_free(&source);
  free(file.bytes);
}
END_TEST

START_TEST(gamma_is_that_of_gama_unless_more_is_known)
{
  static const unsigned char gamma[] = {0, 1, 0x86, 0xa0}; /* 100,000 */
  struct metadata metadata = {0};
  struct error error;

  ck_assert_double_eq(metadata_gamma(&metadata), 0.0);
  ck_assert(metadata_add(&metadata, "gAMA", gamma, 4, false, &error));
  ck_assert_double_eq(metadata_gamma(&metadata), 1.0);
  ck_assert(metadata_add(&metadata, "sRGB", gamma, 1, false, &error));
  ck_assert_double_eq(metadata_gamma(&metadata), 0.0);
  metadata_free(&metadata);
}
END_TEST

START_TEST(what_png_cannot_hold_is_refused)
{
  struct picture picture = {.shape = {0x7fffffff, 0x7fffffff, 1, SAMPLE_U8}};

  ck_assert_ptr_null(format_png.refuse(&picture));
  picture.shape.width++;
  ck_assert_ptr_nonnull(format_png.refuse(&picture));
  picture.shape = (struct shape){1, (size_t)0x7fffffff + 1, 1, SAMPLE_U8};
  ck_assert_ptr_nonnull(format_png.refuse(&picture));
  picture.shape = (struct shape){1, 1, 1, SAMPLE_F32};
  ck_assert_ptr_nonnull(format_png.refuse(&picture));
  ck_assert_int_eq(format_type(&format_png, SAMPLE_F32), SAMPLE_U16);
  ck_assert_int_eq(format_type(&format_png, SAMPLE_U8), SAMPLE_U8);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("png_write");

  tcase_set_timeout(test, 300);
  tcase_add_test(test, every_shape_and_level_comes_back);
  tcase_add_test(test, pictures_of_several_pieces_come_back);
  tcase_add_test(test, pngcheck_finds_nothing_wrong);
  tcase_add_test(test, row_filter_is_as_defined);
  tcase_add_test(test, metadata_comes_back_byte_for_byte);
  tcase_add_test(test, gamma_is_that_of_gama_unless_more_is_known);
  tcase_add_test(test, what_png_cannot_hold_is_refused);
  return unit_run("png_write", test);
}
