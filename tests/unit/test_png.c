/* Reading PNG: every picture of PngSuite, and what is damaged.

   The pixels expected of PngSuite are those of its pictures decoded to BMP by another program;
   other expectations are what the test itself put in. */
#include "config.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "unit.h"

static unsigned sample_get(const struct drawn *drawn, size_t x, size_t y, unsigned channel)
{
  const unsigned char *row = raster_row(&drawn->raster, y);
  size_t i = x * drawn->picture.shape.channels + channel;
  uint16_t wide;

  if (drawn->picture.shape.type == SAMPLE_U8)
    return row[i];
  memcpy(&wide, row + 2 * i, 2);
  return wide;
}

/* Whether a sample is what the BMP holds of it.  The program that made those took the upper 8 of 16
   bits; only for grey without alpha it rounded, not quite evenly: it is off by up to 0.53. */
static bool sample_fits(const struct shape *shape, unsigned sample, unsigned want)
{
  if (shape->type == SAMPLE_U8)
    return sample == want;
  if (shape->channels == 1)
    return abs((int)sample - 257 * (int)want) <= 136;
  return sample >> 8 == want;
}

static int little_endian(const unsigned char *bytes)
{
  return (int)((unsigned)bytes[0] | (unsigned)bytes[1] << 8 | (unsigned)bytes[2] << 16 |
               (unsigned)bytes[3] << 24);
}

/* Compares with a BMP of 32 bits a pixel: blue, green, red, alpha.  Where nothing is seen of a
   pixel its colour may have been lost there. */
static void bmp_expect(const char *name, const struct drawn *drawn, const struct file *bmp)
{
  const struct shape *shape = &drawn->picture.shape;
  bool alpha = shape_has_alpha(shape);
  bool colour = shape->channels >= 3;
  size_t height = (size_t)abs(little_endian(bmp->bytes + 22));

  ck_assert_msg(little_endian(bmp->bytes + 18) == (int)shape->width && height == shape->height,
                "%s: wrong size", name);
  ck_assert_int_eq(bmp->bytes[28], 32);
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < shape->width; x++) {
      size_t row = little_endian(bmp->bytes + 22) < 0 ? y : height - 1 - y;
      const unsigned char *want =
          bmp->bytes + little_endian(bmp->bytes + 10) + 4 * (row * shape->width + x);
      bool seen = !alpha || sample_get(drawn, x, y, shape->channels - 1) > 0;
      bool lost = !want[0] && !want[1] && !want[2] && !seen;

      for (unsigned i = 0; i < 3 && !lost; i++) { /* red, green, blue */
        unsigned got = sample_get(drawn, x, y, colour ? i : 0);

        ck_assert_msg(sample_fits(shape, got, want[2 - i]), "%s: pixel %zu, %zu: %u, not %u", name,
                      x, y, got, want[2 - i]);
      }
      if (alpha)
        ck_assert_msg(sample_fits(shape, sample_get(drawn, x, y, shape->channels - 1), want[3]),
                      "%s: pixel %zu, %zu: wrong alpha", name, x, y);
      else
        ck_assert_uint_eq(want[3], 255);
    }
}

/* Calls `check` for each picture of a folder of the corpus, and returns how many there were. */
static int folder_walk(const char *folder, void (*check)(const char *name, const struct file *file))
{
  char directory[4096], path[8192];
  struct dirent *entry;
  int count = 0;
  DIR *stream;

  snprintf(directory, sizeof directory, "%s", corpus_path(folder));
  stream = opendir(directory);
  ck_assert_ptr_nonnull(stream);
  while ((entry = readdir(stream))) {
    size_t length = strlen(entry->d_name);
    struct file file;

    if (length < 5 || strcmp(entry->d_name + length - 4, ".png") != 0)
      continue;
    snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    file = file_load(path);
    check(entry->d_name, &file);
    free(file.bytes);
    count++;
  }
  closedir(stream);
  return count;
}

static int suite_good, suite_bad;

/* Names that begin with x are the damaged ones. */
static void suite_check(const char *name, const struct file *file)
{
  struct drawn drawn;
  struct error error;
  struct file bmp;
  char rest[300];
  bool done = drawn_decode(&drawn, file->bytes, file->size, &error);

  if (name[0] == 'x') {
    ck_assert_msg(!done, "%s was read", name);
    suite_bad++;
  } else {
    ck_assert_msg(done, "%s: %s", name, error.text);
    ck_assert_msg(!drawn.picture.warnings, "%s: %s", name, drawn.picture.warning);
    snprintf(rest, sizeof rest, "pngsuite/decoded/%.*s.bmp", (int)strlen(name) - 4, name);
    bmp = file_load(corpus_path(rest));
    bmp_expect(name, &drawn, &bmp);
    free(bmp.bytes);
    suite_good++;
  }
  drawn_free(&drawn);
}

