/* What the table, CSV and JSON of --explain have in common: names, figures per result, and floors. */
#ifndef HALO_EXPLAIN_FIGURES_H
#define HALO_EXPLAIN_FIGURES_H

#include "explain.h"
#include "roofline.h"

extern const char *const explained_memory_names[EXPLAINED_MEMORIES];
extern const char *const explained_served_names[EXPLAINED_MEMORIES]; /* units of a request's cost */

/* What a path needs for one result. */
enum { EXPLAINED_FIGURES = 8 };

struct explained_figure {
  const char *name;  /* for programs */
  const char *title; /* for people */
  double per_result;
};

void explained_figures(struct explained_figure *figure, const struct explanation *explanation,
                       const struct explained_path *path);

/* The least time that a million pixels take by this path. */
struct roofline_floor explained_floor(const struct explanation *explanation,
                                      const struct explained_path *path,
                                      const struct gpu_rates *gpu);

#endif
