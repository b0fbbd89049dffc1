/* Counters as JSON: see counters_json.h. */
#include "config.h"

#ifdef HAVE_JANSSON

#include "counters_json.h"

#include <math.h>

json_t *counters_json(const struct counters *counters)
{
  json_t *object;

  if (!counters)
    return json_null();
  object = json_object();
  for (int c = 0; c < COUNTER_COUNT; c++)
    json_object_set_new(object, counter_names[c],
                        isnan(counters->value[c]) ? json_null() : json_real(counters->value[c]));
  return object;
}

#else

typedef int nothing; /* a file must not be empty */

#endif
