/* The standard streams: descriptors 0 to 2, and what was printed on standard output. */
#ifndef HALO_STREAMS_H
#define HALO_STREAMS_H

#include "error.h"

/* Opens those of the descriptors 0 to 2 that are closed, so that none of them becomes the next file that
   is opened.  Using them is still an error. */
void streams_open(void);

/* Flushes standard output.  False, with the error set, where anything that the program printed on it could
   not be written. */
bool streams_finish(struct error *error);

#endif
