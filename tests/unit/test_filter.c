/* Filters as numbers: decimals to integers, scale, normalisation, turning, exactness, the fit to
   depths and offsets, and the split into two passes.  Expected integers are worked out by hand. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "filter.h"
#include "filter_fit.h"
#include "filter_split.h"
#include "filter_taps.h"
#include "unit.h"

static struct error error;

static struct filter make(size_t width, size_t height, const double *taps, double scale,
                          double offset)
{
  struct filter filter;

  ck_assert_msg(filter_from_taps(&filter, "test", width, height, taps, scale, offset, &error), "%s",
                error.text);
  return filter;
}

static void check_pass(const struct pass *pass, const float *taps, float bias, float scale,
                       bool integral)
{
  for (size_t i = 0; i < pass->width * pass->height; i++)
    ck_assert_msg(pass->taps[i] == taps[i], "tap %zu is %.9g and not %.9g", i, pass->taps[i],
                  taps[i]);
  ck_assert_msg(pass->bias == bias, "bias is %.9g and not %.9g", pass->bias, bias);
  ck_assert_msg(pass->scale == scale, "scale is %.9g and not %.9g", pass->scale, scale);
  ck_assert_int_eq(pass->integral, integral);
}

#define CHECK_TAPS(width, height, scale_in, expected_scale, expected_integral, ...)                \
  do {                                                                                             \
    struct filter filter = make(width, height, typed, scale_in, 0);                                \
    check_pass(&filter.term[0].pass[0], (const float[]){__VA_ARGS__}, 0, expected_scale,           \
               expected_integral);                                                                 \
    filter_free(&filter);                                                                          \
  } while (0)

START_TEST(taps_become_integers)
{
  {
    const double typed[] = {0.0625, 0.125, 0.0625}; /* 625, 1250 / 10000 */
    CHECK_TAPS(3, 1, 1, 16, true, 1, 2, 1);
  }
  {
    const double typed[] = {0.1, 0.2, -0.7};
    CHECK_TAPS(3, 1, 1, 10, true, 1, 2, -7);
  }
  {
    const double typed[] = {0.333333, 1}; /* not a third */
    CHECK_TAPS(2, 1, 1, 1000000, true, 333333, 1000000);
  }
  {
    const double typed[] = {1e-7, 3e-7};
    CHECK_TAPS(2, 1, 1, 10000000, true, 1, 3);
  }
  {
    const double typed[] = {1e-16, 3e-16}; /* the scale would be 10^16 */
    CHECK_TAPS(2, 1, 1, 1, false, 1e-16f, 3e-16f);
    CHECK_TAPS(2, 1, 1e-16, 1, true, 1, 3);
    CHECK_TAPS(2, 1, 1e-6, 1e10f, true, 1, 3);
  }
  {
    const double typed[] = {2, 4, -6};
    CHECK_TAPS(3, 1, 8, 4, true, 1, 2, -3);
    CHECK_TAPS(3, 1, 0.5, 1, true, 4, 8, -12);
    CHECK_TAPS(3, 1, 1e-3, 1, true, 2000, 4000, -6000);
    CHECK_TAPS(3, 1, -2, -1, true, 1, 2, -3);
  }
  {
    const double typed[] = {0, -0.0, 0};
    CHECK_TAPS(3, 1, 7, 1, true, 0, 0, 0);
  }
  {
    const double typed[] = {8388608, 8388607}; /* the sum is 2^24 − 1 */
    CHECK_TAPS(2, 1, 1, 1, true, 8388608, 8388607);
  }
  {
    const double typed[] = {8388609, 8388608}; /* and here 2^24 + 1 */
    CHECK_TAPS(2, 1, 1, 1, false, 8388609, 8388608);
  }
  {
    const double typed[] = {1.0 / 3, 2.0 / 3}; /* 16 digits */
    CHECK_TAPS(2, 1, 1, 1, false, 1.0f / 3, 2.0f / 3);
  }
  {
    const double typed[] = {1e300, 1e300}; /* doubles that no float holds, as a fraction */
    CHECK_TAPS(2, 1, 1e301, 10, true, 1, 1);
  }
}
END_TEST

