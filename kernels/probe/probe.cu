/* The table of probes, and how they are run: the kernels stand in probe_shared.cuh (memories
   within a multiprocessor) and probe_global.cuh (the device's memory and the way to it).

   To add a probe: a kernel of a few lines, its variants with what the rules predict, and a row. */
#include "probe_global.cuh"
#include "probe_shared.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

struct row {
  struct probe told;
  unsigned results; /* floats that every variant writes, and of which every step-th is looked at */
  unsigned step;
  double work; /* of a variant; where it is 0, 4 bytes a result and a field */
  void (*launch)(const struct trial &trial, const struct probe_variant &variant);
  float (*expected)(const struct probe_variant &variant, unsigned i);

  /* Some need something before, can't do every variant, or measure time in their own way. */
  bool (*prepare)(struct trial *trial, struct error *error) = nullptr;
  const char *(*refuse)(const struct probe_variant &variant) = nullptr;
  bool (*time)(const struct trial &trial, const struct probe_variant &variant, double *microseconds,
               struct error *error) = nullptr;
};

template <size_t N> constexpr size_t variants_count(const struct probe_variant (&)[N])
{
  static_assert(N <= PROBE_VARIANTS_MAX, "PROBE_VARIANTS_MAX must grow");
  return N;
}

#define VARIANTS(of) of, variants_count(of)

