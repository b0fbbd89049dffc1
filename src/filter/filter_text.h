/* The text of filters, in any of the three syntaxes. */
#ifndef HALO_FILTER_TEXT_H
#define HALO_FILTER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "filter.h"

/* Appends the filters of a text of `size` bytes to the chain; `origin` names the text in messages.  A
   wrong text is refused, status STATUS_USAGE, with line and column; nothing is appended then. */
bool filter_parse(struct chain *chain, const char *origin, const char *text, size_t size,
                  struct error *error);

#endif
