/* Counters: what launches asked of the memory of a GPU, as its hardware counted or the emulator did. */
#ifndef HALO_COUNTERS_H
#define HALO_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "explain_line.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A name for programs, one for people, and the metric of CUPTI and of Nsight Compute.  A request is one
   instruction of a warp; shared memory serves it in wavefronts, global memory and textures in sectors
   of 32 bytes. */
#define COUNTERS(X)                                                                                \
  X(GLOBAL_LOADS, "global_load_requests", "global: load requests",                                 \
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")                                             \
  X(GLOBAL_LOAD_SECTORS, "global_load_sectors", "global: sectors loaded",                          \
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")                                              \
  X(GLOBAL_STORES, "global_store_requests", "global: store requests",                              \
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum")                                             \
  X(GLOBAL_STORE_SECTORS, "global_store_sectors", "global: sectors stored",                        \
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")                                              \
  X(SHARED_LOADS, "shared_load_requests", "shared: load requests",                                 \
    "smsp__inst_executed_op_shared_ld.sum")                                                        \
  X(SHARED_LOAD_WAVEFRONTS, "shared_load_wavefronts", "shared: wavefronts of loads",               \
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")                                        \
  X(SHARED_LOAD_CONFLICTS, "shared_load_conflicts", "shared: bank conflicts of loads",             \
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")                                    \
  X(SHARED_STORES, "shared_store_requests", "shared: store requests",                              \
    "smsp__inst_executed_op_shared_st.sum")                                                        \
  X(SHARED_STORE_WAVEFRONTS, "shared_store_wavefronts", "shared: wavefronts of stores",            \
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")                                        \
  X(SHARED_STORE_CONFLICTS, "shared_store_conflicts", "shared: bank conflicts of stores",          \
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")                                    \
  X(TEXTURE_FETCHES, "texture_requests", "texture: requests",                                      \
    "l1tex__t_requests_pipe_tex_mem_texture.sum")                                                  \
  X(TEXTURE_SECTORS, "texture_sectors", "texture: sectors",                                        \
    "l1tex__t_sectors_pipe_tex_mem_texture.sum")                                                   \
  X(DRAM_READ, "dram_bytes_read", "memory: bytes read", "dram__bytes_read.sum")                    \
  X(DRAM_WRITTEN, "dram_bytes_written", "memory: bytes written", "dram__bytes_write.sum")          \
  X(WARPS_ACTIVE, "achieved_occupancy", "achieved occupancy, %",                                   \
    "sm__warps_active.avg.pct_of_peak_sustained_active")

enum counter {
#define X(id, name, title, metric) COUNTER_##id,
  COUNTERS(X)
#undef X
      COUNTER_COUNT
};

struct counters {
  double value[COUNTER_COUNT]; /* NaN where nobody counts that */
  char unavailable[256];       /* why there are no values at all, or empty */
};

extern const char *const counter_names[COUNTER_COUNT], *const counter_titles[COUNTER_COUNT],
                                                           *const counter_metrics[COUNTER_COUNT];

/* Adds what a further launch asked for; of a share, the larger counts. */
void counters_add(struct counters *sum, const struct counters *counters);

/* What the lines of kernels asked for, as the emulator heard; it knows neither DRAM nor occupancy. */
void counters_of_lines(struct counters *counters, const struct explained_lines *lines);

#ifdef __cplusplus
}
#endif
#endif
