/* The device `cuda`: finding out, with as few calls as can be, whether kernels run here, and saying
   why where they don't.  Nothing here is called unless the device is wanted or listed: the first call
   into CUDA takes a third of a second. */
#include "band.cuh"
#include "clock.h"
#include "cuda_ceiling.cuh"
#include "cuda_counters.cuh"
#include "repeat.cuh"

#include <mutex>

#include <stdio.h>
#include <stdlib.h>

namespace
{

int chosen;

std::once_flag probed;
char reason[256]; /* why the device can't be used; empty if it can */

__global__ void probe(int *place)
{
  *place = 42;
}

/* Runs a kernel and looks at what it wrote: a driver that answers is not yet a GPU that runs the code
   in this program. */
cudaError_t probe_run(void)
{
  int *place = nullptr, value = 0;
  cudaError_t error = cudaMalloc(&place, sizeof *place);

  if (error != cudaSuccess)
    return error;
  probe<<<1, 1>>>(place);
  error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaMemcpy(&value, place, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(place);
  return error == cudaSuccess && value != 42 ? cudaErrorUnknown : error;
}

/* What the error means for the one who asked. */
const char *advice(cudaError_t error)
{
  switch (error) {
  case cudaErrorInsufficientDriver:
    return "no NVIDIA driver is loaded, or it is older than this program's CUDA";
  case cudaErrorNoDevice:
    return getenv("CUDA_VISIBLE_DEVICES") ? "CUDA_VISIBLE_DEVICES hides every GPU"
                                          : "there is no GPU that CUDA can use";
  case cudaErrorNoKernelImageForDevice:
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorUnsupportedPtxVersion:
    return "this program has no code for this GPU; configure NVCC_GENCODE for it";
  case cudaErrorMemoryAllocation:
    return "other programs hold its memory, and too little is left to start CUDA";
  case cudaErrorDevicesUnavailable:
    return "it is busy, or in exclusive mode and used by another process";
  case cudaErrorSystemDriverMismatch:
    return "the driver and its library are of different versions";
  default:
    return cudaGetErrorString(error);
  }
}

unsigned long long start_nanoseconds;

void reason_find(void)
{
  unsigned long long start = clock_nanoseconds();
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);

  if (error == cudaSuccess && chosen >= count) {
    snprintf(reason, sizeof reason, "there is no GPU number %d; CUDA sees %d", chosen, count);
    return;
  }
  if (error == cudaSuccess) /* threads that wait for the GPU are to sleep, not to spin */
    error = cudaInitDevice(chosen, cudaDeviceScheduleBlockingSync, cudaInitDeviceFlagsAreValid);
  if (error == cudaSuccess)
    error = cudaSetDevice(chosen);
  if (error == cudaSuccess)
    error = probe_run();
  start_nanoseconds = clock_nanoseconds() - start;
  if (error != cudaSuccess)
    snprintf(reason, sizeof reason, "%s (%s)", advice(error), cudaGetErrorName(error));
}

const char *cuda_missing(void)
{
  std::call_once(probed, reason_find);
  return reason[0] ? reason : gpu::machine_lost();
}

bool cuda_select(const char *which, struct error *error)
{
  char *end;
  long number = strtol(which, &end, 10);

  if (*which < '0' || *which > '9' || *end || number > 1023)
    return error_set(error, STATUS_USAGE,
                     "--device: cuda:%s names no GPU; they are numbered cuda:0, cuda:1 and so on",
                     which);
  chosen = (int)number;
  return true;
}

/* Which GPU a thread works on is the thread's own state. */
bool thread_enter(struct error *error)
{
  cudaError_t failed = cudaSetDevice(chosen);

  return failed == cudaSuccess ||
         error_set(error, STATUS_DEVICE, "the device cuda can't be used: %s", advice(failed));
}

bool cuda_run(const struct path *path, const struct job *job, struct band_cost *cost,
              struct error *error)
{
  return thread_enter(error) && gpu::band_run(path, job, cost, error);
}

size_t cuda_host_bytes(const struct path *, const struct job *job)
{
  return gpu::band_staged_bytes(job);
}

bool cuda_repeat(const struct path *path, const struct job *job, struct repeat *repeat,
                 struct error *error)
{
  return thread_enter(error) && gpu::band_repeat(path, job, repeat, error);
}

bool cuda_measure(struct ceilings *ceilings, size_t, struct error *error)
{
  return thread_enter(error) && gpu::ceilings_measure(ceilings, error);
}

bool cuda_count(const struct path *path, const struct job *job, struct counters *counters,
                struct error *error)
{
  return thread_enter(error) && gpu::counters_read(path, job, counters, error);
}

void cuda_describe(char *text, size_t size)
{
  cudaDeviceProp properties = {};
  int driver = 0;

  if (cudaGetDeviceProperties(&properties, chosen) != cudaSuccess ||
      cudaDriverGetVersion(&driver) != cudaSuccess)
    cudaGetLastError();
  snprintf(text, size,
           "%s, compute capability %d.%d, %d multiprocessors, %d MiB of L2 cache; CUDA %d.%d, "
           "driver for CUDA %d.%d",
           properties.name, properties.major, properties.minor, properties.multiProcessorCount,
           properties.l2CacheSize >> 20, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10,
           driver / 1000, driver % 1000 / 10);
}

unsigned long long cuda_started(void)
{
  return start_nanoseconds;
}

} // namespace

extern "C" const struct device device_cuda = {
    "cuda",      "a GPU by NVIDIA", cuda_missing, cuda_select,   cuda_run,     cuda_host_bytes,
    cuda_repeat, cuda_measure,      cuda_count,   cuda_describe, cuda_started,
    8 << 20, // copies and launches of less than this are not worth their start
};
