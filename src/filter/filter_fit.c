/* Fitting filters to samples: exactness, scale, offset and depth, and the split into two passes.

   Whatever changes a filter's gain or adds an offset is one multiplication by fractions, done on
   integers: with result = (Σ t · s / S + o) · g, o = a / b and g = c / d,

     taps t · b · c,   bias a · S · c,   scale S · b · d,

   all divided by what they have in common.  So the fit keeps a filter exact wherever that is
   possible at all; where the numbers don't fit, scale and bias become float32. */
#include "filter.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"

static double pass_sum_absolute(const struct pass *pass)
{
  double sum = 0;

  for (size_t i = 0; i < pass->width * pass->height; i++)
    sum += fabs((double)pass->taps[i]);
  return sum;
}

bool pass_is_exact(const struct pass *pass, enum sample_type type)
{
  double white = sample_white(type);

  return type != SAMPLE_F32 && pass->integral &&
         pass_sum_absolute(pass) * white + fabs((double)pass->bias) < FILTER_EXACT_LIMIT;
}

bool filter_is_exact(const struct filter *filter, enum sample_type type)
{
  const struct pass *row = &filter->pass[0], *column = &filter->pass[1];
  double sum;

  if (filter->passes == 1 || !pass_is_exact(row, type))
    return pass_is_exact(row, type);
  sum = pass_sum_absolute(row) * pass_sum_absolute(column);
  return column->integral && row->scale == 1 && row->bias == 0 &&
         sum * sample_white(type) + fabs((double)column->bias) < FILTER_EXACT_LIMIT;
}

/* The largest number that divides all taps of the pass. */
static long long pass_divisor(const struct pass *pass)
{
  wide common = 0;

  for (size_t i = 0; i < pass->width * pass->height && common != 1; i++)
    common = wide_gcd(common, (long long)pass->taps[i]);
  return (long long)common;
}

static bool wide_fits(wide value)
{
  return value < (wide)FILTER_EXACT_LIMIT && value > -(wide)FILTER_EXACT_LIMIT;
}

/* The integers of the fold: what the taps are multiplied by and then divided by, bias and scale. */
struct fold {
  wide times, over, bias, scale;
};

/* Finds them; false where the numbers would not fit in 24 bits. */
static bool fold_find(const struct pass *pass, struct ratio gain, struct ratio offset,
                      struct fold *fold)
{
  wide scale = (long long)pass->scale;

  if (!pass->integral || pass->bias != 0)
    return false;
  /* Numbers of 24, 60 and 17 bits; a gain typed with more (for --scale) could overflow. */
  if (__builtin_mul_overflow((wide)gain.numerator, (wide)offset.denominator, &fold->times) ||
      __builtin_mul_overflow(scale * gain.numerator, (wide)offset.numerator, &fold->bias) ||
      __builtin_mul_overflow(scale * gain.denominator, (wide)offset.denominator, &fold->scale) ||
      fold->times > ((wide)1 << 100) || fold->times < -((wide)1 << 100))
    return false;
  fold->over = wide_gcd(fold->times * pass_divisor(pass), wide_gcd(fold->bias, fold->scale));
  fold->bias /= fold->over;
  fold->scale /= fold->over;
  return wide_fits(fold->bias) && wide_fits(fold->scale) &&
         (double)fold->times / (double)fold->over * pass_sum_absolute(pass) < FILTER_EXACT_LIMIT &&
         -(double)fold->times / (double)fold->over * pass_sum_absolute(pass) < FILTER_EXACT_LIMIT;
}

static void fold_do(struct pass *pass, const struct fold *fold)
{
  for (size_t i = 0; i < pass->width * pass->height; i++)
    pass->taps[i] = (float)(long long)((long long)pass->taps[i] * fold->times / fold->over);
  pass->bias = (float)(long long)fold->bias;
  pass->scale = (float)(long long)fold->scale;
}

/* Where integers don't do: the taps stay, scale and bias become float32. */
static bool pass_fold_real(struct pass *pass, double gain, double offset, struct error *error)
{
  double bias = pass->bias + offset * pass->scale, scale = pass->scale / gain;

  pass->bias = (float)bias;
  pass->scale = (float)scale;
  pass->integral = pass->integral && pass->bias == bias && pass->scale == scale &&
                   rint(bias) == bias && rint(scale) == scale && fabs(bias) < FILTER_EXACT_LIMIT &&
                   fabs(scale) < FILTER_EXACT_LIMIT;
  if (!isfinite(pass->scale) || !isfinite(1 / pass->scale))
    return error_set(error, STATUS_USAGE, "the scale is too %s: %g",
                     fabs(scale) > 1 ? "large" : "small", scale);
  if (!isfinite(pass->bias))
    return error_set(error, STATUS_USAGE, "the offset is too large: %g", offset);
  return true;
}

/* Multiplies the filter's results by a fraction, in its last pass. */
static bool filter_multiply(struct filter *filter, double numerator, double denominator,
                            struct error *error)
{
  struct pass *pass = &filter->pass[filter->passes - 1];
  struct ratio gain;
  struct fold fold;

  if (ratio_quotient(numerator, denominator, &gain) &&
      fold_find(pass, gain, (struct ratio){0, 1}, &fold)) {
    fold_do(pass, &fold);
    return true;
  }
  return pass_fold_real(pass, numerator / denominator, 0, error);
}

