/* What a filter is: copied, released, measured and turned. */
#include "filter.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"

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

static double pass_sum(const struct pass *pass)
{
  double sum = 0;

  for (size_t i = 0; i < pass->width * pass->height; i++)
    sum += pass->taps[i];
  return sum;
}

double pass_sum_absolute(const struct pass *pass)
{
  double sum = 0;

  for (size_t i = 0; i < pass->width * pass->height; i++)
    sum += fabs((double)pass->taps[i]);
  return sum;
}

long long pass_divisor(const struct pass *pass)
{
  wide common = 0;

  for (size_t i = 0; i < pass->width * pass->height && common != 1; i++)
    common = wide_gcd(common, (long long)pass->taps[i]);
  return (long long)common;
}

double filter_sum(const struct filter *filter)
{
  double sum = pass_sum(&filter->pass[0]);

  return filter->passes == 2 ? sum * pass_sum(&filter->pass[1]) : sum;
}

double filter_sum_absolute(const struct filter *filter)
{
  double sum = pass_sum_absolute(&filter->pass[0]);

  return filter->passes == 2 ? sum * pass_sum_absolute(&filter->pass[1]) : sum;
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

/* True of a filter of nothing but zeros, too: it mixes no pixels. */
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

bool pass_is_exact(const struct pass *pass, enum sample_type type)
{
  double white = sample_white(type);

  return type != SAMPLE_F32 && pass->integral &&
         pass_sum_absolute(pass) * white + fabs((double)pass->bias) < FILTER_EXACT_LIMIT;
}

bool filter_is_exact(const struct filter *filter, enum sample_type type)
{
  const struct pass *row = &filter->pass[0], *column = &filter->pass[1];
  double sum;

  if (filter->passes == 1 || !pass_is_exact(row, type))
    return pass_is_exact(row, type);
  sum = pass_sum_absolute(row) * pass_sum_absolute(column);
  return column->integral && row->scale == 1 && row->bias == 0 &&
         sum * sample_white(type) + fabs((double)column->bias) < FILTER_EXACT_LIMIT;
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