START_TEST(wrong_taps_are_refused)
{
  const double taps[] = {1, INFINITY}, huge[] = {1e300, 1}, tiny[] = {1e-200, 1e-201};
  struct filter filter;

  ck_assert(!filter_from_taps(&filter, "x", 1, 1, taps, 0, 0, &error));
  ck_assert_int_eq(error.status, STATUS_USAGE);
  ck_assert(!filter_from_taps(&filter, "x", 2, 1, taps, 1, 0, &error));
  ck_assert(!filter_from_taps(&filter, "x", 1, 1, taps, NAN, 0, &error));
  ck_assert(!filter_from_taps(&filter, "x", 1, 1, taps, 1, INFINITY, &error));
  ck_assert(!filter_from_taps(&filter, "x", 2, 1, huge, 1, 0, &error));
  ck_assert(!filter_from_taps(&filter, "x", 2, 1, tiny, 1, 0, &error));
  ck_assert(!filter_from_taps(&filter, "x", 1, 1, taps, 1e-45, 0, &error));
  ck_assert(!filter_from_taps(&filter, "x", (size_t)1 << 40, (size_t)1 << 40, taps, 1, 0, &error));
  ck_assert_int_eq(error.status, STATUS_USAGE);
}
END_TEST

START_TEST(measures)
{
  const double typed[] = {1, -2, 3, 0, 5, 1};
  struct filter filter = make(3, 2, typed, 2, 0);
  size_t width, height, x, y;

  ck_assert_double_eq(term_sum(&filter.term[0]), 8);
  ck_assert_double_eq(term_sum_absolute(&filter.term[0]), 12);
  ck_assert_double_eq(filter_gain(&filter), 4);
  ck_assert_uint_eq(filter_taps(&filter), 6);
  filter_extent(&filter, &width, &height, &x, &y);
  ck_assert(width == 3 && height == 2 && x == 1 && y == 1);
  ck_assert(!filter_is_pointwise(&filter));
  filter_turn(&filter);
  check_pass(&filter.term[0].pass[0], (const float[]){1, 5, 0, 3, -2, 1}, 0, 2, true);
  ck_assert(filter.term[0].pass[0].anchor_x == 1 && filter.term[0].pass[0].anchor_y == 0);
  filter_free(&filter);
  {
    const float row[] = {1, 2}, column[] = {1, -1, 4};

    ck_assert(filter_from_passes(&filter, "two", 2, row, 3, 3, column, 4, &error));
    ck_assert_double_eq(term_sum(&filter.term[0]), 12);
    ck_assert_double_eq(term_sum_absolute(&filter.term[0]), 18);
    ck_assert_double_eq(filter_gain(&filter), 1);
    ck_assert_uint_eq(filter_taps(&filter), 5);
    filter_extent(&filter, &width, &height, &x, &y);
    ck_assert(width == 2 && height == 3 && x == 1 && y == 1);
    filter_turn(&filter);
    check_pass(&filter.term[0].pass[0], (const float[]){2, 1}, 0, 3, true);
    check_pass(&filter.term[0].pass[1], (const float[]){4, -1, 1}, 0, 4, true);
    ck_assert(filter.term[0].pass[0].anchor_x == 0 && filter.term[0].pass[1].anchor_y == 1);
    filter_free(&filter);
  }
  {
    const double point[] = {0, 0, 0, 0, 3, 0, 0, 0, 0}, corner[] = {1, 0, 0, 0};

    filter = make(3, 3, point, 1, 0);
    ck_assert(filter_is_pointwise(&filter));
    filter_free(&filter);
    filter = make(2, 2, corner, 1, 0); /* the anchor of a 2 by 2 is (1, 1) */
    ck_assert(!filter_is_pointwise(&filter));
    filter_turn(&filter);
    ck_assert(!filter_is_pointwise(&filter));
    filter_free(&filter);
  }
}
END_TEST

