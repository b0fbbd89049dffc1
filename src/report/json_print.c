/* Printing a report as JSON: see json_print.h. */
#include "config.h"

#ifdef HAVE_JANSSON

#include "json_print.h"

#include <stdio.h>

bool json_print(json_t *root, struct error *error)
{
  if (!root)
    return error_set(error, STATUS_FAILED, "the report can't be made as JSON: no memory for it");
  if (json_dumpf(root, stdout, JSON_INDENT(2)) == 0)
    putchar('\n');
  json_decref(root);
  return true;
}

#else

typedef int nothing; /* a file must not be empty */

#endif
