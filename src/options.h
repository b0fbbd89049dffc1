/* Options: what the command line asks for. */
#ifndef HALO_OPTIONS_H
#define HALO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "border.h"
#include "colour.h"
#include "error.h"

/* What is done with a picture. */
enum task { TASK_CONVOLVE, TASK_BENCH, TASK_EXPLAIN, TASK_PROBE };

/* What is asked for instead of pictures. */
enum listing { LIST_NOTHING, LIST_FILTERS, LIST_PATHS, LIST_DEVICES, LIST_FORMATS };

struct options {
  const char **filters; /* texts of -f, in order; owned list of the command line's own strings */
  size_t filter_count;
  enum border border;
  double border_level; /* of constant:V, in levels of 8 bits; negative where no V was given */
  bool convolve, absolute, normalize, linear;
  bool scale_given, offset_given;
  double scale, offset;
  enum alpha_mode alpha;

  const char *paths;  /* "auto", "all" or names with commas */
  const char *device; /* "auto" or a name */

  const char *output;    /* -o; NULL: standard output */
  const char *directory; /* -d, or NULL */
  const char *format;    /* --format, or NULL */
  int depth;             /* 8, 16, or 0: as it comes */
  int compression;       /* 0 … 9, or −1 */
  int quality;           /* 1 … 100 */

  int threads;      /* 0: the cores that this process may use */
  size_t band_rows; /* 0: as the plan says */
  size_t max_pixels, max_memory;
  bool timings, quiet, verbose;
  enum listing listing;
  enum task task;
  bool counters;      /* of --bench and --explain */
  const char *probes; /* the names of --probe=…, or NULL for all */

  const char **files; /* owned list; "-" is standard input */
  size_t file_count;
};

/* Reads the command line; no other input or output, but that --help, --version and --usage print
   and exit, as argp does. */
bool options_parse(struct options *options, int argc, char **argv, struct error *error);
void options_free(struct options *options);

#endif
