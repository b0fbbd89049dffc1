/* The ending of every result (elsewhere called epilogue): bias, quotient, absolute value, rounding, range.
   Written once, for host and device; the vector path follows it operation by operation. */
#ifndef HALO_SAMPLE_H
#define HALO_SAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "border.h" /* HALO_HOST_DEVICE */

#define HALO_INFINITY __builtin_huge_valf() /* INFINITY, in a form that device code takes too */

struct ending {
  float bias;    /* added to the sum */
  float scale;   /* divides it */
  float inverse; /* 1 / scale, rounded to nearest */
  float white; /* results are clamped to 0 … white; 0 for float results, which are not clamped */
  bool absolute; /* |result| */
  bool wide;     /* the float quotient can be a tie (n + ½) where the exact one is none */
};

/* The ending for results that are clamped to 0 … white, or not clamped where white is 0.

   A quotient q is rounded twice: to a float, then to an integer.  The first can move it onto n + ½
   only where half an ulp of q reaches the least distance of sum / scale from there, 1 / (2 · scale):
   that is where scale times the power of two in q exceeds 2^23.  Below white that takes a scale
   over 65,536 for 8 bits, over 256 for 16 bits; and none that is a power of two, since then q is
   exact. */
HALO_HOST_DEVICE static inline struct ending ending_make(float bias, float scale, float white,
                                                         bool absolute)
{
  struct ending ending;
  int exponent;

  ending.bias = bias;
  ending.scale = scale;
  ending.inverse = 1.0f / scale;
  ending.white = white;
  ending.absolute = absolute;
  ending.wide = fabsf(scale) * (white + 1.0f) > 16777216.0f && white > 0.0f &&
                fabsf(frexpf(scale, &exponent)) != 0.5f;
  return ending;
}

/* sum / scale, correctly rounded: one Newton step on the rounded product (Markstein 1990: with
   q within an ulp and the correctly rounded inverse, the step gives the nearest float).  Where sum
   and scale are integers, |sum| under 2^24, the result, rounded half to even, is then the rational
   number rounded half to even (but for what ending_make() says of `wide`), which sum · inverse alone
   misses for one scale in five.

   Where the product is infinite, because the sum is or because the quotient overflows, the quotient is
   infinite.  The remainder is then infinite or NaN, and a step by it would make NaN of the result. */
HALO_HOST_DEVICE static inline float sample_quotient(float sum, float scale, float inverse)
{
  float q = sum * inverse;
  float remainder = fmaf(-q, scale, sum);

  return fabsf(remainder) < HALO_INFINITY ? fmaf(remainder, inverse, q) : q;
}

/* Rounds half to even; right for 0 ≤ |value| < 2^22. */
HALO_HOST_DEVICE static inline float sample_round(float value)
{
  return (value + 12582912.0f) - 12582912.0f; /* 1.5 · 2^23: floats there have no fraction */
}

/* Where the float quotient q is a tie (n + ½) and the exact sum / scale is not, moves q to the side on which
   sum / scale lies. */
HALO_HOST_DEVICE static inline float sample_untie(float q, float sum, float scale, float inverse)
{
  float beside = fmaf(-q, scale, sum) * inverse; /* sum / scale − q, at least its sign */

  if (fabsf(q - sample_round(q)) == 0.5f && beside != 0.0f)
    q += beside > 0.0f ? 0.25f : -0.25f;
  return q;
}

/* The result as a float: for integer samples already rounded half to even and within 0 … white,
   with 0 for NaN; for float samples the quotient itself. */
HALO_HOST_DEVICE static inline float sample_end(float sum, const struct ending *ending)
{
  float biased = sum + ending->bias;
  float q = sample_quotient(biased, ending->scale, ending->inverse);

  if (ending->wide)
    q = sample_untie(q, biased, ending->scale, ending->inverse);
  if (ending->absolute)
    q = fabsf(q);
  if (ending->white == 0.0f)
    return q;
  q = q > 0.0f ? q : 0.0f; /* NaN fails the comparison */
  q = q < ending->white ? q : ending->white;
  return sample_round(q);
}

/* The ending of sums of integers that float32 may not hold: (sum + bias) / scale as a rational number, rounded
   once.  |sum + bias| and scale are under 2^53. */
struct integer_ending {
  int64_t bias, scale; /* scale is above 0 … */
  bool negate;         /* … and the sum changes its sign where the filter's is not */
  double inverse;      /* 1 / scale */
  float white;         /* as in struct ending */
  bool absolute;
};

HALO_HOST_DEVICE static inline struct integer_ending integer_ending_make(double bias, double scale,
                                                                         float white, bool absolute)
{
  struct integer_ending ending;

  ending.bias = (int64_t)bias;
  ending.scale = (int64_t)fabs(scale);
  ending.negate = scale < 0;
  ending.inverse = 1.0 / fabs(scale);
  ending.white = white;
  ending.absolute = absolute;
  return ending;
}

/* The result as a float, as sample_end() gives it.

   For integer samples the quotient is first estimated in double, to within one, and then corrected by the
   remainder, which is an exact integer. */
HALO_HOST_DEVICE static inline float integer_end(int64_t sum, const struct integer_ending *ending)
{
  int64_t value = ending->negate ? -(sum + ending->bias) : sum + ending->bias;
  int64_t quotient, remainder;

  if (ending->absolute && value < 0)
    value = -value;
  if (ending->white == 0.0f)
    return (float)((double)value / (double)ending->scale);
  if (value <= 0)
    return 0;
  if ((double)value * ending->inverse > (double)ending->white + 1)
    return ending->white;
  quotient = (int64_t)((double)value * ending->inverse);
  remainder = value - quotient * ending->scale;
  if (remainder < 0) {
    quotient--;
    remainder += ending->scale;
  } else if (remainder >= ending->scale) {
    quotient++;
    remainder -= ending->scale;
  }
  quotient +=
      2 * remainder > ending->scale || (2 * remainder == ending->scale && (quotient & 1) != 0);
  return quotient < (int64_t)ending->white ? (float)quotient : ending->white;
}

#endif
