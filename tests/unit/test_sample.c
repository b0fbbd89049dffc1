/* The ending of every result, sample.h, against rational arithmetic.

   The heart is every quotient: for each scale from 1 to 4096 and both depths every integer sum,
   |sum| < 2^24, whose result is not held to the range.  No division judges a division: r is
   sum / scale rounded half to even if and only if |2 (sum − r · scale)| < scale, or they are equal
   and r is even.  fmaf computes that difference exactly where it is small, and never makes a large
   one small.  Sums whose result is held to 0 or white are tried one by one for two scales beyond
   the range, and then at growing steps to the end: a quotient that only grows stays there.

   That is 7 · 10^10 quotients, a minute's work for vector units with fused multiply-add.  Where
   there are none, or the compiler was told not to optimise, only some scales are tried, and the
   output says so. */

/* Comparisons that can't trap become vector code. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-trapping-math")
#endif

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "sample.h"
#include "unit.h"

enum { SCALES = 4096, SUM_END = 1 << 24 /* every |sum| lies below */, CHUNK = 1 << 16 };

/* Builds in which nothing becomes vector code, or calls of fmaf stay calls. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if !defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer) ||   \
    __has_feature(undefined_behavior_sanitizer)
#define SLOW_BUILD 1
#define VECTORS
#else
#define SLOW_BUILD 0
#define VECTORS _Pragma("omp simd reduction(| : wrong)")
#endif

/* Sums first … last whose results are to be right without being held to the range. */
struct range {
  struct ending ending;
  int first, last;
};

/* Not 0 if a result of `count` sums from `first` on is wrong.  The last three repeat what the ending
   says, as constants. */
static inline __attribute__((always_inline)) int chunk_is_wrong(const struct ending *given,
                                                                int first, int count, float white,
                                                                bool wide, bool absolute)
{
  struct ending ending = *given;
  int wrong = 0;

  ending.white = white;
  ending.wide = wide;
  ending.absolute = absolute;
  VECTORS
  for (int i = 0; i < count; i++) {
    float sum = (float)(first + i), value = sum + ending.bias;
    float result = sample_end(sum, &ending);
    float twice;

    value = absolute ? fabsf(value) : value;
    twice = 2 * fabsf(fmaf(-result, ending.scale, value));
    wrong |= (int)(twice > ending.scale) | ((int)(twice == ending.scale) & (int)result);
  }
  return wrong & 1;
}

static inline __attribute__((always_inline)) int chunk_try(const struct ending *ending, int first,
                                                           int count)
{
  switch ((ending->white == 255) * 4 + ending->wide * 2 + ending->absolute) {
  case 0:
    return chunk_is_wrong(ending, first, count, 65535, false, false);
  case 1:
    return chunk_is_wrong(ending, first, count, 65535, false, true);
  case 2:
    return chunk_is_wrong(ending, first, count, 65535, true, false);
  case 3:
    return chunk_is_wrong(ending, first, count, 65535, true, true);
  case 4:
    return chunk_is_wrong(ending, first, count, 255, false, false);
  case 5:
    return chunk_is_wrong(ending, first, count, 255, false, true);
  }
  return 1; /* no scale up to SCALES is wide at 8 bits */
}

