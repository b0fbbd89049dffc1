/* Taps in constant memory.

   A bank of constant memory belongs to the whole program, not to a stream: a pass with other
   taps has to wait until no running kernel reads those that are there.  Bands with the same taps
   share them. */
#ifndef HALO_CONSTANT_BANK_CUH
#define HALO_CONSTANT_BANK_CUH

#include <condition_variable>
#include <mutex>

#include "passes.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

enum { CONSTANT_TAPS = 16384 }; /* 64 KiB of floats */

struct constant_bank {
  std::mutex lock;
  std::condition_variable idle;
  float taps[CONSTANT_TAPS]; /* what lies there */
  size_t count;
  unsigned users; /* slots with kernels under way that read it */
};

/* Makes the bank hold the taps of the pass, row by row without gaps, until the slot is returned;
   set(taps, count, stream) brings them to the device. */
bool constant_claim(struct constant_bank *bank, const struct frame_pass *pass,
                    void (*set)(const float *taps, size_t count, struct stream *stream),
                    struct error *error);
void constant_release(struct slot *slot);

/* Why constant memory does not hold the taps, or NULL. */
const char *constant_refuse(const struct job *job);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
