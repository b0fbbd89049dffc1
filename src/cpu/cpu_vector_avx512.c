/* vector for processors with AVX-512 (Intel servers from Skylake-SP on, AMD from Zen 4 on): 16
   samples a vector, and 32 registers, of which a block of sums leaves 8 for samples and taps. */
#define LANES 16
#define BLOCK_ROWS 6
#define BLOCK_VECTORS 4
#define VECTOR_SET avx512
#define FMA_PER_SECOND 40e9

#include "cpu_vector_impl.h"

static bool set_supported(void)
{
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("fma");
}
