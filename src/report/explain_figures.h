/* What the table, csv and JSON of --explain have in common: names, figures a result, and floors. */
#ifndef HALO_EXPLAIN_FIGURES_H
#define HALO_EXPLAIN_FIGURES_H

#include "explain.h"
#include "roofline.h"

extern const char *const explained_memory_names[EXPLAINED_MEMORIES];
extern const char *const explained_served_names[EXPLAINED_MEMORIES]; /* what serves a request */

/* The file's name within the source: what follows the last folder kernels/ or src/, with it. */
const char *explained_file(const char *file);

/* What a path takes for one result. */
enum { EXPLAINED_FIGURES = 8 };

struct explained_figure {
  const char *name;
  double per_result;
};

void explained_figures(struct explained_figure *figure, const struct explanation *explanation,
                       const struct explained_path *path);

/* The least time that a million pixels take by this path. */
struct roofline_floor explained_floor(const struct explanation *explanation,
                                      const struct explained_path *path,
                                      const struct gpu_rates *gpu);

#endif
