/* Reading Netpbm: headers and samples as the manual pages of Netpbm describe them, written out by
   hand, and what is wrong with them. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "samples.h"
#include "unit.h"

static void expect_bytes(const char *file, size_t size, size_t width, size_t height,
                         unsigned channels, const char *samples)
{
  unsigned char read[256];
  struct shape shape;
  struct error error;

  ck_assert_msg(samples_decode(file, size, &shape, read, sizeof read, &error), "%s", error.text);
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
    ck_assert(samples_decode(file, (size_t)size + maximum + 1, &shape, read, sizeof read, &error));
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
  ck_assert(
      samples_decode(BYTES("P5\n2 1\n1023\n\0\1\3\377"), &shape, words, sizeof words, &error));
  ck_assert_int_eq(shape.type, SAMPLE_U16);
  ck_assert_uint_eq(words[0], 64); /* 65535 / 1023 = 64.06 */
  ck_assert_uint_eq(words[1], 65535);
  ck_assert(!samples_decode(BYTES("P5\n1 1\n100\n\145"), &shape, words, sizeof words, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "101"));
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
  ck_assert_msg(samples_decode(file, header + 16, &shape, back, sizeof back, &error), "%s",
                error.text);
  ck_assert_mem_eq(back, expected, sizeof expected);
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
    ck_assert(samples_decode(files[i].bytes, files[i].size, &shape, read, sizeof read, &error));
    for (size_t size = 0; size < files[i].size; size++)
      ck_assert_msg(!samples_decode(files[i].bytes, size, &shape, read, sizeof read, &error),
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
    ck_assert_msg(!samples_decode(files[i], strlen(files[i]), &shape, read, sizeof read, &error) &&
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

  ck_assert(!samples_decode(BYTES("P7\n\033[31mred\nENDHDR\n"), &shape, read, sizeof read, &error));
  ck_assert_ptr_null(strchr(error.text, '\033'));
  ck_assert(!samples_decode(BYTES("Pf 1 1\n\033[31m\n"), &shape, read, sizeof read, &error));
  ck_assert_ptr_null(strchr(error.text, '\033'));
  ck_assert(!samples_decode(BYTES("P7\nWIDTH 1\0002\n"), &shape, read, sizeof read, &error));
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("pnm_read");

  tcase_add_test(test, every_kind_of_file_is_read);
  tcase_add_test(test, a_long_comment_does_no_harm);
  tcase_add_test(test, every_maximum_is_rounded_to_nearest);
  tcase_add_test(test, other_maxima_fill_the_range);
  tcase_add_test(test, floats_stay_as_they_are);
  tcase_add_test(test, a_cut_file_is_an_error);
  tcase_add_test(test, a_bad_header_is_an_error);
  tcase_add_test(test, a_message_shows_no_control_bytes);
  return unit_run("pnm_read", test);
}
