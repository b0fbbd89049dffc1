/* One band through a GPU. */
#ifndef HALO_BAND_CUH
#define HALO_BAND_CUH

#include <functional>

#include "device.h"
#include "job.h"
#include "path.h"
#include "slot.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* Uploads a band, computes it by the path, downloads the result; `run` of the device. */
bool band_run(const struct path *path, const struct job *job, struct band_cost *cost,
              struct error *error);

/* How much memory of the host a band stages: its source rows, its results and the taps. */
size_t band_staged_bytes(const struct job *job);

/* Queues the kernels of a band once, over that copy of its rows. */
typedef std::function<bool(size_t copy, struct error *error)> band_launch;

/* Brings the band's rows to the device, `copies` times over (once where memory lacks), and has work()
   launch its kernels there as often as it likes; the job's rows get the result that the first copy has. */
bool band_work(const struct path *path, const struct job *job, size_t copies,
               const std::function<bool(struct slot *slot, const band_launch &launch,
                                        struct error *error)> &work,
               struct error *error);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
