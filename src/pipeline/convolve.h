/* One picture, from its file to its result. */
#ifndef HALO_CONVOLVE_H
#define HALO_CONVOLVE_H

#include "choice.h"
#include "error.h"
#include "filter.h"
#include "settings.h"
#include "pipeline.h"
#include "plan.h"

/* What is told of a picture that was done. */
struct report {
  struct cost cost;
  const struct format *format; /* of the result */
  char about[1024];            /* what it was and how it was done, for --verbose */
  char warning[256];           /* what was wrong and could be left out; empty if all was well */
};

/* A picture on its way. */
struct convolution;

/* Opens the picture `input` ("-" is standard input) and its result `output` (NULL or "-" is standard
   output), in the format that the settings, the name of the output or the input say, and makes its pipeline
   for as many as `threads` bands at a time.  NULL, with the reason, where that fails. */
struct convolution *convolution_open(const struct settings *settings, const struct choice *choice,
                                     const struct chain *chain, const char *input,
                                     const char *output, size_t threads, struct error *error);

/* What the scheduler runs. */
struct graph *convolution_graph(struct convolution *convolution);

/* Ends it: the result is put in its place if all bands are done (`done`) and nothing goes wrong even now;
   otherwise nothing is left of it, and an output that was there stays.  Releases everything.  False, with
   the reason in *error (which the caller has set where not `done`), where the picture failed. */
bool convolution_close(struct convolution *convolution, bool done, struct report *report,
                       struct error *error);

#endif
