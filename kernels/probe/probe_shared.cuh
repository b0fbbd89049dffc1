/* Probes of the memories within a multiprocessor: shared and constant memory. */
#ifndef HALO_PROBE_SHARED_CUH
#define HALO_PROBE_SHARED_CUH

#include "probe_measure.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

enum {
  TILE = 32,
  TURNS = 8,     /* places that rounds of reads begin at, TILE apart */
  WORDS = 2048,  /* of shared memory that strides go through */
  TABLE = 512,   /* floats in constant memory */
  ALL_ONES = 31, /* the bits of a column's number */
};

/* --- stride: one word a lane, `stride` words apart --- */

/* A thread adds up ROUNDS · TILE words, a warp reads the words of 32 lanes at a time.  Bound by the
   wavefronts of shared memory, one a clock. */
static KERNEL(THREADS, 4) stride_kernel(global<float> to, int stride)
{
  shared<float> words = dynamic_shared<float>();
  float sum = 0;

  for (unsigned i = threadIdx.x; i < WORDS; i += THREADS)
    words[i] = value_at(i);
  barrier();
  NO_UNROLL
  for (unsigned round = 0; round < ROUNDS; round++) {
    unsigned at = threadIdx.x % WARP_LANES * (unsigned)stride + round % TURNS * TILE;

    unroll<TILE>([&](int k) { sum += words[at + (unsigned)k]; });
  }
  to[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static const struct probe_variant stride_variants[] = {
    {"stride 1", 1, 0, 1, "1"},   {"stride 2", 2, 0, 2, "2"},     {"stride 3", 3, 0, 1, "1"},
    {"stride 4", 4, 0, 4, "4"},   {"stride 8", 8, 0, 8, "8"},     {"stride 16", 16, 0, 16, "16"},
    {"stride 31", 31, 0, 1, "1"}, {"stride 32", 32, 0, 32, "32"}, {"stride 33", 33, 0, 1, "1"},
};

static void stride_launch(const struct trial &trial, const struct probe_variant &variant)
{
  launch(shape_of(trial, "stride", BLOCKS, WORDS * sizeof(float)), stride_kernel,
         global_from<float>(trial.output), variant.how);
}

/* What TURNS rounds add up to from a lane's first place on, as often as they come round. */
static float rounds_sum(unsigned first)
{
  float sum = 0;

  for (unsigned i = 0; i < TURNS * TILE; i++)
    sum += value_at(first + i);
  return sum * (ROUNDS / TURNS);
}

static float stride_expected(const struct probe_variant &variant, unsigned i)
{
  return rounds_sum(i % WARP_LANES * (unsigned)variant.how);
}

/* --- transpose: tiles are written by rows, read by columns --- */

/* A block of 32 × 8 threads moves a tile, of which a warp reads columns: their words lie `pitch`
   words apart; with `mask`, word x of row y lies at x ^ y.  Bound by the wavefronts of the columns,
   or by the bandwidth of global memory. */
template <int pitch, int mask>
KERNEL(THREADS, 4)
transpose_kernel(global<const float> from, global<float> to)
{
  shared<float> tile = dynamic_shared<float>();
  int x = (int)threadIdx.x, tiles = SIDE / TILE;
  int left = (int)blockIdx.x % tiles * TILE, top = (int)blockIdx.x / tiles * TILE;

  for (int y = (int)threadIdx.y; y < TILE; y += THREADS / TILE)
    tile[y * pitch + (x ^ (y & mask))] = from[(top + y) * SIDE + left + x];
  barrier();
  for (int y = (int)threadIdx.y; y < TILE; y += THREADS / TILE)
    to[(left + y) * SIDE + top + x] = tile[x * pitch + (y ^ (x & mask))];
}

static const struct probe_variant transpose_variants[] = {
    {"rows of 32 words", 0, 0, 32, "1"},
    {"rows padded to 33", 1, 0, 1, "< 1"},
    {"column ^ row", 2, 0, 1, "< 1"},
};

static void transpose_launch(const struct trial &trial, const struct probe_variant &variant)
{
  static void (*const kernels[])(global<const float>, global<float>) = {
      transpose_kernel<TILE, 0>, transpose_kernel<TILE + 1, 0>, transpose_kernel<TILE, ALL_ONES>};

  launch({"transpose",
          RESULTS / (TILE * TILE),
          {TILE, THREADS / TILE, 1},
          TILE * (TILE + 1) * sizeof(float),
          trial.stream},
         kernels[variant.how], global_from<const float>(trial.input),
         global_from<float>(trial.output));
}

static float transpose_expected(const struct probe_variant &, unsigned i)
{
  return value_at(i % SIDE * SIDE + i / SIDE);
}

/* --- matmul: two square matrices, each thread a result --- */

/* A warp's step reads one word of `a` for all lanes and 32 words of `b`: 5 sectors.  Bound by the
   requests to the L1 cache, two a multiply-add. */
static KERNEL(TILE *TILE, 1)
    matmul_global_kernel(global<const float> a, global<const float> b, global<float> to)
{
  int tiles = MATRIX / TILE;
  int x = (int)blockIdx.x % tiles * TILE + (int)threadIdx.x;
  int y = (int)blockIdx.x / tiles * TILE + (int)threadIdx.y;
  float sum = 0;

  for (int k = 0; k < MATRIX; k++)
    sum = fmaf(a[y * MATRIX + k], b[k * MATRIX + x], sum);
  to[y * MATRIX + x] = sum;
}

/* The same from tiles in shared memory: a word comes from global memory once for 32 results, 8
   sectors for 32 steps of a warp.  Bound by the requests to shared memory, two a multiply-add. */
static KERNEL(TILE *TILE, 1)
    matmul_tiled_kernel(global<const float> a, global<const float> b, global<float> to)
{
  shared<float> left = dynamic_shared<float>();
  shared<float> right = dynamic_shared<float>(TILE * TILE * sizeof(float));
  int tiles = MATRIX / TILE, across = (int)threadIdx.x, down = (int)threadIdx.y;
  int x = (int)blockIdx.x % tiles * TILE + across, y = (int)blockIdx.x / tiles * TILE + down;
  float sum = 0;

  for (int step = 0; step < MATRIX; step += TILE) {
    left[down * TILE + across] = a[y * MATRIX + step + across];
    right[down * TILE + across] = b[(step + down) * MATRIX + x];
    barrier();
    unroll<TILE>([&](int k) { sum = fmaf(left[down * TILE + k], right[k * TILE + across], sum); });
    barrier();
  }
  to[y * MATRIX + x] = sum;
}

static const struct probe_variant matmul_variants[] = {
    {"global memory", 0, 0, 5, "1"},
    {"tiles in shared memory", 1, 0, 0.25, "< 1"},
};

static void matmul_launch(const struct trial &trial, const struct probe_variant &variant)
{
  launch({"matmul",
          MATRIX * MATRIX / (TILE * TILE),
          {TILE, TILE, 1},
          2 * TILE * TILE * sizeof(float),
          trial.stream},
         variant.how ? matmul_tiled_kernel : matmul_global_kernel,
         global_from<const float>(trial.input),
         global_from<const float>(trial.input) + MATRIX * MATRIX, global_from<float>(trial.output));
}

static float matmul_expected(const struct probe_variant &, unsigned i)
{
  unsigned x = i % MATRIX, y = i / MATRIX;
  float sum = 0;

  for (unsigned k = 0; k < MATRIX; k++)
    sum += value_at(y * MATRIX + k) * value_at(MATRIX * MATRIX + k * MATRIX + x);
  return sum;
}

/* --- broadcast: constant memory, so many addresses a warp --- */

CONSTANT(float, probe_table, TABLE);

/* As stride_kernel, from constant memory: the lanes of a warp read `addresses` words.  Bound by the
   constant cache, which serves one address at a time. */
static KERNEL(THREADS, 4) broadcast_kernel(global<float> to, int addresses)
{
  float sum = 0;

  NO_UNROLL
  for (unsigned round = 0; round < ROUNDS; round++) {
    unsigned at = threadIdx.x % WARP_LANES % (unsigned)addresses + round % TURNS * TILE;

    unroll<TILE>([&](int k) { sum += probe_table[at + (unsigned)k]; });
  }
  to[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static const struct probe_variant broadcast_variants[] = {
    {"1 address", 1, 0, 1, "1"},       {"2 addresses", 2, 0, 2, "2"},
    {"4 addresses", 4, 0, 4, "4"},     {"8 addresses", 8, 0, 8, "8"},
    {"16 addresses", 16, 0, 16, "16"}, {"32 addresses", 32, 0, 32, "32"},
};

static bool broadcast_prepare(struct trial *trial, struct error *error)
{
  float values[TABLE];

  for (unsigned i = 0; i < TABLE; i++)
    values[i] = value_at(i);
  constant_set(probe_table, values, TABLE, trial->stream);
  return stream_finish(trial->stream, error);
}

static void broadcast_launch(const struct trial &trial, const struct probe_variant &variant)
{
  launch(shape_of(trial, "broadcast", BLOCKS), broadcast_kernel, global_from<float>(trial.output),
         variant.how);
}

static float broadcast_expected(const struct probe_variant &variant, unsigned i)
{
  return rounds_sum(i % WARP_LANES % (unsigned)variant.how);
}

} // namespace GPU_MACHINE
} // namespace gpu

#endif
