/* The table of computed presets, and those of two passes: box and gauss. */
#include "filter_generator.h"

#include <math.h>
#include <stdlib.h>

#include "filter_shape.h"
#include "filter_taps.h"

enum { GAUSS_SUM = 65536 /* of the taps of one pass: 255 times it is under 2^24 */ };

/* A row of W ones and a column of H ones, which divides by both. */
static bool make_box(struct filter *filter, const char *name, const double *arguments,
                     struct error *error)
{
  size_t width = (size_t)arguments[0], height = (size_t)arguments[1];
  double area = arguments[0] * arguments[1];
  size_t count = width > height ? width : height;
  float *ones = malloc(count * sizeof *ones);
  bool made;

  if (!ones)
    return error_set(error, STATUS_FAILED, "no memory for a box of %zu by %zu", width, height);
  for (size_t i = 0; i < count; i++)
    ones[i] = 1;
  made = filter_from_passes(filter, name, width, ones, 1, height, ones, area, error);
  free(ones);
  return made;
}

/* Two taps at the same distance from the middle, and the fraction that rounding down took from each. */
struct pair {
  size_t distance;
  double rest;
};

static int pair_compare(const void *left, const void *right)
{
  const struct pair *a = left, *b = right;

  if (a->rest != b->rest)
    return a->rest < b->rest ? 1 : -1;
  return a->distance < b->distance ? -1 : a->distance > b->distance;
}

/* Rounds taps[0 … radius] to integers.  These are the middle tap and one of each pair; middle and pairs
   together have the sum 65536, before and after.  The middle becomes the nearest even number (but not
   less than its neighbours), so that the pairs can share out the rest; all pairs are rounded down, and
   those with the largest remainders then up by one, until the sum is right. */
static void gauss_round(double *taps, size_t radius, struct pair *pairs)
{
  double centre = 2 * rint(taps[0] / 2);
  long missing;

  if (centre < rint(taps[1]))
    centre += 2;
  taps[0] = centre;
  missing = (GAUSS_SUM - (long)centre) / 2;
  for (size_t i = 1; i <= radius; i++) {
    double whole = floor(taps[i]);

    pairs[i - 1] = (struct pair){i, taps[i] - whole};
    taps[i] = whole;
    missing -= (long)whole;
  }
  qsort(pairs, radius, sizeof *pairs, pair_compare);
  for (size_t i = 0; missing > 0 && i < radius; i++, missing--)
    taps[pairs[i].distance]++;
  taps[0] +=
      2 * (double)missing; /* not 0 only where sigma is so small that there are too few pairs */
}

/* exp(−x² / 2σ²) for x from −⌈3σ⌉ to ⌈3σ⌉, of integers with the sum 65536. */
static bool make_gauss(struct filter *filter, const char *name, const double *arguments,
                       struct error *error)
{
  double sigma = arguments[0];
  size_t radius = (size_t)ceil(3 * sigma), width = 2 * radius + 1;
  double *half = malloc((radius + 1) * sizeof *half);
  struct pair *pairs = malloc(radius * sizeof *pairs);
  float *taps = malloc(width * sizeof *taps);
  double sum = 0;
  bool made = false;

  if (!half || !pairs || !taps) {
    error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu", width, width);
    goto free_taps;
  }
  for (size_t i = 0; i <= radius; i++) {
    half[i] = exp(-(double)(i * i) / (2 * sigma * sigma));
    sum += i == 0 ? half[i] : 2 * half[i];
  }
  for (size_t i = 0; i <= radius; i++)
    half[i] *= GAUSS_SUM / sum;
  gauss_round(half, radius, pairs);
  for (size_t i = 0; i <= radius; i++)
    taps[radius - i] = taps[radius + i] = (float)half[i];
  made = filter_from_passes(filter, name, width, taps, GAUSS_SUM, width, taps, GAUSS_SUM, error);

free_taps:
  free(half);
  free(pairs);
  free(taps);
  return made;
}

const struct generator generators[] = {
    {.name = "box",
     .arguments = "W[xH]",
     .about = "mean of W by H pixels (H is W where it is left out)",
     .argument = {{"W", 1, 65535}, {"H", 1, 65535}},
     .needed = 1,
     .allowed = 2,
     .separator = 'x',
     .whole = true,
     .make = make_box},
    {.name = "disk",
     .arguments = "R",
     .about = "mean over a disk of radius R: a lens out of focus",
     .argument = {{"R", 0.5, 100}},
     .needed = 1,
     .allowed = 1,
     .make = make_disk},
    {.name = "dog",
     .arguments = "S1,S2",
     .about = "difference of Gaussians: that of sigma S1 minus that of sigma S2",
     .argument = {{"S1", 0.3, 30}, {"S2", 0.3, 30}},
     .needed = 2,
     .allowed = 2,
     .separator = ',',
     .make = make_dog},
    {.name = "gauss",
     .arguments = "SIGMA",
     .about = "Gaussian blur, in two passes that reach 3 SIGMA",
     .argument = {{"SIGMA", 0.1, 1000}},
     .needed = 1,
     .allowed = 1,
     .make = make_gauss},
    {.name = "log",
     .arguments = "SIGMA",
     .about = "Laplacian of a Gaussian: edges and spots about SIGMA wide; the taps have the sum 0",
     .argument = {{"SIGMA", 0.5, 30}},
     .needed = 1,
     .allowed = 1,
     .make = make_log},
    {.name = "motion",
     .arguments = "LENGTH,ANGLE",
     .about = "mean along a line; ANGLE in degrees, counter-clockwise from the x axis",
     .argument = {{"LENGTH", 1, 255}, {"ANGLE", -360, 360}},
     .needed = 2,
     .allowed = 2,
     .separator = ',',
     .make = make_motion},
    {.name = "unsharp",
     .arguments = "SIGMA,AMOUNT",
     .about = "sharpens: adds AMOUNT times what a Gaussian of SIGMA takes away",
     .argument = {{"SIGMA", 0.3, 30}, {"AMOUNT", 0, 20}},
     .needed = 2,
     .allowed = 2,
     .separator = ',',
     .make = make_unsharp},
    {.name = NULL},
};
