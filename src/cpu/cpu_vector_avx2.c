/* vector for processors with AVX2 and FMA (Intel from Haswell on, AMD from Zen on): 8 samples a
   vector and 16 registers, 12 of which hold the sums. */
#define LANES 8
#define BLOCK_ROWS 3
#define BLOCK_VECTORS 4
#define VECTOR_SET avx2
#define FMA_PER_SECOND 20e9

#include "cpu_vector_impl.h"

static bool set_supported(void)
{
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
