/* From numbers to filters: taps as they were typed become integers where that can be. */
#include "filter_taps.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"

/* The common denominator: the lowest power of ten among taps and scale, those that are 0 left out. */
static int taps_base(const struct decimal *decimals, size_t count)
{
  int base = INT_MAX;

  for (size_t i = 0; i < count; i++)
    if (decimals[i].digits != 0 && decimals[i].exponent < base)
      base = decimals[i].exponent;
  return base;
}

/* Makes integers of `count` decimals (the last is the scale), with no common divisor.  False where
   they don't fit: the sum of the taps' absolute values stays under 2^24, the scale under 2^52. */
static bool taps_integers(const struct decimal *decimals, size_t count, float *taps, double *scale)
{
  int base = taps_base(decimals, count);
  long long value, sum = 0;
  wide common = 0;

  for (size_t i = 0; i < count; i++) {
    if (!decimal_scaled(decimals[i], base, &value))
      return false;
    common = wide_gcd(common, value);
  }
  for (size_t i = 0; i < count; i++) {
    decimal_scaled(decimals[i], base, &value);
    value /= (long long)common;
    if (i + 1 == count) {
      *scale = (double)value;
      return llabs(value) < (long long)FILTER_INTEGER_LIMIT;
    }
    taps[i] = (float)value;
    if (llabs(value) >= (long long)FILTER_EXACT_LIMIT)
      return false;
    sum += llabs(value);
    if (sum >= (long long)FILTER_EXACT_LIMIT)
      return false;
  }
  return true;
}

/* Taps and scale as they are, in float32. */
static bool taps_real(const double *values, size_t count, double given, float *taps, double *scale,
                      struct error *error)
{
  double largest = 0;

  for (size_t i = 0; i < count; i++) {
    largest = fmax(largest, fabs(values[i]));
    taps[i] = (float)values[i];
  }
  if (largest > FLT_MAX || (largest > 0 && largest < FLT_MIN))
    return error_set(error, STATUS_USAGE, "the taps are too %s: %g at most",
                     largest > 1 ? "large" : "small", largest);
  *scale = (float)given; /* as the paths divide */
  if (!isfinite(*scale) || !isfinite(1 / (float)*scale))
    return error_set(error, STATUS_USAGE, "the scale is too %s: %g",
                     fabs(given) > 1 ? "large" : "small", given);
  return true;
}

/* Computes taps and scale of a pass whose memory was allocated. */
static bool pass_fill(struct pass *pass, const double *taps, double scale, struct error *error)
{
  size_t count = pass->width * pass->height;
  struct decimal *decimals = malloc((count + 1) * sizeof *decimals);
  bool filled;

  if (!decimals)
    return error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu", pass->width,
                     pass->height);
  for (size_t i = 0; i < count; i++)
    decimals[i] = decimal_of(taps[i]);
  decimals[count] = decimal_of(scale);
  pass->integral = taps_integers(decimals, count + 1, pass->taps, &pass->scale);
  filled = pass->integral || taps_real(taps, count, scale, pass->taps, &pass->scale, error);
  free(decimals);
  return filled;
}

bool filter_from_taps(struct filter *filter, const char *name, size_t width, size_t height,
                      const double *taps, double scale, double offset, struct error *error)
{
  struct pass *pass = &filter->term[0].pass[0];
  size_t count;

  memset(filter, 0, sizeof *filter);
  if (scale == 0)
    return error_set(error, STATUS_USAGE, "the scale is 0, and sums are divided by it");
  if (!isfinite(scale) || !isfinite(offset))
    return error_set(error, STATUS_USAGE, "scale and offset must be finite");
  if (__builtin_mul_overflow(width, height, &count) || count == 0 ||
      count >= SIZE_MAX / sizeof(struct decimal) - 1)
    return error_set(error, STATUS_USAGE, "a filter can't have %zu by %zu taps", width, height);
  for (size_t i = 0; i < count; i++)
    if (!isfinite(taps[i]))
      return error_set(error, STATUS_USAGE, "a tap isn't finite");
  *pass = (struct pass){
      .width = width, .height = height, .anchor_x = width / 2, .anchor_y = height / 2};
  filter->terms = 1;
  filter->term[0].passes = 1;
  filter->term[0].weight = 1;
  filter->scale = 1;
  filter->offset = offset;
  filter->given_scale = scale;
  filter->name = strdup(name);
  pass->taps = malloc(count * sizeof *pass->taps);
  if (!filter->name || !pass->taps) {
    error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu", width, height);
    goto free_filter;
  }
  if (!pass_fill(pass, taps, scale, error))
    goto free_filter;
  return true;

free_filter:
  filter_free(filter);
  return false;
}

/* Makes one pass of a separable filter; its anchor is the middle. */
static bool pass_make(struct pass *pass, size_t width, size_t height, const float *taps,
                      double scale)
{
  size_t count = width * height;

  pass->taps = count <= SIZE_MAX / sizeof *taps ? malloc(count * sizeof *taps) : NULL;
  if (!pass->taps)
    return false;
  memcpy(pass->taps, taps, count * sizeof *taps);
  pass->width = width;
  pass->height = height;
  pass->anchor_x = width / 2;
  pass->anchor_y = height / 2;
  pass->bias = 0;
  pass->scale = scale;
  pass->integral = rint(scale) == scale && fabs(scale) < FILTER_INTEGER_LIMIT;
  for (size_t i = 0; i < count && pass->integral; i++)
    pass->integral = rintf(taps[i]) == taps[i] && fabsf(taps[i]) < FILTER_EXACT_LIMIT;
  return true;
}

bool filter_from_passes(struct filter *filter, const char *name, size_t width,
                        const float *row_taps, double row_scale, size_t height,
                        const float *column_taps, double column_scale, struct error *error)
{
  memset(filter, 0, sizeof *filter);
  filter->terms = 1;
  filter->term[0].passes = 2;
  filter->term[0].weight = 1;
  filter->scale = 1;
  filter->given_scale = row_scale * column_scale;
  filter->name = strdup(name);
  if (!filter->name || !pass_make(&filter->term[0].pass[0], width, 1, row_taps, row_scale) ||
      !pass_make(&filter->term[0].pass[1], 1, height, column_taps, column_scale)) {
    filter_free(filter);
    return error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu", width, height);
  }
  return true;
}
