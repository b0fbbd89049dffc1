/* Buffers: memory of the device, and pinned memory of the host, that is kept from one band to the next and
   grows as it is wanted. */
#ifndef HALO_BUFFER_CUH
#define HALO_BUFFER_CUH

#include <stddef.h>

#include "error.h"
#include "gpu.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

struct buffer {
  void *memory; /* its address is a multiple of 512 */
  size_t bytes;
};

/* Sees to it that the buffer holds `bytes` bytes; what it held before is lost.  False where there is not so
   much memory: the buffer is then empty. */
bool buffer_reserve(struct buffer *buffer, size_t bytes, bool pinned, struct error *error);
void buffer_free(struct buffer *buffer, bool pinned);

/* Bytes of the device's memory that buffers could still take; SIZE_MAX where nobody knows. */
size_t buffers_left(void);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
