/* ImageMagick's kernels: W[xH][+X+Y][@|>|<]: W·H numbers; `;` separates several.

   Numbers are separated by white space, or a comma, or both.  `-` and `nan` stand for a tap outside
   the shape: it is 0, and a tap of 0 never touches its pixel.  The origin is (⌊(W−1)/2⌋, ⌊(H−1)/2⌋)
   unless +X+Y says otherwise.  `@` makes eight filters of a 3x3, each turned by 45 degrees against
   the one before, `>` four at 0, 90, 180 and 270 degrees, `<` four at 0, 180, 270 and 90; all
   clockwise.  Several filters are applied one after the other. */
#include "config.h"

#include "filter_text_magick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "filter_taps.h"

/* One of ImageMagick's kernels, as typed. */
struct grid {
  size_t width, height, x, y; /* x and y: the origin */
  double *taps;
};

/* Reads "+N", within 0 … below − 1. */
static bool magick_origin(struct scanner *scanner, size_t below, size_t *origin)
{
  struct scanner before;
  char what[80];

  if (!scan_take(scanner, '+'))
    return scan_expected(scanner, "'+'");
  before = *scanner;
  snprintf(what, sizeof what, "a number from 0 to %zu, for the origin", below - 1);
  if (!scan_count(scanner, 0, what, origin))
    return false;
  return *origin < below || scan_expected(&before, what);
}

/* Reads the header, up to and with the `:`. */
static bool magick_header(struct scanner *scanner, struct grid *grid, char *flag)
{
  struct scanner before = *scanner;
  char byte;

  if (!scan_count(scanner, 1, "a size such as 3x3", &grid->width))
    return false;
  grid->height = grid->width;
  if (scan_take(scanner, 'x') || scan_take(scanner, 'X'))
    if (!scan_count(scanner, 1, "the height", &grid->height))
      return false;
  grid->x = (grid->width - 1) / 2;
  grid->y = (grid->height - 1) / 2;
  if (scan_peek(scanner) == '+' && (!magick_origin(scanner, grid->width, &grid->x) ||
                                    !magick_origin(scanner, grid->height, &grid->y)))
    return false;
  byte = scan_peek(scanner);
  *flag = byte != '\0' && strchr("@<>", byte) ? byte : '\0';
  if (*flag == '@' && (grid->width != 3 || grid->height != 3))
    return scan_fail(scanner, "'@' turns a filter by 45 degrees, which only a 3x3 can");
  if (*flag)
    scan_step(scanner);
  scan_space(scanner, false);
  if (scan_take(scanner, ':'))
    return true;
  if (scanner->at == before.at)
    return scan_expected(scanner, "a size such as 3x3");
  return scan_expected(scanner, "':' behind the size");
}

/* Steps over `-` or `nan`, where the next word is one of them; tells whether it was. */
static bool magick_outside(struct scanner *scanner)
{
  const char *word = scanner->text + scanner->at;
  size_t length = strcspn(word, " \t\r\n#,;");

  if (!(length == 1 && *word == '-') && !(length == 3 && strncasecmp(word, "nan", 3) == 0))
    return false;
  while (length--)
    scan_step(scanner);
  return true;
}

/* Reads the numbers of a kernel, up to `;` or the end. */
static bool magick_taps(struct scanner *scanner, size_t count, struct numbers *numbers)
{
  char what[80];
  bool empty = true;

  scan_space(scanner, true);
  while (numbers->count < count) {
    double number = 0;

    if (scan_at_end(scanner) || scan_peek(scanner) == ';') {
      snprintf(what, sizeof what, "%zu number%s and not %zu", count, count == 1 ? "" : "s",
               numbers->count);
      return scan_expected(scanner, what);
    }
    if (!magick_outside(scanner)) {
      if (!scan_number(scanner, ",;", "a number, '-' or 'nan'", &number))
        return false;
      empty = false;
    }
    if (!numbers_add(numbers, number, scanner->error))
      return false;
    scan_space(scanner, true);
    if (numbers->count < count && scan_take(scanner, ','))
      scan_space(scanner, true);
  }
  if (!scan_at_end(scanner) && scan_peek(scanner) != ';') {
    snprintf(what, sizeof what, "';' or the end after %zu number%s", count, count == 1 ? "" : "s");
    return scan_expected(scanner, what);
  }
  return !empty || scan_fail(scanner, "all taps are '-' or 'nan': nothing is left of the filter");
}

