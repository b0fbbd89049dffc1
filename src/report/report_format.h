/* The forms of a report. */
#ifndef HALO_REPORT_FORMAT_H
#define HALO_REPORT_FORMAT_H

#include <stdbool.h>

#include "error.h"

enum report_format { REPORT_TABLE, REPORT_CSV, REPORT_JSON };

/* What --format asks for: a table for NULL, "csv", or "json", which is an error where halo was built without
   jansson.  To be called before anything is measured. */
bool report_format_read(enum report_format *format, const char *name, struct error *error);

#endif
