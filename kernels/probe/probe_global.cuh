/* Probes of the device's own memory, of textures over it, and of the way to it from the host. */
#ifndef HALO_PROBE_GLOBAL_CUH
#define HALO_PROBE_GLOBAL_CUH

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "probe_measure.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* Which of the things that a block goes through is a thread's k-th. */
HALO_HOST_DEVICE static inline unsigned nth_of(unsigned block, unsigned thread, unsigned k)
{
  return (block * READS + k) * THREADS + thread;
}

/* The same of result i. */
static inline unsigned nth_of_result(unsigned i, unsigned k)
{
  return nth_of(i / THREADS, i % THREADS, k);
}

/* --- coalesce: neighbours read words so far apart --- */

/* All the input once, in steps of 2^log words; each lane's word lies `first` words further. */
HALO_HOST_DEVICE static inline unsigned coalesce_place(unsigned i, int log, int first)
{
  return ((i << log & (INPUT - 1)) | i >> (BITS + 2 - log)) + (unsigned)first;
}

/* A thread adds up READS words and writes their sum.  Bound by the sectors that come from global
   memory. */
static KERNEL(THREADS, 4)
    coalesce_kernel(global<const float> from, global<float> to, int log, int first)
{
  float sum = 0;

  unroll<READS>([&](int k) {
    sum += from[coalesce_place(nth_of(blockIdx.x, threadIdx.x, (unsigned)k), log, first)];
  });
  to[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* Time: READS requests of so many sectors and one of 4 to write, against 4 · READS + 4.  The fifth
   sector of a shifted row is in the cache: it is the neighbour's first. */
static const struct probe_variant coalesce_variants[] = {
    {"stride 1", 0, 0, 4, "1"},        {"stride 2", 1, 0, 8, "1.9"},
    {"stride 4", 2, 0, 16, "3.7"},     {"stride 8", 3, 0, 32, "7.2"},
    {"stride 16", 4, 0, 32, ">= 7.2"}, {"stride 32", 5, 0, 32, ">= 7.2"},
    {"from word 1 on", 0, 1, 5, "1"},  {"from word 4 on", 0, 4, 5, "1"},
    {"from word 8 on", 0, 8, 4, "1"},
};

static void coalesce_launch(const struct trial &trial, const struct probe_variant &variant)
{
  launch(shape_of(trial, "coalesce", INPUT / (READS * THREADS)), coalesce_kernel,
         global_from<const float>(trial.input), global_from<float>(trial.output), variant.how,
         variant.much);
}

static float coalesce_expected(const struct probe_variant &variant, unsigned i)
{
  float sum = 0;

  for (unsigned k = 0; k < READS; k++)
    sum += value_at(coalesce_place(nth_of_result(i, k), variant.how, variant.much));
  return sum;
}

/* --- vector: a copy by accesses of 4, 8 or 16 bytes; occupancy: by few or many warps --- */

/* A thread copies one V after the other, and reads the next once the last is written.  Bound by
   bytes in flight, until they are enough for the bandwidth of global memory. */
template <class V>
KERNEL(THREADS, 4)
copy_kernel(global<const float> from, global<float> to, unsigned count)
{
  enum { FLOATS = sizeof(V) / sizeof(float) };

  NO_UNROLL
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
    store(to, i * FLOATS, load<V>(from, i * FLOATS));
}

template <class V> static void copy_launch(const struct trial &trial, size_t shared_bytes)
{
  unsigned count = RESULTS / (sizeof(V) / sizeof(float));
  unsigned blocks = std::min(count / THREADS, (unsigned)processors() * 32);

  launch(shape_of(trial, "copy", blocks, shared_bytes), copy_kernel<V>,
         global_from<const float>(trial.input), global_from<float>(trial.output), count);
}

static float copy_expected(const struct probe_variant &, unsigned i)
{
  return value_at(i);
}

static const struct probe_variant vector_variants[] = {
    {"4 bytes (float)", 4, 0, 4, "1"},
    {"8 bytes (float2)", 8, 0, 8, ">= 0.5"},
    {"16 bytes (float4)", 16, 0, 16, ">= 0.25"},
};

static void vector_launch(const struct trial &trial, const struct probe_variant &variant)
{
  if (variant.how == 4)
    copy_launch<float>(trial, 0);
  else if (variant.how == 8)
    copy_launch<float2>(trial, 0);
  else
    copy_launch<float4>(trial, 0);
}

/* Blocks that 228 KiB of a multiprocessor hold, of which each block takes 1 more, 8 at most. */
static const struct probe_variant occupancy_variants[] = {
    {"0 KiB, 8 blocks", 0, 0, 4, "1"},    {"24 KiB, 8 blocks", 24, 0, 4, "1"},
    {"48 KiB, 4 blocks", 48, 0, 4, "2"},  {"96 KiB, 2 blocks", 96, 0, 4, "4"},
    {"200 KiB, 1 block", 200, 0, 4, "8"},
};

static const char *occupancy_refuse(const struct probe_variant &variant)
{
  return (size_t)variant.how * 1024 > shared_most() ? "a block gets less here" : nullptr;
}

static void occupancy_launch(const struct trial &trial, const struct probe_variant &variant)
{
  copy_launch<float>(trial, (size_t)variant.how * 1024);
}

/* --- layout: structures of 8 floats --- */

enum { FIELDS = 8, STRUCTURES = INPUT / FIELDS };
enum { ARRAY_OF_STRUCTS, STRUCT_OF_ARRAYS, BLOCKS_OF_ARRAYS };

/* Where field f of structure i lies. */
HALO_HOST_DEVICE static inline unsigned layout_place(int layout, unsigned i, unsigned f)
{
  return layout == ARRAY_OF_STRUCTS   ? i * FIELDS + f
         : layout == STRUCT_OF_ARRAYS ? f * STRUCTURES + i
                                      : (i / 32 * FIELDS + f) * 32 + i % 32;
}

/* A thread adds up the first `fields` fields of its structure.  Bound by the sectors that come
   from global memory: a structure is one. */
template <int layout, int fields>
KERNEL(THREADS, 4)
layout_kernel(global<const float> from, global<float> to)
{
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  float sum = 0;

  unroll<fields>([&](int f) { sum += from[layout_place(layout, i, (unsigned)f)]; });
  to[i] = sum;
}

static const struct probe_variant layout_variants[] = {
    {"2 of 8 fields, array of structs", ARRAY_OF_STRUCTS, 2, 32, "1"},
    {"2 of 8 fields, struct of arrays", STRUCT_OF_ARRAYS, 2, 4, "0.33"},
    {"2 of 8 fields, arrays of 32", BLOCKS_OF_ARRAYS, 2, 4, "0.33"},
    {"all 8 fields, array of structs", ARRAY_OF_STRUCTS, 8, 32, ">= 1"},
    {"all 8 fields, struct of arrays", STRUCT_OF_ARRAYS, 8, 4, "1"},
    {"all 8 fields, arrays of 32", BLOCKS_OF_ARRAYS, 8, 4, "1"},
};

static void layout_launch(const struct trial &trial, const struct probe_variant &variant)
{
  static void (*const kernels[][3])(global<const float>, global<float>) = {
      {layout_kernel<ARRAY_OF_STRUCTS, 2>, layout_kernel<STRUCT_OF_ARRAYS, 2>,
       layout_kernel<BLOCKS_OF_ARRAYS, 2>},
      {layout_kernel<ARRAY_OF_STRUCTS, 8>, layout_kernel<STRUCT_OF_ARRAYS, 8>,
       layout_kernel<BLOCKS_OF_ARRAYS, 8>},
  };

  launch(shape_of(trial, "layout", STRUCTURES / THREADS), kernels[variant.much == 8][variant.how],
         global_from<const float>(trial.input), global_from<float>(trial.output));
}

static float layout_expected(const struct probe_variant &variant, unsigned i)
{
  float sum = 0;

  for (int f = 0; f < variant.much; f++)
    sum += value_at(layout_place(variant.how, i, (unsigned)f));
  return sum;
}

/* --- texture: a square picture, read in three orders --- */

enum { BY_ROWS, BY_COLUMNS, SCATTERED };

/* The i-th place of an order. */
HALO_HOST_DEVICE static inline unsigned texture_place(int order, unsigned i)
{
  return order == BY_ROWS      ? i
         : order == BY_COLUMNS ? i % SIDE * SIDE + i / SIDE
                               : i * 2654435761u % RESULTS;
}

/* A thread adds up READS places, from a texture or from global memory.  Bound by the sectors that
   come through the L1 cache, which is the same for both. */
template <bool textured>
KERNEL(THREADS, 4)
texture_kernel(struct texture texture, global<const float> from, global<float> to, int order)
{
  float sum = 0;

  unroll<READS>([&](int k) {
    unsigned at = texture_place(order, nth_of(blockIdx.x, threadIdx.x, (unsigned)k));

    if constexpr (textured)
      sum += fetch<float>(texture, (float)(at % SIDE) + 0.5f, (float)(at / SIDE) + 0.5f);
    else
      sum += from[at];
  });
  to[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static const struct probe_variant texture_variants[] = {
    {"by rows, global memory", BY_ROWS, 0, 4, "1"},
    {"by rows, texture", BY_ROWS, 1, 8, "1"},
    {"by columns, global memory", BY_COLUMNS, 0, 32, "<= 8"},
    {"by columns, texture", BY_COLUMNS, 1, 32, "<= 8"},
    {"scattered, global memory", SCATTERED, 0, 32, "~ 8"},
    {"scattered, texture", SCATTERED, 1, 32, "~ 8"},
};

static bool texture_prepare(struct trial *trial, struct error *error)
{
  trial->textured = texture_make(&trial->texture, trial->input, SIDE * sizeof(float), SIDE, SIDE, 1,
                                 TEXEL_FLOAT, sizeof(float), TEXTURE_CLAMP, error);
  return trial->textured;
}

static void texture_launch(const struct trial &trial, const struct probe_variant &variant)
{
  launch(shape_of(trial, "texture", RESULTS / (READS * THREADS)),
         variant.much ? texture_kernel<true> : texture_kernel<false>, trial.texture,
         global_from<const float>(trial.input), global_from<float>(trial.output), variant.how);
}

static float texture_expected(const struct probe_variant &variant, unsigned i)
{
  float sum = 0;

  for (unsigned k = 0; k < READS; k++)
    sum += value_at(texture_place(variant.how, nth_of_result(i, k)));
  return sum;
}

/* --- copy: host memory to the device, one added, and back --- */

enum { PIECES = 16, STREAMS_MAX = 4 };

static KERNEL(THREADS, 4) increment_kernel(global<const float> from, global<float> to)
{
  unsigned i = blockIdx.x * THREADS + threadIdx.x;

  to[i] = from[i] + 1;
}

static const struct probe_variant copy_variants[] = {
    {"pinned, 1 stream", 1, 1, 0, "1"},
    {"pinned, 4 streams", 1, 4, 0, ">= 0.5"},
    {"pageable, 1 stream", 0, 1, 0, "> 1"},
    {"pageable, 4 streams", 0, 4, 0, "> 1"},
};

static const char *copy_refuse(const struct probe_variant &)
{
  return TIMED ? nullptr : "no meaning: host and device share memory";
}

static float increment_expected(const struct probe_variant &, unsigned i)
{
  return value_at(i) + 1;
}

/* Pieces go there and back, in turn on so many streams. */
static bool pieces_copy(const struct trial &trial, const float *from, float *to,
                        struct stream *const *streams, int count, struct error *error)
{
  enum { PIECE = RESULTS / PIECES };
  bool done = true;

  for (int i = 0; i < PIECES; i++) {
    struct stream *stream = streams[i % count];
    size_t at = (size_t)i * PIECE, bytes = PIECE * sizeof(float);

    copy_in(stream, trial.input + at, bytes, from + at, bytes, bytes, 1);
    launch({"increment", PIECE / THREADS, {THREADS, 1, 1}, 0, stream}, increment_kernel,
           global_from<const float>(trial.input + at), global_from<float>(trial.output + at));
    copy_out(stream, to + at, bytes, trial.output + at, bytes, bytes, 1);
  }
  for (int i = 0; i < count; i++)
    done = stream_finish(streams[i], error) && done;
  return done;
}

/* The median by the host's clock, since no event sees all streams. */
static bool pieces_time(const struct trial &trial, const float *from, float *to, int count,
                        double *microseconds, struct error *error)
{
  enum { SAMPLES = 5 };
  struct stream *streams[STREAMS_MAX] = {};
  double samples[SAMPLES + 1];
  bool done = true;

  for (int i = 0; done && i < count; i++)
    done = (streams[i] = stream_open(error)) != nullptr;
  for (int i = 0; done && i <= SAMPLES; i++) { /* the first is the warm-up */
    unsigned long long start = clock_nanoseconds();

    done = pieces_copy(trial, from, to, streams, count, error);
    samples[i] = (double)(clock_nanoseconds() - start) / 1e3;
  }
  for (int i = 0; i < count; i++)
    if (streams[i])
      stream_close(streams[i]);
  if (!done)
    return false;
  std::nth_element(samples + 1, samples + 1 + SAMPLES / 2, samples + 1 + SAMPLES);
  *microseconds = samples[1 + SAMPLES / 2];
  return true;
}

/* Times the copies; what comes back is at trial.host. */
static bool copy_time(const struct trial &trial, const struct probe_variant &variant,
                      double *microseconds, struct error *error)
{
  bool pinned = variant.how, done = false;
  size_t bytes = RESULTS * sizeof(float);
  float *from = static_cast<float *>(pinned ? pinned_allocate(bytes) : malloc(bytes));
  float *to = pinned ? trial.host : static_cast<float *>(malloc(bytes));

  if (from && to) {
    for (unsigned i = 0; i < RESULTS; i++)
      from[i] = value_at(i);
    done = pieces_time(trial, from, to, variant.much, microseconds, error);
    if (done && !pinned)
      memcpy(trial.host, to, bytes);
  } else {
    error_set(error, STATUS_FAILED, "no memory for copies of %zu bytes", bytes);
  }
  if (pinned) {
    pinned_free(from);
  } else {
    free(from);
    free(to);
  }
  return done;
}

} // namespace GPU_MACHINE
} // namespace gpu

#endif
