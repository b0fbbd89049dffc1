/* Comparing two results: see compare.h. */
#include "compare.h"

#include <math.h>
#include <string.h>

static bool sample_same(float one, float other, float tolerance)
{
  return memcmp(&one, &other, sizeof one) == 0 || (isnan(one) && isnan(other)) ||
         (tolerance > 0 && fabsf(one - other) <= tolerance);
}

/* Compares one row whose bytes are known to differ. */
static void row_compare(struct difference *difference, const struct shape *shape, const void *one,
                        const void *other, size_t y, float tolerance)
{
  for (size_t i = 0; i < shape->width * shape->channels; i++) {
    float a = sample_load(one, i, shape->type), b = sample_load(other, i, shape->type);
    double size = fabs((double)a - (double)b);

    if (isfinite(size))
      difference->largest = fmax(difference->largest, size);
    if (difference->found || sample_same(a, b, tolerance))
      continue;
    difference->found = true;
    difference->x = i / shape->channels;
    difference->y = y;
    difference->channel = i % shape->channels;
    difference->one = a;
    difference->other = b;
  }
}

struct difference rows_compare(const struct shape *shape, const void *one, size_t one_pitch,
                               const void *other, size_t other_pitch, float tolerance)
{
  size_t bytes = shape->width * shape->channels * sample_bytes(shape->type);
  struct difference difference = {.found = false};

  for (size_t y = 0; y < shape->height; y++) {
    const char *a = (const char *)one + y * one_pitch, *b = (const char *)other + y * other_pitch;

    if (memcmp(a, b, bytes) != 0)
      row_compare(&difference, shape, a, b, y, tolerance);
  }
  return difference;
}
