/* Counters as JSON, where there is jansson. */
#ifndef HALO_COUNTERS_JSON_H
#define HALO_COUNTERS_JSON_H

#include <jansson.h>

#include "counters.h"

/* An object by the names of counters.h, with null for what nobody counted; null for NULL. */
json_t *counters_json(const struct counters *counters);

#endif
