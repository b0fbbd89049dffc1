/* Options: what the command line asks for. */
#ifndef HALO_OPTIONS_H
#define HALO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "error.h"
#include "settings.h"

/* What is printed instead of filtering pictures, apart from reports. */
enum listing {
  LIST_NOTHING,
  LIST_FILTERS,
  LIST_PATHS,
  LIST_DEVICES,
  LIST_FORMATS,
  LIST_BORDERS,
  LIST_ALPHA_MODES,
  LIST_HELP,
  LIST_USAGE,
  LIST_VERSION,
};

enum { OPTIONS_MAX = 64 }; /* more than the table has */

struct options {
  struct settings settings; /* `files` is an owned list of the command line's own strings */

  const char **filters; /* texts of -f, in order; owned list of the command line's own strings */
  size_t filter_count;
  bool convolve, normalize;
  double scale, offset; /* where option_given() says that they were */

  enum listing listing;
  const char *probes; /* the names of --probe=…, or NULL for all */
  bool timings, quiet, verbose;

  bool given[OPTIONS_MAX]; /* in the order of the table; read by option_given() */
};

/* Reads the command line, and refuses options that contradict one another.  Never exits; prints nothing,
   but that getopt itself complains of options that there are not, and then the error has no text. */
bool options_parse(struct options *options, int argc, char **argv, struct error *error);
void options_free(struct options *options);

/* Whether the option of that (long) name stood on the command line. */
bool option_given(const struct options *options, const char *name);

/* The next option, beginning with the *at-th, that was given and has no effect on what is to be done:
   "--depth has no effect with --probe".  False where there are no more.  Begin with *at = 0. */
bool options_idle(const struct options *options, size_t *at, char *text, size_t size);

/* Prints what --help shows, or only the summary that --usage shows. */
void options_help(FILE *stream, bool usage);

#endif
