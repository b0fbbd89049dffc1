/* What --list-paths, --list-devices, --list-formats and --list-filters print. */
#ifndef HALO_LISTING_H
#define HALO_LISTING_H

#include "error.h"
#include "options.h"

/* Prints the list on standard output, a line each: the name, what it is, and for what can't run here
   the reason. */
bool listing_print(enum listing listing, struct error *error);

#endif
