/* From the text of a filter to a chain: the libvips matrix, and rows typed in place.  ImageMagick's
   kernels stand in filter_text_magick.c.

   The syntax is decided before anything is read; comments do not count:

   - where a `:` stands, it is ImageMagick's;
   - else, where a `;` stands, it is rows in place;
   - else it is a libvips matrix, where more than one line has words on it, the first has 2, 3 or 4,
     of which the first two are whole numbers W and H from 1, and the second line has W words;
   - the same where the second line has another number of words than the first, so that they could
     not be rows of one filter: whatever is wrong is then said about a matrix;
   - everything else is rows in place.

   So a text that could be both (3 columns that begin with `3 2 1`, say) is a matrix; rows separated
   by `;` never are. */
#include "config.h"

#include "filter_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_scan.h"
#include "filter_taps.h"
#include "filter_text_magick.h"

/* A line, as far as is needed to tell the header of a matrix from a row of taps. */
struct line {
  size_t words;
  size_t numbers[2]; /* the first two words, where they are whole numbers; else 0 */
};

/* Counts the words of the next line that has any; 0 at the end of the text. */
static void line_look(struct scanner *scanner, struct line *line)
{
  memset(line, 0, sizeof *line);
  scan_space(scanner, true);
  while (!scan_at_line_end(scanner)) {
    const char *word = scanner->text + scanner->at;
    size_t length = strcspn(word, " \t\r\n#");

    if (length == 0) /* a NUL byte */
      length = 1;
    if (line->words < 2 && length < 19 && strspn(word, "0123456789") == length)
      line->numbers[line->words] = strtoull(word, NULL, 10);
    line->words++;
    while (length--)
      scan_step(scanner);
    scan_space(scanner, false);
  }
}

static bool text_is_matrix(struct scanner scanner) /* a copy: the caller's stays where it is */
{
  struct line first, second;

  line_look(&scanner, &first);
  line_look(&scanner, &second);
  if (second.words == 0 || first.words < 2 || first.words > 4 || first.numbers[0] == 0 ||
      first.numbers[1] == 0)
    return false;
  return second.words == first.numbers[0] || second.words != first.words;
}

/* Whether the text has this byte outside comments. */
static bool text_has(struct scanner scanner, char byte)
{
  for (; scan_space(&scanner, true), !scan_at_end(&scanner); scan_step(&scanner))
    if (scan_peek(&scanner) == byte)
      return true;
  return false;
}

/* Makes a filter of the numbers and appends it. */
static bool text_append(struct scanner *scanner, struct chain *chain, size_t width, size_t height,
                        const double *taps, double scale, double offset)
{
  struct filter filter;

  if (!filter_from_taps(&filter, scanner->origin, width, height, taps, scale, offset,
                        scanner->error))
    return scan_blame(scanner, 1, 1);
  if (chain_append(chain, &filter, scanner->error))
    return true;
  filter_free(&filter);
  return false;
}

/* One row of a matrix: W numbers and the end of the line. */
static bool matrix_row(struct scanner *scanner, struct numbers *numbers, size_t width)
{
  char what[80];
  double number;

  for (size_t i = 0; i < width; i++) {
    scan_space(scanner, false);
    if (scan_at_line_end(scanner)) {
      snprintf(what, sizeof what, "%zu numbers in this row and not %zu", width, i);
      return scan_expected(scanner, what);
    }
    if (!scan_number(scanner, "", "a number", &number) ||
        !numbers_add(numbers, number, scanner->error))
      return false;
  }
  scan_space(scanner, false);
  if (scan_at_line_end(scanner))
    return true;
  snprintf(what, sizeof what, "the end of the line after %zu number%s", width,
           width == 1 ? "" : "s");
  return scan_expected(scanner, what);
}

struct header {
  size_t width, height;
  double scale, offset;
};

static bool matrix_header(struct scanner *scanner, struct header *header)
{
  scan_space(scanner, true);
  if (!scan_count(scanner, 1, "the width", &header->width))
    return false;
  scan_space(scanner, false);
  if (!scan_count(scanner, 1, "the height", &header->height))
    return false;
  header->scale = 1;
  header->offset = 0;
  scan_space(scanner, false);
  if (!scan_at_line_end(scanner)) {
    struct scanner before = *scanner;

    if (!scan_number(scanner, "", "the scale, a number", &header->scale))
      return false;
    if (header->scale == 0)
      return scan_fail(&before, "the scale is 0, and sums are divided by it");
    scan_space(scanner, false);
  }
  return scan_at_line_end(scanner) ||
         scan_number(scanner, "", "the offset, a number", &header->offset);
}

