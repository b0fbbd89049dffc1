/* Frames: how the rows of a band lie in a device's memory.

   The rows of a frame begin at multiples of 128 bytes.  A path that wants margins finds left of each
   row what the border makes of the samples there, as many as its taps reach out, and right of it too,
   with as many more as the last thread's share of samples and the widest load go beyond the row; the
   first sample of the left margin is what lies at the multiple of 128.  So such a path needs no
   border code and no care for the end of a row, and the loads of its windows are aligned.  For the
   others the row itself begins there.  Rows above and below come with the band: the border there is
   settled by the caller that made the job. */
#ifndef HALO_FRAME_CUH
#define HALO_FRAME_CUH

#include <stddef.h>

#include "gpu.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

enum {
  SHARE_MAX = 32,  /* the most samples of a row that one thread may own */
  TAPS_SPARE = 14, /* taps of zero that a path may add to the right */
};

struct frame {
  unsigned char *start; /* of row 0, on the device; a multiple of 512 */
  size_t pitch;         /* bytes from one row to the next; a multiple of 128 */
  size_t rows;
  size_t left; /* samples of the left margin, with which each row starts */
};

/* A frame for `rows` rows of `samples` samples of `bytes` bytes, with so many more to their left and right:
   all but its start. */
struct frame frame_measure(size_t rows, size_t samples, size_t left, size_t right, size_t bytes);

/* Bytes of a frame, such that one behind it begins as well aligned; SIZE_MAX where that overflows. */
size_t frame_bytes(const struct frame *frame);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
