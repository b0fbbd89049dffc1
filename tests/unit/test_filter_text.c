/* The texts of filters: what each syntax accepts, and the place and words of every error. */
#include "config.h"

#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_read.h"
#include "filter_taps.h"
#include "filter_text.h"
#include "unit.h"

static struct error error;

/* Parses a text of one filter, with everything that it should become. */
static void check_text(const char *text, size_t width, size_t height, size_t x, size_t y,
                       float scale, double offset, const float *taps)
{
  struct chain chain = {NULL, 0};
  const struct filter *filter;

  ck_assert_msg(filter_parse(&chain, "F", text, strlen(text), &error), "%s: %s", text, error.text);
  ck_assert_uint_eq(chain.count, 1);
  filter = &chain.filters[0];
  ck_assert_uint_eq(filter->term[0].passes, 1);
  ck_assert_msg(filter->term[0].pass[0].width == width && filter->term[0].pass[0].height == height,
                "%s: %zux%zu", text, filter->term[0].pass[0].width, filter->term[0].pass[0].height);
  ck_assert_msg(filter->term[0].pass[0].anchor_x == x && filter->term[0].pass[0].anchor_y == y,
                "%s: +%zu+%zu", text, filter->term[0].pass[0].anchor_x,
                filter->term[0].pass[0].anchor_y);
  ck_assert_msg(filter->term[0].pass[0].scale == scale, "%s: scale %g", text,
                filter->term[0].pass[0].scale);
  ck_assert_msg(filter->offset == offset, "%s: offset %g", text, filter->offset);
  for (size_t i = 0; i < width * height; i++)
    ck_assert_msg(filter->term[0].pass[0].taps[i] == taps[i], "%s: tap %zu is %g", text, i,
                  filter->term[0].pass[0].taps[i]);
  chain_free(&chain);
}

#define TAPS(...) ((const float[]){__VA_ARGS__})

START_TEST(matrices)
{
  check_text("3 3\n0 -1 0\n-1 5 -1\n0 -1 0", 3, 3, 1, 1, 1, 0, TAPS(0, -1, 0, -1, 5, -1, 0, -1, 0));
  check_text("3 1 4\n1 2 1\n", 3, 1, 1, 0, 4, 0, TAPS(1, 2, 1));
  check_text("3 1 4 -1.5\n1 2 1\n", 3, 1, 1, 0, 4, -1.5, TAPS(1, 2, 1));
  check_text("2 2 -4 128\n1 2\n3 5\n", 2, 2, 1, 1, -4, 128, TAPS(1, 2, 3, 5));
  check_text("# head\r\n\r\n2\t2 # size\r\n  1 2\t\r\n# between\r\n.5 +3.e0 # row\r\n", 2, 2, 1, 1,
             2, 0, TAPS(2, 4, 1, 6));
  check_text("\xEF\xBB\xBF"
             "1 2\n7\n8",
             1, 2, 0, 1, 1, 0, TAPS(7, 8));
  check_text("2 2\r1 2\r3 4\r", 2, 2, 1, 1, 1, 0, TAPS(1, 2, 3, 4));
}
END_TEST

START_TEST(rows_in_place)
{
  check_text("0 -1 0; -1 5 -1; 0 -1 0", 3, 3, 1, 1, 1, 0, TAPS(0, -1, 0, -1, 5, -1, 0, -1, 0));
  check_text("0,-1,0; -1,5,-1", 3, 2, 1, 1, 1, 0, TAPS(0, -1, 0, -1, 5, -1));
  check_text("0 , -1,\t0;-1,5,-1;", 3, 2, 1, 1, 1, 0, TAPS(0, -1, 0, -1, 5, -1));
  check_text("1 2\n3 4\r\n5 6", 2, 3, 1, 1, 1, 0, TAPS(1, 2, 3, 4, 5, 6));
  check_text("1 2;\n3 4;\n# end", 2, 2, 1, 1, 1, 0, TAPS(1, 2, 3, 4));
  check_text("5", 1, 1, 0, 0, 1, 0, TAPS(5));
  check_text("1e2 1E-1 +.5", 3, 1, 1, 0, 10, 0, TAPS(1000, 1, 5));
  check_text("1 1 # : and ; in a comment", 2, 1, 1, 0, 1, 0, TAPS(1, 1));
}
END_TEST

