/* Writing Netpbm: bytes as the manual pages of Netpbm describe them, what is written is read again,
   and what the programs of Netpbm make of it, where those are installed. */
#include "config.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "samples.h"
#include "unit.h"

/* Netpbm has no quality. */
static size_t pnm_encode(const struct format *format, const struct shape *shape,
                         const void *samples, unsigned char *bytes, size_t room)
{
  return samples_encode(format, shape, 90, samples, bytes, room);
}

START_TEST(sixteen_bits_have_the_high_byte_first)
{
  static const uint16_t words[] = {0x0102, 0xfffe, 0x8000, 7};
  static const char expected[] = "P5\n2 2\n65535\n\x01\x02\xff\xfe\x80\x00\x00\x07";
  struct shape shape = {2, 2, 1, SAMPLE_U16};
  struct error error;
  unsigned char bytes[64];
  uint16_t back[4];

  ck_assert_uint_eq(pnm_encode(&format_pgm, &shape, words, bytes, sizeof bytes),
                    sizeof expected - 1);
  ck_assert_mem_eq(bytes, expected, sizeof expected - 1);
  ck_assert(samples_decode(expected, sizeof expected - 1, &shape, back, sizeof back, &error));
  ck_assert_mem_eq(back, words, sizeof words);
  ck_assert(
      samples_decode(BYTES("P2 2 2 65535 258 65534 32768 7"), &shape, back, sizeof back, &error));
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

  ck_assert(samples_decode(BYTES(little), &shape, back, sizeof back, &error));
  ck_assert_int_eq(shape.type, SAMPLE_F32);
  ck_assert_mem_eq(back, expected, sizeof expected);
  ck_assert(samples_decode(BYTES(big), &shape, back, sizeof back, &error));
  ck_assert_mem_eq(back, expected, sizeof expected);
  ck_assert_uint_eq(pnm_encode(&format_pfm, &shape, expected, bytes, sizeof bytes),
                    sizeof little - 1);
  ck_assert_mem_eq(bytes, little, sizeof little - 1);
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
  size = pnm_encode(format, shape, samples, bytes, count + 256);
  ck_assert_msg(samples_decode(bytes, size, &read, back, count, &error), "%s", error.text);
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

/* Runs a command of Netpbm on these bytes; returns how many bytes it wrote, or 0, and says so, where
   it is not installed. */
static size_t netpbm_run(const char *command, const void *bytes, size_t count, void *result,
                         size_t room)
{
  static const char name[] = "test_pnm_write.tmp";
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
    size = pnm_encode(&format_pam, &shape, samples, pam, sizeof pam);
    got = netpbm_run("pamtopnm", pam, size, netpbm, sizeof netpbm);
    if (got == 0)
      return;
    size = pnm_encode(&format_ppm, &shape, samples, ppm, sizeof ppm);
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
  size = pnm_encode(&format_ppm, &shape, samples, file, sizeof file);
  got = netpbm_run("pamtopnm -plain", file, size, netpbm, sizeof netpbm);
  if (got > 0) {
    ck_assert_mem_eq(netpbm, "P3", 2);
    ck_assert(samples_decode(netpbm, got, &read, back, sizeof back, &error));
    ck_assert_mem_eq(back, samples, sizeof samples);
  }
  got = netpbm_run("pamtopfm", file, size, netpbm, sizeof netpbm);
  if (got > 0) {
    ck_assert(samples_decode(netpbm, got, &read, floats, sizeof floats, &error));
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
  ck_assert_int_eq(format_type(&format_pfm, SAMPLE_U8), SAMPLE_F32);
  ck_assert_int_eq(format_type(&format_pam, SAMPLE_F32), SAMPLE_U16);
  ck_assert_int_eq(format_type(&format_pam, SAMPLE_U8), SAMPLE_U8);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("pnm_write");

  tcase_add_test(test, sixteen_bits_have_the_high_byte_first);
  tcase_add_test(test, floats_stand_bottom_up);
  tcase_add_test(test, what_is_written_is_read);
  tcase_add_test(test, netpbm_reads_what_is_written);
  tcase_add_test(test, what_netpbm_writes_is_read);
  tcase_add_test(test, what_does_not_fit_is_refused);
  return unit_run("pnm_write", test);
}
