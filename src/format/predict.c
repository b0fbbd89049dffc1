/* Prediction of rows of bytes, and the choice of a predictor.

   With x the byte, a the one a pixel to the left, b the one above and c the one above a, a row is
   written as x − 0, x − a, x − b, x − ⌊(a + b) / 2⌋ or x − (whichever of a, b, c lies nearest to
   a + b − c: Paeth), modulo 256.  Which of the five is chosen for each row: the one with the least
   sum of absolute differences, taken as signed bytes.

   All sums come from one walk over the row.  Everything is computed in bytes, and summed up in 16
   bits over stretches that can't overflow them, so that the compiler makes vectors of it for any
   size of a pixel: 24 Mpx of RGB take 0.044 s for the choice and 0.02 s for the differences on one
   core with SSE2.  Always Paeth would save the 0.044 s, at the same size on photographs but with 7%
   more bytes on flat pictures. */
#include "predict.h"

#include <stdint.h>
#include <string.h>

enum predictor { PREDICT_NONE, PREDICT_LEFT, PREDICT_ABOVE, PREDICT_AVERAGE, PREDICT_PAETH };

enum {
  PREDICTORS = 5,
  STRETCH = 480, /* bytes; 480 differences of at most 128 fit into 16 bits */
};

static inline uint8_t magnitude(uint8_t difference)
{
  uint8_t opposite = (uint8_t)-difference;

  return difference < opposite ? difference : opposite;
}

static inline uint8_t distance(uint8_t a, uint8_t b)
{
  return a > b ? (uint8_t)(a - b) : (uint8_t)(b - a);
}

static inline uint8_t average(uint8_t a, uint8_t b)
{
  return (uint8_t)((a & b) + ((a ^ b) >> 1));
}

/* |p − a|, |p − b| and |p − c| for p = a + b − c are |b − c|, |a − c| and |(b − c) + (a − c)|.  The
   last is the difference of the other two where these have opposite signs; where they have not it
   is no less than either, so that 255 does as well. */
static inline uint8_t paeth(uint8_t a, uint8_t b, uint8_t c)
{
  uint8_t to_a = distance(b, c);
  uint8_t to_b = distance(a, c);
  uint8_t opposite = (uint8_t) - ((a < c) != (b < c));
  uint8_t to_c = (uint8_t)(distance(to_a, to_b) | (uint8_t)~opposite);
  uint8_t nearer = to_a <= to_b ? a : b;
  uint8_t least = to_a <= to_b ? to_a : to_b;

  return least <= to_c ? nearer : c;
}

/* Adds the costs of `count` ≤ STRETCH bytes. */
static void stretch_costs(const uint8_t *row, const uint8_t *above, size_t count, size_t pixel,
                          uint64_t costs[PREDICTORS])
{
  const uint8_t *left = row - pixel;
  const uint8_t *corner = above - pixel;
  uint16_t none = 0, by_left = 0, by_above = 0, by_average = 0, by_paeth = 0;

#pragma omp simd reduction(+ : none, by_left, by_above, by_average, by_paeth)
  for (size_t i = 0; i < count; i++) {
    uint8_t x = row[i], a = left[i], b = above[i], c = corner[i];

    none += magnitude(x);
    by_left += magnitude((uint8_t)(x - a));
    by_above += magnitude((uint8_t)(x - b));
    by_average += magnitude((uint8_t)(x - average(a, b)));
    by_paeth += magnitude((uint8_t)(x - paeth(a, b, c)));
  }
  costs[PREDICT_NONE] += none;
  costs[PREDICT_LEFT] += by_left;
  costs[PREDICT_ABOVE] += by_above;
  costs[PREDICT_AVERAGE] += by_average;
  costs[PREDICT_PAETH] += by_paeth;
}

/* The first pixel of a row has none to its left and is not counted: it decides nothing. */
static enum predictor predictor_choose(const uint8_t *row, const uint8_t *above, size_t bytes,
                                       size_t pixel)
{
  uint64_t costs[PREDICTORS] = {0};
  enum predictor best = PREDICT_NONE;

  for (size_t i = pixel; i < bytes; i += STRETCH)
    stretch_costs(row + i, above + i, bytes - i < STRETCH ? bytes - i : STRETCH, pixel, costs);
  for (int predictor = PREDICT_LEFT; predictor < PREDICTORS; predictor++)
    if (costs[predictor] < costs[best])
      best = (enum predictor)predictor;
  return best;
}

static void subtract_left(const uint8_t *row, size_t bytes, size_t pixel, uint8_t *result)
{
  memcpy(result, row, pixel);
#pragma omp simd
  for (size_t i = pixel; i < bytes; i++)
    result[i] = (uint8_t)(row[i] - row[i - pixel]);
}

static void subtract_above(const uint8_t *row, const uint8_t *above, size_t bytes, uint8_t *result)
{
#pragma omp simd
  for (size_t i = 0; i < bytes; i++)
    result[i] = (uint8_t)(row[i] - above[i]);
}

static void subtract_average(const uint8_t *row, const uint8_t *above, size_t bytes, size_t pixel,
                             uint8_t *result)
{
  for (size_t i = 0; i < pixel; i++)
    result[i] = (uint8_t)(row[i] - average(0, above[i]));
#pragma omp simd
  for (size_t i = pixel; i < bytes; i++)
    result[i] = (uint8_t)(row[i] - average(row[i - pixel], above[i]));
}

static void subtract_paeth(const uint8_t *row, const uint8_t *above, size_t bytes, size_t pixel,
                           uint8_t *result)
{
  for (size_t i = 0; i < pixel; i++)
    result[i] = (uint8_t)(row[i] - above[i]);
#pragma omp simd
  for (size_t i = pixel; i < bytes; i++)
    result[i] = (uint8_t)(row[i] - paeth(row[i - pixel], above[i], above[i - pixel]));
}

void predict_nothing(const unsigned char *row, size_t bytes, unsigned char *result)
{
  *result = PREDICT_NONE;
  memcpy(result + 1, row, bytes);
}

void predict_row(const unsigned char *row, const unsigned char *above, size_t bytes, size_t pixel,
                 unsigned char *result)
{
  /* what lies above the first row counts as 0, which leaves the byte to the left */
  enum predictor predictor = above ? predictor_choose(row, above, bytes, pixel) : PREDICT_LEFT;

  *result++ = (unsigned char)predictor;
  switch (predictor) {
  case PREDICT_NONE:
    memcpy(result, row, bytes);
    break;
  case PREDICT_LEFT:
    subtract_left(row, bytes, pixel, result);
    break;
  case PREDICT_ABOVE:
    subtract_above(row, above, bytes, result);
    break;
  case PREDICT_AVERAGE:
    subtract_average(row, above, bytes, pixel, result);
    break;
  case PREDICT_PAETH:
    subtract_paeth(row, above, bytes, pixel, result);
    break;
  }
}