START_TEST(matrix_or_rows)
{
  /* Rows of one width whose second line has not W numbers are rows … */
  check_text("1 2 1\n2 4 2\n1 2 1", 3, 3, 1, 1, 1, 0, TAPS(1, 2, 1, 2, 4, 2, 1, 2, 1));
  check_text("1 2\n3 4", 2, 2, 1, 1, 1, 0, TAPS(1, 2, 3, 4));
  /* … and where it has, a matrix. */
  check_text("3 2 1\n0 0 0\n1 2 3", 3, 2, 1, 1, 1, 0, TAPS(0, 0, 0, 1, 2, 3));
  check_text("3 2 1;0 0 0;1 2 3", 3, 3, 1, 1, 1, 0, TAPS(3, 2, 1, 0, 0, 0, 1, 2, 3));
  check_text("2 1\n3 4", 2, 1, 1, 0, 1, 0, TAPS(3, 4));
  check_text("2 -1\n3 4", 2, 2, 1, 1, 1, 0, TAPS(2, -1, 3, 4));
  check_text("3 3 1 0", 4, 1, 2, 0, 1, 0, TAPS(3, 3, 1, 0));
}
END_TEST

START_TEST(magick_kernels)
{
  const float sharpen[] = {0, -1, 0, -1, 5, -1, 0, -1, 0};

  check_text("3x3: 0,-1,0 -1,5,-1 0,-1,0", 3, 3, 1, 1, 1, 0, sharpen);
  check_text("3: 0,-1,0 -1,5,-1 0,-1,0 ;", 3, 3, 1, 1, 1, 0, sharpen);
  check_text("# c\r\n3 :\r\n0,-1,0\r\n-1 , 5 , -1 # middle\r\n0,-1,0\r\n", 3, 3, 1, 1, 1, 0,
             sharpen);
  check_text("3: - 1 nan, NaN 5,- 2 - 3", 3, 3, 1, 1, 1, 0, TAPS(0, 1, 0, 0, 5, 0, 2, 0, 3));
  check_text("2x2: 1 2 3 4", 2, 2, 0, 0, 1, 0, TAPS(1, 2, 3, 4));
  check_text("4X1: 1 2 3 4", 4, 1, 1, 0, 1, 0, TAPS(1, 2, 3, 4));
  check_text("5x1+4+0: 1 2 3 4 5", 5, 1, 4, 0, 1, 0, TAPS(1, 2, 3, 4, 5));
  check_text("1:.25", 1, 1, 0, 0, 4, 0, TAPS(1));
}
END_TEST

