/* The roofline: the least time that a GPU can take, by what its memory, its arithmetic and its loads
   allow. */
#ifndef HALO_ROOFLINE_H
#define HALO_ROOFLINE_H

#include <stdbool.h>
#include <stddef.h>

struct gpu_rates {
  const char *name;
  bool measured;           /* by halo on such a GPU; else from the vendor's data sheet */
  double bytes_per_second; /* of its memory */
  double fma_per_second;   /* float32 */
  unsigned lanes;          /* multiply-adds that a multiprocessor does in a cycle */
};

/* GPUs by which a kernel is judged where there is none. */
extern const struct gpu_rates roofline_gpus[];
extern const size_t roofline_gpu_count;

/* What a million pixels ask for, at the least. */
struct roofline_work {
  double bytes;
  double fma;
  double load_cycles; /* of one multiprocessor, for which its loads and stores keep it busy */
};

/* Microseconds. */
struct roofline_floor {
  double memory, arithmetic, loads;
  const char *bound; /* the name of the largest */
};

struct roofline_floor roofline(const struct gpu_rates *gpu, const struct roofline_work *work);

#endif
