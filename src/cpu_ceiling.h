/* What a core, and the memory of the machine, can do at most, as measured here and now. */
#ifndef HALO_CPU_CEILING_H
#define HALO_CPU_CEILING_H

#include <stddef.h>

/* Multiply-adds of floats a second of the calling thread, with the instruction set that the path vector
   uses.  By processor time: others on the machine count less. */
double cpu_fma_rate(void);

/* Bytes a second, read and written, that `threads` threads copy in memory larger than the caches;
   0 where there is no memory for that. */
double cpu_copy_rate(size_t threads);

#endif
