/* Netpbm: headers and samples as the manual pages of Netpbm describe them, written out by hand, and
   what the programs of Netpbm make of them, where those are installed. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "unit.h"

enum { ROWS_MOST = 512 };

/* Reads the picture in these bytes, which lie in a block of exactly their size, so that a sanitizer
   sees its end; its rows go to `samples`, one after the other. */
static bool picture_read(const void *bytes, size_t count, struct shape *shape, void *samples,
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
  input.end = input.room = count;
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

/* Writes a picture of these samples; returns how many bytes the file has. */
static size_t picture_write(const struct format *format, const struct shape *shape,
                            const void *samples, unsigned char *bytes, size_t room)
{
  struct picture picture = {.shape = *shape};
  struct encoding encoding = {-1, 90};
  struct packed packed = {0};
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
    ck_assert(format->encode(writer, y, rows + y, count, &packed, &error));
    ck_assert(format->write(writer, &packed, &error));
  }
  ck_assert(format->end(writer, &picture, &error));
  format->discard(writer);
  packed_free(&packed);
  count = output.size;
  ck_assert_uint_le(count, room);
  memcpy(bytes, output.bytes, count);
  output_discard(&output);
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
  expect_bytes(BYTES("P7\nWIDTH 2\r\n HEIGHT 1\nDEPTH 1 \nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\n"
                     "ENDHDR\n\0\1"),
               2, 1, 1, "\0\377");
  expect_bytes(BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE_ALPHA\n"
                     "ENDHDR\n\1\0"),
               1, 1, 2, "\377\0");
  expect_bytes(BYTES("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE anything\nENDHDR\n"
                     "\1\2\3"),
               1, 1, 3, "\1\2\3");
  /* a comment inside of a number's white space, and one right behind a number */
  expect_bytes(BYTES("P5 #a\n#b\n2#c\n1 255#d\n\1#"), 2, 1, 1, "\1#");
}
END_TEST

START_TEST(a_long_comment_does_no_harm)
{
  char file[1024];
  int size = snprintf(file, sizeof file,
                      "P7\n#%0600d\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\n"
                      "ENDHDR\nA",
                      0);

  expect_bytes(file, (size_t)size, 1, 1, 1, "A");
}
END_TEST

