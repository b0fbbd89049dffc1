/* The machine behind the device `cuda`: see machine.cuh. */
#include "machine.cuh"

#include <mutex>
#include <new>

#include <stdio.h>

namespace gpu
{
inline namespace cuda
{

struct event {
  cudaEvent_t mark;
};

namespace
{

std::mutex lost_lock;
char lost[256];

const char *explain(cudaError_t error)
{
  return cudaGetErrorString(error);
}

/* An error is sticky where a call that asks for nothing gives it again: the context is lost. */
void note_if_sticky(cudaError_t error)
{
  cudaGetLastError();
  if (cudaDeviceSynchronize() == cudaSuccess)
    return;
  std::lock_guard<std::mutex> lock(lost_lock);
  if (!lost[0])
    snprintf(lost, sizeof lost, "it failed before (%s: %s)", cudaGetErrorName(error),
             explain(error));
}

/* Reads all of the memory.  It writes only where it finds something other than 0, which there is not, so
   that the compiler can't leave the loads out. */
__global__ void read_all(uint4 *memory, size_t count)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  unsigned any = 0;

  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
    any |= memory[i].x;
  if (any)
    memory[0].x = any;
}

__device__ unsigned long long nanoseconds_now()
{
  unsigned long long now;

  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

/* Cycles from one tick of the device's timer, which can be a microsecond long, to another. */
__global__ void cycles_count(float *megahertz, unsigned microseconds)
{
  unsigned long long tick = nanoseconds_now(), begun, ended;
  long long cycles;

  do
    begun = nanoseconds_now();
  while (begun == tick);
  cycles = clock64();
  do
    ended = nanoseconds_now();
  while (ended - begun < microseconds * 1000ull);
  cycles = clock64() - cycles;
  *megahertz = (float)cycles / (float)(ended - begun) * 1e3f;
}

void remember(struct stream *stream, cudaError_t error)
{
  if (stream->failed == cudaSuccess)
    stream->failed = error;
}

} // namespace

size_t cache_bytes(void)
{
  int device = 0, bytes = 0;

  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) != cudaSuccess)
    cudaGetLastError();
  return (size_t)bytes;
}

void caches_flush(struct stream *stream)
{
  static const size_t bytes = 256 << 20; /* more than any L2 cache holds */
  static auto *const memory = static_cast<uint4 *>(device_allocate(bytes));

  if (!memory)
    return;
  read_all<<<(unsigned)processors() * 4, 512, 0, stream->queue>>>(memory, bytes / sizeof *memory);
  remember(stream, cudaGetLastError());
}

void clock_measure(struct stream *stream, float *megahertz, unsigned microseconds)
{
  cycles_count<<<1, 1, 0, stream->queue>>>(megahertz, microseconds);
  remember(stream, cudaGetLastError());
}

const char *machine_lost(void)
{
  std::lock_guard<std::mutex> lock(lost_lock);

  return lost[0] ? lost : nullptr;
}

void *device_allocate(size_t bytes)
{
  void *memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, bytes);

  if (error == cudaSuccess)
    error = cudaMemset(memory, 0, bytes);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(0); /* other streams don't wait for that one */
  if (error == cudaSuccess)
    return memory;
  if (memory)
    cudaFree(memory);
  if (error == cudaErrorMemoryAllocation)
    cudaGetLastError();
  else
    note_if_sticky(error);
  return nullptr;
}

void device_free(void *memory)
{
  cudaFree(memory);
}

void *pinned_allocate(size_t bytes)
{
  void *memory = nullptr;

  if (cudaHostAlloc(&memory, bytes, cudaHostAllocDefault) == cudaSuccess)
    return memory;
  cudaGetLastError();
  return nullptr;
}

void pinned_free(void *memory)
{
  cudaFreeHost(memory);
}

size_t device_bytes_free(void)
{
  size_t left = 0, all = 0;

  if (cudaMemGetInfo(&left, &all) == cudaSuccess)
    return left;
  cudaGetLastError();
  return SIZE_MAX;
}

int processors(void)
{
  int device = 0, count = 1;

  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    cudaGetLastError();
  return count;
}

struct stream *stream_open(struct error *error)
{
  struct stream *stream = new (std::nothrow) struct stream();
  cudaError_t failed;

