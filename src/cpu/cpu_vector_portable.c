/* vector for any processor: vectors of 16 bytes, which SSE2 and NEON have, and which the compiler
   takes apart where there are none. */
#define LANES 4
#ifdef __aarch64__ /* 32 registers */
#define BLOCK_ROWS 4
#else
#define BLOCK_ROWS 2
#endif
#define BLOCK_VECTORS 4
#define VECTOR_SET portable
#define FMA_PER_SECOND 3e9

#include "cpu_vector_impl.h"

static bool set_supported(void)
{
  return true;
}
