/* Presets: the files in filters/, what -f finds, and the place and words of every error. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter_list.h"
#include "filter_one.h"
#include "filter_read.h"
#include "source_file.h"
#include "unit.h"

static struct error error;

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
  struct filter filter = filter_read_one(files[_i].name);

  ck_assert_uint_eq(filter.term[0].pass[0].width, files[_i].width);
  ck_assert_uint_eq(filter.term[0].pass[0].height, files[_i].height);
  ck_assert(filter.term[0].pass[0].scale == files[_i].scale);
  ck_assert(filter.offset == files[_i].offset);
  for (size_t i = 0; i < files[_i].width * files[_i].height; i++)
    ck_assert_msg(filter.term[0].pass[0].taps[i] == files[_i].taps[i], "%s: tap %zu is %g",
                  files[_i].name, i, filter.term[0].pass[0].taps[i]);
  if (strcmp(files[_i].name, "FreiChen") != 0)
    ck_assert(term_is_exact(&filter.term[0], SAMPLE_U8) &&
              term_is_exact(&filter.term[0], SAMPLE_U16));
  filter_free(&filter);
}
END_TEST

START_TEST(binomials_are_products)
{
  static const float rows[2][7] = {{1, 4, 6, 4, 1}, {1, 6, 15, 20, 15, 6, 1}};

  for (size_t n = 5; n <= 7; n += 2) {
    struct filter filter = filter_read_one(n == 5 ? "binomial5" : "binomial7");
    const float *row = rows[n == 7];

    for (size_t i = 0; i < n * n; i++)
      ck_assert(filter.term[0].pass[0].taps[i] == row[i % n] * row[i / n]);
    ck_assert_double_eq(filter_gain(&filter), 1);
    ck_assert(term_is_exact(&filter.term[0], SAMPLE_U8));
    filter_free(&filter);
  }
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
  filter = filter_read_one(path);
  ck_assert(filter.term[0].pass[0].scale == 5 && filter.term[0].pass[0].taps[1] == 3);
  filter_free(&filter);
  setenv("HALO_FILTERS", folder, 1); /* a folder of one's own, by name */
  filter = filter_read_one("MINE");
  filter_free(&filter);
  filter = filter_read_one("1 2 1; 2 4 2");
  ck_assert(filter.term[0].pass[0].width == 3 && filter.term[0].pass[0].height == 2);
  filter_free(&filter);
  file = fopen(path, "w");
  fputs("2 1\n2 x\n", file);
  fclose(file);
  snprintf(expected, sizeof expected, "%s:2:3: expected a number, found 'x'", path);
  ck_assert(!filter_read(&chain, path, &error));
  ck_assert_str_eq(error.text, expected);
  ck_assert(!filter_read(&chain, "mine", &error));
  ck_assert_str_eq(error.text, expected);
  unlink(path);
  rmdir(folder);
  setenv("HALO_FILTERS", folder, 1);
  ck_assert(!filter_list(&error));
  ck_assert_ptr_nonnull(strstr(error.text, "can't be read"));
}
END_TEST

START_TEST(directories_are_called_that)
{
  char folder[] = "/tmp/halo-filter-XXXXXX", inner[64], expected[128];
  struct chain chain = {NULL, 0};
  struct filter filter;

  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(expected, sizeof expected, "%s: is a directory; a filter is a preset, a file or taps",
           folder);
  ck_assert(!filter_read(&chain, folder, &error));
  ck_assert_str_eq(error.text, expected);
  ck_assert_int_eq(error.status, STATUS_USAGE);
  ck_assert(!filter_read(&chain, ".", &error));
  ck_assert_str_eq(error.text, ".: is a directory; a filter is a preset, a file or taps");
  ck_assert_uint_eq(chain.count, 0);
  ck_assert_int_eq(chdir(folder), 0);
  ck_assert(mkdir("3", 0700) == 0 && mkdir("sharpen", 0700) == 0);
  filter = filter_read_one("3"); /* a tap and a preset, whatever directories there are */
  ck_assert(filter.term[0].pass[0].taps[0] == 3);
  filter_free(&filter);
  filter = filter_read_one("sharpen");
  filter_free(&filter);
  setenv("HALO_FILTERS", folder, 1);
  snprintf(inner, sizeof inner, "%s/sharpen.txt", folder);
  ck_assert_int_eq(mkdir(inner, 0700), 0);
  ck_assert(!filter_read(&chain, inner, &error));
  ck_assert_ptr_nonnull(strstr(error.text, "sharpen.txt: is a directory"));
  rmdir(inner);
  rmdir("3");
  rmdir("sharpen");
  rmdir(folder);
}
END_TEST

int main(void)
{
  TCase *presets = tcase_create("presets");

  setenv("HALO_FILTERS", source_path("filters"), 0);
  tcase_set_timeout(presets, 120);
  tcase_add_loop_test(presets, files_hold_what_their_names_say, 0, sizeof files / sizeof *files);
  tcase_add_test(presets, binomials_are_products);
  tcase_add_loop_test(presets, errors_have_their_place, 0, sizeof wrong / sizeof *wrong);
  tcase_add_test(presets, files_and_texts_are_read);
  tcase_add_test(presets, directories_are_called_that);
  return unit_run("filter_preset", presets);
}
