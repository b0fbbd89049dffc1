/* Netpbm: headers and samples as the manual pages of Netpbm describe them, written out by hand. */
#include "config.h"

#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"

static const char file_name[] = "test_pnm.tmp";

static void file_put(const void *bytes, size_t count)
{
  FILE *file = fopen(file_name, "wb");

  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
  ck_assert_int_eq(fclose(file), 0);
}

/* Reads the picture in these bytes; its rows go to `samples`, one after the other. */
static bool picture_read(const void *bytes, size_t count, struct shape *shape, void *samples,
                         size_t room, struct error *error)
{
  struct picture picture = {0};
  const struct format *format = format_for_head(bytes, count < 16 ? count : 16);
  struct input input;
  void *reader = NULL;
  unsigned char *rows[64];
  size_t row_bytes = 0;
  bool done;

  if (!format)
    return error_set(error, STATUS_FAILED, "unknown");
  file_put(bytes, count);
  ck_assert(input_open(&input, file_name, error));
  done = format->open(&input, &picture, &reader, error) &&
         shape_row_bytes(&picture.shape, &row_bytes, error);
  if (done) {
    ck_assert_uint_le(picture.shape.height, 64);
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
  unlink(file_name);
  return done;
}

/* Writes a picture of these samples; returns the bytes of the file. */
static size_t picture_write(const struct format *format, const struct shape *shape,
                            const void *samples, unsigned char *bytes, size_t room)
{
  struct picture picture = {.shape = *shape};
  struct encoding encoding = {-1, 90};
  struct packed packed = {0};
  struct output output;
  struct error error;
  void *writer = NULL;
  size_t row_bytes, at_once, count;
  const unsigned char *rows[64];
  FILE *file;

  ck_assert_ptr_null(format->refuse(&picture));
  ck_assert(shape_row_bytes(shape, &row_bytes, &error));
  ck_assert(output_open(&output, file_name, &error));
  ck_assert(format->begin(&output, &picture, &encoding, &writer, &error));
  for (size_t y = 0; y < shape->height; y++)
    rows[y] = (const unsigned char *)samples + y * row_bytes;
  at_once = format->rows_at_once(writer);
  for (size_t y = 0; y < shape->height; y += at_once) {
    count = shape->height - y < at_once ? shape->height - y : at_once;
    ck_assert(format->encode(writer, y, rows + y, count, &packed, &error));
    ck_assert(format->write(writer, &packed, &error));
  }
  ck_assert(format->end(writer, &picture, &error));
  format->discard(writer);
  packed_free(&packed);
  ck_assert(output_commit(&output, &error));
  file = fopen(file_name, "rb");
  count = fread(bytes, 1, room, file);
  fclose(file);
  unlink(file_name);
  return count;
}

#define BYTES(text) text, sizeof text - 1

static void expect_bytes(const char *file, size_t size, size_t width, size_t height,
                         unsigned channels, const char *samples)
{
  unsigned char read[256];
  struct shape shape;
  struct error error;

  ck_assert_msg(picture_read(file, size, &shape, read, sizeof read, &error), "%s", error.text);
  ck_assert_uint_eq(shape.width, width);
  ck_assert_uint_eq(shape.height, height);
  ck_assert_uint_eq(shape.channels, channels);
  ck_assert_int_eq(shape.type, SAMPLE_U8);
  ck_assert_mem_eq(read, samples, width * height * channels);
}

START_TEST(every_kind_of_file_is_read)
{
  expect_bytes(BYTES("P1\n3 2\n1 0 1\n0 1 0\n"), 3, 2, 1, "\0\377\0\377\0\377");
  expect_bytes(BYTES("P1 3 2 101#c\n010"), 3, 2, 1, "\0\377\0\377\0\377");
  expect_bytes(BYTES("P4\n10 2\n\xaa\x80\x55\x40"), 10, 2, 1,
               "\0\377\0\377\0\377\0\377\0\377\377\0\377\0\377\0\377\0\377\0");
  expect_bytes(BYTES("P2\n# a comment\n2 2 # another\n255\n0 1\n254 255"), 2, 2, 1, "\0\1\376\377");
  expect_bytes(BYTES("P5\n2 2\n255\n\0\1\376\377"), 2, 2, 1, "\0\1\376\377");
  expect_bytes(BYTES("P3\n1 2\n255\n1 2 3\n4 5 6\n"), 1, 2, 3, "\1\2\3\4\5\6");
  expect_bytes(BYTES("P6 1 2 255\n\1\2\3\4\5\6 and the next picture"), 1, 2, 3, "\1\2\3\4\5\6");
  expect_bytes(BYTES("P7\nWIDTH 1\nHEIGHT 2\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\n"
                     "ENDHDR\n\1\2\3\4"),
               1, 2, 2, "\1\2\3\4");
  expect_bytes(BYTES("P7\n# c\nDEPTH 4\n\nHEIGHT 1\nWIDTH 1\nMAXVAL 255\nENDHDR\n\1\2\3\4"), 1, 1,
               4, "\1\2\3\4");
}
END_TEST

START_TEST(other_maxima_fill_the_range)
{
  struct shape shape;
  struct error error;
  uint16_t words[4];

  /* v · 255 / 100, rounded: 127.5 goes up */
  expect_bytes(BYTES("P2\n4 1\n100\n0 1 50 100\n"), 4, 1, 1, "\0\3\200\377");
  expect_bytes(BYTES("P5\n2 1\n1\n\0\1"), 2, 1, 1, "\0\377");
  ck_assert(picture_read(BYTES("P5\n2 1\n1023\n\0\1\3\377"), &shape, words, sizeof words, &error));
  ck_assert_int_eq(shape.type, SAMPLE_U16);
  ck_assert_uint_eq(words[0], 64); /* 65535 / 1023 = 64.06 */
  ck_assert_uint_eq(words[1], 65535);
  ck_assert(!picture_read(BYTES("P5\n1 1\n100\n\145"), &shape, words, sizeof words, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "101"));
}
END_TEST

START_TEST(sixteen_bits_have_the_high_byte_first)
{
  static const uint16_t words[] = {0x0102, 0xfffe, 0x8000, 7};
  static const char expected[] = "P5\n2 2\n65535\n\x01\x02\xff\xfe\x80\x00\x00\x07";
  struct shape shape = {2, 2, 1, SAMPLE_U16};
  struct error error;
  unsigned char bytes[64];
  uint16_t back[4];

  ck_assert_uint_eq(picture_write(&format_pgm, &shape, words, bytes, sizeof bytes),
                    sizeof expected - 1);
  ck_assert_mem_eq(bytes, expected, sizeof expected - 1);
  ck_assert(picture_read(expected, sizeof expected - 1, &shape, back, sizeof back, &error));
  ck_assert_mem_eq(back, words, sizeof words);
}
END_TEST

START_TEST(floats_stand_bottom_up)
{
  /* 1.0, 2.0 below 0.5, −1.0, both byte orders */
  static const char little[] = "Pf\n2 2\n-1.0\n\0\0\200\077\0\0\0\100\0\0\0\077\0\0\200\277";
  static const char big[] = "Pf\n2 2\n1.0\n\077\200\0\0\100\0\0\0\077\0\0\0\277\200\0\0";
  static const float expected[] = {0.5f, -1, 1, 2};
  float back[4];
  unsigned char bytes[64];
  struct shape shape;
  struct error error;

  ck_assert(picture_read(BYTES(little), &shape, back, sizeof back, &error));
  ck_assert_int_eq(shape.type, SAMPLE_F32);
  ck_assert_mem_eq(back, expected, sizeof expected);
  ck_assert(picture_read(BYTES(big), &shape, back, sizeof back, &error));
  ck_assert_mem_eq(back, expected, sizeof expected);
  ck_assert_uint_eq(picture_write(&format_pfm, &shape, expected, bytes, sizeof bytes),
                    sizeof little - 1);
  ck_assert_mem_eq(bytes, little, sizeof little - 1);
}
END_TEST

START_TEST(what_is_written_is_read)
{
  static const struct format *const kinds[] = {&format_pgm, &format_pam, &format_ppm, &format_pam};

  for (unsigned channels = 1; channels <= 4; channels++) {
    for (int type = SAMPLE_U8; type <= SAMPLE_U16; type++) {
      struct shape shape = {7, 5, channels, (enum sample_type)type}, back;
      unsigned char samples[280], read[280], bytes[512];
      struct error error;
      size_t size;

      for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (unsigned char)(i * 37 + channels);
      size = picture_write(kinds[channels - 1], &shape, samples, bytes, sizeof bytes);
      ck_assert(picture_read(bytes, size, &back, read, sizeof read, &error));
      ck_assert_uint_eq(back.channels, channels);
      ck_assert_int_eq(back.type, type);
      ck_assert_mem_eq(read, samples, 35 * channels * sample_bytes(shape.type));
    }
  }
}
END_TEST

START_TEST(a_cut_file_is_an_error)
{
  static const struct {
    const char *bytes;
    size_t size;
  } files[] = {
      {BYTES("P5\n2 2\n255\n\1\2\3\4")},
      {BYTES("P6\n1 1\n65535\n\1\2\3\4\5\6")},
      {BYTES("P4\n9 1\n\1\2")},
      {BYTES("P1\n3 1\n101")},
      {BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\n\1")},
      {BYTES("Pf\n1 1\n-1\n\0\0\200\077")},
  };
  unsigned char read[64];
  struct shape shape;
  struct error error;

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    ck_assert(picture_read(files[i].bytes, files[i].size, &shape, read, sizeof read, &error));
    for (size_t size = 0; size < files[i].size; size++)
      ck_assert_msg(!picture_read(files[i].bytes, size, &shape, read, sizeof read, &error),
                    "file %zu cut at %zu", i, size);
  }
}
END_TEST

START_TEST(a_bad_header_is_an_error)
{
  static const char *const files[] = {
      "P5\n0 2\n255\nxxxx",
      "P5\n2 0\n255\nxxxx",
      "P5\n2 2\n0\nxxxx",
      "P5\n2 2\n65536\nxxxx",
      "P5\n-2 2\n255\nxxxx",
      "P5\n2.5 2\n255\nxxxx",
      "P5\n99999999999999999999 2\n255\nx",
      "P5\nx 2\n255\nxxxx",
      "P7\nWIDTH 1\nENDHDR\nx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nxxxxx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\nx",
      "P7\nWIDTH 1\nHIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nx",
      "P2\n1 1\n255\nx",
      "P2\n1 1\n255\n256",
      "P1\n1 1\n2",
      "Pf\n1 1\n0\nxxxx",
      "Pf\n1 1\nfoo\nxxxx",
      "P8\n1 1\n255\nx",
      "P5x",
  };
  unsigned char read[64];
  struct shape shape;
  struct error error;

  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    ck_assert_msg(!picture_read(files[i], strlen(files[i]), &shape, read, sizeof read, &error) &&
                      *error.text,
                  "%s", files[i]);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
  struct picture picture = {.shape = {1, 1, 4, SAMPLE_U8}};

  ck_assert_ptr_nonnull(strstr(format_pgm.refuse(&picture), "pam"));
  ck_assert_ptr_nonnull(strstr(format_ppm.refuse(&picture), "pam"));
  ck_assert_ptr_nonnull(strstr(format_pfm.refuse(&picture), "alpha"));
  ck_assert_ptr_null(format_pam.refuse(&picture));
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("pnm");
  TCase *test = tcase_create("pnm");
  SRunner *runner;
  int failed;

  tcase_add_test(test, every_kind_of_file_is_read);
  tcase_add_test(test, other_maxima_fill_the_range);
  tcase_add_test(test, sixteen_bits_have_the_high_byte_first);
  tcase_add_test(test, floats_stand_bottom_up);
  tcase_add_test(test, what_is_written_is_read);
  tcase_add_test(test, a_cut_file_is_an_error);
  tcase_add_test(test, a_bad_header_is_an_error);
  tcase_add_test(test, what_does_not_fit_is_refused);
  suite_add_tcase(suite, test);
  runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
