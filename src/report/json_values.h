/* Values of reports as JSON, where there is jansson: null stands for what is not known. */
#ifndef HALO_JSON_VALUES_H
#define HALO_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "counters.h"

/* A string; null for NULL, for an empty text, and for one that is not UTF-8. */
json_t *json_text(const char *text);

/* A number; null for NaN. */
json_t *json_number(double value);

/* A count; null where it is not known. */
json_t *json_count(bool known, size_t count);

/* An object by the names of counters.h, with null for what nobody counted; null for NULL. */
json_t *json_counters(const struct counters *counters);

#endif
