/* The sizes of frames: see frame.cuh. */
#include "frame.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

static size_t round_up(size_t value, size_t multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

struct frame frame_measure(size_t rows, size_t samples, size_t left, size_t right, size_t bytes)
{
  struct frame frame = {};

  frame.rows = rows;
  frame.left = left;
  frame.pitch = round_up((left + round_up(samples, SHARE_MAX) + right + SHARE_MAX) * bytes, 128);
  return frame;
}

size_t frame_bytes(const struct frame *frame)
{
  size_t all;

  return __builtin_mul_overflow(frame->pitch, frame->rows, &all) || all > SIZE_MAX - 512
             ? SIZE_MAX
             : round_up(all, 512);
}

} // namespace GPU_MACHINE
} // namespace gpu
