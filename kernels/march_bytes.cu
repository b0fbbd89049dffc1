/* The kernels of march.cuh for 8-bit samples. */
#include "march_launch.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

bool march_bytes(const struct frame_pass *pass, int size)
{
  return march_launch_channels<unsigned char, false>(pass, size);
}

} // namespace GPU_MACHINE
} // namespace gpu