START_TEST(scale_takes_the_place_of_the_one_given)
{
  const double twos[] = {2, 2, 2, 2}, halves[] = {0.5, 0.5}, thirds[] = {1.0 / 3, 1};
  struct filter filter = make(2, 2, twos, 4, 0); /* reduced to 1 1 1 1 / 2 */

  ck_assert(filter_set_scale(&filter, 8, &error)); /* 2 2 2 2 / 8 */
  check_pass(&filter.term[0].pass[0], (const float[]){1, 1, 1, 1}, 0, 4, true);
  ck_assert(filter_set_scale(&filter, 0.5, &error)); /* 2 2 2 2 / 0.5 */
  check_pass(&filter.term[0].pass[0], (const float[]){4, 4, 4, 4}, 0, 1, true);
  ck_assert(!filter_set_scale(&filter, 0, &error));
  ck_assert_int_eq(error.status, STATUS_USAGE);
  ck_assert(!filter_set_scale(&filter, INFINITY, &error));
  ck_assert(!filter_set_scale(&filter, 1e-60, &error));
  filter_free(&filter);
  filter = make(2, 1, halves, 1, 0);
  ck_assert(filter_set_scale(&filter, -2, &error));
  ck_assert_double_eq(filter_gain(&filter), -0.5);
  ck_assert(filter.term[0].pass[0].integral);
  filter_free(&filter);
  filter = make(2, 1, thirds, 2, 0);
  ck_assert(filter_set_scale(&filter, 3, &error));
  check_pass(&filter.term[0].pass[0], (const float[]){1.0f / 3, 1}, 0, 3, false);
  filter_free(&filter);
}
END_TEST

START_TEST(normalize_divides_by_the_sum)
{
  const double box[] = {1, 1, 1, 1}, edge[] = {-1, 2, -1}, nearly[] = {-1, 2, -0.9999999},
               odd[] = {0.1, 0.2, 0.4};
  const float row[] = {1, 2, 1};
  struct filter filter = make(2, 2, box, 1, 0);

  filter_normalize(&filter);
  check_pass(&filter.term[0].pass[0], (const float[]){1, 1, 1, 1}, 0, 4, true);
  filter_free(&filter);
  filter = make(3, 1, edge, 1, 0);
  filter_normalize(&filter);
  check_pass(&filter.term[0].pass[0], (const float[]){-1, 2, -1}, 0, 1, true);
  filter_free(&filter);
  filter = make(3, 1, nearly, 1, 0); /* a sum of 1e-7 is rounding */
  filter_normalize(&filter);
  ck_assert_double_lt(fabs(filter_gain(&filter)), 2e-7);
  filter_free(&filter);
  filter = make(3, 1, odd, 1, 0);
  filter_normalize(&filter);
  check_pass(&filter.term[0].pass[0], (const float[]){1, 2, 4}, 0, 7, true);
  filter_free(&filter);
  ck_assert(filter_from_passes(&filter, "two", 3, row, 1, 3, row, 1, &error));
  filter_normalize(&filter);
  ck_assert_double_eq(filter_gain(&filter), 1);
  ck_assert(term_is_exact(&filter.term[0], SAMPLE_U8));
  filter_free(&filter);
}
END_TEST

START_TEST(exactness_ends_at_2_to_the_24)
{
  const double below[] = {65793}, above[] = {65794}, words[] = {256}, more[] = {257};
  struct filter filter = make(1, 1, below, 1, 0); /* 255 · 65793 = 2^24 − 1 */

  ck_assert(term_is_exact(&filter.term[0], SAMPLE_U8));
  filter.term[0].pass[0].bias = -1; /* and now 2^24 */
  ck_assert(!term_is_exact(&filter.term[0], SAMPLE_U8));
  filter_free(&filter);
  filter = make(1, 1, above, 1, 0);
  ck_assert(!term_is_exact(&filter.term[0], SAMPLE_U8));
  filter_free(&filter);
  filter = make(1, 1, words, 1, 0);
  ck_assert(term_is_exact(&filter.term[0], SAMPLE_U16));
  ck_assert(!term_is_exact(&filter.term[0], SAMPLE_F32));
  filter_free(&filter);
  filter = make(1, 1, more, 1, 0);
  ck_assert(!term_is_exact(&filter.term[0], SAMPLE_U16));
  filter_free(&filter);
}
END_TEST

/* One tap table fitted from one depth to another. */
static void check_fit(double tap, double scale, double offset, enum sample_type from,
                      enum sample_type to, float fitted, float bias, float divisor, bool integral)
{
  struct filter filter = make(1, 1, &tap, scale, offset);

