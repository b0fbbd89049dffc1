/* Placements: where source, taps and results of a job lie in the buffers of a slot. */
#ifndef HALO_PLACEMENT_CUH
#define HALO_PLACEMENT_CUH

#include "frame.cuh"
#include "job.h"
#include "slot.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* A job's memory on its device; struct job points at it. */
struct placement {
  struct slot *slot;
  struct frame source;  /* what the (first) pass reads */
  struct frame between; /* what the row pass makes and the column pass reads; of two passes only */
  struct frame result;
  const float *taps, *column_taps; /* on the device */
};

/* Floats from one row of taps to the next on the device, zeros at its end, so that a load may take four;
   and the bytes of all rows, 0 for NULL. */
size_t taps_pitch(const struct pass *pass);
size_t taps_bytes(const struct pass *pass);

/* Bytes of the device's memory that the job takes; SIZE_MAX where that overflows. */
size_t job_device_bytes(const struct job *job, bool margins);

/* Reserves memory for the job in the slot, that of its source and result `copies` times over.  False where
   the device has not so much. */
bool job_place(struct placement *placement, struct slot *slot, const struct job *job, bool margins,
               size_t copies, struct error *error);

/* Where that copy of source and result lies. */
struct placement placement_copy(const struct placement *placement, size_t copy);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
