/* One matrix as a row and a column.

   Where each row of the matrix is a whole multiple of one row (it has rank 1), the matrix is a column,
   of those multiples, times that row: 1 2 1; 2 4 2; 1 2 1 is the column 1 2 1 times the row 1 2 1. */
#include "filter_split.h"

#include <math.h>
#include <stdlib.h>

#include "filter_taps.h"

/* Finds the row that all rows of the pass are whole multiples of, and those multiples. */
static bool pass_factor(const struct pass *pass, float *row, float *column)
{
  size_t width = pass->width, first = 0;
  struct pass line = {.width = width, .height = 1};
  long long common;

  while (first < width * pass->height && pass->taps[first] == 0)
    first++;
  if (first == width * pass->height)
    return false;
  line.taps = pass->taps + first / width * width;
  common = pass_divisor(&line);
  for (size_t i = 0; i < width; i++)
    row[i] = (float)((long long)line.taps[i] / common);
  first %= width;
  for (size_t j = 0; j < pass->height; j++) {
    const float *taps = pass->taps + j * width;

    column[j] = rintf(taps[first] / row[first]);
    for (size_t i = 0; i < width; i++)
      if ((double)column[j] * row[i] != taps[i])
        return false;
  }
  return true;
}

bool filter_split(const struct filter *filter, enum sample_type type, struct filter *split)
{
  const struct pass *pass = &filter->term[0].pass[0];
  float *row = NULL, *column = NULL;
  struct error ignored;
  bool made = false;

  if (!filter_is_plain(filter) || filter->term[0].passes != 1 || pass->width == 1 ||
      pass->height == 1 || type == SAMPLE_F32 || !pass->integral)
    return false;
  row = malloc(pass->width * sizeof *row);
  column = malloc(pass->height * sizeof *column);
  if (!row || !column || !pass_factor(pass, row, column))
    goto free_factors;
  made = filter_from_passes(split, filter->name ? filter->name : "", pass->width, row, 1,
                            pass->height, column, pass->scale, &ignored);
  if (!made)
    goto free_factors;
  split->term[0].pass[0].anchor_x = pass->anchor_x;
  split->term[0].pass[1].anchor_y = pass->anchor_y;
  split->term[0].pass[1].bias = pass->bias;
  split->offset = filter->offset;
  split->given_scale = filter->given_scale;
  made = term_is_exact(&split->term[0], type) ||
         passes_sums(&split->term[0].pass[0], &split->term[0].pass[1], type) == SUMS_INTEGER;
  if (!made)
    filter_free(split);

free_factors:
  free(row);
  free(column);
  return made;
}
