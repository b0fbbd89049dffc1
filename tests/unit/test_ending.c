/* The ending of results that are no numbers, or infinite; sample.h.  Quotients of numbers are test_sample's. */
#include "sample.h"

#include <float.h>

#include "unit.h"

static const int whites[] = {255, 65535};

/* What is no number, or infinite, for results of each type, without and with the untying of wide
   scales. */
START_TEST(what_is_no_number)
{
  const float scales[] = {1, 3, 4, 257, 70001};

  for (int i = 0; i < 5; i++) {
    for (int w = 0; w < 2; w++) {
      struct ending plain = ending_make(5, scales[i], (float)whites[w], false);
      struct ending absolute = ending_make(5, scales[i], (float)whites[w], true);
      struct ending turned = ending_make(5, -scales[i], (float)whites[w], false);

      ck_assert(sample_end(NAN, &plain) == 0 && sample_end(NAN, &absolute) == 0);
      ck_assert(sample_end(INFINITY, &plain) == plain.white);
      ck_assert(sample_end(-INFINITY, &plain) == 0);
      ck_assert(sample_end(INFINITY, &turned) == 0);
      ck_assert(sample_end(-INFINITY, &turned) == plain.white);
      ck_assert(sample_end(-INFINITY, &absolute) == plain.white);
      ck_assert(sample_end(FLT_MAX, &plain) == plain.white && sample_end(-FLT_MAX, &plain) == 0);
    }
    {
      struct ending plain = ending_make(5, scales[i], 0, false);
      struct ending absolute = ending_make(5, scales[i], 0, true);

      ck_assert(isnan(sample_end(NAN, &plain)) && isnan(sample_end(NAN, &absolute)));
      ck_assert(sample_end(INFINITY, &plain) == INFINITY);
      ck_assert(sample_end(-INFINITY, &plain) == -INFINITY);
      ck_assert(sample_end(-INFINITY, &absolute) == INFINITY);
      ck_assert(sample_end(-5, &plain) == 0);
    }
  }
}
END_TEST

/* A finite sum whose quotient is beyond the largest float. */
START_TEST(quotient_overflows)
{
  const struct ending limited[] = {ending_make(1e27f, 1e-12f, 255, false),
                                   ending_make(1e27f, 1e-12f, 65535, false)};
  const struct ending negative = ending_make(-1e27f, 1e-12f, 255, false);
  const struct ending unlimited = ending_make(1e27f, 1e-12f, 0, false);
  const struct ending absolute = ending_make(-1e27f, 1e-12f, 0, true);

  for (int i = 0; i < 2; i++)
    ck_assert(sample_end(100, &limited[i]) == limited[i].white);
  ck_assert(sample_end(100, &negative) == 0);
  ck_assert(sample_end(100, &unlimited) == INFINITY);
  ck_assert(sample_end(100, &absolute) == INFINITY);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("ending");

  tcase_add_test(test, what_is_no_number);
  tcase_add_test(test, quotient_overflows);
  return unit_run("ending", test);
}