START_TEST(every_maximum_is_rounded_to_nearest)
{
  for (unsigned maximum = 1; maximum <= 255; maximum++) {
    char file[32 + 256];
    unsigned char read[256];
    struct shape shape;
    struct error error;
    int size = snprintf(file, 32, "P5 %u 1 %u\n", maximum + 1, maximum);

    for (unsigned sample = 0; sample <= maximum; sample++)
      file[size + (int)sample] = (char)sample;
    ck_assert(picture_read(file, (size_t)size + maximum + 1, &shape, read, sizeof read, &error));
    for (unsigned sample = 0; sample <= maximum; sample++)
      ck_assert_int_eq(read[sample], lround(sample * 255.0 / maximum));
  }
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
  ck_assert(
      picture_read(BYTES("P2 2 2 65535 258 65534 32768 7"), &shape, back, sizeof back, &error));
  ck_assert_int_eq(shape.type, SAMPLE_U16);
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

START_TEST(floats_stay_as_they_are)
{
  static const uint32_t expected[] = {0x7fc00001, 0x7f800000, 0xff800000,
                                      0x80000000}; /* NaN … −0 */
  char file[64] = "Pf\r\n4 1 \r\n-2.5\r\n";        /* neither the scale nor DOS changes a sample */
  size_t header = strlen(file);
  uint32_t back[4];
  struct shape shape;
  struct error error;

  for (size_t i = 0; i < 16; i++)
    file[header + i] = (char)(expected[i / 4] >> i % 4 * 8);
  ck_assert_msg(picture_read(file, header + 16, &shape, back, sizeof back, &error), "%s",
                error.text);
  ck_assert_mem_eq(back, expected, sizeof expected);
}
END_TEST

/* The format that holds these channels, by turns PGM or PPM, and PAM. */
static const struct format *format_of(const struct shape *shape, int turn)
{
  if (shape->type == SAMPLE_F32)
    return &format_pfm;
  if (turn || shape->channels == 2 || shape->channels == 4)
    return &format_pam;
  return shape->channels == 1 ? &format_pgm : &format_ppm;
}

static void expect_return(const struct format *format, const struct shape *shape)
{
  size_t count = shape->width * shape->height * shape->channels * sample_bytes(shape->type);
  unsigned char *samples = malloc(count), *back = malloc(count), *bytes = malloc(count + 256);
  struct shape read;
  struct error error;
  size_t size;

  ck_assert(samples && back && bytes);
  for (size_t i = 0; i < count; i++)
    samples[i] = (unsigned char)(i * 37 + i / 251 + shape->channels);
  size = picture_write(format, shape, samples, bytes, count + 256);
  ck_assert_msg(picture_read(bytes, size, &read, back, count, &error), "%s", error.text);
  ck_assert_uint_eq(read.width, shape->width);
  ck_assert_uint_eq(read.height, shape->height);
  ck_assert_uint_eq(read.channels, shape->channels);
  ck_assert_int_eq(read.type, shape->type);
  ck_assert_mem_eq(back, samples, count);
  free(samples);
  free(back);
  free(bytes);
}

START_TEST(what_is_written_is_read)
{
  static const size_t sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {17, 13}, {700, 500}};

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (unsigned channels = 1; channels <= CHANNELS_MAX; channels++)
      for (int type = SAMPLE_U8; type <= SAMPLE_F32; type++) {
        struct shape shape = {sizes[i][0], sizes[i][1], channels, (enum sample_type)type};

        if (type == SAMPLE_F32 && shape_has_alpha(&shape))
          continue;
        for (int turn = 0; turn < 2; turn++)
          expect_return(format_of(&shape, turn), &shape);
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
      {BYTES("PF 1 1\n1\n\0\0\200\077\0\0\200\077\0\0\200\077")},
      {BYTES("P2\n2 1\n9\n3 4")},
      {BYTES("P3 1 1 9 1 2 3")},
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
      "P5\n18446744073709551617 1\n255\nx",
      "P5\n2147483648 1\n255\nx",
      "P5\n2 2\n255xxxx",
      "P5 # without an end",
      "P6\n2 255\n",
      "P7\nWIDTH 1\nENDHDR\nx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nxxxxx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\nx",
      "P7\nWIDTH 1\nHIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\nxxx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\nxxxx",
      "P7\nWIDTH -1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nx",
      "P7\nWIDTH 1 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nx",
      "P7\nWIDTH\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nx",
      "P7\nWIDTH 99999999999999999999\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 65536\nENDHDR\nx",
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nx",
      "P2\n1 1\n255\nx",
      "P2\n2 1\n255\n1,2",
      "P2\n2 1\n255\n1 -2",
      "P2\n1 1\n255\n18446744073709551617",
      "P2\n1 1\n255\n256",
      "P1\n1 1\n2",
      "Pf\n1 1\n0\nxxxx",
      "Pf\n1 1\nfoo\nxxxx",
      "Pf\n1 1\nnan\nxxxx",
      "Pf\n1 1\ninf\nxxxx",
      "Pf\n1 1\n1.0 2\nxxxx",
      "P8\n1 1\n255\nx",
      "P5x",
  };
  unsigned char read[64];
  struct shape shape;
  struct error error;

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    error.text[0] = '\0';
    ck_assert_msg(!picture_read(files[i], strlen(files[i]), &shape, read, sizeof read, &error) &&
                      *error.text,
                  "%s", files[i]);
  }
}
END_TEST

START_TEST(a_message_shows_no_control_bytes)
{
  unsigned char read[64];
  struct shape shape;
  struct error error;

  ck_assert(!picture_read(BYTES("P7\n\033[31mred\nENDHDR\n"), &shape, read, sizeof read, &error));
  ck_assert_ptr_null(strchr(error.text, '\033'));
  ck_assert(!picture_read(BYTES("Pf 1 1\n\033[31m\n"), &shape, read, sizeof read, &error));
  ck_assert_ptr_null(strchr(error.text, '\033'));
  ck_assert(!picture_read(BYTES("P7\nWIDTH 1\0002\n"), &shape, read, sizeof read, &error));
}
END_TEST

/* Runs a command of Netpbm on these bytes; returns how many bytes it wrote, or 0, and says so, where
   it is not installed. */
