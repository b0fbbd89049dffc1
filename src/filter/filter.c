/* Filters as things: made of passes, copied, turned, measured and released. */
#include "filter.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void pass_free(struct pass *pass)
{
  free(pass->taps);
  memset(pass, 0, sizeof *pass);
}

void filter_free(struct filter *filter)
{
  free(filter->name);
  for (unsigned i = 0; i < 2; i++)
    pass_free(&filter->pass[i]);
  memset(filter, 0, sizeof *filter);
}

void chain_free(struct chain *chain)
{
  for (size_t i = 0; i < chain->count; i++)
    filter_free(&chain->filters[i]);
  free(chain->filters);
  chain->filters = NULL;
  chain->count = 0;
}

bool chain_append(struct chain *chain, struct filter *filter, struct error *error)
{
  struct filter *filters = NULL;

  if (chain->count < SIZE_MAX / sizeof *filters - 1)
    filters = realloc(chain->filters, (chain->count + 1) * sizeof *filters);
  if (!filters)
    return error_set(error, STATUS_FAILED, "no memory for another filter");
  chain->filters = filters;
  chain->filters[chain->count++] = *filter;
  memset(filter, 0, sizeof *filter);
  return true;
}

size_t chain_bytes(const struct chain *chain)
{
  size_t bytes = 0;

  for (size_t i = 0; i < chain->count; i++)
    bytes += sizeof *chain->filters + filter_taps(&chain->filters[i]) * sizeof(float);
  return bytes;
}

bool filter_copy(struct filter *copy, const struct filter *filter, struct error *error)
{
  struct filter made = *filter;
  bool whole = true;

  made.name = filter->name ? strdup(filter->name) : NULL;
  whole = made.name || !filter->name;
  for (unsigned i = 0; i < 2; i++) {
    size_t bytes = filter->pass[i].width * filter->pass[i].height * sizeof *made.pass[i].taps;

    made.pass[i].taps = i < filter->passes ? malloc(bytes) : NULL;
    if (made.pass[i].taps)
      memcpy(made.pass[i].taps, filter->pass[i].taps, bytes);
    else if (i < filter->passes)
      whole = false;
  }
  if (!whole) {
    filter_free(&made);
    return error_set(error, STATUS_FAILED, "no memory for a copy of the filter");
  }
  *copy = made;
  return true;
}

/* Makes one pass of a separable filter; its anchor is the middle. */
static bool pass_make(struct pass *pass, size_t width, size_t height, const float *taps,
                      double scale)
{
  size_t count = width * height;

  pass->taps = count <= SIZE_MAX / sizeof *taps ? malloc(count * sizeof *taps) : NULL;
  if (!pass->taps)
    return false;
  memcpy(pass->taps, taps, count * sizeof *taps);
  pass->width = width;
  pass->height = height;
  pass->anchor_x = width / 2;
  pass->anchor_y = height / 2;
  pass->bias = 0;
  pass->scale = (float)scale;
  pass->integral = rintf(pass->scale) == pass->scale && fabs(scale) < FILTER_EXACT_LIMIT;
  for (size_t i = 0; i < count && pass->integral; i++)
    pass->integral = rintf(taps[i]) == taps[i] && fabsf(taps[i]) < FILTER_EXACT_LIMIT;
  return true;
}

bool filter_from_passes(struct filter *filter, const char *name, size_t width,
                        const float *row_taps, double row_scale, size_t height,
                        const float *column_taps, double column_scale, struct error *error)
{
  memset(filter, 0, sizeof *filter);
  filter->passes = 2;
  filter->given_scale = row_scale * column_scale;
  filter->name = strdup(name);
  if (!filter->name || !pass_make(&filter->pass[0], width, 1, row_taps, row_scale) ||
      !pass_make(&filter->pass[1], 1, height, column_taps, column_scale)) {
    filter_free(filter);
    return error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu", width, height);
  }
  return true;
}

static double pass_sum(const struct pass *pass, bool absolute)
{
  double sum = 0;

  for (size_t i = 0; i < pass->width * pass->height; i++)
    sum += absolute ? fabs(pass->taps[i]) : pass->taps[i];
  return sum;
}

double filter_sum(const struct filter *filter)
{
  double sum = pass_sum(&filter->pass[0], false);

  return filter->passes == 2 ? sum * pass_sum(&filter->pass[1], false) : sum;
}

double filter_sum_absolute(const struct filter *filter)
{
  double sum = pass_sum(&filter->pass[0], true);

  return filter->passes == 2 ? sum * pass_sum(&filter->pass[1], true) : sum;
}

double filter_gain(const struct filter *filter)
{
  double scale = filter->pass[0].scale;

  if (filter->passes == 2)
    scale *= filter->pass[1].scale;
  return filter_sum(filter) / scale;
}

size_t filter_taps(const struct filter *filter)
{
  if (filter->passes == 2)
    return filter->pass[0].width + filter->pass[1].height;
  return filter->pass[0].width * filter->pass[0].height;
}

void filter_extent(const struct filter *filter, size_t *width, size_t *height, size_t *anchor_x,
                   size_t *anchor_y)
{
  const struct pass *column = &filter->pass[filter->passes - 1];

  *width = filter->pass[0].width;
  *anchor_x = filter->pass[0].anchor_x;
  *height = column->height;
  *anchor_y = column->anchor_y;
}

/* A filter of nothing but zeros never mixes pixels either. */
bool filter_is_pointwise(const struct filter *filter)
{
  for (unsigned i = 0; i < filter->passes; i++) {
    const struct pass *pass = &filter->pass[i];
    size_t anchor = pass->anchor_y * pass->width + pass->anchor_x;

    for (size_t tap = 0; tap < pass->width * pass->height; tap++)
      if (tap != anchor && pass->taps[tap] != 0)
        return false;
  }
  return true;
}

static void pass_turn(struct pass *pass)
{
  size_t count = pass->width * pass->height;

  for (size_t i = 0; i < count / 2; i++) {
    float tap = pass->taps[i];

    pass->taps[i] = pass->taps[count - 1 - i];
    pass->taps[count - 1 - i] = tap;
  }
  pass->anchor_x = pass->width - 1 - pass->anchor_x;
  pass->anchor_y = pass->height - 1 - pass->anchor_y;
}

void filter_turn(struct filter *filter)
{
  for (unsigned i = 0; i < filter->passes; i++)
    pass_turn(&filter->pass[i]);
}
