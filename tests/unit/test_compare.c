/* Comparing two results: compare.h. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "compare.h"
#include "unit.h"

static struct difference floats_compare(const float *one, const float *other, size_t count,
                                        float tolerance)
{
  struct shape shape = {.width = count, .height = 1, .channels = 1, .type = SAMPLE_F32};

  return rows_compare(&shape, one, 0, other, 0, tolerance);
}

START_TEST(same_samples_have_no_difference)
{
  const float one[] = {1, INFINITY, -INFINITY, NAN, -0.0f, 1e-45f};
  struct difference difference = floats_compare(one, one, 6, 0);

  ck_assert(!difference.found);
  ck_assert(difference.largest == 0);
}
END_TEST

START_TEST(nan_is_any_nan_and_nothing_else)
{
  const float nan[] = {NAN}, other_nan[] = {-NAN}, number[] = {7};
  struct difference difference;

  ck_assert(memcmp(nan, other_nan, sizeof nan) != 0);
  ck_assert(!floats_compare(nan, other_nan, 1, 0).found);
  difference = floats_compare(nan, number, 1, 1000);
  ck_assert(difference.found && isnan(difference.one) && difference.other == 7);
  ck_assert(difference.largest == 0); /* it has no size */
}
END_TEST

START_TEST(infinity_is_only_itself)
{
  const float plus[] = {INFINITY}, minus[] = {-INFINITY}, number[] = {3e38f};

  ck_assert(!floats_compare(plus, plus, 1, 1).found);
  ck_assert(floats_compare(plus, minus, 1, 1).found);
  ck_assert(floats_compare(plus, number, 1, 1e38f).found);
}
END_TEST

START_TEST(without_tolerance_bits_decide)
{
  const float zero[] = {0, 1}, minus[] = {-0.0f, 1}, near[] = {0, 1.00000012f};

  ck_assert(floats_compare(zero, minus, 2, 0).found);
  ck_assert(!floats_compare(zero, minus, 2, 1e-9f).found);
  ck_assert(floats_compare(zero, near, 2, 0).found);
  ck_assert(!floats_compare(zero, near, 2, 1e-6f).found);
}
END_TEST

/* Two rows of three pixels of two channels, at different pitches; what lies between rows is no matter. */
START_TEST(first_difference_and_the_largest)
{
  const unsigned char one[] = {1, 2, 3, 4, 5, 6, 99, 7, 8, 9, 10, 11, 12};
  const unsigned char other[] = {1, 2, 3, 5, 5, 6, 0, 0, 7, 0, 8, 10, 1, 12};
  struct shape shape = {.width = 3, .height = 2, .channels = 2, .type = SAMPLE_U8};
  struct difference difference = rows_compare(&shape, one, 7, other, 8, 0);

  ck_assert(difference.found);
  ck_assert_uint_eq(difference.x, 1);
  ck_assert_uint_eq(difference.y, 0);
  ck_assert_uint_eq(difference.channel, 1);
  ck_assert(difference.one == 4 && difference.other == 5);
  ck_assert(difference.largest == 11 - 1);

  difference = rows_compare(&shape, one, 7, other, 8, 1); /* the first beyond the tolerance */
  ck_assert(difference.found && difference.y == 1 && difference.x == 0 && difference.channel == 1);
  ck_assert(difference.one == 8 && difference.other == 0);
  ck_assert(!rows_compare(&shape, one, 7, other, 8, 10).found);
  ck_assert(rows_compare(&shape, one, 7, other, 8, 10).largest == 10);
}
END_TEST

START_TEST(words)
{
  const uint16_t one[] = {0, 65535, 256}, other[] = {0, 65534, 256};
  struct shape shape = {.width = 1, .height = 1, .channels = 3, .type = SAMPLE_U16};
  struct difference difference = rows_compare(&shape, one, 6, other, 6, 0);

  ck_assert(difference.found && difference.channel == 1 && difference.largest == 1);
  ck_assert(!rows_compare(&shape, one, 6, other, 6, 1).found);
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("compare");

  tcase_add_test(all, same_samples_have_no_difference);
  tcase_add_test(all, nan_is_any_nan_and_nothing_else);
  tcase_add_test(all, infinity_is_only_itself);
  tcase_add_test(all, without_tolerance_bits_decide);
  tcase_add_test(all, first_difference_and_the_largest);
  tcase_add_test(all, words);
  return unit_run("compare", all);
}
