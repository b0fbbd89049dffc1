/* Alpha and linear light.  The expected values come from the formulas, worked out by hand or in
   double precision here. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "colour.h"
#include "unit.h"

static struct colour colour_make(unsigned channels, enum sample_type from, enum sample_type to)
{
  return (struct colour){.from = {1, 1, channels, from}, .to = to, .gain = 1};
}

START_TEST(weighted_colours_come_back)
{
  struct colour colour = colour_make(4, SAMPLE_U8, SAMPLE_U8);

  colour.weigh = colour.divide = true;
  for (unsigned alpha = 1; alpha < 256; alpha++) {
    for (unsigned level = 0; level < 256; level++) {
      uint8_t pixel[4] = {(uint8_t)level, (uint8_t)(255 - level), 7, (uint8_t)alpha}, back[4];
      float prepared[4];

      colour_prepare(&colour, pixel, prepared, 1);
      ck_assert_float_eq_tol(prepared[0], (float)(level * alpha / 255.0), 1e-4f);
      colour_finish(&colour, prepared, NULL, back, 1);
      ck_assert_mem_eq(pixel, back, 4);
    }
  }
}
END_TEST

START_TEST(transparent_pixels_have_no_colour)
{
  struct colour colour = colour_make(2, SAMPLE_U16, SAMPLE_U16);
  uint16_t pixel[2] = {40000, 0}, back[2];
  float prepared[2];

  colour.weigh = colour.divide = true;
  colour.offset = 1000;
  colour_prepare(&colour, pixel, prepared, 1);
  ck_assert_float_eq(prepared[0], 0);
  colour_finish(&colour, prepared, NULL, back, 1);
  ck_assert_uint_eq(back[0], 0);
  ck_assert_uint_eq(back[1], 0);
}
END_TEST

START_TEST(an_offset_is_not_for_alpha)
{
  struct colour colour = colour_make(2, SAMPLE_U8, SAMPLE_U8);
  float filtered[2] = {-10.5f, 128};
  uint8_t back[2];

  colour.offset = 128;
  colour_finish(&colour, filtered, NULL, back, 1);
  ck_assert_uint_eq(back[0], 118); /* 117.5 to even */
  ck_assert_uint_eq(back[1], 128);
  colour.absolute = true;
  colour.offset = 0;
  colour_finish(&colour, filtered, NULL, back, 1);
  ck_assert_uint_eq(back[0], 10); /* 10.5 to even */
}
END_TEST

START_TEST(alpha_is_kept_and_scaled)
{
  struct colour colour = colour_make(4, SAMPLE_U8, SAMPLE_U16);
  float filtered[4] = {1, 2, 3, 99};
  uint8_t original[4] = {0, 0, 0, 200};
  uint16_t back[4];

  colour.keep = true;
  colour_finish(&colour, filtered, original, back, 1);
  ck_assert_uint_eq(back[0], 257);
  ck_assert_uint_eq(back[3], 200 * 257);
}
END_TEST

/* IEC 61966-2-1, or a plain power. */
static double light_expected(double value, double gamma)
{
  if (gamma != 0)
    return pow(value, 1 / gamma);
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

START_TEST(linear_light_and_back)
{
  static const double gammas[] = {0, 0.45455, 1};

  for (size_t g = 0; g < 3; g++) {
    struct colour colour = colour_make(1, SAMPLE_U16, SAMPLE_U16);
    struct error error;

    colour.linear = true;
    colour.gamma = gammas[g];
    ck_assert(colour_start(&colour, &error));
    for (unsigned level = 0; level < 65536; level++) {
      uint16_t sample = (uint16_t)level, back;
      float prepared;

      colour_prepare(&colour, &sample, &prepared, 1);
      ck_assert_double_eq_tol(prepared, 65535 * light_expected(level / 65535.0, gammas[g]), 0.01);
      colour_finish(&colour, &prepared, NULL, &back, 1);
      ck_assert_uint_eq(back, level);
    }
    colour_free(&colour);
  }
}
END_TEST

START_TEST(half_light_is_level_188)
{
  struct colour colour = colour_make(1, SAMPLE_U8, SAMPLE_U8);
  float filtered[3] = {127.5f, -4, 900};
  uint8_t back[3];
  struct error error;

  colour.linear = true;
  ck_assert(colour_start(&colour, &error));
  colour_finish(&colour, filtered, NULL, back, 3);
  ck_assert_uint_eq(back[0], 188); /* 255 · (1.055 · 0.5^(1/2.4) − 0.055) = 187.52 */
  ck_assert_uint_eq(back[1], 0);
  ck_assert_uint_eq(back[2], 255);
  colour_free(&colour);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("colour");

  tcase_add_test(test, weighted_colours_come_back);
  tcase_add_test(test, transparent_pixels_have_no_colour);
  tcase_add_test(test, an_offset_is_not_for_alpha);
  tcase_add_test(test, alpha_is_kept_and_scaled);
  tcase_add_test(test, linear_light_and_back);
  tcase_add_test(test, half_light_is_level_188);
  return unit_run("colour", test);
}