static int chunk_plain(const struct ending *ending, int first, int count)
{
  return chunk_try(ending, first, count);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static int chunk_avx2(const struct ending *ending, int first,
                                                          int count)
{
  return chunk_try(ending, first, count);
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) static int
chunk_avx512(const struct ending *ending, int first, int count)
{
  return chunk_try(ending, first, count);
}
#endif

static int (*chunk)(const struct ending *ending, int first, int count) = chunk_plain;
static int scale_step = 1; /* every how many scales one is tried */

/* Takes the vector units that are there. */
static void chunk_choose(void)
{
#ifdef __x86_64__
  bool vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

  if (vectors)
    chunk = chunk_avx2;
  if (vectors && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    chunk = chunk_avx512;
#elif defined __FP_FAST_FMAF
  bool vectors = true;
#else
  bool vectors = false;
#endif
  if (!vectors || SLOW_BUILD) {
    scale_step = 509;
    printf("SKIP: %s: only every %dth scale is tried\n",
           vectors ? "this build is a slow one" : "no fused multiply-add here", scale_step);
  }
}

/* The first wrong sum of the range into *sum; false where all are right. */
static bool range_is_wrong(const struct range *range, int *sum)
{
  for (int first = range->first; first <= range->last; first += CHUNK) {
    int count = range->last - first < CHUNK ? range->last - first + 1 : CHUNK;

    if (!chunk(&range->ending, first, count))
      continue;
    for (*sum = first; !chunk_plain(&range->ending, *sum, 1) && *sum < first + count - 1;)
      ++*sum;
    return true;
  }
  return false;
}

/* The sums, |sum| < 2^24, whose rational number is rounded into 0 … white: those with
   −scale ≤ 2 (sum + bias) < (2 white + 1) scale; with `absolute` as many below 0. */
static struct range range_make(int scale, int white, int bias, bool absolute)
{
  struct range range = {
      .ending = ending_make((float)bias, (float)scale, (float)white, absolute),
  };
  int64_t last = ((2 * (int64_t)white + 1) * scale - 1) / 2;
  int64_t first = absolute ? -last : -(scale / 2);
  int64_t limit = SUM_END - 1 - abs(bias);

  range.first = (int)((first < -limit ? -limit : first) - bias);
  range.last = (int)((last > limit ? limit : last) - bias);
  return range;
}

/* What the threads find together. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failures;
static long long quotients;

static void range_check(const struct range *range)
{
  int sum;

  if (!range_is_wrong(range, &sum))
    return;
  pthread_mutex_lock(&lock);
  if (++failures <= 10)
    printf("(%d + %g) / %g: %.9g is not it\n", sum, range->ending.bias, range->ending.scale,
           sample_end((float)sum, &range->ending));
  pthread_mutex_unlock(&lock);
}

/* What lies above the range is white, what lies below is 0. */
static void ends_check(const struct range *range)
{
  int64_t scale = (int64_t)range->ending.scale, wrong = 0;

  for (int64_t i = 1, sum; (sum = range->last + i) < SUM_END; i += i < 2 * scale ? 1 : 1 + i / 50)
    wrong += sample_end((float)sum, &range->ending) != range->ending.white;
  for (int64_t i = 1, sum; (sum = range->first - i) > -SUM_END; i += i < 2 * scale ? 1 : 1 + i / 50)
    wrong += sample_end((float)sum, &range->ending) != 0;
  wrong += sample_end(-(float)(SUM_END - 1), &range->ending) != 0;
  if (wrong == 0)
    return;
  pthread_mutex_lock(&lock);
  ++failures;
  printf("scale %lld, white %g: %lld results beyond the range are within\n", (long long)scale,
         range->ending.white, (long long)wrong);
  pthread_mutex_unlock(&lock);
}

/* Tries scales 1, 1 + step, … on all cores. */
static void scales_try(int step, void (*scale_try)(void *context, size_t index), void *context)
{
  struct team *team = team_start(parallel_cores());

  failures = 0;
  quotients = 0;
  team_loop(team, (size_t)((SCALES - 1) / step + 1), scale_try, context);
  team_stop(team);
}

static const int whites[] = {255, 65535};

static void scale_try_quotients(void *white, size_t index)
{
  struct range range = range_make(1 + (int)index * scale_step, *(const int *)white, 0, false);

  range_check(&range);
  ends_check(&range);
  pthread_mutex_lock(&lock);
  quotients += range.last - range.first + 1;
  pthread_mutex_unlock(&lock);
}

START_TEST(every_quotient_is_the_rational_number)
{
  int white = whites[_i];

  scales_try(scale_step, scale_try_quotients, &white);
  printf("white %d: %lld quotients\n", white, quotients);
  ck_assert_int_eq(failures, 0);
}
END_TEST

static void scale_try_biases(void *step, size_t index)
{
  int scale = 1 + (int)index * *(const int *)step;
  const int biases[] = {0, 128 * scale, -777, 12345, -scale};

  for (int i = 0; i < 2; i++) {
    for (int b = 0; b < 5; b++) {
      struct range straight = range_make(scale, whites[i], biases[b], false);
      struct range absolute = range_make(scale, whites[i], biases[b], true);

      range_check(&straight);
      range_check(&absolute);
    }
  }
}

START_TEST(bias_is_added_and_absolute_has_no_sign)
{
  int step = scale_step > 1 ? 4 * scale_step : 97;

  scales_try(step, scale_try_biases, &step);
  ck_assert_int_eq(failures, 0);
}
END_TEST

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t random_next(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t random_seed(void)
{
  const char *text = getenv("HALO_SEED");

  return text ? strtoull(text, NULL, 0) : 20252;
}

/* One quotient in 64-bit integers; sum and scale change their signs together. */
static void quotient_check(int64_t sum, int64_t scale, int white, bool negative)
{
  float sign = negative ? -1.0f : 1.0f;
  struct ending ending = ending_make(0, sign * (float)scale, (float)white, false);
  float result = sample_end(sign * (float)sum, &ending);
  int64_t twice = llabs(2 * (sum - (int64_t)result * scale));
  bool right = twice < scale || (twice == scale && (int64_t)result % 2 == 0);

  if (2 * sum >= (2 * (int64_t)white + 1) * scale)
    right = result == (float)white;
  ck_assert_msg(right && result == rintf(result), "%lld / %lld to 0 ... %d: %.9g is not it",
                (long long)sum, (long long)scale, white, result);
}

/* Scales of 13 to 24 bits, each length as often; sums at and beside an exact tie, or anywhere. */
START_TEST(larger_scales_around_ties)
{
  uint64_t seed = random_seed();

  printf("larger scales: HALO_SEED=%llu\n", (unsigned long long)seed);
  for (long i = 0; i < 1L << (SLOW_BUILD ? 16 : 22); i++) {
    unsigned bits = 12 + (unsigned)(random_next(&seed) % 12);
    int64_t scale = (1 << bits) + (int64_t)(random_next(&seed) % (1u << bits));
    int white = whites[random_next(&seed) % 2];
    int64_t most = (SUM_END - 1) / scale, level;

    most = most < white ? most : white;
    level = (int64_t)(random_next(&seed) % (uint64_t)(most + 1));
    for (int64_t beside = -1; beside <= 2; beside++) {
      int64_t sum = (2 * level + 1) * scale / 2 + beside;

      quotient_check(sum < SUM_END ? sum : SUM_END - 1, scale, white, i % 8 == 0);
    }
    quotient_check((int64_t)(random_next(&seed) % SUM_END), scale, white, i % 8 == 0);
  }
}
END_TEST

/* 53 bits are more than twice 24 and two more, so that a double's quotient rounded to a float is the
   quotient rounded to a float. */
START_TEST(float_results_are_quotients)
{
  uint64_t seed = random_seed();

  printf("float quotients: HALO_SEED=%llu\n", (unsigned long long)seed);
  for (long i = 0; i < 1L << (SLOW_BUILD ? 16 : 22); i++) {
    int64_t scale = 1 + (int64_t)(random_next(&seed) >> (40 + random_next(&seed) % 24));
    int64_t sum = (int64_t)(random_next(&seed) % (2 * SUM_END - 1)) - (SUM_END - 1);
    struct ending ending = ending_make(0, (float)scale, 0, false);
    float expected = (float)((double)sum / (double)scale), got = sample_end((float)sum, &ending);

    ck_assert_msg(got == expected, "%lld / %lld: %.9g and not %.9g", (long long)sum,
                  (long long)scale, got, expected);
    ending.absolute = true;
    ck_assert(sample_end((float)sum, &ending) == fabsf(expected));
  }
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("ending");

  chunk_choose();
  fflush(stdout);
  tcase_add_loop_test(all, every_quotient_is_the_rational_number, 0, 2);
  tcase_add_test(all, bias_is_added_and_absolute_has_no_sign);
  tcase_add_test(all, larger_scales_around_ties);
  tcase_add_test(all, float_results_are_quotients);
  tcase_set_timeout(all, 900);
  return unit_run("sample", all);
}
