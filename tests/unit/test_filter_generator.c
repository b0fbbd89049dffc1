/* Computed presets: against scipy's figures (tests/data, see filter_figures.py there), against areas
   worked out by integration, and against sums in the plainest way. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_fit.h"
#include "filter_one.h"
#include "source_file.h"
#include "unit.h"

static struct error error;

START_TEST(box_is_ones)
{
  static const struct {
    const char *text;
    size_t width, height;
    double row, column;
  } boxes[] = {{"box:1", 1, 1, 1, 1},
               {"box:3", 3, 3, 1, 9},
               {"box:4x2", 4, 2, 1, 8},
               {"BOX:1x9", 1, 9, 1, 9},
               {"box:256x257", 256, 257, 1, 65792},
               {"box:257", 257, 257, 1, 66049},
               {"box:65535", 65535, 65535, 1, 4294836225.0}};

  for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++) {
    struct filter filter = filter_read_one(boxes[b].text);

    ck_assert_uint_eq(filter.term[0].passes, 2);
    ck_assert_uint_eq(filter.term[0].pass[0].width, boxes[b].width);
    ck_assert_uint_eq(filter.term[0].pass[1].height, boxes[b].height);
    ck_assert(filter.term[0].pass[0].height == 1 && filter.term[0].pass[1].width == 1);
    ck_assert(filter.term[0].pass[0].scale == boxes[b].row &&
              filter.term[0].pass[1].scale == boxes[b].column);
    ck_assert_double_eq(filter_gain(&filter), 1);
    ck_assert_int_eq(term_is_exact(&filter.term[0], SAMPLE_U8),
                     boxes[b].width * boxes[b].height * 255 < (size_t)FILTER_EXACT_LIMIT);
    filter_free(&filter);
  }
}
END_TEST

/* One pass over a flat picture as the contract says it: fmaf in order, then the corrected quotient. */
static float flat_pass(const struct pass *pass, float sample)
{
  float sum = 0, inverse = 1 / pass->scale, q;

  for (size_t i = 0; i < pass->width * pass->height; i++)
    sum = fmaf(pass->taps[i], sample, sum);
  q = sum * inverse;
  return fmaf(fmaf(-q, pass->scale, sum), inverse, q);
}

START_TEST(flat_pictures_stay_flat)
{
  static const char *const texts[] = {
      "gauss:0.1", "gauss:0.3", "gauss:0.5", "gauss:1",    "gauss:2", "gauss:5.5", "gauss:10",
      "gauss:30",  "gauss:100", "gauss:333", "gauss:1000", "box:31",  "box:63x2",  "box:255"};
  static const float levels[] = {0,   1,    2,     127,   128,   254,  255,
                                 256, 4711, 32767, 65533, 65534, 65535};

  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
      struct filter filter = filter_read_one(texts[t]);
      enum sample_type type = levels[l] < 256 ? SAMPLE_U8 : SAMPLE_U16;
      float result;

      /* Beyond sigma 100 the float32 sums of 2000 taps cost up to a level of 16 bits. */
      if (type == SAMPLE_U16 && filter_taps(&filter) > 1300) {
        filter_free(&filter);
        continue;
      }
      ck_assert(filter_fit(&filter, type, type, &error));
      result = flat_pass(&filter.term[0].pass[1], flat_pass(&filter.term[0].pass[0], levels[l]));
      ck_assert_msg(rintf(result) == levels[l], "%s makes %.9g of %g", texts[t], result, levels[l]);
      filter_free(&filter);
    }
  }
}
END_TEST

START_TEST(gauss_is_scipys)
{
  FILE *file = data_open("gauss.txt");
  size_t count, sets = 0;
  double sigma;

  for (; fscanf(file, "%lf %zu", &sigma, &count) == 2; sets++) {
    char text[64];
    struct filter filter;
    const struct pass *row;
    double sum = 0, off = 0;

    snprintf(text, sizeof text, "gauss:%g", sigma);
    filter = filter_read_one(text);
    row = &filter.term[0].pass[0];
    ck_assert_uint_eq(row->width, 2 * count - 1);
    ck_assert_uint_eq(filter.term[0].pass[1].height, row->width);
    ck_assert(row->scale == 65536 && filter.term[0].pass[1].scale == 65536 && row->integral);
    for (size_t i = 0; i < count; i++) {
      float tap = row->taps[count - 1 + i];
      double expected;

      ck_assert_int_eq(fscanf(file, "%lf", &expected), 1);
      ck_assert(tap == row->taps[count - 1 - i] &&
                tap == filter.term[0].pass[1].taps[count - 1 + i]);
      ck_assert(i == 0 || tap <= row->taps[count - 2 + i]);
      /* A tap of a pair is rounded to one of its neighbours; the middle one to an even number. */
      ck_assert_msg(fabs(tap - expected * 65536) < (i == 0 ? 2 : 1), "%s: tap %zu is %g, not %.3f",
                    text, i, tap, expected * 65536);
      off += (i == 0 ? 1 : 2) * fabs(tap - expected * 65536);
      sum += i == 0 ? tap : 2 * tap;
    }
    ck_assert_double_eq(sum, 65536);
    ck_assert_double_lt(off, 0.36 * (double)row->width + 2);
    filter_free(&filter);
  }
  fclose(file);
  ck_assert_uint_eq(sets, 5);
}
END_TEST

