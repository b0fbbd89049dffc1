/* What the probes share: memory to work on, and the two ways to measure a launch.  A GPU tells
   time, the emulator counts what the memory would do. */
#ifndef HALO_PROBE_MEASURE_CUH
#define HALO_PROBE_MEASURE_CUH

#include <algorithm>

#include "machine.cuh"
#include "probe.h"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* On a GPU the input, 256 MiB, is larger than its L2 cache; the emulator needs a few warps. */
#ifdef __CUDACC__
enum { BITS = 24, BLOCKS = 1024, ROUNDS = 32, MATRIX = 512 };
#else
enum { BITS = 12, BLOCKS = 1, ROUNDS = 8, MATRIX = 64 };
#endif

enum {
  THREADS = 256, /* of a block */
  WARP_LANES = 32,
  READS = 8,            /* of a thread that adds up what it reads */
  RESULTS = 1 << BITS,  /* floats, the most that a probe writes */
  INPUT = 4 * RESULTS,  /* floats to read */
  SPARE = 64,           /* more of them, for reads that begin later */
  SIDE = 1 << BITS / 2, /* of the square picture that the first RESULTS floats of the input are */
};

struct trial {
  struct stream *stream;
  struct event *begin, *end;
  float *input, *output; /* on the device */
  float *host;           /* RESULTS floats that the device copies to at full speed */
  struct texture texture;
  bool textured; /* it is there */
};

/* What the input holds: small integers, so that their sums are exact. */
HALO_HOST_DEVICE static inline float value_at(unsigned i)
{
  return (float)(i % 61);
}

/* A launch of `blocks` blocks of THREADS threads. */
static inline struct shape_of_launch shape_of(const struct trial &trial, const char *name,
                                              size_t blocks, size_t shared_bytes = 0)
{
  return {name, blocks, {THREADS, 1, 1}, shared_bytes, trial.stream};
}

#ifdef __CUDACC__

static constexpr bool TIMED = true;

/* Shared memory that one block can ask for. */
static inline size_t shared_most(void)
{
  int device = 0, bytes = 0;

  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
          cudaSuccess)
    cudaGetLastError();
  return (size_t)bytes;
}

/* Microseconds of a launch, on average over `count` of them in a row. */
template <class F>
static inline bool launches_time(const struct trial &trial, unsigned count, F launch,
                                 double *microseconds, struct error *error)
{
  event_mark(trial.begin, trial.stream);
  for (unsigned i = 0; i < count; i++)
    launch();
  event_mark(trial.end, trial.stream);
  if (!stream_finish(trial.stream, error))
    return false;
  *microseconds = (double)event_elapsed(trial.begin, trial.end) / 1e3 / count;
  return true;
}

/* The median of several samples, after a warm-up; short launches are timed many at once, since an
   event tells time to half a microsecond. */
template <class F>
static inline bool launch_measure(const struct trial &trial, enum probe_unit unit, F launch,
                                  struct probe_figure *figure, struct error *error)
{
  enum { SAMPLES = 11, WARM = 3 };
  double samples[SAMPLES], once;
  unsigned count;

  (void)unit;
  if (!launches_time(trial, 1, launch, &once, error) ||
      !launches_time(trial, WARM, launch, &once, error))
    return false;
  count = (unsigned)std::clamp(500 / std::max(once, 1.0), 1.0, 50.0);
  for (double &sample : samples)
    if (!launches_time(trial, count, launch, &sample, error))
      return false;
  std::nth_element(samples, samples + SAMPLES / 2, samples + SAMPLES);
  figure->microseconds = samples[SAMPLES / 2];
  return true;
}

#else

static constexpr bool TIMED = false;

static inline size_t shared_most(void)
{
  return emulator::SHARED_MAX;
}

static inline bool space_counts(enum emulator::space space, enum probe_unit unit)
{
  switch (space) {
  case emulator::SPACE_SHARED:
    return unit == PROBE_WAVEFRONTS;
  case emulator::SPACE_GLOBAL:
  case emulator::SPACE_TEXTURE:
    return unit == PROBE_SECTORS || unit == PROBE_SECTORS_MUCH;
  case emulator::SPACE_CONSTANT:
    return unit == PROBE_ADDRESSES;
  }
  return false;
}

/* What the reads of a launch take: a request or, where the unit asks for something else, in all. */
template <class F>
static inline bool launch_measure(const struct trial &trial, enum probe_unit unit, F launch,
                                  struct probe_figure *figure, struct error *error)
{
  emulator::recorder recorder;
  double served = 0, warps = 0;

  recorder.start();
  launch();
  recorder.stop();
  for (const struct emulator::tally &tally : recorder.tallies())
    if (!tally.write && space_counts(tally.space, unit)) {
      served += (double)tally.served;
      warps += (double)tally.accesses / WARP_LANES;
    }
  figure->served = unit == PROBE_SECTORS_MUCH ? served : served / std::max(warps, 1.0);
  return stream_finish(trial.stream, error);
}

#endif

} // namespace GPU_MACHINE
} // namespace gpu

#endif
