/* Transfers: a job's rows and taps to the device, and its results back, by way of pinned memory. */
#ifndef HALO_TRANSFER_CUH
#define HALO_TRANSFER_CUH

#include "placement.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* Brings source rows and taps to pinned memory, and from there to the device. */
void job_stage(const struct placement *placement, const struct job *job);
void job_upload(const struct placement *placement, const struct job *job);

/* Brings the result to pinned memory, and from there (after stream_finish()) to the job's rows. */
void job_download(const struct placement *placement, const struct job *job);
void job_deliver(const struct placement *placement, const struct job *job);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
