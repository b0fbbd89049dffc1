/* Settings: how pictures are computed and written, or reported on, as asked on the command line.  Read by
   the pipeline and by the reports, changed by neither. */
#ifndef HALO_SETTINGS_H
#define HALO_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "border.h"

/* What is done with a picture. */
enum task { TASK_CONVOLVE, TASK_BENCH, TASK_EXPLAIN, TASK_PROBE };

/* name, enum, what happens */
#define ALPHA_MODES(X)                                                                             \
  X("premultiply", ALPHA_PREMULTIPLY, "colours count by their alpha")                              \
  X("straight", ALPHA_STRAIGHT, "alpha is a channel like the others")                              \
  X("keep", ALPHA_KEEP, "colours alike, whatever their alpha, which stays as it was")

enum alpha_mode {
#define X(name, constant, about) constant,
  ALPHA_MODES(X)
#undef X
};

struct settings {
  enum task task;
  const char **files; /* "-" is standard input */
  size_t file_count;

  enum border border;
  double border_level; /* of constant:V, in levels of 8 bits; negative where no V was given */
  enum alpha_mode alpha;
  bool absolute, linear;

  const char *paths;  /* "auto", "all" or names with commas */
  const char *device; /* "auto" or a name */
  int threads;        /* 0: the cores that this process may use */
  size_t band_rows;   /* 0: choice_settle() decides */
  size_t max_pixels, max_memory;

  const char *output;    /* -o; NULL: standard output */
  const char *directory; /* -d, or NULL */
  const char *format;    /* --format, of pictures or of a report, or NULL */
  int depth;             /* 8, 16, or 0: as it comes */
  int compression;       /* 0 … 9, or −1 */
  int quality;           /* 1 … 100 */

  bool counters; /* of --bench and --explain: also what the GPU counts */
};

#endif
