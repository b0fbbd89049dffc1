/* Between the path `vector` and its instruction sets: each is cpu_vector_impl.h compiled for one. */
#ifndef HALO_CPU_VECTOR_H
#define HALO_CPU_VECTOR_H

#include <stdbool.h>

#include "error.h"
#include "job.h"

struct vector_set {
  const char *name;
  bool (*supported)(void);                        /* by this processor and its operating system */
  size_t (*scratch_bytes)(const struct job *job); /* as in struct path */
  bool (*launch)(const struct job *job, struct error *error);
};

extern const struct vector_set vector_avx512;
extern const struct vector_set vector_avx2;
extern const struct vector_set vector_portable;

/* All that were built, the fastest first, ended by NULL. */
extern const struct vector_set *const vector_sets[];

/* The one that launches use: the first that this processor supports, and that the environment
   variable HALO_CPU does not hide: it names the fastest that may be used. */
const struct vector_set *vector_set_choose(void);

#endif
