/* What the path `vector` knows of an instruction set: each is cpu_vector_impl.h, compiled for it. */
#ifndef HALO_CPU_VECTOR_H
#define HALO_CPU_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "job.h"

struct vector_set {
  const char *name;
  size_t lanes;            /* floats of a vector */
  double fma_per_second;   /* multiply-adds of floats that a core is expected to do, for choosing */
  bool (*supported)(void); /* by this processor and its operating system */
  size_t (*scratch_bytes)(const struct job *job); /* as in struct path */
  bool (*launch)(const struct job *job, struct error *error);

  /* Does `turns` times VECTOR_CHAINS multiply-adds of whole vectors, none of which waits for the one
     before it: for measuring.  The result keeps the compiler from leaving them out. */
  float (*multiply_add)(size_t turns);
};

enum { VECTOR_CHAINS = 12 };

/* One line an instruction set, the fastest first: an object `vector_NAME`, defined in
   cpu_vector_NAME.c.  `portable` runs on every processor, and stands last. */
#if defined __x86_64__ || defined __i386__
#define VECTOR_SETS(X)                                                                             \
  X(avx512)                                                                                        \
  X(avx2)                                                                                          \
  X(portable)
#else
#define VECTOR_SETS(X) X(portable)
#endif

#define X(name) extern const struct vector_set vector_##name;
VECTOR_SETS(X)
#undef X

/* All of them, ended by NULL. */
extern const struct vector_set *const vector_sets[];

/* The one that launches use: the first that this processor supports, and that the environment
   variable HALO_CPU does not hide: it names the fastest that may be used. */
const struct vector_set *vector_set_choose(void);

#endif
