/* All presets that can be named. */
#ifndef HALO_FILTER_LIST_H
#define HALO_FILTER_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* --list-filters: prints a line for each preset, with what it does. */
bool filter_list(struct error *error);

/* The preset with the name nearest to this one, into `buffer`; false where none is near. */
bool preset_nearest(const char *name, char *buffer, size_t size);

#endif
