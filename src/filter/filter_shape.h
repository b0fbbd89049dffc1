/* Computed presets of one matrix: disk, motion, log, dog and unsharp. */
#ifndef HALO_FILTER_SHAPE_H
#define HALO_FILTER_SHAPE_H

#include <stdbool.h>

#include "error.h"
#include "filter.h"

/* Each makes the filter of the arguments in its entry of the table of filter_generator.c. */
bool make_disk(struct filter *filter, const char *name, const double *arguments,
               struct error *error);
bool make_motion(struct filter *filter, const char *name, const double *arguments,
                 struct error *error);
bool make_log(struct filter *filter, const char *name, const double *arguments,
              struct error *error);
bool make_dog(struct filter *filter, const char *name, const double *arguments,
              struct error *error);
bool make_unsharp(struct filter *filter, const char *name, const double *arguments,
                  struct error *error);

#endif
