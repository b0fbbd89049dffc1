/* What a GPU can do at most: see cuda_ceiling.cu. */
#ifndef HALO_CUDA_CEILING_CUH
#define HALO_CUDA_CEILING_CUH

#include "device.h"
#include "error.h"

namespace gpu
{
inline namespace cuda
{

/* Measures the rates of copies within the device's memory and of multiply-adds. */
bool ceilings_measure(struct ceilings *ceilings, struct error *error);

} // namespace cuda
} // namespace gpu

#endif
