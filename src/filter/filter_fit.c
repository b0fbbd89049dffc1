/* Fitting filters to samples: scale, offset and depth as changes of taps, bias and scale.

   An example: the 3×3 box, nine taps of 1 and the scale 9, on 8-bit samples, with --offset=10 and
   --depth=16.  A level of 8 bits is 257 levels of 16 (65535 / 255), so the result is

     (Σ 1 · s / 9 + 10) · 257  =  (Σ 257 · s + 10 · 9 · 257) / 9  =  (Σ 257 · s + 23130) / 9

   The filter gets nine taps of 257, the bias 23130 and the scale 9.  All are integers, and the largest
   sum, 9 · 257 · 255 + 23130 = 612945, is under 2^24: every path computes it exactly, and rounds once.
   With --scale=4.5 in place of the 9, results are doubled first: taps of 2 and the scale 9, which then
   become 514 and 9.  With --offset=0.5, a fraction, all is doubled so that it stays an integer: taps
   of 514, the bias 2313, the scale 18.

   In general a result is multiplied by a gain g = c / d and an offset o = a / b is added before that,
   (Σ t · s / S + o) · g, which is

     taps t · b · c,   bias a · S · c,   scale S · b · d,

   all divided by their greatest common divisor.  Where the taps then do not fit in 24 bits, or bias and scale
   not in 52, the taps stay, scale and bias become float32, and the filter is not exact any more. */
#include "filter_fit.h"

#include <math.h>
#include <stddef.h>

#include "decimal.h"

static bool wide_fits(wide value)
{
  return value < (wide)FILTER_INTEGER_LIMIT && value > -(wide)FILTER_INTEGER_LIMIT;
}

/* Gain and offset as integers: each tap is multiplied by `times` and divided by `over`, which leaves no
   rest; `bias` and `scale` are the new ones. */
struct fold {
  wide times, over, bias, scale;
};

/* Finds these integers; false where they do not fit: 24 bits for taps, 52 for bias and scale. */
static bool fold_find(const struct pass *pass, struct ratio gain, struct ratio offset,
                      struct fold *fold)
{
  wide scale = (long long)pass->scale;

  if (!pass->integral || pass->bias != 0)
    return false;
  /* Products of scale, offset and gain may have more than 128 bits. */
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
  pass->bias = (double)fold->bias;
  pass->scale = (double)fold->scale;
}

/* The value as float32 holds it.  Volatile, since GCC 12 leaves out the conversion where it makes one vector of
   two of them that are stored side by side. */
static double float_nearest(double value)
{
  volatile float nearest = (float)value;

  return nearest;
}

/* Where no such integers fit: the taps stay, scale and bias become float32. */
static bool pass_fold_real(struct pass *pass, double gain, double offset, struct error *error)
{
  double bias = pass->bias + offset * pass->scale, scale = pass->scale / gain;

  pass->bias = float_nearest(bias);
  pass->scale = float_nearest(scale);
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
  struct pass *pass = &filter->term[0].pass[filter->term[0].passes - 1];
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
  if (!filter_is_plain(filter))
    filter->scale *= scale / filter->given_scale;
  else if (!filter_multiply(filter, filter->given_scale, scale, error))
    return false;
  filter->given_scale = scale;
  return true;
}

void filter_normalize(struct filter *filter)
{
  struct term *term = &filter->term[0];
  struct pass *last = &term->pass[term->passes - 1];
  struct pass before = *last; /* to be put back; its taps are shared, not copied */
  double sum = term_sum(term), scale = term->pass[0].scale;
  double gain = filter_gain(filter);
  struct error ignored;

  if (filter_finds_edges(filter) || gain == 0)
    return;
  if (!filter_is_plain(filter)) {
    filter->scale *= gain;
    filter->given_scale *= gain;
    return;
  }
  if (term->passes == 2)
    scale *= last->scale;
  if (filter_multiply(filter, scale, sum, &ignored))
    filter->given_scale *= sum / scale;
  else
    *last = before;
}

/* A row pass does not divide (its scale is 1) so that its sums stay integers, and the column pass
   divides by both.  Where the sums are not exact anyway, each pass divides by the sum of its own taps:
   the numbers between the passes then stay small. */
static void term_balance(struct term *term, enum sample_type type)
{
  struct pass *row = &term->pass[0], *column = &term->pass[1];
  double sum;

  if (term->passes == 1 || row->scale != 1 || !row->integral || !column->integral ||
      passes_sums(row, column, type) == SUMS_INTEGER || term_is_exact(term, type))
    return;
  sum = pass_sum_absolute(row);
  if (sum > 0 && sum < FILTER_EXACT_LIMIT && fmod(column->scale, sum) == 0) {
    row->scale = sum;
    column->scale /= sum;
  }
}

/* The offset, in levels of 8 bits, in levels of the samples `from`: offset · white(from) / 255. */
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
  struct term *term = &filter->term[0];
  struct pass *pass = &term->pass[term->passes - 1];
  struct filter before = *filter; /* to be put back; its taps are shared, not copied */
  double offset = filter->offset * white_from / 255;
  struct ratio gain, shift;
  struct fold fold;

  if (!filter_is_plain(filter))
    return true;
  term_balance(term, from);
  if (ratio_quotient(white_to, white_from, &gain) && offset_ratio(filter->offset, from, &shift) &&
      fold_find(pass, gain, shift, &fold)) {
    fold_do(pass, &fold);
  } else if (!pass_fold_real(pass, white_to / white_from, offset, error)) {
    *filter = before;
    return false;
  }
  filter->offset = 0;
  return true;
}