START_TEST(log_is_scipys)
{
  FILE *file = data_open("log.txt");
  size_t count, sets = 0;
  double sigma;

  for (; fscanf(file, "%lf %zu", &sigma, &count) == 2; sets++) {
    char text[64];
    struct filter filter;
    const struct pass *pass;

    snprintf(text, sizeof text, "log:%g", sigma);
    filter = filter_read_one(text);
    pass = &filter.term[0].pass[0];
    ck_assert_double_eq(term_sum(&filter.term[0]), 0);
    for (size_t i = 0; i < count; i++) {
      size_t x = pass->anchor_x + i;
      double tap = x < pass->width ? pass->taps[pass->anchor_y * pass->width + x] : 0, expected;

      /* scipy's is a product of rows of sum 1, so it differs by what sampling costs: 1e-4 of the
         largest tap at sigma 1, 1.5 and 3. */
      ck_assert_int_eq(fscanf(file, "%lf", &expected), 1);
      ck_assert_msg(fabs(tap / pass->scale - expected) <
                        4 / pass->scale + 2e-4 / (sigma * sigma * sigma * sigma),
                    "%s: tap %zu is %g, not %g", text, i, tap / pass->scale, expected);
    }
    filter_free(&filter);
  }
  fclose(file);
  ck_assert_uint_eq(sets, 3);
}
END_TEST

/* What holds for every table: size, middle, sum, symmetry, and exactness on 8 bits. */
static void check_table(const char *text, double gain)
{
  struct filter filter = filter_read_one(text);
  const struct pass *pass = &filter.term[0].pass[0];
  size_t count = pass->width * pass->height;

  ck_assert_uint_eq(filter.term[0].passes, 1);
  ck_assert(pass->width % 2 && pass->height % 2);
  ck_assert(pass->integral && term_is_exact(&filter.term[0], SAMPLE_U8));
  ck_assert_msg(term_sum(&filter.term[0]) == gain * pass->scale, "%s: %g / %g", text,
                term_sum(&filter.term[0]), pass->scale);
  for (size_t i = 0; i < count; i++)
    ck_assert_msg(pass->taps[i] == pass->taps[count - 1 - i], "%s: tap %zu", text, i);
  if (strncmp(text, "motion", 6) != 0)
    for (size_t j = 0; j < pass->height; j++)
      for (size_t i = 0; i < pass->width; i++)
        ck_assert(pass->taps[j * pass->width + i] == pass->taps[i * pass->width + j] &&
                  pass->taps[j * pass->width + i] ==
                      pass->taps[j * pass->width + pass->width - 1 - i]);
  filter_free(&filter);
}

START_TEST(tables_are_exact_and_even)
{
  static const char *const means[] = {
      "disk:0.5",      "disk:1",         "Disk:2.5",          "disk:17.3",     "disk:100",
      "motion:1,0",    "motion:9,30",    "motion:15.5,-77.7", "motion:255,45", "motion:255,360",
      "unsharp:1,0.5", "unsharp:0.3,20", "unsharp:2,0",       "unsharp:30,1"};
  static const char *const edges[] = {"log:0.5",   "LoG:1.4",   "log:5",     "log:30",
                                      "dog:1,1.6", "DoG:2,0.3", "dog:30,29", "dog:0.3,30"};

  for (size_t i = 0; i < sizeof means / sizeof *means; i++)
    check_table(means[i], 1);
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    check_table(edges[i], 0);
}
END_TEST

