/* Options: what the command line asks for. */
#ifndef HALO_OPTIONS_H
#define HALO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "settings.h"

/* What is asked for instead of pictures. */
enum listing { LIST_NOTHING, LIST_FILTERS, LIST_PATHS, LIST_DEVICES, LIST_FORMATS };

struct options {
  struct settings settings; /* `files` is an owned list of the command line's own strings */

  const char **filters; /* texts of -f, in order; owned list of the command line's own strings */
  size_t filter_count;
  bool convolve, normalize;
  bool scale_given, offset_given;
  double scale, offset;

  enum listing listing;
  const char *probes; /* the names of --probe=…, or NULL for all */
  bool timings, quiet, verbose;
};

/* Reads the command line; no other input or output, but that --help, --version and --usage print
   and exit, as argp does. */
bool options_parse(struct options *options, int argc, char **argv, struct error *error);
void options_free(struct options *options);

#endif
