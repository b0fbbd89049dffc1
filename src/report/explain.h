/* --explain: what the kernels of each path do to memory, and what that allows of their speed; without a
   GPU. */
#ifndef HALO_EXPLAIN_H
#define HALO_EXPLAIN_H

#include "choice.h"
#include "counters.h"
#include "error.h"
#include "explain_line.h"
#include "filter.h"
#include "settings.h"
#include "path.h"

/* What a path did, added up over its lines. */
struct explained_sums {
  uint64_t global_read, global_written; /* sectors of 32 bytes */
  uint64_t shared_wavefronts;
  uint64_t texture_read;    /* sectors */
  uint64_t texture_fetches; /* of threads */
  uint64_t constant_requests;
  uint64_t load_cycles; /* of one multiprocessor: roofline.h */
};

struct explained_path {
  const struct path *path;
  struct explained_lines lines;
  struct explained_sums sums;
  struct counters predicted, counted; /* the sums as counters know them, and those of a GPU */
  bool was_counted;
};

/* Everything that is reported. */
struct explanation {
  char *name;           /* of the picture, quoted */
  struct shape picture; /* as it was read */
  struct shape sample;  /* the windows of it that were convolved, put together */
  size_t steps;
  size_t taps;            /* multiply-adds per result */
  unsigned channels;      /* results per pixel */
  size_t bytes_per_pixel; /* read and written, if each sample is read once */
  uint64_t results;       /* of all channels, that the sample has */
  struct explained_path path[PATHS_MAX];
  size_t count;
  char left_out[512];   /* paths that can't do this, and why; empty if there are none */
  char counted_by[256]; /* the GPU whose counters were read, or empty */
  char uncounted[256];  /* why none were, though they were asked for; or empty */
};

/* Reads the first picture of the settings (standard input where there is none), runs the kernels of the
   chosen paths on windows of it, emulated, and prints to standard output what they did: as a table, or
   as settings->format says. */
bool explain_run(const struct settings *settings, const struct choice *choice,
                 const struct chain *chain, struct error *error);

/* The three forms of the report. */
void explain_print_table(const struct explanation *explanation, const struct chain *chain);
void explain_print_csv(const struct explanation *explanation);
bool explain_print_json(const struct explanation *explanation, const struct chain *chain,
                        struct error *error);

#endif
