/* What a core, and the memory of the machine, can do at most, as measured here and now. */
#ifndef HALO_CPU_CEILING_H
#define HALO_CPU_CEILING_H

#include <stddef.h>

/* Multiply-adds of floats a second of the calling thread, with the instruction set that the path vector
   uses.  Measured in processor time, which other programs on the machine affect less. */
double cpu_fma_rate(void);

/* Bytes a second, read and written, that `threads` threads copy in memory larger than the caches;
   0 where there is no memory for that. */
double cpu_copy_rate(size_t threads);

/* Cycles a second of the calling thread's core, fewer where other programs take some of them: a chain of
   additions, each of which waits a cycle for the one before.  Takes some 100 microseconds. */
double cpu_clock_rate(void);

/* Bytes that the processor's last cache holds; a guess where the system doesn't tell. */
size_t cpu_cache_bytes(void);

#endif
