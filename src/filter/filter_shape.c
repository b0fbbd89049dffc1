/* Presets that are one table of taps: disk, motion, log, dog and unsharp.

   The taps are computed as real numbers and then rounded to integers, as large as Σ|tap| · 255 < 2^24
   allows, so that results on 8 bits are exact.  Taps that the formula makes equal stay equal.  Means
   (disk, motion) are rounded tap by tap and divided by their sum.  The others are multiplied by a power
   of two, which becomes the scale, and their sum must stay exactly 0 (log, dog) or the scale (unsharp):
   all taps are rounded down, and those with the largest remainders then up by one, equal taps together,
   until the sum is right (the largest remainder method); what is left and cannot be shared out equally is
   added to the middle tap. */
#include "filter_shape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "filter_taps.h"

enum {
  SUM_MAX = 65537,          /* 255 · 65537 < 2^24, and 65535 · 65537 < 2^32 */
  MULTIPLIER_MAX = 1 << 23, /* a scale has 24 bits */
  SUBPIXELS = 32            /* a pixel's coverage is counted on 32 by 32 points */
};

/* A square table with its middle at (radius, radius). */
struct table {
  size_t radius, width;
  double *taps;
};

static bool table_make(struct table *table, size_t radius, struct error *error)
{
  table->radius = radius;
  table->width = 2 * radius + 1;
  table->taps = calloc(table->width * table->width, sizeof *table->taps);
  return table->taps || error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu",
                                  table->width, table->width);
}

static double *table_at(const struct table *table, ptrdiff_t x, ptrdiff_t y)
{
  ptrdiff_t radius = (ptrdiff_t)table->radius;

  return table->taps + (size_t)((y + radius) * (ptrdiff_t)table->width + x + radius);
}

static double table_sum(const struct table *table)
{
  double sum = 0;

  for (size_t i = 0; i < table->width * table->width; i++)
    sum += table->taps[i];
  return sum;
}

static double table_sum_absolute(const struct table *table)
{
  double sum = 0;

  for (size_t i = 0; i < table->width * table->width; i++)
    sum += fabs(table->taps[i]);
  return sum;
}

/* Makes a filter of the table without its outer rows and columns of zeros, as many on one side as
   on the other. */
static bool table_filter(const struct table *table, struct filter *filter, const char *name,
                         double scale, struct error *error)
{
  ptrdiff_t radius = (ptrdiff_t)table->radius, reach_x = 0, reach_y = 0;
  size_t width, height;
  double *taps;
  bool made;

  for (ptrdiff_t y = -radius; y <= radius; y++)
    for (ptrdiff_t x = -radius; x <= radius; x++)
      if (*table_at(table, x, y) != 0) {
        reach_x = labs(x) > reach_x ? labs(x) : reach_x;
        reach_y = labs(y) > reach_y ? labs(y) : reach_y;
      }
  width = 2 * (size_t)reach_x + 1;
  height = 2 * (size_t)reach_y + 1;
  taps = malloc(width * height * sizeof *taps);
  if (!taps)
    return error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu", width, height);
  for (size_t j = 0; j < height; j++)
    for (size_t i = 0; i < width; i++)
      taps[j * width + i] = *table_at(table, (ptrdiff_t)i - reach_x, (ptrdiff_t)j - reach_y);
  made = filter_from_taps(filter, name, width, height, taps, scale, 0, error);
  free(taps);
  return made;
}

/* Makes the filter of a mean from a table of whole numbers, which are scaled down where their sum is too
   large. */
static bool mean_filter(struct table *table, struct filter *filter, const char *name,
                        struct error *error)
{
  double sum = table_sum(table), factor = SUM_MAX / sum;

  if (sum > SUM_MAX) {
    /* Rounding can add up to a half to each tap, and so to the sum: smaller factors are tried until it
       fits. */
    struct table counts = *table;
    size_t count = table->width * table->width;

    counts.taps = malloc(count * sizeof *counts.taps);
    if (!counts.taps)
      return error_set(error, STATUS_FAILED, "no memory for a filter of %zu taps", count);
    for (size_t i = 0; i < count; i++)
      counts.taps[i] = table->taps[i];
    for (; sum > SUM_MAX; factor *= 1 - 1.0 / 1024) {
      for (size_t i = 0; i < count; i++)
        table->taps[i] = rint(counts.taps[i] * factor);
      sum = table_sum(table);
    }
    free(counts.taps);
  }
  return table_filter(table, filter, name, sum, error);
}

