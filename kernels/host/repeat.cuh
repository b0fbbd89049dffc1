/* Timing one band over and over. */
#ifndef HALO_REPEAT_CUH
#define HALO_REPEAT_CUH

#include "device.h"
#include "gpu.cuh"
#include "job.h"
#include "path.h"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* `repeat` of the device. */
bool band_repeat(const struct path *path, const struct job *job, struct repeat *repeat,
                 struct error *error);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
