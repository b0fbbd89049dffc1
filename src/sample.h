/* The ending of every result: bias, quotient, absolute value, rounding, range.  Written once, for
   host and device; the vector path follows it operation by operation. */
#ifndef HALO_SAMPLE_H
#define HALO_SAMPLE_H

#include <math.h>
#include <stdbool.h>

#include "border.h" /* HALO_HOST_DEVICE */

struct ending {
  float bias;    /* added to the sum */
  float scale;   /* divides it */
  float inverse; /* 1 / scale, rounded to nearest */
  float white;   /* results are held to 0 … white; 0 for float results, which are held to nothing */
  bool absolute; /* |result| */
};

/* sum / scale, correctly rounded: one Newton step on the rounded product (Markstein 1990: with
   q within an ulp and the correctly rounded inverse, the step gives the nearest float).  Where sum
   and scale are integers under 2^24 the result, rounded half to even, is then the rational number
   rounded half to even, which sum · inverse alone misses for one scale in five.  An infinite sum
   stays what it is: its remainder is no number, and is left out. */
HALO_HOST_DEVICE static inline float sample_quotient(float sum, float scale, float inverse)
{
  float q = sum * inverse;
  float remainder = fmaf(-q, scale, sum);

  return remainder == remainder ? fmaf(remainder, inverse, q) : q;
}

/* The result as a float: for integer samples already rounded half to even and within 0 … white,
   with 0 for NaN; for float samples the quotient itself. */
HALO_HOST_DEVICE static inline float sample_end(float sum, const struct ending *ending)
{
  float q = sample_quotient(sum + ending->bias, ending->scale, ending->inverse);

  if (ending->absolute)
    q = fabsf(q);
  if (ending->white == 0.0f)
    return q;
  q = q > 0.0f ? q : 0.0f; /* NaN fails the comparison */
  q = q < ending->white ? q : ending->white;
  return (q + 8388608.0f) - 8388608.0f; /* 2^23: nothing but the integer fits behind it */
}

#endif