/* Where the k-th of SUBPIXELS points across pixel i lies, in pixels from the middle of the table. */
static double subpixel(ptrdiff_t i, int k)
{
  return (double)i + (2 * k + 1 - SUBPIXELS) / (2.0 * SUBPIXELS);
}

/* How many of the points of pixel (x, y) lie within the disk. */
static double disk_coverage(ptrdiff_t x, ptrdiff_t y, double radius)
{
  double far_x = (double)labs(x) + 0.5, far_y = (double)labs(y) + 0.5;
  int points = 0;

  if (far_x * far_x + far_y * far_y <= radius * radius)
    return SUBPIXELS * SUBPIXELS;
  for (int j = 0; j < SUBPIXELS; j++)
    for (int i = 0; i < SUBPIXELS; i++)
      points +=
          subpixel(x, i) * subpixel(x, i) + subpixel(y, j) * subpixel(y, j) <= radius * radius;
  return points;
}

bool make_disk(struct filter *filter, const char *name, const double *arguments,
               struct error *error)
{
  double radius = arguments[0];
  ptrdiff_t reach = (ptrdiff_t)ceil(radius + 0.5) - 1;
  struct table table;
  bool made;

  if (!table_make(&table, (size_t)reach, error))
    return false;
  for (ptrdiff_t y = -reach; y <= reach; y++)
    for (ptrdiff_t x = -reach; x <= reach; x++)
      *table_at(&table, x, y) = disk_coverage(x, y, radius);
  made = mean_filter(&table, filter, name, error);
  free(table.taps);
  return made;
}

/* Cosine and sine of an angle in degrees, exact along the axes. */
static void direction(double degrees, double *cosine, double *sine)
{
  double quarters = fmod(degrees, 360) / 90;

  *cosine = cos(quarters * acos(0));
  *sine = sin(quarters * acos(0));
  if (rint(quarters) == quarters) {
    *cosine = rint(*cosine);
    *sine = rint(*sine);
  }
}

/* How many of the points of pixel (x, y) lie within a turned rectangle of `length` by 1 pixels.  Rows are
   counted downwards, so the sign of the sine makes positive angles turn counter-clockwise. */
static double motion_coverage(ptrdiff_t x, ptrdiff_t y, double length, double cosine, double sine)
{
  int points = 0;

  for (int j = 0; j < SUBPIXELS; j++) {
    for (int i = 0; i < SUBPIXELS; i++) {
      double right = subpixel(x, i), down = subpixel(y, j);

      points += fabs(right * cosine - down * sine) <= length / 2 &&
                fabs(right * sine + down * cosine) <= 0.5;
    }
  }
  return points;
}

bool make_motion(struct filter *filter, const char *name, const double *arguments,
                 struct error *error)
{
  double length = arguments[0], cosine, sine;
  ptrdiff_t reach = (ptrdiff_t)ceil(length / 2) + 1;
  struct table table;
  bool made;

  direction(arguments[1], &cosine, &sine);
  if (!table_make(&table, (size_t)reach, error))
    return false;
  for (ptrdiff_t y = -reach; y <= reach; y++)
    for (ptrdiff_t x = -reach; x <= reach; x++)
      /* A pixel more than 3 / 2 beside the line is not touched. */
      if (fabs((double)x * sine + (double)y * cosine) < 1.5)
        *table_at(&table, x, y) = motion_coverage(x, y, length, cosine, sine);
  made = mean_filter(&table, filter, name, error);
  free(table.taps);
  return made;
}

/* A tap that is being rounded. */
struct part {
  double rest;  /* the fraction that rounding down took */
  double value; /* before rounding: equal ones are rounded alike */
  double *tap;
};

static int part_compare(const void *left, const void *right)
{
  const struct part *a = left, *b = right;

  if (a->rest != b->rest)
    return a->rest < b->rest ? 1 : -1;
  if (a->value != b->value)
    return a->value < b->value ? 1 : -1;
  return a->tap < b->tap ? -1 : a->tap > b->tap;
}

/* Rounds real · multiplier into the table, with the sum `target`. */
static void table_round(struct table *table, const double *real, double multiplier, double target,
                        struct part *parts)
{
  size_t count = table->width * table->width, group;
  double missing = target;

  for (size_t i = 0; i < count; i++) {
    double value = real[i] * multiplier, whole = floor(value);

    parts[i] = (struct part){value - whole, value, &table->taps[i]};
    table->taps[i] = whole;
    missing -= whole;
  }
  qsort(parts, count, sizeof *parts, part_compare);
  for (size_t i = 0; i < count && parts[i].rest > 0; i += group) {
    for (group = 1; i + group < count && parts[i + group].value == parts[i].value;)
      group++;
    if ((double)group > missing)
      continue;
    for (size_t k = 0; k < group; k++)
      ++*parts[i + k].tap;
    missing -= (double)group;
  }
  *table_at(table, 0, 0) += missing;
}

