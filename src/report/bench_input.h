/* The picture that --bench is given. */
#ifndef HALO_BENCH_INPUT_H
#define HALO_BENCH_INPUT_H

#include <stdbool.h>

#include "error.h"
#include "settings.h"

struct bench_input {
  const char
      *name; /* of a file that can be opened any number of times; NULL where there is no picture */
  const char *shown; /* the name for messages */
  int descriptor;    /* of the copy behind `name`, or −1 */
  char copy[32];     /* the name of that copy */
};

/* The file of the command line, or else what comes on standard input.  What can be read but once, standard
   input or a pipe, is copied to a temporary file without a name.  There is no picture where none is named and
   standard input is a terminal, closed or empty.  To be closed, also after an error. */
bool bench_input_open(struct bench_input *input, const struct settings *settings,
                      struct error *error);
void bench_input_close(struct bench_input *input);

#endif
