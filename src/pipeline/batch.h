/* Many pictures, or one, whose bands the scheduler shares out among threads. */
#ifndef HALO_BATCH_H
#define HALO_BATCH_H

#include "convolve.h"

/* What is told about each picture as it is done: exactly one of report and error is not NULL. Never
   called by two threads at a time. */
typedef void batch_tell(void *context, const char *name, const struct report *report,
                        const struct error *error);

/* Convolves all pictures that the settings name (or standard input).  One that fails does not keep the
   others.  Returns how many failed. */
size_t batch_run(const struct settings *settings, const struct choice *choice,
                 const struct chain *chain, batch_tell *tell, void *context);

#endif
