/* The case table: convolutions that every path is held to, the same for tests on every device.

   $HALO_CASES says which table it is: `small` (the default), which every change is tried with, or
   `large`, fewer cases of the sizes that pictures have, for a machine with a GPU. */
#ifndef HALO_TESTS_CASES_H
#define HALO_TESTS_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "job.h"

/* One convolution, ready to launch. */
struct test_case {
  char name[256];       /* size, filter, border, types, contents: what a failure prints */
  struct filter filter; /* fitted to the types */
  struct job job;       /* without result */
  size_t result_bytes;  /* of a result row */

  /* private */
  unsigned char **row; /* each ends where a page without access begins */
  size_t rows, row_room;
  const void **table;
};

/* Number of cases in the table, and the seed of its pseudo-random parts: $HALO_SEED, or a fixed one. */
size_t cases_count(void);
uint64_t cases_seed(void);

/* One line that names the table. */
void cases_print(FILE *stream);

/* Makes case `index`; stops the program with a message where memory is short. */
void case_make(struct test_case *test, size_t index);
void case_free(struct test_case *test);

/* Memory for `rows` results of the case: each row is followed by some bytes of a pattern, and the
   last by a page without access.  result_intact() tells whether the pattern is still there. */
struct result {
  unsigned char *data;
  size_t rows, row_bytes, pitch;
  void *mapping;
  size_t mapped;
};

void result_make(struct result *result, size_t rows, size_t row_bytes);
bool result_intact(const struct result *result);
void result_free(struct result *result);

#endif
