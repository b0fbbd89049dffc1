/* Holds the paths of a device to the reference, over the case table of cases.h. */
#ifndef HALO_TESTS_CASE_CHECK_H
#define HALO_TESTS_CASE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "device.h"
#include "error.h"
#include "path.h"

/* How many cases each path took, at its path_index(). */
struct case_tally {
  size_t ran[PATHS_MAX];
};

/* Makes case `index`, and compares what each path of the device makes of it with the
   reference: the same bits, or within the path's tolerance; nothing written beside the rows, and a
   refusal only with a reason.  False with case, path and place in `error`. */
bool case_check(size_t index, const struct device *device, struct case_tally *tally,
                struct error *error);

/* Whether every path that can run on the device took a case at all: one that refuses everything is
   no success. */
bool case_tally_check(const struct case_tally *tally, const struct device *device,
                      struct error *error);

#endif
