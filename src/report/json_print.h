/* Printing a report as JSON, where there is jansson. */
#ifndef HALO_JSON_PRINT_H
#define HALO_JSON_PRINT_H

#include <jansson.h>
#include <stdbool.h>

#include "error.h"

/* Prints the object on standard output and releases it.  NULL, which is what json_pack() gives where it
   fails, is an error; whether standard output took all of it is for streams_finish() to tell. */
bool json_print(json_t *root, struct error *error);

#endif
