/* The kernels of march.cuh for 16-bit samples. */
#include "march_launch.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

bool march_words(const struct frame_pass *pass, int size)
{
  return march_launch_channels<unsigned short, false>(pass, size);
}

} // namespace GPU_MACHINE
} // namespace gpu
