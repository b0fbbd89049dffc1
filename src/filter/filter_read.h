/* What the user gives with -f. */
#ifndef HALO_FILTER_READ_H
#define HALO_FILTER_READ_H

#include <stdbool.h>

#include "error.h"
#include "filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Appends the filters that the text names (one, or more where ImageMagick's `;` lists several) to the
   chain: a preset with its arguments (gauss:2), the name of a file, or taps typed in place, in any of
   the three syntaxes of the manual page.  Numbers are read in the C locale.  A wrong text is refused,
   status STATUS_USAGE, with line and column. */
bool filter_read(struct chain *chain, const char *text, struct error *error);

#ifdef __cplusplus
}
#endif

#endif
