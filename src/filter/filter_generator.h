/* Computed presets: filters that are made from one or two numbers. */
#ifndef HALO_FILTER_GENERATOR_H
#define HALO_FILTER_GENERATOR_H

#include <stdbool.h>

#include "error.h"
#include "filter.h"

enum { GENERATOR_ARGUMENTS = 2 };

struct generator_argument {
  const char *name;
  double lowest, highest; /* both allowed */
};

struct generator {
  const char *name;
  const char *arguments; /* as they are typed: "W[xH]" */
  const char *about;     /* one line */
  struct generator_argument argument[GENERATOR_ARGUMENTS];
  unsigned needed, allowed; /* arguments */
  char separator;           /* between them */
  bool whole;               /* they are whole numbers */

  /* Makes the filter; an argument that was left out has the value of the one before. */
  bool (*make)(struct filter *filter, const char *name, const double *arguments,
               struct error *error);
};

/* All of them; the last has no name. */
extern const struct generator generators[];

#endif