START_TEST(disk_covers_its_area)
{
  /* Shares of pixels within a circle, by numerical integration (scipy.integrate.quad). */
  static const double small[2][2] = {{1, 0.97174}, {0.97174, 0.54541}};
  static const double large[4][4] = {{1, 1, 1, 0.48605},
                                     {1, 1, 1, 0.31173},
                                     {1, 1, 0.69319, 0.00794},
                                     {0.48605, 0.31173, 0.00794, 0}};
  struct filter filter = filter_read_one("disk:1.5");

  ck_assert(filter.term[0].pass[0].width == 3 && filter.term[0].pass[0].height == 3);
  for (size_t i = 0; i < 4; i++)
    ck_assert_double_lt(fabs(filter.term[0].pass[0].taps[(1 + i / 2) * 3 + 1 + i % 2] /
                                 filter.term[0].pass[0].taps[4] -
                             small[i / 2][i % 2]),
                        0.004);
  filter_free(&filter);
  filter = filter_read_one("disk:3");
  ck_assert(filter.term[0].pass[0].width == 7 && filter.term[0].pass[0].height == 7);
  for (size_t i = 0; i < 16; i++)
    ck_assert_double_lt(fabs(filter.term[0].pass[0].taps[(3 + i / 4) * 7 + 3 + i % 4] /
                                 filter.term[0].pass[0].taps[24] -
                             large[i / 4][i % 4]),
                        0.004);
  filter_free(&filter);
}
END_TEST

START_TEST(motion_follows_its_angle)
{
  struct filter filter = filter_read_one("motion:5,0"), turned = filter_read_one("motion:5,90");
  const float ones[] = {1, 1, 1, 1, 1};
  const struct pass *pass;

  ck_assert(filter.term[0].pass[0].width == 5 && filter.term[0].pass[0].height == 1);
  ck_assert(turned.term[0].pass[0].width == 1 && turned.term[0].pass[0].height == 5);
  ck_assert_mem_eq(filter.term[0].pass[0].taps, ones, sizeof ones);
  ck_assert_mem_eq(turned.term[0].pass[0].taps, ones, sizeof ones);
  filter_free(&filter);
  filter_free(&turned);
  filter = filter_read_one("motion:2,0"); /* half of a pixel on either side */
  ck_assert(filter.term[0].pass[0].width == 3 && filter.term[0].pass[0].taps[0] == 1 &&
            filter.term[0].pass[0].taps[1] == 2 && filter.term[0].pass[0].scale == 4);
  filter_free(&filter);
  filter = filter_read_one("motion:9,45"); /* up to the right */
  pass = &filter.term[0].pass[0];
  ck_assert(pass->width == pass->height);
  ck_assert(pass->taps[(pass->anchor_y - 2) * pass->width + pass->anchor_x + 2] > 0);
  ck_assert(pass->taps[(pass->anchor_y - 2) * pass->width + pass->anchor_x - 2] == 0);
  filter_free(&filter);
}
END_TEST

START_TEST(dog_and_unsharp_are_gaussians)
{
  /* exp(−r² / 2σ²), summed over the same square by hand: here in the plainest way. */
  struct filter dog = filter_read_one("dog:1,2"), unsharp = filter_read_one("unsharp:1,0.5");
  double sum1 = 0, sum2 = 0, sum3 = 0;

  for (int y = -6; y <= 6; y++)
    for (int x = -6; x <= 6; x++) {
      sum1 += exp(-(x * x + y * y) / 2.0);
      sum2 += exp(-(x * x + y * y) / 8.0);
      sum3 += abs(x) <= 3 && abs(y) <= 3 ? exp(-(x * x + y * y) / 2.0) : 0;
    }
  ck_assert(dog.term[0].pass[0].width == 13 && unsharp.term[0].pass[0].width == 7);
  for (int y = -6; y <= 6; y++)
    for (int x = -6; x <= 6; x++) {
      double r2 = x * x + y * y, tap = dog.term[0].pass[0].taps[(y + 6) * 13 + x + 6];
      double expected = exp(-r2 / 2) / sum1 - exp(-r2 / 8) / sum2;

      ck_assert_double_lt(fabs(tap - expected * dog.term[0].pass[0].scale), r2 == 0 ? 4 : 1);
      if (abs(x) > 3 || abs(y) > 3)
        continue;
      tap = unsharp.term[0].pass[0].taps[(y + 3) * 7 + x + 3];
      expected = (r2 == 0 ? 1.5 : 0) - 0.5 * exp(-r2 / 2) / sum3;
      ck_assert_double_lt(fabs(tap - expected * unsharp.term[0].pass[0].scale), r2 == 0 ? 4 : 1);
    }
  filter_free(&dog);
  filter_free(&unsharp);
}
END_TEST

int main(void)
{
  TCase *generators = tcase_create("generators");

  tcase_set_timeout(generators, 120);
  tcase_add_test(generators, box_is_ones);
  tcase_add_test(generators, flat_pictures_stay_flat);
  tcase_add_test(generators, gauss_is_scipys);
  tcase_add_test(generators, log_is_scipys);
  tcase_add_test(generators, tables_are_exact_and_even);
  tcase_add_test(generators, disk_covers_its_area);
  tcase_add_test(generators, motion_follows_its_angle);
  tcase_add_test(generators, dog_and_unsharp_are_gaussians);
  return unit_run("filter_generator", generators);
}
