/* One picture, from its file to its result. */
#ifndef HALO_CONVOLVE_H
#define HALO_CONVOLVE_H

#include "error.h"
#include "filter.h"
#include "settings.h"
#include "pipeline.h"
#include "plan.h"

/* What is told of a picture that was done. */
struct report {
  struct cost cost;
  const struct format *format; /* of the result */
  char about[1024];  /* what it was and how it was done, for --verbose */
  char warning[256]; /* what was wrong and could be left out; empty if all was well */
};

/* Reads the picture `input` ("-" is standard input), convolves it and writes `output` (NULL or "-" is
   standard output), in the format that the settings, the name of the output or the input say. On
   failure nothing is left of the output, and an output that was there stays. */
bool convolve_picture(const struct settings *settings, const struct choice *choice,
                      const struct chain *chain, const char *input, const char *output,
                      struct report *report, struct error *error);

#endif
