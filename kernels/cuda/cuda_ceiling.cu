/* The ceilings of a GPU, measured where and when something is compared with them: a copy within its
   memory, larger than its caches, and multiply-adds that wait for nothing. */
#include "cuda_ceiling.cuh"

#include "machine.cuh"

namespace gpu
{
inline namespace cuda
{

namespace
{

enum { THREADS = 256, CHAINS = 8, TURNS = 4096, RUNS = 9 };

/* Each thread does CHAINS · TURNS multiply-adds. */
__global__ void __launch_bounds__(THREADS) multiply_add(float *sink, float factor)
{
  float chain[CHAINS];

#pragma unroll
  for (int i = 0; i < CHAINS; i++)
    chain[i] = (float)(threadIdx.x + i);
#pragma unroll 16
  for (int n = 0; n < TURNS; n++)
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
      chain[i] = fmaf(chain[i], factor, 0.5f);
#pragma unroll
  for (int i = 1; i < CHAINS; i++)
    chain[0] += chain[i];
  sink[blockIdx.x * THREADS + threadIdx.x] = chain[0];
}

/* Seconds that the fastest of some runs took. */
template <class F> double seconds_least(struct stream *stream, F run, struct error *error)
{
  struct event *from = event_open(error), *to = from ? event_open(error) : nullptr;
  unsigned long long least = 0;
  bool done = to != nullptr;

  for (int i = 0; done && i < RUNS; i++) {
    event_mark(from, stream);
    run();
    event_mark(to, stream);
    done = stream_finish(stream, error);
    if (done && (least == 0 || event_elapsed(from, to) < least))
      least = event_elapsed(from, to);
  }
  if (from)
    event_close(from);
  if (to)
    event_close(to);
  return done ? (double)least * 1e-9 : 0;
}

} // namespace

bool ceilings_measure(struct ceilings *ceilings, struct error *error)
{
  const size_t bytes = (size_t)512 << 20;
  const unsigned blocks = (unsigned)processors() * 8;
  struct stream *stream = stream_open(error);
  char *memory = stream ? static_cast<char *>(device_allocate(2 * bytes)) : nullptr;
  double copy = 0, arithmetic = 0;

  if (stream && !memory)
    error_set(error, STATUS_DEVICE, "no memory on the device to measure what copies reach");
  if (memory)
    copy = seconds_least(
        stream,
        [&] {
          cudaMemcpyAsync(memory + bytes, memory, bytes, cudaMemcpyDeviceToDevice, stream->queue);
        },
        error);
  if (copy > 0)
    arithmetic = seconds_least(
        stream,
        [&] {
          multiply_add<<<blocks, THREADS, 0, stream->queue>>>(reinterpret_cast<float *>(memory),
                                                              0.999f);
        },
        error);
  if (memory)
    device_free(memory);
  if (stream)
    stream_close(stream);
  if (arithmetic == 0)
    return false;
  ceilings->copy_bytes_per_second = 2.0 * (double)bytes / copy;
  ceilings->fma_per_second = (double)blocks * THREADS * CHAINS * TURNS / arithmetic;
  return true;
}

} // namespace cuda
} // namespace gpu