static bool text_read_matrix(struct scanner *scanner, struct chain *chain)
{
  struct numbers numbers = {NULL, 0, 0};
  struct header header;
  bool read = false;
  size_t count;
  char what[80];

  if (!matrix_header(scanner, &header))
    return false;
  if (__builtin_mul_overflow(header.width, header.height, &count))
    return scan_fail(scanner, "a filter can't have %zu by %zu taps", header.width, header.height);
  for (size_t row = 0; row < header.height; row++) {
    scan_space(scanner, true);
    if (scan_at_end(scanner)) {
      snprintf(what, sizeof what, "%zu rows of taps and not %zu", header.height, row);
      scan_expected(scanner, what);
      goto free_numbers;
    }
    if (!matrix_row(scanner, &numbers, header.width))
      goto free_numbers;
  }
  scan_space(scanner, true);
  snprintf(what, sizeof what, "the end of the text after %zu row%s", header.height,
           header.height == 1 ? "" : "s");
  read = scan_at_end(scanner) ? text_append(scanner, chain, header.width, header.height,
                                            numbers.values, header.scale, header.offset)
                              : scan_expected(scanner, what);

free_numbers:
  free(numbers.values);
  return read;
}

/* How the numbers of rows in place are separated: all in one way, so that `1,5 2,5` is not taken
   for four numbers. */
enum separator { SEPARATOR_NONE, SEPARATOR_SPACE, SEPARATOR_COMMA };

/* Steps over what separates two numbers, and tells whether another number follows in this row. */
static bool row_goes_on(struct scanner *scanner, enum separator *separator, bool *more)
{
  struct scanner before = *scanner;
  enum separator here = SEPARATOR_SPACE;

  scan_space(scanner, false);
  if (scan_take(scanner, ',')) {
    here = SEPARATOR_COMMA;
    scan_space(scanner, false);
    *more = true; /* after a comma there must be one */
  } else {
    *more = !scan_at_line_end(scanner) && scan_peek(scanner) != ';';
  }
  if (!*more)
    return true;
  if (*separator != SEPARATOR_NONE && *separator != here)
    return scan_fail(&before, "numbers are separated by commas or by spaces, not by both; the "
                              "decimal point is '.'");
  *separator = here;
  return true;
}

/* One row: numbers up to `;` or the end of the line; as many as in the first row (`width`). */
static bool rows_row(struct scanner *scanner, struct numbers *numbers, size_t *width,
                     enum separator *separator)
{
  bool more = true;
  char what[80];
  size_t count;
  double number;

  for (count = 0; more; count++) {
    if (*width > 0 && count == *width) {
      snprintf(what, sizeof what, "the end of the row after %zu number%s, as in the first row",
               *width, *width == 1 ? "" : "s");
      return scan_expected(scanner, what);
    }
    if (!scan_number(scanner, ",;", "a number", &number) ||
        !numbers_add(numbers, number, scanner->error) || !row_goes_on(scanner, separator, &more))
      return false;
  }
  if (*width == 0)
    *width = count;
  if (count == *width)
    return true;
  snprintf(what, sizeof what, "%zu numbers in this row, as in the first, and not %zu", *width,
           count);
  return scan_expected(scanner, what);
}

static bool text_read_rows(struct scanner *scanner, struct chain *chain)
{
  struct numbers numbers = {NULL, 0, 0};
  enum separator separator = SEPARATOR_NONE;
  size_t width = 0, height = 0;
  bool read = false;

  scan_space(scanner, true);
  if (scan_at_end(scanner))
    return scan_expected(scanner, "the taps of a filter");
  for (; !scan_at_end(scanner); height++) {
    if (!rows_row(scanner, &numbers, &width, &separator))
      goto free_numbers;
    scan_take(scanner, ';'); /* allowed after the last row, too */
    scan_space(scanner, true);
  }
  read = text_append(scanner, chain, width, height, numbers.values, 1, 0);

free_numbers:
  free(numbers.values);
  return read;
}

bool filter_parse(struct chain *chain, const char *origin, const char *text, size_t size,
                  struct error *error)
{
  size_t before = chain->count;
  struct scanner scanner;
  bool read;

  if (!scanner_start(&scanner, origin, text, size, error))
    return false;
  if (text_has(scanner, ':'))
    read = text_read_magick(&scanner, chain);
  else if (!text_has(scanner, ';') && text_is_matrix(scanner))
    read = text_read_matrix(&scanner, chain);
  else
    read = text_read_rows(&scanner, chain);
  while (!read && chain->count > before)
    filter_free(&chain->filters[--chain->count]);
  scanner_end(&scanner);
  return read;
}
