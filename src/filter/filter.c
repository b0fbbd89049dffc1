/* What a filter is: copied, released, measured and turned. */
#include "filter.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"

bool filter_is_plain(const struct filter *filter)
{
  return filter->rule == RULE_SUM && filter->terms == 1 && filter->term[0].weight == 1;
}

const char *rule_name(enum rule rule)
{
  static const char *const names[] = {
#define X(name, constant, about) name,
      RULES(X)
#undef X
  };

  return names[rule];
}

static void pass_free(struct pass *pass)
{
  free(pass->taps);
  memset(pass, 0, sizeof *pass);
}

void filter_free(struct filter *filter)
{
  free(filter->name);
  for (unsigned t = 0; t < filter->terms; t++)
    for (unsigned i = 0; i < 2; i++)
      pass_free(&filter->term[t].pass[i]);
  memset(filter, 0, sizeof *filter);
}

bool filter_add_term(struct filter *filter, struct filter *part, double weight, struct error *error)
{
  if (filter->terms == TERMS_MAX)
    return error_set(error, STATUS_USAGE, "a filter can't have more than %d terms", TERMS_MAX);
  filter->term[filter->terms] = part->term[0];
  filter->term[filter->terms++].weight = weight;
  memset(part->term, 0, sizeof part->term);
  part->terms = 0;
  filter_free(part);
  return true;
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

static bool term_copy(struct term *copy, const struct term *term)
{
  bool whole = true;

  *copy = *term;
  for (unsigned i = 0; i < 2; i++) {
    size_t bytes = term->pass[i].width * term->pass[i].height * sizeof *copy->pass[i].taps;

    copy->pass[i].taps = i < term->passes ? malloc(bytes) : NULL;
    if (copy->pass[i].taps)
      memcpy(copy->pass[i].taps, term->pass[i].taps, bytes);
    else if (i < term->passes)
      whole = false;
  }
  return whole;
}

bool filter_copy(struct filter *copy, const struct filter *filter, struct error *error)
{
  struct filter made = *filter;
  bool whole;

  made.name = filter->name ? strdup(filter->name) : NULL;
  whole = made.name || !filter->name;
  for (unsigned t = 0; t < filter->terms; t++)
    whole = term_copy(&made.term[t], &filter->term[t]) && whole;
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

double term_sum(const struct term *term)
{
  double sum = pass_sum(&term->pass[0]);

  return term->passes == 2 ? sum * pass_sum(&term->pass[1]) : sum;
}

double term_sum_absolute(const struct term *term)
{
  double sum = pass_sum_absolute(&term->pass[0]);

  return term->passes == 2 ? sum * pass_sum_absolute(&term->pass[1]) : sum;
}

double term_gain(const struct term *term)
{
  double scale = term->pass[0].scale;

  if (term->passes == 2)
    scale *= term->pass[1].scale;
  return term_sum(term) / scale;
}

bool term_finds_edges(const struct term *term)
{
  return fabs(term_sum(term)) <= ldexp(term_sum_absolute(term), -20);
}

bool filter_finds_edges(const struct filter *filter)
{
  for (unsigned t = 0; t < filter->terms; t++)
    if (!term_finds_edges(&filter->term[t]))
      return false;
  return true;
}

double filter_gain(const struct filter *filter)
{
  double made = 0;

  if (filter->rule == RULE_THRESHOLD) {
    double first = term_gain(&filter->term[0]) * filter->term[0].weight;
    double change = first - term_gain(&filter->term[1]) * filter->term[1].weight;

    return (first + filter->amount * change) / filter->scale;
  }
  for (unsigned t = 0; t < filter->terms; t++) {
    double value = term_gain(&filter->term[t]) * filter->term[t].weight;

    if (filter->rule == RULE_MAGNITUDE)
      made = hypot(made, value);
    else if (filter->rule == RULE_MAX)
      made = t == 0 || value > made ? value : made;
    else
      made += value;
  }
  return made / filter->scale;
}

size_t term_taps(const struct term *term)
{
  if (term->passes == 2)
    return term->pass[0].width + term->pass[1].height;
  return term->pass[0].width * term->pass[0].height;
}

size_t filter_taps(const struct filter *filter)
{
  size_t taps = 0;

  for (unsigned t = 0; t < filter->terms; t++)
    taps += term_taps(&filter->term[t]);
  return taps;
}

void term_extent(const struct term *term, size_t *width, size_t *height, size_t *anchor_x,
                 size_t *anchor_y)
{
  const struct pass *column = &term->pass[term->passes - 1];

  *width = term->pass[0].width;
  *anchor_x = term->pass[0].anchor_x;
  *height = column->height;
  *anchor_y = column->anchor_y;
}

/* Widens a range of `size` taps, the one at `anchor` over the pixel, by another. */
static void range_widen(size_t *size, size_t *anchor, size_t other_size, size_t other_anchor)
{
  size_t after = *size - *anchor, other_after = other_size - other_anchor;

  *anchor = *anchor > other_anchor ? *anchor : other_anchor;
  *size = *anchor + (after > other_after ? after : other_after);
}

void filter_extent(const struct filter *filter, size_t *width, size_t *height, size_t *anchor_x,
                   size_t *anchor_y)
{
  term_extent(&filter->term[0], width, height, anchor_x, anchor_y);
  for (unsigned t = 1; t < filter->terms; t++) {
    size_t w, h, x, y;

    term_extent(&filter->term[t], &w, &h, &x, &y);
    range_widen(width, anchor_x, w, x);
    range_widen(height, anchor_y, h, y);
  }
}

static bool pass_is_pointwise(const struct pass *pass)
{
  size_t anchor = pass->anchor_y * pass->width + pass->anchor_x;

  for (size_t tap = 0; tap < pass->width * pass->height; tap++)
    if (tap != anchor && pass->taps[tap] != 0)
      return false;
  return true;
}

/* True of a filter of nothing but zeros, too: it mixes no pixels. */
bool filter_is_pointwise(const struct filter *filter)
{
  for (unsigned t = 0; t < filter->terms; t++)
    for (unsigned i = 0; i < filter->term[t].passes; i++)
      if (!pass_is_pointwise(&filter->term[t].pass[i]))
        return false;
  return true;
}

bool pass_is_exact(const struct pass *pass, enum sample_type type)
{
  double white = sample_white(type);

  return type != SAMPLE_F32 && pass->integral && fabs(pass->scale) < FILTER_EXACT_LIMIT &&
         pass_sum_absolute(pass) * white + fabs(pass->bias) < FILTER_EXACT_LIMIT;
}

bool term_is_exact(const struct term *term, enum sample_type type)
{
  const struct pass *row = &term->pass[0], *column = &term->pass[1];
  double sum;

  if (term->passes == 1 || !pass_is_exact(row, type))
    return pass_is_exact(row, type);
  sum = pass_sum_absolute(row) * pass_sum_absolute(column);
  return column->integral && fabs(column->scale) < FILTER_EXACT_LIMIT && row->scale == 1 &&
         row->bias == 0 && sum * sample_white(type) + fabs(column->bias) < FILTER_EXACT_LIMIT;
}

enum sums passes_sums(const struct pass *pass, const struct pass *column, enum sample_type type)
{
  double row, all;

  if (type == SAMPLE_F32 || !pass->integral || (column && !column->integral))
    return SUMS_FLOAT;
  if (!column)
    return pass_is_exact(pass, type) ? SUMS_FLOAT : SUMS_INTEGER;
  row = pass_sum_absolute(pass) * sample_white(type);
  all = row * pass_sum_absolute(column) + fabs(column->bias * pass->scale);
  if (pass->bias != 0 || row >= FILTER_ROW_LIMIT || all >= FILTER_INTEGER_LIMIT ||
      fabs(pass->scale * column->scale) >= FILTER_INTEGER_LIMIT)
    return SUMS_FLOAT;
  if (pass->scale != 1)
    return type == SAMPLE_U8 && row < FILTER_EXACT_LIMIT ? SUMS_FLOAT : SUMS_INTEGER;
  return all < FILTER_EXACT_LIMIT && fabs(column->scale) < FILTER_EXACT_LIMIT ? SUMS_FLOAT
                                                                              : SUMS_INTEGER;
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
  for (unsigned t = 0; t < filter->terms; t++)
    for (unsigned i = 0; i < filter->term[t].passes; i++)
      pass_turn(&filter->term[t].pass[i]);
}