const struct row rows[] = {
    {{"stride", "shared memory, read by lanes whose words lie so many words apart",
      "32 banks of 4 bytes: lanes whose words differ but share a bank wait for each other, "
      "gcd(stride, 32) of them; an odd row length has no conflicts.",
      "ncu, l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum over "
      "smsp__inst_executed_op_shared_ld.sum.",
      "Kepler's banks of 8 bytes (cudaDeviceSetSharedMemConfig does nothing any more); "
      "nvprof's shared_load_transactions_per_request: nvprof stops before compute capability "
      "8.0.",
      PROBE_WAVEFRONTS, "GB/s", VARIANTS(stride_variants)},
     BLOCKS *THREADS,
     17,
     4.0 * BLOCKS *THREADS *ROUNDS *TILE,
     stride_launch,
     stride_expected},

    {{"coalesce", "global memory, read once in strides, and in rows begun between sectors",
      "memory comes in sectors of 32 bytes, and a warp pays for all that it touches, so "
      "neighbours read neighbours; a shifted row costs a fifth sector, which the cache has "
      "from the warp beside.",
      "ncu, l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum over "
      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.",
      "half-warps and their alignment rules (compute capability 1), loads of whole lines of "
      "128 bytes (Fermi), loads that L1 keeps only if -Xptxas -dlcm=ca says so (Kepler); "
      "nvprof's gld_efficiency.",
      PROBE_SECTORS, "GB/s", VARIANTS(coalesce_variants)},
     INPUT / READS,
     5,
     4.0 * INPUT + 4.0 * INPUT / READS,
     coalesce_launch,
     coalesce_expected},

    {{"transpose", "shared memory, 32x32 tiles written by rows and read by columns",
      "a column of a tile whose rows are 32 words lies in one bank; one word of padding "
      "spreads it over all, and so does, at no cost in memory, column ^ row for the column.",
      "ncu, l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum; its source page names "
      "the line.",
      "partition camping, the remedy for which was to walk the blocks diagonally (compute "
      "capability 1).",
      PROBE_WAVEFRONTS, "GB/s", VARIANTS(transpose_variants)},
     RESULTS,
     1,
     8.0 * RESULTS,
     transpose_launch,
     transpose_expected},

    {{"vector", "global memory, copied by accesses of 4, 8 and 16 bytes",
      "bandwidth takes bytes in flight: a wide access brings more of them for one instruction, "
      "the sectors in all are the same; once memory is busy, width gains nothing.",
      "ncu, smsp__inst_executed_op_global_ld.sum; in the code, LDG.E.64 and LDG.E.128 "
      "(cuobjdump -sass).",
      "accesses of 16 bytes that are slower than those of 8 (compute capability 1).  New are "
      "those of 32, from Blackwell on.",
      PROBE_SECTORS, "GB/s", VARIANTS(vector_variants)},
     RESULTS,
     1,
     8.0 * RESULTS,
     vector_launch,
     copy_expected},

    {{"layout", "global memory, structures of 8 floats of which 2 or all are read",
      "an array of structs brings the fields that nobody wants; a struct of arrays, or of "
      "arrays of 32, brings only what is read.  Where all is read, the cache makes up for much.",
      "ncu, l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio and "
      "dram__bytes_read.sum.",
      "nvprof's gld_transactions_per_request.", PROBE_SECTORS, "GB/s", VARIANTS(layout_variants)},
     STRUCTURES,
     5,
     0,
     layout_launch,
     layout_expected},

    {{"matmul", "a product of matrices, from global memory and by tiles in shared memory",
      "a tile cuts the traffic with global memory by 20, time by less: both make two loads a "
      "multiply-add.  What comes next is several results a thread, in registers.",
      "ncu, l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum and "
      "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.",
      "a GPU without a cache for global memory, on which tiles made all the difference "
      "(compute capability 1).  For matrices proper there are tensor cores.",
      PROBE_SECTORS_MUCH, "GFMA/s", VARIANTS(matmul_variants)},
     MATRIX *MATRIX,
     17,
     1.0 * MATRIX *MATRIX *MATRIX,
     matmul_launch,
     matmul_expected},

    {{"broadcast", "constant memory, read by lanes that want so many different addresses",
      "constant memory serves one address at a time, to all lanes that want it: best for what "
      "a whole warp reads together, as taps are; a table that lanes look up belongs elsewhere.",
      "ncu, idc__requests.sum, and warps that wait for the immediate constant cache.",
      "constant memory as a way to a cache, where global memory had none (compute capability "
      "1).",
      PROBE_ADDRESSES, "GB/s", VARIANTS(broadcast_variants)},
     BLOCKS *THREADS,
     17,
     4.0 * BLOCKS *THREADS *ROUNDS *TILE,
     broadcast_launch,
     broadcast_expected,
     broadcast_prepare},

    {{"texture", "a picture, read in three orders from a texture and from global memory",
      "a texture reads through the same L1 cache, but four lanes at a time, eight requests a warp: "
      "over rows it asks for each sector twice.  It gains address modes, conversion and filtering "
      "for nothing, not speed.",
      "ncu, l1tex__t_sectors_pipe_tex_mem_texture.sum against "
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum.",
      "texture references (texture<float, 2>, cudaBindTexture: gone with CUDA 12; objects took "
      "their place); a texture cache of its own, and __ldg to get there (Kepler).",
      PROBE_SECTORS, "GB/s", VARIANTS(texture_variants)},
     RESULTS / READS,
     1,
     4.0 * RESULTS + 4.0 * RESULTS / READS,
     texture_launch,
     texture_expected,
     texture_prepare},

    {{"copy", "host memory to the device and back, pinned or pageable, on several streams",
      "the device copies pinned memory by itself, and both ways at once if there are several "
      "streams; pageable memory goes through a buffer of the driver's, and the host waits.",
      "nsys profile --trace=cuda: its time line names pageable copies, and shows which overlap.",
      "the one queue of Fermi, for which copies were asked for in breadth-first order; the "
      "time line of nvvp, which went with nvprof.",
      PROBE_NOTHING, "GB/s", VARIANTS(copy_variants)},
     RESULTS,
     1,
     8.0 * RESULTS,
     nullptr,
     increment_expected,
     nullptr,
     copy_refuse,
     copy_time},

    {{"occupancy", "global memory, copied by as many blocks of 256 as 228 KiB can hold",
      "latency is hidden by other warps, and shared memory that keeps blocks out takes bytes "
      "from flight; the sectors are the same.  Few warps need wide accesses (see vector).",
      "ncu, sm__warps_active.avg.pct_of_peak_sustained_active, and its section Occupancy.",
      "the spreadsheet CUDA_Occupancy_Calculator.xls (ncu has a calculator, and "
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor tells); 16 or 48 KiB by "
      "cudaFuncSetCacheConfig, which is but a wish now.",
      PROBE_SECTORS, "GB/s", VARIANTS(occupancy_variants)},
     RESULTS,
     1,
     8.0 * RESULTS,
     occupancy_launch,
     copy_expected,
     nullptr,
     occupancy_refuse},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Writes value_at(i) to place i; or, to see what a kernel leaves out, −1. */