static size_t netpbm_run(const char *command, const void *bytes, size_t count, void *result,
                         size_t room)
{
  static const char name[] = "test_pnm.tmp";
  char line[256];
  FILE *file;
  size_t got;

  snprintf(line, sizeof line, "command -v %.*s >/dev/null", (int)strcspn(command, " "), command);
  if (system(line) != 0) {
    printf("SKIP: %s of Netpbm is not installed\n", command);
    return 0;
  }
  file = fopen(name, "wb");
  ck_assert(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
  snprintf(line, sizeof line, "%s <%s 2>/dev/null", command, name);
  file = popen(line, "r");
  ck_assert_ptr_nonnull(file);
  got = fread(result, 1, room, file);
  ck_assert_msg(pclose(file) == 0 && got > 0, "%s refuses the picture", command);
  unlink(name);
  return got;
}

/* 17×13 pixels of RGB, of 8 or 16 bits. */
enum { SAMPLES = 17 * 13 * 3 };

START_TEST(netpbm_reads_what_is_written)
{
  for (int type = SAMPLE_U8; type <= SAMPLE_U16; type++) {
    struct shape shape = {17, 13, 3, (enum sample_type)type};
    unsigned char samples[SAMPLES * 2], pam[2048], ppm[2048], netpbm[2048];
    size_t size, got;

    for (size_t i = 0; i < sizeof samples; i++)
      samples[i] = (unsigned char)(i * 101 + i / 7);
    size = picture_write(&format_pam, &shape, samples, pam, sizeof pam);
    got = netpbm_run("pamtopnm", pam, size, netpbm, sizeof netpbm);
    if (got == 0)
      return;
    size = picture_write(&format_ppm, &shape, samples, ppm, sizeof ppm);
    ck_assert_uint_eq(got, size);
    ck_assert_mem_eq(netpbm, ppm, size);
  }
}
END_TEST

START_TEST(what_netpbm_writes_is_read)
{
  struct shape shape = {17, 13, 3, SAMPLE_U16}, read;
  uint16_t samples[SAMPLES], back[SAMPLES];
  float floats[SAMPLES];
  unsigned char file[2048], netpbm[8192];
  struct error error;
  size_t size, got;

  for (size_t i = 0; i < SAMPLES; i++)
    samples[i] = (uint16_t)(i * 40503);
  size = picture_write(&format_ppm, &shape, samples, file, sizeof file);
  got = netpbm_run("pamtopnm -plain", file, size, netpbm, sizeof netpbm);
  if (got > 0) {
    ck_assert_mem_eq(netpbm, "P3", 2);
    ck_assert(picture_read(netpbm, got, &read, back, sizeof back, &error));
    ck_assert_mem_eq(back, samples, sizeof samples);
  }
  got = netpbm_run("pamtopfm", file, size, netpbm, sizeof netpbm);
  if (got > 0) {
    ck_assert(picture_read(netpbm, got, &read, floats, sizeof floats, &error));
    ck_assert_int_eq(read.type, SAMPLE_F32);
    for (size_t i = 0; i < SAMPLES; i++)
      ck_assert_float_eq_tol(floats[i], (float)samples[i] / 65535, 1e-6f);
  }
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
  struct picture picture = {.shape = {1, 1, 4, SAMPLE_U8}};

  ck_assert_ptr_nonnull(strstr(format_pgm.refuse(&picture), "pam"));
  ck_assert_ptr_nonnull(strstr(format_ppm.refuse(&picture), "pam"));
  ck_assert_ptr_nonnull(strstr(format_pfm.refuse(&picture), "alpha"));
  ck_assert_ptr_null(format_pam.refuse(&picture));
  picture.shape = (struct shape){1, 1, 1, SAMPLE_F32};
  ck_assert_ptr_nonnull(strstr(format_pgm.refuse(&picture), "pfm"));
  ck_assert_int_eq(format_pfm.type(SAMPLE_U8), SAMPLE_F32);
  ck_assert_int_eq(format_pam.type(SAMPLE_F32), SAMPLE_U16);
  ck_assert_int_eq(format_pam.type(SAMPLE_U8), SAMPLE_U8);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("pnm");

  tcase_add_test(test, every_kind_of_file_is_read);
  tcase_add_test(test, a_long_comment_does_no_harm);
  tcase_add_test(test, every_maximum_is_rounded_to_nearest);
  tcase_add_test(test, other_maxima_fill_the_range);
  tcase_add_test(test, sixteen_bits_have_the_high_byte_first);
  tcase_add_test(test, floats_stand_bottom_up);
  tcase_add_test(test, floats_stay_as_they_are);
  tcase_add_test(test, what_is_written_is_read);
  tcase_add_test(test, a_cut_file_is_an_error);
  tcase_add_test(test, a_bad_header_is_an_error);
  tcase_add_test(test, a_message_shows_no_control_bytes);
  tcase_add_test(test, netpbm_reads_what_is_written);
  tcase_add_test(test, what_netpbm_writes_is_read);
  tcase_add_test(test, what_does_not_fit_is_refused);
  return unit_run("pnm", test);
}