START_TEST(pngsuite_has_the_pixels_of_its_bitmaps)
{
  if (!corpus_is_there("pngsuite"))
    return;
  folder_walk("pngsuite", suite_check);
  ck_assert_int_eq(suite_good, 161);
  ck_assert_int_eq(suite_bad, 14);
}
END_TEST

/* One has nothing worse than 30 ancillary chunks without a byte in them: libpng reads it. */
static void crasher_check(const char *name, const struct file *file)
{
  bool readable = strcmp(name, "empty_ancillary_chunks.png") == 0;
  struct drawn drawn;
  struct error error;

  ck_assert_msg(drawn_decode(&drawn, file->bytes, file->size, &error) == readable,
                "%s was %sread: %s", name, readable ? "not " : "", error.text);
  if (readable)
    ck_assert_ptr_nonnull(strstr(drawn.picture.warning, "; more warnings: 29"));
  drawn_free(&drawn);
}

START_TEST(crashers_end_in_an_error_or_a_warning)
{
  if (!corpus_is_there("crashers"))
    return;
  ck_assert_int_gt(folder_walk("crashers", crasher_check), 0);
}
END_TEST

/* A small picture with metadata on both sides of its pixels. */
static struct file small_make(void)
{
  struct drawn drawn = drawn_make(9, 7, 3, SAMPLE_U8);
  struct file file = drawn_encode(&drawn, -1, false);

  chunk_insert(&file, 33, "gAMA", "\0\0\xb1\x8f", 4, 0);
  chunk_insert(&file, chunk_find(&file, "IEND"), "tEXt", "Comment\0behind", 14, 0);
  drawn_free(&drawn);
  return file;
}

START_TEST(a_file_cut_at_any_byte_is_an_error)
{
  struct file file = small_make();
  struct drawn drawn;
  struct error error;

  for (size_t size = 0; size < file.size; size++) {
    ck_assert_msg(!drawn_decode(&drawn, file.bytes, size, &error), "%zu of %zu bytes were enough",
                  size, file.size);
    drawn_free(&drawn);
  }
  ck_assert(drawn_decode(&drawn, file.bytes, file.size, &error));
  ck_assert_str_eq(drawn.picture.warning, "");
  drawn_free(&drawn);
  free(file.bytes);
}
END_TEST

START_TEST(a_byte_that_is_wrong_in_the_pixels_is_an_error)
{
  struct file file = small_make();
  size_t first = chunk_find(&file, "IDAT"), last = chunk_find(&file, "tEXt");
  struct drawn drawn;
  struct error error;

  for (size_t i = first; i < last; i++) {
    file.bytes[i] ^= 0x10;
    ck_assert_msg(!drawn_decode(&drawn, file.bytes, file.size, &error), "byte %zu", i);
    drawn_free(&drawn);
    file.bytes[i] ^= 0x10;
  }
  free(file.bytes);
}
END_TEST

/* The chunk's own checksum is right, that over the pixels is not. */
START_TEST(a_wrong_checksum_of_the_pixels_is_an_error)
{
  struct file file = small_make();
  size_t last = chunk_find(&file, "tEXt") - 16;
  struct drawn drawn;
  struct error error;

  ck_assert_int_eq(memcmp(file.bytes + last + 4, "IDAT", 4), 0);
  file.bytes[last + 11] ^= 1;
  chunk_repair(&file, last);
  ck_assert(!drawn_decode(&drawn, file.bytes, file.size, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "damaged"));
  drawn_free(&drawn);
  free(file.bytes);
}
END_TEST

