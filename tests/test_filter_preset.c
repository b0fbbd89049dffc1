/* Presets: the files in filters/, the computed ones against scipy's figures (tests/data, see
   filter_figures.py there) and against areas worked out by integration, and what -f finds. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter.h"
#include "unit.h"

static struct error error;

static const char *source_folder(void)
{
  const char *folder = getenv("srcdir");

  return folder && *folder ? folder : ".";
}

static struct filter read_one(const char *text)
{
  struct chain chain = {NULL, 0};
  struct filter filter;

  ck_assert_msg(filter_read(&chain, text, &error), "%s: %s", text, error.text);
  ck_assert_uint_eq(chain.count, 1);
  ck_assert_str_eq(chain.filters[0].name, text);
  filter = chain.filters[0];
  chain.count = 0;
  chain_free(&chain);
  return filter;
}

/* Files: name, size, scale, offset and taps. */
static const struct {
  const char *name;
  size_t width, height;
  float scale;
  double offset;
  float taps[9];
} files[] = {
    {"identity", 1, 1, 1, 0, {1}},
    {"sharpen", 3, 3, 1, 0, {0, -1, 0, -1, 5, -1, 0, -1, 0}},
    {"laplacian", 3, 3, 1, 0, {0, 1, 0, 1, -4, 1, 0, 1, 0}},
    {"laplacian4", 3, 3, 1, 0, {0, 1, 0, 1, -4, 1, 0, 1, 0}},
    {"laplacian8", 3, 3, 1, 0, {1, 1, 1, 1, -8, 1, 1, 1, 1}},
    {"sobel-x", 3, 3, 1, 0, {-1, 0, 1, -2, 0, 2, -1, 0, 1}},
    {"Sobel", 3, 3, 1, 0, {-1, 0, 1, -2, 0, 2, -1, 0, 1}},
    {"SOBEL-Y", 3, 3, 1, 0, {-1, -2, -1, 0, 0, 0, 1, 2, 1}},
    {"prewitt-x", 3, 3, 1, 0, {-1, 0, 1, -1, 0, 1, -1, 0, 1}},
    {"prewitt-y", 3, 3, 1, 0, {-1, -1, -1, 0, 0, 0, 1, 1, 1}},
    {"scharr-x", 3, 3, 1, 0, {-3, 0, 3, -10, 0, 10, -3, 0, 3}},
    {"scharr-y", 3, 3, 1, 0, {-3, -10, -3, 0, 0, 0, 3, 10, 3}},
    {"roberts-x", 2, 2, 1, 0, {1, 0, 0, -1}},
    {"roberts-y", 2, 2, 1, 0, {0, 1, -1, 0}},
    {"emboss", 3, 3, 1, 0, {-2, -1, 0, -1, 1, 1, 0, 1, 2}},
    {"relief", 3, 3, 1, 128, {-1, -1, 0, -1, 0, 1, 0, 1, 1}},
    {"edge", 3, 3, 1, 0, {0, -1, 0, -1, 4, -1, 0, -1, 0}},
    {"outline", 3, 3, 1, 0, {-1, -1, -1, -1, 8, -1, -1, -1, -1}},
    {"kirsch", 3, 3, 1, 0, {5, -3, -3, 5, 0, -3, 5, -3, -3}},
    {"compass", 3, 3, 1, 0, {-1, 1, 1, -1, -2, 1, -1, 1, 1}},
    {"binomial3", 3, 3, 16, 0, {1, 2, 1, 2, 4, 2, 1, 2, 1}},
    {"FreiChen", 3, 3, 1, 0, {-1, 0, 1, -1.41421356f, 0, 1.41421356f, -1, 0, 1}},
};

