/* The kernels of march.cuh for 16-bit samples whose sums are integers beyond 2^24. */
#include "march_launch.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

bool march_words_integers(const struct frame_pass *pass, int size)
{
  return march_launch_channels<unsigned short, true>(pass, size);
}

} // namespace GPU_MACHINE
} // namespace gpu
