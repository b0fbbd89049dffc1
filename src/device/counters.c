/* Counters: see counters.h. */
#include "config.h"

#include "counters.h"

#include <math.h>
#include <string.h>

#define X(id, name, title, metric) name,
const char *const counter_names[COUNTER_COUNT] = {COUNTERS(X)};
#undef X

#define X(id, name, title, metric) title,
const char *const counter_titles[COUNTER_COUNT] = {COUNTERS(X)};
#undef X

#define X(id, name, title, metric) metric,
const char *const counter_metrics[COUNTER_COUNT] = {COUNTERS(X)};
#undef X

void counters_add(struct counters *sum, const struct counters *counters)
{
  for (int i = 0; i < COUNTER_COUNT; i++) {
    if (i == COUNTER_WARPS_ACTIVE)
      sum->value[i] = fmax(sum->value[i], counters->value[i]);
    else
      sum->value[i] += counters->value[i];
  }
  if (!sum->unavailable[0])
    memcpy(sum->unavailable, counters->unavailable, sizeof sum->unavailable);
}

void counters_of_lines(struct counters *counters, const struct explained_lines *lines)
{
  double *value = counters->value;

  memset(counters, 0, sizeof *counters);
  value[COUNTER_DRAM_READ] = value[COUNTER_DRAM_WRITTEN] = value[COUNTER_WARPS_ACTIVE] = NAN;
  for (size_t i = 0; i < lines->count; i++) {
    const struct explained_line *line = &lines->line[i];
    double words = line->bytes > 4 ? line->bytes / 4 : 1; /* wavefronts without any conflict */
    double requests = (double)line->requests, served = (double)line->served;

    switch (line->memory) {
    case EXPLAINED_GLOBAL:
      value[line->write ? COUNTER_GLOBAL_STORES : COUNTER_GLOBAL_LOADS] += requests;
      value[line->write ? COUNTER_GLOBAL_STORE_SECTORS : COUNTER_GLOBAL_LOAD_SECTORS] += served;
      break;
    case EXPLAINED_SHARED:
      value[line->write ? COUNTER_SHARED_STORES : COUNTER_SHARED_LOADS] += requests;
      value[line->write ? COUNTER_SHARED_STORE_WAVEFRONTS : COUNTER_SHARED_LOAD_WAVEFRONTS] +=
          served;
      value[line->write ? COUNTER_SHARED_STORE_CONFLICTS : COUNTER_SHARED_LOAD_CONFLICTS] +=
          fmax(served - words * requests, 0);
      break;
    case EXPLAINED_TEXTURE:
      value[COUNTER_TEXTURE_FETCHES] += requests;
      value[COUNTER_TEXTURE_SECTORS] += served;
      break;
    default:
      break; /* an operand of the multiply-add, which nobody counts as a request */
    }
  }
}