  ck_assert_msg(filter_fit(&filter, from, to, &error), "%s", error.text);
  check_pass(&filter.term[0].pass[0], &fitted, bias, divisor, integral);
  ck_assert_double_eq(filter.offset, 0);
  filter_free(&filter);
}

START_TEST(fit_folds_offset_and_depth)
{
  check_fit(1, 1, 0, SAMPLE_U8, SAMPLE_U8, 1, 0, 1, true);
  check_fit(1, 3, 128, SAMPLE_U8, SAMPLE_U8, 1, 384, 3, true);
  check_fit(1, 1, 0.5, SAMPLE_U8, SAMPLE_U8, 2, 1, 2, true);
  check_fit(1, 1, -0.3, SAMPLE_U8, SAMPLE_U8, 10, -3, 10, true);
  check_fit(1, 1, 128, SAMPLE_U16, SAMPLE_U16, 1, 32896, 1, true);
  check_fit(1, 1, 0, SAMPLE_U8, SAMPLE_U16, 257, 0, 1, true);
  check_fit(1, 514, 1, SAMPLE_U8, SAMPLE_U16, 1, 514, 2, true);
  check_fit(1, 9, 10, SAMPLE_U8, SAMPLE_U16, 257, 23130, 9, true);
  check_fit(1, 1, 0, SAMPLE_U16, SAMPLE_U8, 1, 0, 257, true);
  check_fit(3, 1, 1, SAMPLE_U16, SAMPLE_U8, 3, 257, 257, true);
  check_fit(1, 1, 0, SAMPLE_U8, SAMPLE_F32, 1, 0, 255, true);
  check_fit(1, 1, 0, SAMPLE_U16, SAMPLE_F32, 1, 0, 65535, true);
  check_fit(1, 1, 0, SAMPLE_F32, SAMPLE_U8, 255, 0, 1, true);
  check_fit(1, 1, 0, SAMPLE_F32, SAMPLE_U16, 65535, 0, 1, true);
  check_fit(1, 1, 51, SAMPLE_F32, SAMPLE_F32, 5, 1, 5, true); /* 51 / 255 is a fifth */
  check_fit(1, 1, 7, SAMPLE_F32, SAMPLE_U8, 255, 7, 1, true);
  /* 1000 · 257 · 255 is past 2^24: the sums are then added as integers. */
  check_fit(1000, 999, 0, SAMPLE_U8, SAMPLE_U16, 257000, 0, 999, true);
  /* An offset whose denominator does not fit. */
  check_fit(65000, 64999, 0.001, SAMPLE_U8, SAMPLE_U8, 65000, 64.999f, 64999, false);
  check_fit(1.0 / 3, 2, 10, SAMPLE_U8, SAMPLE_U16, 1.0f / 3, 20, (float)(2 / 257.0), false);
}
END_TEST

START_TEST(fit_of_two_passes)
{
  const float ones[31] = {[0 ... 30] = 1};
  struct filter filter;

  ck_assert(filter_from_passes(&filter, "box:3", 3, ones, 1, 3, ones, 9, &error));
  filter.offset = 2;
  ck_assert(filter_fit(&filter, SAMPLE_U8, SAMPLE_U8, &error));
  check_pass(&filter.term[0].pass[0], ones, 0, 1, true);
  check_pass(&filter.term[0].pass[1], ones, 18, 9, true);
  ck_assert(term_is_exact(&filter.term[0], SAMPLE_U8));
  filter_free(&filter);
  /* 31 · 31 · 65535 is past 2^24: sums of integers, and the column pass divides … */
  ck_assert(filter_from_passes(&filter, "box:31", 31, ones, 1, 31, ones, 961, &error));
  ck_assert(filter_fit(&filter, SAMPLE_U16, SAMPLE_U16, &error));
  check_pass(&filter.term[0].pass[0], ones, 0, 1, true);
  check_pass(&filter.term[0].pass[1], ones, 0, 961, true);
  ck_assert(passes_sums(&filter.term[0].pass[0], &filter.term[0].pass[1], SAMPLE_U16) ==
            SUMS_INTEGER);
  filter_free(&filter);
  /* … but over float samples each divides. */
  ck_assert(filter_from_passes(&filter, "box:31", 31, ones, 1, 31, ones, 961, &error));
  ck_assert(filter_fit(&filter, SAMPLE_F32, SAMPLE_F32, &error));
  check_pass(&filter.term[0].pass[0], ones, 0, 31, true);
  check_pass(&filter.term[0].pass[1], ones, 0, 31, true);
  filter_free(&filter);
}
END_TEST