/* Chunks that are left out with a warning: in the middle of the file and behind the pixels. */
static const struct {
  const char *type, *data;
  size_t size;
  unsigned wrong; /* added to the checksum */
  bool behind;
} faults[] = {
    {"tEXt", "Comment\0text", 12, 1, false},
    {"tEXt", "Comment\0text", 12, 1, true},
    {"tEXt", "no keyword", 10, 0, false},
    {"tEXt", "\0text", 5, 0, true},
    {"gAMA", "\0\0\0\0", 4, 0, false},
    {"gAMA", "\0\0\1", 3, 0, false},
    {"gAMA", "\0\0\xb1\x8f", 4, 0, true},
    {"sRGB", "\4", 1, 0, false},
    {"sRGB", "", 0, 0, false},
    {"cHRM", "12345678", 8, 0, false},
    {"pHYs", "12345678", 8, 0, false},
    {"tIME", "12345678", 8, 0, true},
    {"tRNS", "\0\1", 2, 0, false},
    {"tRNS", "\0\1\0\1\0\1", 6, 7, false},
    {"juNk", "abc", 3, 1, false},
};

START_TEST(a_bad_chunk_is_left_out_with_a_warning)
{
  struct drawn source = drawn_make(9, 7, 3, SAMPLE_U8), drawn;
  struct error error;

  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct file file = drawn_encode(&source, -1, false);

    chunk_insert(&file, faults[i].behind ? chunk_find(&file, "IEND") : 33, faults[i].type,
                 faults[i].data, faults[i].size, faults[i].wrong);
    ck_assert_msg(drawn_decode(&drawn, file.bytes, file.size, &error), "%zu: %s", i, error.text);
    ck_assert_msg(drawn.picture.warnings == 1, "%zu: no warning", i);
    ck_assert_ptr_nonnull(strstr(drawn.picture.warning, faults[i].type));
    ck_assert_uint_eq(drawn.picture.metadata.count, 0);
    ck_assert_msg(drawn_equal(&source, &drawn), "%zu: the pixels changed", i);
    drawn_free(&drawn);
    free(file.bytes);
  }
  drawn_free(&source);
}
END_TEST

START_TEST(an_unknown_critical_chunk_is_an_error)
{
  struct file file = small_make();
  struct drawn drawn;
  struct error error;

  chunk_insert(&file, 33, "ABCD", "abc", 3, 0);
  ck_assert(!drawn_decode(&drawn, file.bytes, file.size, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "ABCD"));
  drawn_free(&drawn);
  free(file.bytes);
}
END_TEST

START_TEST(an_unknown_chunk_is_dropped)
{
  struct file file = small_make();
  struct drawn drawn;
  struct error error;

  chunk_insert(&file, 33, "abCd", "abc", 3, 0);
  ck_assert(drawn_decode(&drawn, file.bytes, file.size, &error));
  ck_assert_str_eq(drawn.picture.warning, "");
  ck_assert_uint_eq(drawn.picture.metadata.count, 2);
  drawn_free(&drawn);
  free(file.bytes);
}
END_TEST

/* The header of a picture of 5.9 TiB: to open it costs nothing, and its size is told. */
START_TEST(a_header_that_lies_is_opened)
{
  struct file file = small_make();
  struct picture picture = {0};
  struct input input;
  struct error error = {0};
  void *reader;

  memcpy(file.bytes + 16, "\0\x0d\xbb\xa0\0\x0d\xbb\xa0\x10\6", 10);
  chunk_repair(&file, 8);
  input = (struct input){.name = "test",
                         .descriptor = -1,
                         .ended = true,
                         .buffer = file.bytes,
                         .end = file.size,
                         .capacity = file.size};
  ck_assert_msg(format_png.open(&input, &picture, &reader, &error), "%s", error.text);
  ck_assert_uint_eq(picture.shape.width, 900000);
  ck_assert_uint_eq(picture.shape.height, 900000);
  ck_assert_uint_eq(picture.shape.channels, 4);
  ck_assert_int_eq(picture.shape.type, SAMPLE_U16);
  format_png.close(reader);
  picture_free(&picture);
  input_close(&input);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("png");

  tcase_set_timeout(test, 120);
  tcase_add_test(test, pngsuite_has_the_pixels_of_its_bitmaps);
  tcase_add_test(test, crashers_end_in_an_error_or_a_warning);
  tcase_add_test(test, a_file_cut_at_any_byte_is_an_error);
  tcase_add_test(test, a_byte_that_is_wrong_in_the_pixels_is_an_error);
  tcase_add_test(test, a_wrong_checksum_of_the_pixels_is_an_error);
  tcase_add_test(test, a_bad_chunk_is_left_out_with_a_warning);
  tcase_add_test(test, an_unknown_critical_chunk_is_an_error);
  tcase_add_test(test, an_unknown_chunk_is_dropped);
  tcase_add_test(test, a_header_that_lies_is_opened);
  return unit_run("png", test);
}
