/* The kernels of march.cuh for float samples. */
#include "march_launch.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

bool march_floats(const struct frame_pass *pass, int size)
{
  return march_launch_channels<float, false>(pass, size);
}

} // namespace GPU_MACHINE
} // namespace gpu