/* Turns by 90 degrees, clockwise; `spare` is memory for as many taps. */
static void grid_turn(struct grid *grid, double *spare)
{
  struct grid turned = {grid->height, grid->width, grid->height - 1 - grid->y, grid->x, grid->taps};

  memcpy(spare, grid->taps, grid->width * grid->height * sizeof *spare);
  for (size_t j = 0; j < turned.height; j++)
    for (size_t i = 0; i < turned.width; i++)
      turned.taps[j * turned.width + i] = spare[(grid->height - 1 - i) * grid->width + j];
  *grid = turned;
}

/* Turns a 3x3 by 45 degrees, clockwise: its eight outer taps move on by one place. */
static void grid_turn_ring(struct grid *grid, double *spare)
{
  static const size_t ring[9] = {0, 1, 2, 5, 8, 7, 6, 3, 0};
  size_t origin = grid->y * 3 + grid->x;

  memcpy(spare, grid->taps, 9 * sizeof *spare);
  for (size_t i = 0; i < 8; i++) {
    grid->taps[ring[i + 1]] = spare[ring[i]];
    if (origin == ring[i]) {
      grid->x = ring[i + 1] % 3;
      grid->y = ring[i + 1] / 3;
    }
  }
}

static bool magick_append(struct scanner *scanner, const struct grid *grid, struct chain *chain)
{
  struct filter filter;

  if (!filter_from_taps(&filter, scanner->origin, grid->width, grid->height, grid->taps, 1, 0,
                        scanner->error))
    return scan_blame(scanner, scanner->line, scanner->column);
  filter.term[0].pass[0].anchor_x = grid->x;
  filter.term[0].pass[0].anchor_y = grid->y;
  if (chain_append(chain, &filter, scanner->error))
    return true;
  filter_free(&filter);
  return false;
}

/* Appends the kernel and, where there is a flag, the turned copies of it. */
static bool magick_expand(struct scanner *scanner, struct grid *grid, char flag,
                          struct chain *chain)
{
  static const unsigned order_up[] = {1, 1, 1}, order_mirror[] = {2, 1, 2};
  const unsigned *order = flag == '<' ? order_mirror : order_up;
  unsigned turns = flag == '@' ? 7 : flag ? 3 : 0;
  double *spare = malloc(grid->width * grid->height * sizeof *spare);
  bool appended;

  if (!spare)
    return error_set(scanner->error, STATUS_FAILED, "no memory for a turned filter");
  appended = magick_append(scanner, grid, chain);
  for (unsigned turn = 0; turn < turns && appended; turn++) {
    if (flag == '@')
      grid_turn_ring(grid, spare);
    else
      for (unsigned quarter = 0; quarter < order[turn]; quarter++)
        grid_turn(grid, spare);
    appended = magick_append(scanner, grid, chain);
  }
  free(spare);
  return appended;
}

static bool magick_kernel(struct scanner *scanner, struct chain *chain)
{
  struct numbers numbers = {NULL, 0, 0};
  struct grid grid;
  size_t count;
  bool read;
  char flag;

  if (!magick_header(scanner, &grid, &flag))
    return false;
  if (__builtin_mul_overflow(grid.width, grid.height, &count))
    return scan_fail(scanner, "a filter can't have %zu by %zu taps", grid.width, grid.height);
  read = magick_taps(scanner, count, &numbers);
  grid.taps = numbers.values;
  read = read && magick_expand(scanner, &grid, flag, chain);
  free(numbers.values);
  return read;
}

bool text_read_magick(struct scanner *scanner, struct chain *chain)
{
  do {
    scan_space(scanner, true);
    if (!magick_kernel(scanner, chain))
      return false;
    scan_take(scanner, ';'); /* allowed after the last kernel, too */
    scan_space(scanner, true);
  } while (!scan_at_end(scanner));
  return true;
}