START_TEST(files_hold_what_their_names_say)
{
  struct filter filter = read_one(files[_i].name);

  ck_assert_uint_eq(filter.pass[0].width, files[_i].width);
  ck_assert_uint_eq(filter.pass[0].height, files[_i].height);
  ck_assert(filter.pass[0].scale == files[_i].scale);
  ck_assert(filter.offset == files[_i].offset);
  for (size_t i = 0; i < files[_i].width * files[_i].height; i++)
    ck_assert_msg(filter.pass[0].taps[i] == files[_i].taps[i], "%s: tap %zu is %g", files[_i].name,
                  i, filter.pass[0].taps[i]);
  if (strcmp(files[_i].name, "FreiChen") != 0)
    ck_assert(filter_is_exact(&filter, SAMPLE_U8) && filter_is_exact(&filter, SAMPLE_U16));
  filter_free(&filter);
}
END_TEST

START_TEST(binomials_are_products)
{
  static const float rows[2][7] = {{1, 4, 6, 4, 1}, {1, 6, 15, 20, 15, 6, 1}};

  for (size_t n = 5; n <= 7; n += 2) {
    struct filter filter = read_one(n == 5 ? "binomial5" : "binomial7");
    const float *row = rows[n == 7];

    for (size_t i = 0; i < n * n; i++)
      ck_assert(filter.pass[0].taps[i] == row[i % n] * row[i / n]);
    ck_assert_double_eq(filter_gain(&filter), 1);
    ck_assert(filter_is_exact(&filter, SAMPLE_U8));
    filter_free(&filter);
  }
}
END_TEST

START_TEST(box_is_ones)
{
  static const struct {
    const char *text;
    size_t width, height;
    float row, column;
  } boxes[] = {{"box:1", 1, 1, 1, 1},
               {"box:3", 3, 3, 1, 9},
               {"box:4x2", 4, 2, 1, 8},
               {"BOX:1x9", 1, 9, 1, 9},
               {"box:256x257", 256, 257, 1, 65792},
               {"box:257", 257, 257, 257, 257},
               {"box:65535x3", 65535, 3, 65535, 3}};

  for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++) {
    struct filter filter = read_one(boxes[b].text);

    ck_assert_uint_eq(filter.passes, 2);
    ck_assert_uint_eq(filter.pass[0].width, boxes[b].width);
    ck_assert_uint_eq(filter.pass[1].height, boxes[b].height);
    ck_assert(filter.pass[0].height == 1 && filter.pass[1].width == 1);
    ck_assert(filter.pass[0].scale == boxes[b].row && filter.pass[1].scale == boxes[b].column);
    ck_assert_double_eq(filter_gain(&filter), 1);
    ck_assert_int_eq(filter_is_exact(&filter, SAMPLE_U8),
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
      struct filter filter = read_one(texts[t]);
      enum sample_type type = levels[l] < 256 ? SAMPLE_U8 : SAMPLE_U16;
      float result;

      /* Beyond sigma 100 the float32 sums of 2000 taps cost up to a level of 16 bits. */
      if (type == SAMPLE_U16 && filter_taps(&filter) > 1300) {
        filter_free(&filter);
        continue;
      }
      ck_assert(filter_fit(&filter, type, type, &error));
      result = flat_pass(&filter.pass[1], flat_pass(&filter.pass[0], levels[l]));
      ck_assert_msg(rintf(result) == levels[l], "%s makes %.9g of %g", texts[t], result, levels[l]);
      filter_free(&filter);
    }
  }
}
END_TEST

static FILE *open_figures(const char *name)
{
  char path[1024];
  FILE *file;

  snprintf(path, sizeof path, "%s/tests/data/%s", source_folder(), name);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "no figures in %s", path);
  return file;
}

