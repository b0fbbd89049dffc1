/* The counters of a GPU: see cuda_counters.cu. */
#ifndef HALO_CUDA_COUNTERS_CUH
#define HALO_CUDA_COUNTERS_CUH

#include "counters.h"
#include "error.h"

struct job;
struct path;

namespace gpu
{
inline namespace cuda
{

/* Computes the band as often as the counters need passes, and reads them.  Where they can't be read,
   counters->unavailable says why, which is no error. */
bool counters_read(const struct path *path, const struct job *job, struct counters *counters,
                   struct error *error);

} // namespace cuda
} // namespace gpu

#endif
