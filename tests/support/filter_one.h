/* A filter by what -f takes, for the tests of presets. */
#ifndef HALO_TESTS_FILTER_ONE_H
#define HALO_TESTS_FILTER_ONE_H

#include "filter.h"

/* The one filter that the text means, which bears the text as its name; fails the test where it is
   none or several.  To be freed. */
struct filter filter_read_one(const char *text);

#endif