/* Parses a text of several 3x3 or 3x2 filters of one-digit taps; each is written as its digits. */
static void check_list(const char *text, const char *const *digits, const char *const *anchors)
{
  struct chain chain = {NULL, 0};
  size_t count = 0;

  ck_assert_msg(filter_parse(&chain, "F", text, strlen(text), &error), "%s: %s", text, error.text);
  for (; digits[count]; count++) {
    const struct pass *pass = &chain.filters[count].term[0].pass[0];
    char anchor[32];

    ck_assert_uint_lt(count, chain.count);
    ck_assert_uint_eq(strlen(digits[count]), pass->width * pass->height);
    for (size_t i = 0; digits[count][i]; i++)
      ck_assert_msg(pass->taps[i] == (float)(digits[count][i] - '0'), "%s: filter %zu, tap %zu: %g",
                    text, count, i, pass->taps[i]);
    snprintf(anchor, sizeof anchor, "%zux%zu+%zu+%zu", pass->width, pass->height, pass->anchor_x,
             pass->anchor_y);
    ck_assert_str_eq(anchor, anchors[count]);
  }
  ck_assert_uint_eq(chain.count, count);
  chain_free(&chain);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

START_TEST(magick_lists)
{
  check_list("3x1: 1 2 3; 1x2: 4,5;", LIST("123", "45"), LIST("3x1+1+0", "1x2+0+0"));
  check_list("3x2+0+1>: 1 2 3 4 5 6", LIST("123456", "415263", "654321", "362514"),
             LIST("3x2+0+1", "2x3+0+0", "3x2+2+0", "2x3+1+2"));
  check_list("3x2<: 1 2 3 4 5 6", LIST("123456", "654321", "362514", "415263"),
             LIST("3x2+1+0", "3x2+1+1", "2x3+0+1", "2x3+1+1"));
  check_list(
      "3@: 1 2 3 4 5 6 7 8 9",
      LIST("123456789", "412753896", "741852963", "874951632", "987654321", "698357214",
           "369258147", "236159478"),
      LIST("3x3+1+1", "3x3+1+1", "3x3+1+1", "3x3+1+1", "3x3+1+1", "3x3+1+1", "3x3+1+1", "3x3+1+1"));
}
END_TEST

/* Every error: the text, and the message. */
static const char *const wrong[][2] = {
    {"", "F:1:1: expected the taps of a filter, found the end of the text"},
    {" \n# x", "F:2:4: expected the taps of a filter, found the end of the text"},
    /* matrices */
    {"3 3\n1 1 1\n1 1 1\n1 1", "F:4:4: expected 3 numbers in this row and not 2, found the end of "
                               "the text"},
    {"3 3\n1 1 1\n1 1\n1 1 1", "F:3:4: expected 3 numbers in this row and not 2, found the end of "
                               "the line"},
    {"3 3\r\n1 1 1\r\n1 1\r\n1 1 1",
     "F:3:4: expected 3 numbers in this row and not 2, found the end "
     "of the line"},
    {"3 3\n1 1 1 1\n1 1 1\n1 1 1",
     "F:2:7: expected the end of the line after 3 numbers, found '1'"},
    {"1 2\n1\n1 1", "F:3:3: expected the end of the line after 1 number, found '1'"},
    {"3 3\n1 1 1\n1 1 1", "F:3:6: expected 3 rows of taps and not 2, found the end of the text"},
    {"3 3 9\n1 1 1\n1 1 1\n",
     "F:4:1: expected 3 rows of taps and not 2, found the end of the text"},
    {"3 1\n1 1 1\n2 2 2", "F:3:1: expected the end of the text after 1 row, found '2'"},
    {"3 3 9\n1 1 1\n1 1 1\n1 1 1\n1 1 1", "F:5:1: expected the end of the text after 3 rows, "
                                          "found '1'"},
    {"3 1 0\n1 1 1", "F:1:5: the scale is 0, and sums are divided by it"},
    {"3 1 0.0 5\n1 1 1", "F:1:5: the scale is 0, and sums are divided by it"},
    {"3 1 x\n1 1 1", "F:1:5: expected the scale, a number, found 'x'"},
    {"3 1 1 1/2\n1 1 1", "F:1:7: expected the offset, a number, found '1/2'"},
    {"3 1\n1/9 1 1", "F:2:1: expected a number, found '1/9'"},
    {"3 1\n1 7,5 1", "F:2:3: expected a number with '.' as the decimal point, found '7,5'"},
    {"3 1\n1 1 abc", "F:2:5: expected a number, found 'abc'"},
    {"3 1\n1 1 50%", "F:2:5: expected a number, found '50%'"},
    {"3 1\n1 nan 1", "F:2:3: expected a number, found 'nan'"},
    {"3 1\n1 - 1", "F:2:3: expected a number, found '-'"},
    {"3 1\n1 inf 1", "F:2:3: expected a number, found 'inf'"},
    {"3 1\n1 0x1 1", "F:2:3: expected a number, found '0x1'"},
    {"3 1\n1 1e 1", "F:2:3: expected a number, found '1e'"},
    {"3 1\n1 1.2.3 1", "F:2:3: expected a number, found '1.2.3'"},
    {"3 1 1e-42\n1 1 1e30", "F:1:1: the scale is too small: 1e-42"},
    {"9999999999999 9999999999999\n1 2 3", "F:1:28: a filter can't have 9999999999999 by "
                                           "9999999999999 taps"},
    {"9999999999 3\n1 2 3",
     "F:2:6: expected 9999999999 numbers in this row and not 3, found the end "
     "of the text"},
    {"1 2 3\n1 2\n1 2 3", "F:2:3: expected the end of the line after 1 number, found '2'"},
    /* rows */
    {"1 2;3", "F:1:6: expected 2 numbers in this row, as in the first, and not 1, found the end of "
              "the text"},
    {"-1 2 3\n1 2\n1 2 3",
     "F:2:4: expected 3 numbers in this row, as in the first, and not 2, found "
     "the end of the line"},
    {"1 2;3 4 5;6 7", "F:1:9: expected the end of the row after 2 numbers, as in the first row, "
                      "found '5'"},
    {"1;2 3", "F:1:5: expected the end of the row after 1 number, as in the first row, found '3'"},
    {"1 2;;3 4", "F:1:5: expected a number, found ';'"},
    {";1", "F:1:1: expected a number, found ';'"},
    {"1,,2", "F:1:3: expected a number, found ',2'"},
    {"1,2,", "F:1:5: expected a number, found the end of the text"},
    {"1,2,;3,4", "F:1:5: expected a number, found ';'"},
    {"1,5 2,5; 1,5 2,5", "F:1:4: numbers are separated by commas or by spaces, not by both; the "
                         "decimal point is '.'"},
    {"1 2 3,4", "F:1:6: numbers are separated by commas or by spaces, not by both; the decimal "
                "point is '.'"},
    {"1 1/9", "F:1:3: expected a number, found '1/9'"},
    {"1;abc", "F:1:3: expected a number, found 'abc'"},
    {"1 +", "F:1:3: expected a number, found '+'"},
    {"1 1e999", "F:1:3: '1e999' is too large for a float: at most 10^38"},
    {"1 -1e-999", "F:1:3: '-1e-999' is too small for a float: at least 10^-307"},
    {"1 \xC3\xBC\xC3\xBC 2x", "F:1:3: expected a number, found '\xC3\xBC\xC3\xBC'"},
    {"# \xC3\xBC\n1 2 \x01", "F:2:5: expected a number, found $'\\001'"},
    {"1 # \xC3\xBC\r\n2 x",
     "F:2:3: expected the end of the row after 1 number, as in the first row, "
     "found 'x'"},
    {"1 'a'", "F:1:3: expected a number, found $'\\'a\\''"},
    {"1 abcdefghijklmnopqrstuvwxyz", "F:1:3: expected a number, found 'abcdefghijklmnopqrstuvwx'…"},
    {"1e-200 1e-201", "F:1:1: the taps are too small: 1e-200 at most"},
    /* ImageMagick's */
    {":", "F:1:1: expected a size such as 3x3, found ':'"},
    {"a: 1", "F:1:1: expected a size such as 3x3, found 'a:'"},
    {"0: 1", "F:1:1: expected a size such as 3x3, found '0:'"},
    {"3x: 1", "F:1:3: expected the height, found ':'"},
    {"3x0: 1", "F:1:3: expected the height, found '0:'"},
    {"3x1+1: 1 2 3", "F:1:6: expected '+', found ':'"},
    {"3x1+: 1 2 3", "F:1:5: expected a number from 0 to 2, for the origin, found ':'"},
    {"3x1+3+0: 1 2 3", "F:1:5: expected a number from 0 to 2, for the origin, found '3+0:'"},
    {"3x1+0+1: 1 2 3", "F:1:7: expected a number from 0 to 0, for the origin, found '1:'"},
    {"3x1-1+0: 1 2 3", "F:1:4: expected ':' behind the size, found '-1+0:'"},
    {"3x1!: 1 2 3", "F:1:4: expected ':' behind the size, found '!:'"},
    {"5@: 1", "F:1:2: '@' turns a filter by 45 degrees, which only a 3x3 can"},
    {"3x1: 1 2", "F:1:9: expected 3 numbers and not 2, found the end of the text"},
    {"3x1: 1 2; 1: 1", "F:1:9: expected 3 numbers and not 2, found ';'"},
    {"3x1: 1 2 3 4", "F:1:12: expected ';' or the end after 3 numbers, found '4'"},
    {"3x1: 1 2 3,", "F:1:11: expected ';' or the end after 3 numbers, found ','"},
    {"3x1: 1,,2 3", "F:1:8: expected a number, '-' or 'nan', found ',2'"},
    {"3x1: 1 abc 3", "F:1:8: expected a number, '-' or 'nan', found 'abc'"},
    {"3x1: 1 50% 3", "F:1:8: expected a number, '-' or 'nan', found '50%'"},
    {"3x1: 1 inf 3", "F:1:8: expected a number, '-' or 'nan', found 'inf'"},
    {"3x1:\n1\n1/9 3", "F:3:1: expected a number, '-' or 'nan', found '1/9'"},
    {"1: -", "F:1:5: all taps are '-' or 'nan': nothing is left of the filter"},
    {"1: 1; x", "F:1:7: expected a size such as 3x3, found 'x'"},
    {"1: 1; 2", "F:1:8: expected ':' behind the size, found the end of the text"},
    {"9999999999999x9999999999999: 1", "F:1:29: a filter can't have 9999999999999 by 9999999999999 "
                                       "taps"},
    {"99999999999999999999: 1", "F:1:1: expected a size such as 3x3, found "
                                "'99999999999999999999:'"},
};

START_TEST(errors_have_their_place)
{
  const double one = 1;
  struct chain chain = {NULL, 0};
  struct filter filter;
  const char *text = wrong[_i][0];

  ck_assert(filter_from_taps(&filter, "first", 1, 1, &one, 1, 0, &error));
  ck_assert(chain_append(&chain, &filter, &error));
  ck_assert_msg(!filter_parse(&chain, "F", text, strlen(text), &error), "%s", text);
  ck_assert_str_eq(error.text, wrong[_i][1]);
  ck_assert_int_eq(error.status, STATUS_USAGE);
  ck_assert_uint_eq(chain.count, 1); /* nothing of a wrong text is kept */
  chain_free(&chain);
}
END_TEST

START_TEST(a_nul_byte_is_an_error)
{
  struct chain chain = {NULL, 0};

  ck_assert(!filter_parse(&chain, "F", "1 2\0 3", 6, &error));
  ck_assert_str_eq(error.text, "F:1:3: expected a number, found '2'");
  ck_assert(!filter_parse(&chain, "a b\n", "1 \0003", 4, &error));
  ck_assert_str_eq(error.text, "$'a b\\n':1:3: expected a number, found a NUL byte");
}
END_TEST

START_TEST(large_filters_have_no_cap)
{
  static const struct {
    size_t width, height;
  } sizes[] = {{4097, 1}, {1, 4097}, {511, 511}};
  struct chain chain = {NULL, 0};

  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    size_t count = sizes[s].width * sizes[s].height;
    char *text = malloc(count * 8 + 64), *end = text;

    end += sprintf(end, "%zu %zu 1000\n", sizes[s].width, sizes[s].height);
    for (size_t i = 0; i < count; i++)
      end += sprintf(end, "0.%03zu%c", i % 8, (i + 1) % sizes[s].width ? ' ' : '\n');
    ck_assert_msg(filter_parse(&chain, "F", text, (size_t)(end - text), &error), "%s", error.text);
    ck_assert_uint_eq(chain.filters[s].term[0].pass[0].width, sizes[s].width);
    ck_assert_uint_eq(chain.filters[s].term[0].pass[0].height, sizes[s].height);
    ck_assert(chain.filters[s].term[0].pass[0].taps[7] == 7);
    ck_assert(chain.filters[s].term[0].pass[0].scale == 1000000);
    free(text);
  }
  chain_free(&chain);
}
END_TEST

