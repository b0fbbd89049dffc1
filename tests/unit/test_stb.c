/* The formats that stb_image_write writes: their limits, by sizes alone, before anything is written,
   and the bytes of small files against what each format's description says. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "samples.h"
#include "unit.h"

static const struct format *const all[] = {&format_jpeg, &format_bmp, &format_tga, &format_hdr};

static const char *refuse(const struct format *format, size_t width, size_t height,
                          unsigned channels)
{
  struct picture picture = {.shape = {width, height, channels, format_type(format, SAMPLE_U8)}};
  const char *reason = format->refuse(&picture);

  return reason ? reason : "";
}

#ifdef HAVE_STB

enum { FILE_BYTES = 1 << 16 };

static size_t encode(const struct format *format, size_t width, size_t height, unsigned channels,
                     int quality, const void *samples, unsigned char *bytes)
{
  struct shape shape = {width, height, channels, format_type(format, SAMPLE_U8)};

  return samples_encode(format, &shape, quality, samples, bytes, FILE_BYTES);
}

START_TEST(sides_are_limited)
{
  const struct format *const limited[] = {&format_jpeg, &format_tga};

  for (size_t i = 0; i < 2; i++) {
    ck_assert_str_eq(refuse(limited[i], 65535, 1, 3), "");
    ck_assert_str_eq(refuse(limited[i], 1, 65535, 3), "");
    ck_assert_ptr_nonnull(strstr(refuse(limited[i], 65536, 1, 3), "65,535"));
    ck_assert_ptr_nonnull(strstr(refuse(limited[i], 1, 70000, 3), "65,535"));
  }
  ck_assert_str_eq(refuse(&format_bmp, 70000, 1, 3), "");
  ck_assert_str_eq(refuse(&format_hdr, 1, 70000, 3), "");
}
END_TEST

START_TEST(areas_are_limited)
{
  for (size_t i = 0; i < 4; i++) {
    ck_assert_str_eq(refuse(all[i], 16384, 16383, 3), "");
    ck_assert_str_ne(refuse(all[i], 16384, 16384, 3), "");
    ck_assert_str_ne(refuse(all[i], 65535, 65535, 3), "");
    ck_assert_ptr_nonnull(strstr(refuse(all[i], 32768, 32768, 3), "pixels"));
    ck_assert_str_ne(refuse(all[i], (size_t)1 << 40, (size_t)1 << 40, 3), "");
  }
}
END_TEST

START_TEST(alpha_is_refused_where_it_would_be_lost)
{
  ck_assert_ptr_nonnull(strstr(refuse(&format_jpeg, 1, 1, 4), "alpha"));
  ck_assert_ptr_nonnull(strstr(refuse(&format_jpeg, 1, 1, 2), "alpha"));
  ck_assert_ptr_nonnull(strstr(refuse(&format_hdr, 1, 1, 4), "alpha"));
  ck_assert_ptr_nonnull(strstr(refuse(&format_bmp, 1, 1, 2), "alpha"));
  ck_assert_str_eq(refuse(&format_bmp, 1, 1, 4), "");
  ck_assert_str_eq(refuse(&format_tga, 1, 1, 2), "");
  ck_assert_str_eq(refuse(&format_jpeg, 1, 1, 1), "");
}
END_TEST

START_TEST(samples_become_bytes_or_floats)
{
  for (int type = SAMPLE_U8; type <= SAMPLE_F32; type++) {
    ck_assert_int_eq(format_type(&format_jpeg, (enum sample_type)type), SAMPLE_U8);
    ck_assert_int_eq(format_type(&format_bmp, (enum sample_type)type), SAMPLE_U8);
    ck_assert_int_eq(format_type(&format_tga, (enum sample_type)type), SAMPLE_U8);
    ck_assert_int_eq(format_type(&format_hdr, (enum sample_type)type), SAMPLE_F32);
  }
}
END_TEST

START_TEST(the_whole_picture_is_encoded_at_once)
{
  for (size_t i = 0; i < 4; i++) {
    struct picture picture = {.shape = {17, 13, 3, format_type(all[i], SAMPLE_U8)}};
    struct encoding encoding = {-1, 90};
    struct output output = {.name = "test", .descriptor = -1, .held = true};
    struct error error;
    void *writer;

    ck_assert(all[i]->begin(&output, &picture, &encoding, &writer, &error));
    ck_assert_uint_eq(all[i]->rows_at_once(writer), 13);
    all[i]->discard(writer);
    output_discard(&output);
  }
}
END_TEST

/* A slope in every channel: what JPEG keeps well. */
static void slope_draw(unsigned char *samples, size_t width, size_t height, unsigned channels)
{
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++)
      for (unsigned c = 0; c < channels; c++)
        samples[(y * width + x) * channels + c] = (unsigned char)(40 + 7 * x + 5 * y + 20 * c);
}

