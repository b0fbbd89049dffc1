/* What --list-…, --help, --usage and --version print. */
#ifndef HALO_LISTING_H
#define HALO_LISTING_H

#include "error.h"
#include "options.h"

/* Prints what `listing`, which isn't LIST_NOTHING, names on standard output.  Lists have a line for each
   thing: its name, what it is, and for what can't run here the reason. */
bool listing_print(enum listing listing, struct error *error);

#endif