KERNEL(THREADS, 4) fill_kernel(global<float> to, unsigned count, bool values)
{
  unsigned i = blockIdx.x * THREADS + threadIdx.x;

  if (i < count)
    to[i] = values ? value_at(i) : -1.0f;
}

void fill(const struct trial &trial, float *to, unsigned count, bool values)
{
  launch(shape_of(trial, "fill", (count + THREADS - 1) / THREADS), fill_kernel,
         global_from<float>(to), count, values);
}

bool trial_open(struct trial *trial, struct error *error)
{
  *trial = {};
  if (!(trial->stream = stream_open(error)) || !(trial->begin = event_open(error)) ||
      !(trial->end = event_open(error)))
    return false;
  trial->input = static_cast<float *>(device_allocate((INPUT + SPARE) * sizeof(float)));
  trial->output = static_cast<float *>(device_allocate(RESULTS * sizeof(float)));
  trial->host = static_cast<float *>(pinned_allocate(RESULTS * sizeof(float)));
  if (!trial->input || !trial->output || !trial->host)
    return error_set(error, STATUS_DEVICE, "--probe: the device has no memory for %zu bytes",
                     (INPUT + SPARE + RESULTS) * sizeof(float));
  fill(*trial, trial->input, INPUT + SPARE, true);
  return stream_finish(trial->stream, error);
}

void trial_close(struct trial *trial)
{
  if (trial->textured)
    texture_free(&trial->texture);
  if (trial->host)
    pinned_free(trial->host);
  if (trial->output)
    device_free(trial->output);
  if (trial->input)
    device_free(trial->input);
  if (trial->end)
    event_close(trial->end);
  if (trial->begin)
    event_close(trial->begin);
  if (trial->stream)
    stream_close(trial->stream);
}

bool results_check(const struct row &row, const struct probe_variant &variant, const float *results,
                   struct error *error)
{
  for (unsigned i = 0; i < row.results; i += row.step)
    if (results[i] != row.expected(variant, i))
      return error_set(error, STATUS_FAILED, "--probe: %s, %s: result %u is %g instead of %g",
                       row.told.name, variant.name, i, (double)results[i],
                       (double)row.expected(variant, i));
  return true;
}

/* The rate of what a variant does, and the unit of what it was served in. */
void figure_finish(const struct row &row, const struct probe_variant &variant,
                   struct probe_figure *figure)
{
  double work = row.work > 0 ? row.work : 4.0 * row.results * (variant.much + 1);

  if (figure->microseconds > 0)
    figure->rate = work / figure->microseconds / 1e3;
  if (row.told.unit == PROBE_SECTORS_MUCH)
    figure->served /= row.work / WARP_LANES;
}

bool variant_measure(const struct trial &trial, const struct row &row,
                     const struct probe_variant &variant, struct probe_figure *figure,
                     struct error *error)
{
  size_t bytes = row.results * sizeof(float);
  bool done;

  *figure = {};
  figure->refused = row.refuse ? row.refuse(variant) : nullptr;
  if (figure->refused)
    return true;
  memset(trial.host, 0, bytes);
  fill(trial, trial.output, row.results, false);
  if (row.time) {
    done = row.time(trial, variant, &figure->microseconds, error);
  } else {
    done = launch_measure(
        trial, row.told.unit, [&] { row.launch(trial, variant); }, figure, error);
    copy_out(trial.stream, trial.host, bytes, trial.output, bytes, bytes, 1);
    done = done && stream_finish(trial.stream, error);
  }
  figure_finish(row, variant, figure);
  return done && results_check(row, variant, trial.host, error);
}

const struct probe *probe_at(size_t i)
{
  return i < ROWS ? &rows[i].told : nullptr;
}

bool probe_measure(size_t i, struct probe_figure *figures, struct error *error)
{
  const struct row &row = rows[i];
  struct trial trial;
  bool done = trial_open(&trial, error) && (!row.prepare || row.prepare(&trial, error));

  for (size_t v = 0; done && v < row.told.count; v++)
    done = variant_measure(trial, row, row.told.variants[v], &figures[v], error);
  trial_close(&trial);
  return done;
}

} // namespace

} // namespace GPU_MACHINE
} // namespace gpu

extern "C" const struct probe_machine GPU_JOIN(probes, GPU_MACHINE) = {gpu::TIMED, gpu::probe_at,
                                                                       gpu::probe_measure};