START_TEST(the_locale_changes_nothing)
{
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
  const char *found = NULL;

  for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
    found = setlocale(LC_ALL, names[i]);
  if (!found || strcmp(localeconv()->decimal_point, ",") != 0) {
    printf("SKIP: the_locale_changes_nothing: no locale with a decimal comma is installed\n");
    return;
  }
  check_text("0.5 0.25 1e-1", 3, 1, 1, 0, 20, 0, TAPS(10, 5, 2));
  check_text("1.2345678901234567 0", 2, 1, 1, 0, 1, 0, TAPS(1.2345678901234567f, 0));
  check_text("3 1 0.5 0.5\n1 1.5 1", 3, 1, 1, 0, 1, 0.5, TAPS(2, 3, 2));
  setlocale(LC_ALL, "C");
}
END_TEST

/* A small generator, the same everywhere. */
static unsigned next_random(unsigned long long *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*state >> 33);
}

START_TEST(mutated_texts_never_crash)
{
  static const char *const seeds[] = {
      "3 3 16 0.5\n1 2 1\n2 4 2\n1 2 1\n",
      "0 -1 0; -1 5 -1; 0 -1 0",
      "5x3+2+1: 1,2,3 - nan 6 7 8 9 10 11 12 13 14 15; 3@: 1 2 3 4 5 6 7 8 9",
      "3>: 1e3 .5 -1e-3 4,5,6 7 8 9 # c\r\n",
      "gauss:2",
      "unsharp:1.5,0.7",
      "box:3x5",
      "1e300 -2.5e-17 99999999999999999999",
  };
  static const char bytes[] = "0123456789+-.eExX:;,# \t\r\n@<>na\xC3\xBC/%";
  unsigned long long state = 20240229;
  size_t good = 0;

  for (int round = 0; round < 6000; round++) {
    struct chain chain = {NULL, 0};
    char text[128];
    size_t length;

    snprintf(text, sizeof text - 16, "%s",
             seeds[next_random(&state) % (sizeof seeds / sizeof *seeds)]);
    length = strlen(text);
    for (unsigned change = 1 + next_random(&state) % 4; change > 0; change--) {
      size_t at = next_random(&state) % length;
      char byte = next_random(&state) % 16 ? bytes[next_random(&state) % (sizeof bytes - 1)]
                                           : (char)(1 + next_random(&state) % 255);

      if (next_random(&state) % 3 == 0 && length < sizeof text - 16) {
        memmove(text + at + 1, text + at, length - at + 1);
        length++;
      }
      text[at] = byte;
    }
    *error.text = '\0';
    if (strchr(text, '/') == NULL && next_random(&state) % 2
            ? filter_read(&chain, text, &error)
            : filter_parse(&chain, "F", text, length, &error)) {
      ck_assert_uint_ge(chain.count, 1);
      good++;
    } else {
      ck_assert_uint_eq(chain.count, 0);
      ck_assert_msg(strstr(error.text, "F:") == error.text || strstr(error.text, "filter:"),
                    "no place for %s: %s", text, error.text);
      ck_assert_int_eq(error.status, STATUS_USAGE);
    }
    chain_free(&chain);
  }
  ck_assert_uint_gt(good, 100);
}
END_TEST

int main(void)
{
  TCase *texts = tcase_create("texts");

  tcase_set_timeout(texts, 120);
  tcase_add_test(texts, matrices);
  tcase_add_test(texts, rows_in_place);
  tcase_add_test(texts, matrix_or_rows);
  tcase_add_test(texts, magick_kernels);
  tcase_add_test(texts, magick_lists);
  tcase_add_loop_test(texts, errors_have_their_place, 0, sizeof wrong / sizeof *wrong);
  tcase_add_test(texts, a_nul_byte_is_an_error);
  tcase_add_test(texts, large_filters_have_no_cap);
  tcase_add_test(texts, the_locale_changes_nothing);
  tcase_add_test(texts, mutated_texts_never_crash);
  return unit_run("filter_text", texts);
}
