/* Counters: see counters.h. */
#include "config.h"

#include "counters.h"

#include <math.h>
#include <string.h>

#define X(id, name, title, metric, kind, prediction) {name, title, metric, kind, {prediction}},
const struct counter_about counter_table[COUNTER_COUNT] = {COUNTERS(X)};
#undef X

void counters_add(struct counters *sum, const struct counters *counters)
{
  for (int i = 0; i < COUNTER_COUNT; i++) {
    if (counter_table[i].kind == COUNTED_SHARE)
      sum->value[i] = fmax(sum->value[i], counters->value[i]);
    else
      sum->value[i] += counters->value[i];
  }
  if (!sum->unavailable[0])
    memcpy(sum->unavailable, counters->unavailable, sizeof sum->unavailable);
}

static double line_count(const struct explained_line *line, enum counter_prediction what)
{
  double words = line->bytes > 4 ? line->bytes / 4 : 1; /* wavefronts without any conflict */
  double requests = (double)line->requests, served = (double)line->served;

  switch (what) {
  case PREDICT_REQUESTS:
    return requests;
  case PREDICT_SERVED:
    return served;
  case PREDICT_CONFLICTS:
    return fmax(served - words * requests, 0);
  case PREDICT_NOTHING:
    break;
  }
  return NAN;
}

static double counter_predict(const struct counter_about *counter,
                              const struct explained_lines *lines)
{
  double sum = counter->prediction.what == PREDICT_NOTHING ? NAN : 0;

  for (size_t i = 0; i < lines->count; i++) {
    const struct explained_line *line = &lines->line[i];

    if (line->memory == counter->prediction.memory && line->write == counter->prediction.write)
      sum += line_count(line, counter->prediction.what);
  }
  return sum;
}

void counters_of_lines(struct counters *counters, const struct explained_lines *lines)
{
  memset(counters, 0, sizeof *counters);
  for (int i = 0; i < COUNTER_COUNT; i++)
    counters->value[i] = counter_predict(&counter_table[i], lines);
}