  if (!stream) {
    error_set(error, STATUS_FAILED, "no memory for a stream");
    return nullptr;
  }
  failed = cudaStreamCreateWithFlags(&stream->queue, cudaStreamNonBlocking);
  if (failed != cudaSuccess) {
    note_if_sticky(failed);
    error_set(error, STATUS_DEVICE, "the device cuda gives no stream: %s", explain(failed));
    delete stream;
    return nullptr;
  }
  stream->failed = cudaSuccess;
  return stream;
}

void stream_close(struct stream *stream)
{
  cudaStreamDestroy(stream->queue);
  delete stream;
}

bool stream_finish(struct stream *stream, struct error *error)
{
  cudaError_t failed;

  remember(stream, cudaStreamSynchronize(stream->queue));
  failed = stream->failed;
  stream->failed = cudaSuccess;
  if (failed == cudaSuccess)
    return true;
  note_if_sticky(failed);
  return error_set(error, STATUS_DEVICE, "the device cuda failed: %s (%s)", explain(failed),
                   cudaGetErrorName(failed));
}

void copy_in(struct stream *stream, void *device, size_t device_pitch, const void *host,
             size_t host_pitch, size_t bytes, size_t rows)
{
  remember(stream, cudaMemcpy2DAsync(device, device_pitch, host, host_pitch, bytes, rows,
                                     cudaMemcpyHostToDevice, stream->queue));
}

void copy_out(struct stream *stream, void *host, size_t host_pitch, const void *device,
              size_t device_pitch, size_t bytes, size_t rows)
{
  remember(stream, cudaMemcpy2DAsync(host, host_pitch, device, device_pitch, bytes, rows,
                                     cudaMemcpyDeviceToHost, stream->queue));
}

struct event *event_open(struct error *error)
{
  struct event *event = new (std::nothrow) struct event();
  cudaError_t failed = event ? cudaEventCreate(&event->mark) : cudaErrorMemoryAllocation;

  if (failed == cudaSuccess)
    return event;
  error_set(error, STATUS_DEVICE, "the device cuda gives no event: %s", explain(failed));
  delete event;
  return nullptr;
}

void event_close(struct event *event)
{
  cudaEventDestroy(event->mark);
  delete event;
}

void event_mark(struct event *event, struct stream *stream)
{
  remember(stream, cudaEventRecord(event->mark, stream->queue));
}

unsigned long long event_elapsed(const struct event *from, const struct event *to)
{
  float milliseconds = 0;

  if (cudaEventElapsedTime(&milliseconds, from->mark, to->mark) != cudaSuccess)
    cudaGetLastError();
  return static_cast<unsigned long long>(static_cast<double>(milliseconds) * 1e6);
}

bool texture_make(struct texture *texture, void *memory, size_t pitch, size_t width, size_t rows,
                  unsigned channels, enum texel_kind kind, size_t bytes, enum texture_border border,
                  struct error *error)
{
  static const enum cudaTextureAddressMode modes[] = {cudaAddressModeClamp, cudaAddressModeMirror,
                                                      cudaAddressModeWrap, cudaAddressModeBorder};
  static const enum cudaChannelFormatKind kinds[] = {
      cudaChannelFormatKindUnsigned, cudaChannelFormatKindSigned, cudaChannelFormatKindFloat};
  int bits = static_cast<int>(bytes) * 8;
  cudaResourceDesc resource = {};
  cudaTextureDesc description = {};
  cudaError_t failed;

  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = rows;
  resource.res.pitch2D.pitchInBytes = pitch;
  resource.res.pitch2D.desc = cudaCreateChannelDesc(
      bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kinds[kind]);
  description.addressMode[0] = description.addressMode[1] = modes[border];
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  description.normalizedCoords = border == TEXTURE_MIRROR || border == TEXTURE_WRAP;
  failed = cudaCreateTextureObject(&texture->object, &resource, &description, nullptr);
  if (failed == cudaSuccess)
    return true;
  cudaGetLastError();
  return error_set(error, STATUS_DEVICE, "the device cuda makes no texture of %zux%zu texels: %s",
                   width, rows, explain(failed));
}

void texture_free(struct texture *texture)
{
  cudaDestroyTextureObject(texture->object);
}

} // namespace cuda
} // namespace gpu
