/* Files of the source that tests read.  They are looked for from $srcdir, which is Automake's, or from
   the folder at hand. */
#ifndef HALO_TESTS_SOURCE_FILE_H
#define HALO_TESTS_SOURCE_FILE_H

#include <stdio.h>

/* The path of something in the source; the next call overwrites it. */
const char *source_path(const char *rest);

/* Opens a file of tests/data; fails the test where it can't be read. */
FILE *data_open(const char *name);

#endif