bool filter_set_scale(struct filter *filter, double scale, struct error *error)
{
  if (scale == 0)
    return error_set(error, STATUS_USAGE, "the scale is 0, and sums are divided by it");
  if (!isfinite(scale))
    return error_set(error, STATUS_USAGE, "the scale must be finite");
  if (!filter_multiply(filter, filter->given_scale, scale, error))
    return false;
  filter->given_scale = scale;
  return true;
}

void filter_normalize(struct filter *filter)
{
  struct pass *last = &filter->pass[filter->passes - 1];
  struct pass before = *last; /* lends its taps */
  double sum = filter_sum(filter), scale = filter->pass[0].scale;
  struct error ignored;

  if (sum == 0 || fabs(sum) <= ldexp(filter_sum_absolute(filter), -20))
    return;
  if (filter->passes == 2)
    scale *= last->scale;
  if (filter_multiply(filter, scale, sum, &ignored))
    filter->given_scale *= sum / scale;
  else
    *last = before;
}

/* A row pass that doesn't divide is there for exactness.  Where the sums aren't exact anyway, let
   each pass divide by its own sum: the numbers between them stay small. */
static void filter_balance(struct filter *filter, enum sample_type type)
{
  struct pass *row = &filter->pass[0], *column = &filter->pass[1];
  double sum;

  if (filter->passes == 1 || row->scale != 1 || !row->integral || !column->integral ||
      filter_is_exact(filter, type))
    return;
  sum = pass_sum_absolute(row);
  if (sum > 0 && sum < FILTER_EXACT_LIMIT && fmod(column->scale, sum) == 0) {
    row->scale = (float)sum;
    column->scale = (float)(column->scale / sum);
  }
}

/* offset · white(from) / 255, in results of the filter before they are brought to `to`. */
static bool offset_ratio(double offset, enum sample_type from, struct ratio *ratio)
{
  if (from == SAMPLE_F32)
    return ratio_quotient(offset, 255, ratio);
  return ratio_of(offset, ratio) &&
         (from == SAMPLE_U8 || !__builtin_mul_overflow(ratio->numerator, 257LL, &ratio->numerator));
}

bool filter_fit(struct filter *filter, enum sample_type from, enum sample_type to,
                struct error *error)
{
  double white_from = sample_white(from), white_to = sample_white(to);
  struct pass *pass = &filter->pass[filter->passes - 1];
  struct filter before = *filter; /* lends its taps */
  double offset = filter->offset * white_from / 255;
  struct ratio gain, shift;
  struct fold fold;
  bool exact;

  filter_balance(filter, from);
  if (ratio_quotient(white_to, white_from, &gain) && offset_ratio(filter->offset, from, &shift) &&
      fold_find(pass, gain, shift, &fold)) {
    /* Sums that are exact now must not stop being so for the sake of an integral scale. */
    double sum = pass_sum_absolute(pass) * fabs((double)fold.times / (double)fold.over);

    if (filter->passes == 2)
      sum *= pass_sum_absolute(&filter->pass[0]);
    exact = sum * white_from + fabs((double)fold.bias) < FILTER_EXACT_LIMIT;
    if (exact || !filter_is_exact(filter, from)) {
      fold_do(pass, &fold);
      filter->offset = 0;
      return true;
    }
  }
  if (!pass_fold_real(pass, white_to / white_from, offset, error)) {
    *filter = before;
    return false;
  }
  filter->offset = 0;
  return true;
}

/* Finds the row that all rows of the pass are whole multiples of, and those multiples. */
static bool pass_factor(const struct pass *pass, float *row, float *column)
{
  size_t width = pass->width, first = 0;
  struct pass line = {.width = width, .height = 1};
  long long common;

  while (first < width * pass->height && pass->taps[first] == 0)
    first++;
  if (first == width * pass->height)
    return false;
  line.taps = pass->taps + first / width * width;
  common = pass_divisor(&line);
  for (size_t i = 0; i < width; i++)
    row[i] = (float)((long long)line.taps[i] / common);
  first %= width;
  for (size_t j = 0; j < pass->height; j++) {
    const float *taps = pass->taps + j * width;

    column[j] = rintf(taps[first] / row[first]);
    for (size_t i = 0; i < width; i++)
      if ((double)column[j] * row[i] != taps[i])
        return false;
  }
  return true;
}

bool filter_split(const struct filter *filter, enum sample_type type, struct filter *split)
{
  const struct pass *pass = &filter->pass[0];
  float *row = NULL, *column = NULL;
  struct error ignored;
  bool made = false;

  if (filter->passes != 1 || pass->width == 1 || pass->height == 1 || !pass_is_exact(pass, type))
    return false;
  row = malloc(pass->width * sizeof *row);
  column = malloc(pass->height * sizeof *column);
  if (!row || !column || !pass_factor(pass, row, column))
    goto free_factors;
  made = filter_from_passes(split, filter->name ? filter->name : "", pass->width, row, 1,
                            pass->height, column, pass->scale, &ignored);
  if (!made)
    goto free_factors;
  split->pass[0].anchor_x = pass->anchor_x;
  split->pass[1].anchor_y = pass->anchor_y;
  split->pass[1].bias = pass->bias;
  split->offset = filter->offset;
  split->given_scale = filter->given_scale;
  made = filter_is_exact(split, type);
  if (!made)
    filter_free(split);

free_factors:
  free(row);
  free(column);
  return made;
}
