/* The run over all pictures of the command line, and what is told of it on standard error. */
#ifndef HALO_PICTURES_H
#define HALO_PICTURES_H

#include "choice.h"
#include "error.h"
#include "filter.h"
#include "options.h"

/* Convolves the pictures of the options; errors, warnings and timings go to standard error.  The exit
   status is that of the run. */
enum status pictures_run(const struct options *options, const struct choice *choice,
                         const struct chain *chain);

#endif