START_TEST(split_of_rank_one)
{
  const double binomial[] = {1, 2, 1, 2, 4, 2, 1, 2, 1}, twice[] = {0, 0, 0, 6, -4, 0, -9, 6, 0},
               sharpen[] = {0, -1, 0, -1, 5, -1, 0, -1, 0}, zeros[] = {0, 0, 0, 0},
               line[] = {1, 2, 1};
  struct filter filter = make(3, 3, binomial, 16, 0), split;

  filter.offset = 1;
  ck_assert(filter_fit(&filter, SAMPLE_U8, SAMPLE_U8, &error));
  ck_assert(filter_split(&filter, SAMPLE_U8, &split));
  ck_assert_uint_eq(split.term[0].passes, 2);
  check_pass(&split.term[0].pass[0], (const float[]){1, 2, 1}, 0, 1, true);
  check_pass(&split.term[0].pass[1], (const float[]){1, 2, 1}, 16, 16, true);
  ck_assert(!filter_split(&split, SAMPLE_U8, &split));
  filter_free(&split);
  ck_assert(!filter_split(&filter, SAMPLE_F32, &split));
  filter_free(&filter);
  filter = make(3, 3, twice, 1, 0);
  filter.term[0].pass[0].anchor_x = 0;
  filter.term[0].pass[0].anchor_y = 2;
  ck_assert(filter_split(&filter, SAMPLE_U8, &split));
  check_pass(&split.term[0].pass[0], (const float[]){3, -2, 0}, 0, 1, true);
  check_pass(&split.term[0].pass[1], (const float[]){0, 2, -3}, 0, 1, true);
  ck_assert(split.term[0].pass[0].anchor_x == 0 && split.term[0].pass[1].anchor_y == 2);
  filter_free(&split);
  filter_free(&filter);
  filter = make(3, 3, sharpen, 1, 0);
  ck_assert(!filter_split(&filter, SAMPLE_U8, &split));
  filter_free(&filter);
  filter = make(2, 2, zeros, 1, 0);
  ck_assert(!filter_split(&filter, SAMPLE_U8, &split));
  filter_free(&filter);
  filter = make(3, 1, line, 1, 0);
  ck_assert(!filter_split(&filter, SAMPLE_U8, &split));
  filter_free(&filter);
}
END_TEST

START_TEST(copies_and_chains_own_what_they_hold)
{
  const double typed[] = {1, 2};
  struct filter filter = make(2, 1, typed, 1, 3), copy;
  struct chain chain = {NULL, 0};

  ck_assert(filter_copy(&copy, &filter, &error));
  ck_assert(copy.name != filter.name && copy.term[0].pass[0].taps != filter.term[0].pass[0].taps);
  check_pass(&copy.term[0].pass[0], (const float[]){1, 2}, 0, 1, true);
  ck_assert_double_eq(copy.offset, 3);
  ck_assert(chain_append(&chain, &filter, &error) && chain_append(&chain, &copy, &error));
  ck_assert_ptr_null(filter.name);
  ck_assert_uint_eq(chain.count, 2);
  chain_free(&chain);
  chain_free(&chain);
}
END_TEST

int main(void)
{
  TCase *numbers = tcase_create("numbers");

  tcase_add_test(numbers, taps_become_integers);
  tcase_add_test(numbers, wrong_taps_are_refused);
  tcase_add_test(numbers, measures);
  tcase_add_test(numbers, scale_takes_the_place_of_the_one_given);
  tcase_add_test(numbers, normalize_divides_by_the_sum);
  tcase_add_test(numbers, exactness_ends_at_2_to_the_24);
  tcase_add_test(numbers, fit_folds_offset_and_depth);
  tcase_add_test(numbers, fit_of_two_passes);
  tcase_add_test(numbers, split_of_rank_one);
  tcase_add_test(numbers, copies_and_chains_own_what_they_hold);
  return unit_run("filter", numbers);
}