static unsigned number_big(const unsigned char *bytes)
{
  return bytes[0] * 256u + bytes[1];
}

/* Walks over the segments to the frame's header; returns where its numbers stand. */
static const unsigned char *jpeg_frame(const unsigned char *bytes, size_t size)
{
  size_t at = 2;

  while (at + 10 < size && bytes[at] == 0xff && bytes[at + 1] != 0xc0)
    at += 2 + number_big(bytes + at + 2);
  ck_assert_uint_eq(bytes[at], 0xff);
  ck_assert_uint_eq(bytes[at + 1], 0xc0);
  return bytes + at + 4;
}

/* Decodes by djpeg, where that is installed; the samples of RGB go to `pixels`. */
static bool jpeg_decode(const unsigned char *bytes, size_t size, unsigned char *pixels,
                        size_t count)
{
  static const char name[] = "test_stb.tmp";
  FILE *file;
  int kind, width, height, most, got;

  if (system("command -v djpeg >/dev/null") != 0) {
    puts("SKIP: djpeg is not installed");
    return false;
  }
  file = fopen(name, "wb");
  ck_assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
  file = popen("djpeg -pnm test_stb.tmp", "r");
  ck_assert_ptr_nonnull(file);
  got = fscanf(file, "P%d %d %d %d", &kind, &width, &height, &most);
  ck_assert_int_eq(got, 4);
  ck_assert_int_eq(kind, 6);
  ck_assert_int_eq(fgetc(file), '\n');
  ck_assert_uint_eq(fread(pixels, 1, count, file), count);
  ck_assert_int_eq(pclose(file), 0);
  unlink(name);
  return true;
}

static void jpeg_expect(size_t width, size_t height, unsigned channels)
{
  unsigned char samples[17 * 13 * 3], pixels[17 * 13 * 3];
  unsigned char *bytes = malloc(FILE_BYTES);
  const unsigned char *frame;
  size_t size;

  slope_draw(samples, width, height, channels);
  size = encode(&format_jpeg, width, height, channels, 95, samples, bytes);
  ck_assert_mem_eq(bytes, "\377\330", 2);
  ck_assert_mem_eq(bytes + size - 2, "\377\331", 2);
  frame = jpeg_frame(bytes, size);
  ck_assert_uint_eq(frame[0], 8);
  ck_assert_uint_eq(number_big(frame + 1), height);
  ck_assert_uint_eq(number_big(frame + 3), width);
  if (jpeg_decode(bytes, size, pixels, width * height * 3))
    for (size_t i = 0; i < width * height * 3; i++) {
      int sample = samples[channels == 3 ? i : i / 3];

      ck_assert_msg(abs(pixels[i] - sample) <= 6, "%zu × %zu × %u: sample %zu is %d, not %d", width,
                    height, channels, i, pixels[i], sample);
    }
  free(bytes);
}