/* The filter of a table whose sum is 0 or 1; see the top of this file. */
static bool signed_filter(struct table *table, double sum, struct filter *filter, const char *name,
                          struct error *error)
{
  size_t count = table->width * table->width;
  double *real = table->taps, absolute = table_sum_absolute(table), multiplier = MULTIPLIER_MAX;
  struct part *parts = malloc(count * sizeof *parts);
  struct table rounded;
  bool made = false;

  if (!parts) {
    error_set(error, STATUS_FAILED, "no memory for a filter of %zu taps", count);
    goto free_parts;
  }
  if (!table_make(&rounded, table->radius, error))
    goto free_parts;
  while (multiplier > 1 && absolute * multiplier > SUM_MAX)
    multiplier /= 2;
  table_round(&rounded, real, multiplier, sum * multiplier, parts);
  while (multiplier > 1 && table_sum_absolute(&rounded) > SUM_MAX) {
    multiplier /= 2;
    table_round(&rounded, real, multiplier, sum * multiplier, parts);
  }
  made = table_filter(&rounded, filter, name, multiplier, error);
  free(rounded.taps);

free_parts:
  free(parts);
  return made;
}

/* Adds `share` times a sampled Gaussian of sum 1. */
static void table_add_gauss(struct table *table, double sigma, double share)
{
  ptrdiff_t reach = (ptrdiff_t)table->radius;
  double sum = 0;

  for (ptrdiff_t y = -reach; y <= reach; y++)
    for (ptrdiff_t x = -reach; x <= reach; x++)
      sum += exp(-(double)(x * x + y * y) / (2 * sigma * sigma));
  for (ptrdiff_t y = -reach; y <= reach; y++)
    for (ptrdiff_t x = -reach; x <= reach; x++)
      *table_at(table, x, y) += share * exp(-(double)(x * x + y * y) / (2 * sigma * sigma)) / sum;
}

/* The Laplacian of a Gaussian (Marr and Hildreth 1980), ∇²G = (r² − 2σ²) / 2πσ⁶ · exp(−r² / 2σ²), cut off
   at 4σ.  The sum of its samples is not quite 0: a multiple of the Gaussian is subtracted to make it 0. */
bool make_log(struct filter *filter, const char *name, const double *arguments, struct error *error)
{
  double sigma = arguments[0], variance = sigma * sigma, pi = acos(-1);
  ptrdiff_t reach = (ptrdiff_t)ceil(4 * sigma);
  struct table table;
  bool made;

  if (!table_make(&table, (size_t)reach, error))
    return false;
  for (ptrdiff_t y = -reach; y <= reach; y++)
    for (ptrdiff_t x = -reach; x <= reach; x++) {
      double square = (double)(x * x + y * y);

      *table_at(&table, x, y) = (square - 2 * variance) /
                                (2 * pi * variance * variance * variance) *
                                exp(-square / (2 * variance));
    }
  table_add_gauss(&table, sigma, -table_sum(&table));
  made = signed_filter(&table, 0, filter, name, error);
  free(table.taps);
  return made;
}

/* The difference of Gaussians G(S1) − G(S2), each of sum 1, cut off at three times the larger sigma. */
bool make_dog(struct filter *filter, const char *name, const double *arguments, struct error *error)
{
  struct table table;
  bool made;

  if (!table_make(&table, (size_t)ceil(3 * fmax(arguments[0], arguments[1])), error))
    return false;
  table_add_gauss(&table, arguments[0], 1);
  table_add_gauss(&table, arguments[1], -1);
  made = signed_filter(&table, 0, filter, name, error);
  free(table.taps);
  return made;
}

/* Unsharp masking: p + AMOUNT · (p − G(p)), where the Gaussian G is cut off at 3σ. */
bool make_unsharp(struct filter *filter, const char *name, const double *arguments,
                  struct error *error)
{
  struct table table;
  bool made;

  if (!table_make(&table, (size_t)ceil(3 * arguments[0]), error))
    return false;
  table_add_gauss(&table, arguments[0], -arguments[1]);
  *table_at(&table, 0, 0) += 1 + arguments[1];
  made = signed_filter(&table, 1, filter, name, error);
  free(table.taps);
  return made;
}
