/* What --version prints. */
#ifndef HALO_VERSION_H
#define HALO_VERSION_H

#include <stdio.h>

/* The version on a line of its own, then what is built in: libraries, the devices, and the instruction sets
   of the path `vector`, with the one that this processor takes. */
void version_print(FILE *stream);

#endif