START_TEST(gauss_is_scipys)
{
  FILE *file = open_figures("gauss.txt");
  size_t count, sets = 0;
  double sigma;

  for (; fscanf(file, "%lf %zu", &sigma, &count) == 2; sets++) {
    char text[64];
    struct filter filter;
    const struct pass *row;
    double sum = 0, off = 0;

    snprintf(text, sizeof text, "gauss:%g", sigma);
    filter = read_one(text);
    row = &filter.pass[0];
    ck_assert_uint_eq(row->width, 2 * count - 1);
    ck_assert_uint_eq(filter.pass[1].height, row->width);
    ck_assert(row->scale == 65536 && filter.pass[1].scale == 65536 && row->integral);
    for (size_t i = 0; i < count; i++) {
      float tap = row->taps[count - 1 + i];
      double expected;

      ck_assert_int_eq(fscanf(file, "%lf", &expected), 1);
      ck_assert(tap == row->taps[count - 1 - i] && tap == filter.pass[1].taps[count - 1 + i]);
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
  FILE *file = open_figures("log.txt");
  size_t count, sets = 0;
  double sigma;

  for (; fscanf(file, "%lf %zu", &sigma, &count) == 2; sets++) {
    char text[64];
    struct filter filter;
    const struct pass *pass;

    snprintf(text, sizeof text, "log:%g", sigma);
    filter = read_one(text);
    pass = &filter.pass[0];
    ck_assert_double_eq(filter_sum(&filter), 0);
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
  struct filter filter = read_one(text);
  const struct pass *pass = &filter.pass[0];
  size_t count = pass->width * pass->height;

  ck_assert_uint_eq(filter.passes, 1);
  ck_assert(pass->width % 2 && pass->height % 2);
  ck_assert(pass->integral && filter_is_exact(&filter, SAMPLE_U8));
  ck_assert_msg(filter_sum(&filter) == gain * pass->scale, "%s: %g / %g", text, filter_sum(&filter),
                pass->scale);
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
  struct filter filter = read_one("disk:1.5");

  ck_assert(filter.pass[0].width == 3 && filter.pass[0].height == 3);
  for (size_t i = 0; i < 4; i++)
    ck_assert_double_lt(
        fabs(filter.pass[0].taps[(1 + i / 2) * 3 + 1 + i % 2] / filter.pass[0].taps[4] -
             small[i / 2][i % 2]),
        0.004);
  filter_free(&filter);
  filter = read_one("disk:3");
  ck_assert(filter.pass[0].width == 7 && filter.pass[0].height == 7);
  for (size_t i = 0; i < 16; i++)
    ck_assert_double_lt(
        fabs(filter.pass[0].taps[(3 + i / 4) * 7 + 3 + i % 4] / filter.pass[0].taps[24] -
             large[i / 4][i % 4]),
        0.004);
  filter_free(&filter);
}
END_TEST

START_TEST(motion_follows_its_angle)
{
  struct filter filter = read_one("motion:5,0"), turned = read_one("motion:5,90");
  const float ones[] = {1, 1, 1, 1, 1};
  const struct pass *pass;

  ck_assert(filter.pass[0].width == 5 && filter.pass[0].height == 1);
  ck_assert(turned.pass[0].width == 1 && turned.pass[0].height == 5);
  ck_assert_mem_eq(filter.pass[0].taps, ones, sizeof ones);
  ck_assert_mem_eq(turned.pass[0].taps, ones, sizeof ones);
  filter_free(&filter);
  filter_free(&turned);
  filter = read_one("motion:2,0"); /* half of a pixel on either side */
  ck_assert(filter.pass[0].width == 3 && filter.pass[0].taps[0] == 1 &&
            filter.pass[0].taps[1] == 2 && filter.pass[0].scale == 4);
  filter_free(&filter);
  filter = read_one("motion:9,45"); /* up to the right */
  pass = &filter.pass[0];
  ck_assert(pass->width == pass->height);
  ck_assert(pass->taps[(pass->anchor_y - 2) * pass->width + pass->anchor_x + 2] > 0);
  ck_assert(pass->taps[(pass->anchor_y - 2) * pass->width + pass->anchor_x - 2] == 0);
  filter_free(&filter);
}
END_TEST

START_TEST(dog_and_unsharp_are_gaussians)
{
  /* exp(−r² / 2σ²), summed over the same square by hand: here in the plainest way. */
  struct filter dog = read_one("dog:1,2"), unsharp = read_one("unsharp:1,0.5");
  double sum1 = 0, sum2 = 0, sum3 = 0;

  for (int y = -6; y <= 6; y++)
    for (int x = -6; x <= 6; x++) {
      sum1 += exp(-(x * x + y * y) / 2.0);
      sum2 += exp(-(x * x + y * y) / 8.0);
      sum3 += abs(x) <= 3 && abs(y) <= 3 ? exp(-(x * x + y * y) / 2.0) : 0;
    }
  ck_assert(dog.pass[0].width == 13 && unsharp.pass[0].width == 7);
  for (int y = -6; y <= 6; y++)
    for (int x = -6; x <= 6; x++) {
      double r2 = x * x + y * y, tap = dog.pass[0].taps[(y + 6) * 13 + x + 6];
      double expected = exp(-r2 / 2) / sum1 - exp(-r2 / 8) / sum2;

      ck_assert_double_lt(fabs(tap - expected * dog.pass[0].scale), r2 == 0 ? 4 : 1);
      if (abs(x) > 3 || abs(y) > 3)
        continue;
      tap = unsharp.pass[0].taps[(y + 3) * 7 + x + 3];
      expected = (r2 == 0 ? 1.5 : 0) - 0.5 * exp(-r2 / 2) / sum3;
      ck_assert_double_lt(fabs(tap - expected * unsharp.pass[0].scale), r2 == 0 ? 4 : 1);
    }
  filter_free(&dog);
  filter_free(&unsharp);
}
END_TEST

static const char *const wrong[][2] = {
    {"gauss", "filter:1:6: gauss:SIGMA needs SIGMA, a number from 0.1 to 1000"},
    {"comet:9", "filter:1:8: motion:LENGTH,ANGLE needs ANGLE, a number from -360 to 360"},
    {"Gaussian", "filter:1:9: gauss:SIGMA needs SIGMA, a number from 0.1 to 1000"},
    {"gauss:", "filter:1:7: expected SIGMA, a number from 0.1 to 1000, found the end of the text"},
    {"gauss:x", "filter:1:7: expected SIGMA, a number from 0.1 to 1000, found 'x'"},
    {"gauss:0", "filter:1:7: expected SIGMA, a number from 0.1 to 1000, found '0'"},
    {"gauss:1e9", "filter:1:7: expected SIGMA, a number from 0.1 to 1000, found '1e9'"},
    {"gauss:nan", "filter:1:7: expected SIGMA, a number from 0.1 to 1000, found 'nan'"},
    {"gauss:-1", "filter:1:7: expected SIGMA, a number from 0.1 to 1000, found '-1'"},
    {"gauss:1,5", "filter:1:8: expected nothing more behind gauss:SIGMA, found ',5'"},
    {"gauss:1 ", "filter:1:8: expected nothing more behind gauss:SIGMA, found ' '"},
    {"box:", "filter:1:5: expected W, a whole number from 1 to 65535, found the end of the text"},
    {"box:0", "filter:1:5: expected W, a whole number from 1 to 65535, found '0'"},
    {"box:2.5", "filter:1:6: expected 'x' and H, a whole number from 1 to 65535, found '.5'"},
    {"box:3x", "filter:1:7: expected H, a whole number from 1 to 65535, found the end of the text"},
    {"box:3x65536", "filter:1:7: expected H, a whole number from 1 to 65535, found '65536'"},
    {"box:99999999999999999999", "filter:1:5: expected W, a whole number from 1 to 65535, found "
                                 "'99999999999999999999'"},
    {"box:3x3x3", "filter:1:8: expected nothing more behind box:W[xH], found 'x3'"},
    {"disk:0.4", "filter:1:6: expected R, a number from 0.5 to 100, found '0.4'"},
    {"disk:101", "filter:1:6: expected R, a number from 0.5 to 100, found '101'"},
    {"log:31", "filter:1:5: expected SIGMA, a number from 0.5 to 30, found '31'"},
    {"dog:1", "filter:1:6: dog:S1,S2 needs S2, a number from 0.3 to 30"},
    {"dog:1 2", "filter:1:6: expected ',' and S2, a number from 0.3 to 30, found ' '"},
    {"motion:0,0", "filter:1:8: expected LENGTH, a number from 1 to 255, found '0,0'"},
    {"motion:5,361", "filter:1:10: expected ANGLE, a number from -360 to 360, found '361'"},
    {"unsharp:1,-1", "filter:1:11: expected AMOUNT, a number from 0 to 20, found '-1'"},
    {"sobel-x:3", "filter:1:8: sobel-x takes no arguments"},
    {"sharpn", "filter:1:1: no preset and no file of the name sharpn; the nearest is sharpen"},
    {"Guass:2", "filter:1:1: no preset and no file of the name Guass; --list-filters lists them"},
    {"gaus:2", "filter:1:1: no preset and no file of the name gaus; the nearest is gauss:SIGMA"},
    {"qqqqqqqq", "filter:1:1: no preset and no file of the name qqqqqqqq; --list-filters lists "
                 "them"},
    {"./nosuch.txt", "filter:1:1: no preset and no file of the name ./nosuch.txt; --list-filters "
                     "lists them"},
    {"1 2; 3 x", "filter:1:8: expected a number, found 'x'"},
};

START_TEST(errors_have_their_place)
{
  struct chain chain = {NULL, 0};

  ck_assert_msg(!filter_read(&chain, wrong[_i][0], &error), "%s", wrong[_i][0]);
  ck_assert_str_eq(error.text, wrong[_i][1]);
  ck_assert_int_eq(error.status, STATUS_USAGE);
  ck_assert_uint_eq(chain.count, 0);
}
END_TEST

START_TEST(files_and_texts_are_read)
{
  char folder[] = "/tmp/halo-filter-XXXXXX", path[64], expected[128];
  struct chain chain = {NULL, 0};
  struct filter filter;
  FILE *file;

  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/mine.txt", folder);
  file = fopen(path, "w");
  fputs("# mine\n2 1 5\n2 3\n", file);
  fclose(file);
  filter = read_one(path);
  ck_assert(filter.pass[0].scale == 5 && filter.pass[0].taps[1] == 3);
  filter_free(&filter);
  setenv("HALO_FILTERS", folder, 1); /* a folder of one's own, by name */
  filter = read_one("MINE");
  filter_free(&filter);
  filter = read_one("1 2 1; 2 4 2");
  ck_assert(filter.pass[0].width == 3 && filter.pass[0].height == 2);
  filter_free(&filter);
  file = fopen(path, "w");
  fputs("2 1\n2 x\n", file);
  fclose(file);
  snprintf(expected, sizeof expected, "%s:2:3: expected a number, found 'x'", path);
  ck_assert(!filter_read(&chain, path, &error));
  ck_assert_str_eq(error.text, expected);
  ck_assert(!filter_read(&chain, "mine", &error));
  ck_assert_str_eq(error.text, expected);
  ck_assert(!filter_read(&chain, folder, &error)); /* a directory is no filter */
  ck_assert_int_eq(error.status, STATUS_USAGE);
  unlink(path);
  rmdir(folder);
  setenv("HALO_FILTERS", folder, 1);
  ck_assert(!filter_list(&error));
  ck_assert_ptr_nonnull(strstr(error.text, "can't be read"));
}
END_TEST

int main(void)
{
  TCase *presets = tcase_create("presets");
  char folder[1024];

  snprintf(folder, sizeof folder, "%s/filters", source_folder());
  setenv("HALO_FILTERS", folder, 0);
  tcase_set_timeout(presets, 120);
  tcase_add_loop_test(presets, files_hold_what_their_names_say, 0, sizeof files / sizeof *files);
  tcase_add_test(presets, binomials_are_products);
  tcase_add_test(presets, box_is_ones);
  tcase_add_test(presets, flat_pictures_stay_flat);
  tcase_add_test(presets, gauss_is_scipys);
  tcase_add_test(presets, log_is_scipys);
  tcase_add_test(presets, tables_are_exact_and_even);
  tcase_add_test(presets, disk_covers_its_area);
  tcase_add_test(presets, motion_follows_its_angle);
  tcase_add_test(presets, dog_and_unsharp_are_gaussians);
  tcase_add_loop_test(presets, errors_have_their_place, 0, sizeof wrong / sizeof *wrong);
  tcase_add_test(presets, files_and_texts_are_read);
  return unit_run("filter_preset", presets);
}
