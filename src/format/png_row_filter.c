/* PNG's five row filters, and the choice among them.

   With x the byte, a the one a pixel to the left, b the one above and c the one above a, the filters
   write x (None), x − a (Sub), x − b (Up), x − ⌊(a + b) / 2⌋ (Average) or x − (whichever of a, b, c
   is nearest to a + b − c: Paeth), modulo 256.  Each row gets the filter with the least sum of absolute
   differences, taken as signed bytes: the choice that the specification recommends.

   One pass over the row makes all five sums.  It computes in bytes, and adds up in 16 bits over
   stretches short enough not to overflow them, so that the compiler vectorises it for any size of a
   pixel: 24 Mpx of RGB take 0.044 s for the choice and 0.02 s for the differences on one
   core with SSE2.  Always Paeth would save the 0.044 s, at the same size on photographs but with 7%
   more bytes on flat pictures. */
#include "png_row_filter.h"

#include <stdint.h>
#include <string.h>

enum row_filter { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH };

enum {
  FILTERS = 5,
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
   last is the difference of the other two where these have opposite signs; where the signs agree it
   is no less than either of them, so that 255 gives the same choice. */
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
                          uint64_t costs[FILTERS])
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
  costs[FILTER_NONE] += none;
  costs[FILTER_SUB] += by_left;
  costs[FILTER_UP] += by_above;
  costs[FILTER_AVERAGE] += by_average;
  costs[FILTER_PAETH] += by_paeth;
}

/* The filter with the least sum.  The first pixel of a row is left out of the sums, since it has none
   to its left. */
static enum row_filter filter_choose(const uint8_t *row, const uint8_t *above, size_t bytes,
                                     size_t pixel)
{
  uint64_t costs[FILTERS] = {0};
  enum row_filter best = FILTER_NONE;

  for (size_t i = pixel; i < bytes; i += STRETCH)
    stretch_costs(row + i, above + i, bytes - i < STRETCH ? bytes - i : STRETCH, pixel, costs);
  for (int filter = FILTER_SUB; filter < FILTERS; filter++)
    if (costs[filter] < costs[best])
      best = (enum row_filter)filter;
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

void png_row_filter_none(const unsigned char *row, size_t bytes, unsigned char *result)
{
  *result = FILTER_NONE;
  memcpy(result + 1, row, bytes);
}

void png_row_filter(const unsigned char *row, const unsigned char *above, size_t bytes,
                    size_t pixel, unsigned char *result)
{
  /* what lies above the first row counts as 0, which leaves the byte to the left */
  enum row_filter filter = above ? filter_choose(row, above, bytes, pixel) : FILTER_SUB;

  *result++ = (unsigned char)filter;
  switch (filter) {
  case FILTER_NONE:
    memcpy(result, row, bytes);
    break;
  case FILTER_SUB:
    subtract_left(row, bytes, pixel, result);
    break;
  case FILTER_UP:
    subtract_above(row, above, bytes, result);
    break;
  case FILTER_AVERAGE:
    subtract_average(row, above, bytes, pixel, result);
    break;
  case FILTER_PAETH:
    subtract_paeth(row, above, bytes, pixel, result);
    break;
  }
}
