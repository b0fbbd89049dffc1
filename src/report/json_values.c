/* Values of reports as JSON: see json_values.h. */
#include "config.h"

#ifdef HAVE_JANSSON

#include "json_values.h"

#include <math.h>

json_t *json_text(const char *text)
{
  json_t *string = text && *text ? json_string(text) : NULL;

  return string ? string : json_null();
}

json_t *json_number(double value)
{
  return isnan(value) ? json_null() : json_real(value);
}

json_t *json_count(bool known, size_t count)
{
  return known ? json_integer((json_int_t)count) : json_null();
}

json_t *json_counters(const struct counters *counters)
{
  json_t *object;

  if (!counters)
    return json_null();
  object = json_object();
  for (int c = 0; c < COUNTER_COUNT; c++)
    json_object_set_new(object, counter_table[c].name, json_number(counters->value[c]));
  return object;
}

#else

typedef int nothing; /* a file must not be empty */

#endif
