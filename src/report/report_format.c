/* The forms of a report: see report_format.h. */
#include "config.h"

#include "report_format.h"

#include <string.h>

bool report_format_read(enum report_format *format, const char *name, struct error *error)
{
  *format = REPORT_TABLE;
  if (!name)
    return true;
  *format = strcmp(name, "csv") == 0 ? REPORT_CSV : REPORT_JSON;
  if (*format == REPORT_JSON && strcmp(name, "json") != 0)
    return error_set(error, STATUS_USAGE, "--format=%s: a report is written as json or csv", name);
#ifndef HAVE_JANSSON
  if (*format == REPORT_JSON)
    return error_set(error, STATUS_USAGE,
                     "--format=json: this halo was built without jansson; csv is there");
#endif
  return true;
}