START_TEST(jpeg_holds_the_picture)
{
  static const size_t sizes[][2] = {{1, 1}, {17, 1}, {1, 13}, {17, 13}};

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    jpeg_expect(sizes[i][0], sizes[i][1], 1);
    jpeg_expect(sizes[i][0], sizes[i][1], 3);
  }
}
END_TEST

START_TEST(quality_is_heeded)
{
  static const int qualities[] = {1, 50, 90, 100};
  unsigned char samples[32 * 32 * 3], *bytes = malloc(FILE_BYTES);
  size_t size, last = 0;
  unsigned noise = 1;

  for (size_t i = 0; i < sizeof samples; i++) {
    noise = noise * 1664525u + 1013904223u;
    samples[i] = (unsigned char)(noise >> 24);
  }
  for (size_t i = 0; i < sizeof qualities / sizeof *qualities; i++, last = size) {
    size = encode(&format_jpeg, 32, 32, 3, qualities[i], samples, bytes);
    ck_assert_uint_gt(size, last);
  }
  free(bytes);
}
END_TEST

static unsigned long number_little(const unsigned char *bytes)
{
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned long)bytes[3] << 24;
}

/* BMP: rows from the bottom to the top, each filled up to 4 bytes; blue, green, red. */
START_TEST(bmp_holds_the_picture)
{
  unsigned char samples[17 * 13 * 4], *bytes = malloc(FILE_BYTES);

  for (size_t i = 0; i < sizeof samples; i++)
    samples[i] = (unsigned char)(i * 37 + i / 7);
  for (unsigned channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
    size_t size = encode(&format_bmp, 17, 13, channels, 90, samples, bytes);
    size_t start = number_little(bytes + 10), step = channels == 4 ? 4 : 3;
    size_t pitch = (17 * step + 3) / 4 * 4;

    ck_assert_mem_eq(bytes, "BM", 2);
    ck_assert_uint_eq(number_little(bytes + 2), size);
    ck_assert_uint_eq(number_little(bytes + 18), 17);
    ck_assert_uint_eq(number_little(bytes + 22), 13);
    ck_assert_uint_eq(bytes[28], 8 * step);
    ck_assert_uint_eq(size, start + 13 * pitch);
    for (size_t i = 0; i < 17 * 13; i++) {
      const unsigned char *to = bytes + start + (12 - i / 17) * pitch + i % 17 * step;
      const unsigned char *from = samples + i * channels;

      ck_assert_uint_eq(to[0], from[channels == 1 ? 0 : 2]);
      ck_assert_uint_eq(to[1], from[channels == 1 ? 0 : 1]);
      ck_assert_uint_eq(to[2], from[0]);
      if (channels == 4)
        ck_assert_uint_eq(to[3], from[3]);
    }
  }
  free(bytes);
}
END_TEST

/* The pixels of a TGA in runs: a byte with the count less 1, the highest bit says that one pixel is
   repeated. */
static size_t tga_unpack(const unsigned char *bytes, size_t step, unsigned char *pixels,
                         size_t count)
{
  const unsigned char *from = bytes;

  for (size_t i = 0; i < count;) {
    unsigned head = *from++;
    size_t run = (head & 127) + 1;

    ck_assert_uint_le(i + run, count);
    for (size_t k = 0; k < run; k++, i++) {
      memcpy(pixels + i * step, from, step);
      if (head < 128 || k + 1 == run)
        from += step;
    }
  }
  return (size_t)(from - bytes);
}

/* TGA: type 10 is colour in runs, 11 grey; rows from the bottom; blue, green, red. */
START_TEST(tga_holds_the_picture)
{
  static const unsigned char order[][4] = {{0}, {0, 1}, {2, 1, 0}, {2, 1, 0, 3}};
  unsigned char samples[17 * 13 * 4], pixels[17 * 13 * 4], *bytes = malloc(FILE_BYTES);

  for (size_t i = 0; i < sizeof samples; i++)
    samples[i] = i / 90 % 2 ? 7 : (unsigned char)(i * 37);
  for (unsigned channels = 1; channels <= 4; channels++) {
    size_t size = encode(&format_tga, 17, 13, channels, 90, samples, bytes);

    ck_assert_uint_eq(bytes[2], channels < 3 ? 11 : 10);
    ck_assert_uint_eq(number_little(bytes + 12), 17 | 13 << 16);
    ck_assert_uint_eq(bytes[16], channels * 8);
    ck_assert_uint_eq(bytes[17], channels % 2 ? 0 : 8); /* bits of alpha; rows from the bottom */
    ck_assert_uint_eq(18 + tga_unpack(bytes + 18, channels, pixels, 17 * 13), size);
    for (size_t i = 0; i < 17 * 13; i++)
      for (unsigned c = 0; c < channels; c++)
        ck_assert_uint_eq(pixels[((12 - i / 17) * 17 + i % 17) * channels + c],
                          samples[i * channels + order[channels - 1][c]]);
  }
  free(bytes);
}
END_TEST

/* HDR: three mantissas and the exponent that they share, plus 128: 1 is 128/256 · 2^1.  Rows shorter
   than 8 pixels are not packed.  What it can't hold becomes the nearest that it can. */
START_TEST(hdr_holds_the_picture)
{
  static const float samples[] = {1,      0.5f,  0.25f,    0,         0,       0,       -0.5f,
                                  -1e30f, 2,     INFINITY, -INFINITY, NAN,     3,       3,
                                  3,      1e38f, 0,        0,         3.4e38f, 1.7e38f, 1.0f};
  static const unsigned char expected[] = {128, 64,  32,  129, 0,   0,   0,   0,   0,   0,
                                           128, 130, 255, 0,   0,   255, 192, 192, 192, 130,
                                           150, 0,   0,   255, 255, 255, 0,   255};
  unsigned char *bytes = malloc(FILE_BYTES);
  size_t size = encode(&format_hdr, 7, 1, 3, 90, samples, bytes);
  size_t start = size - sizeof expected;

  ck_assert_mem_eq(bytes, "#?RADIANCE\n", 11);
  ck_assert_uint_gt(size, sizeof expected);
  ck_assert_mem_eq(bytes + start - 11, "\n-Y 1 +X 7\n", 11);
  for (size_t i = 0; i < sizeof expected; i++)
    ck_assert_msg(bytes[start + i] == expected[i], "byte %zu is %d, not %d", i, bytes[start + i],
                  expected[i]);
  size = encode(&format_hdr, 1, 2, 1, 90, samples, bytes);
  ck_assert_mem_eq(bytes + size - 8, "\200\200\200\201\200\200\200\200", 8);
  free(bytes);
}
END_TEST

static void tests_add(TCase *test)
{
  tcase_add_test(test, sides_are_limited);
  tcase_add_test(test, areas_are_limited);
  tcase_add_test(test, alpha_is_refused_where_it_would_be_lost);
  tcase_add_test(test, samples_become_bytes_or_floats);
  tcase_add_test(test, the_whole_picture_is_encoded_at_once);
  tcase_add_test(test, jpeg_holds_the_picture);
  tcase_add_test(test, quality_is_heeded);
  tcase_add_test(test, bmp_holds_the_picture);
  tcase_add_test(test, tga_holds_the_picture);
  tcase_add_test(test, hdr_holds_the_picture);
}

#else

START_TEST(what_is_missing_is_said)
{
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    ck_assert_str_eq(refuse(all[i], 1, 1, 4), "this halo was built without stb_image_write");
}
END_TEST

static void tests_add(TCase *test)
{
  puts("SKIP: what stb_image_write would write; this halo was built without it");
  tcase_add_test(test, what_is_missing_is_said);
}

#endif

int main(void)
{
  TCase *test = tcase_create("stb");

  tests_add(test);
  return unit_run("stb", test);
}
