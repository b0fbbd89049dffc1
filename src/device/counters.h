/* Counters of what kernel launches asked of a GPU's memory: counted by its hardware, or predicted from what
   the emulator recorded. */
#ifndef HALO_COUNTERS_H
#define HALO_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "explain_line.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a counter is predicted from what the emulator recorded of the lines of a kernel: PREDICT_REQUESTS
   adds up the requests of all lines that access this memory in this way, PREDICT_SERVED the wavefronts or
   sectors that served them, PREDICT_CONFLICTS the wavefronts beyond those that they would take without
   bank conflicts. */
enum counter_prediction {
  PREDICT_NOTHING, /* the emulator does not know: the value is NaN */
  PREDICT_REQUESTS,
  PREDICT_SERVED,
  PREDICT_CONFLICTS,
};

/* How the values of several launches become one. */
enum counter_kind {
  COUNTED_EVENTS, /* they are added */
  COUNTED_SHARE,  /* a percentage: the larger counts */
};

#define PREDICT_LOADS(memory, what) PREDICT_##what, EXPLAINED_##memory, false
#define PREDICT_STORES(memory, what) PREDICT_##what, EXPLAINED_##memory, true
#define NOT_PREDICTED PREDICT_NOTHING, EXPLAINED_MEMORIES, false

/* The table of counters, a line for each: a name for programs, one for people, the metric of CUPTI and of
   Nsight Compute, the kind, and the prediction.  Everything else follows from it: --bench --counters,
   --explain --counters, CSV and JSON.  A request is one instruction of a warp; shared memory serves it in
   wavefronts, global memory and textures in sectors of 32 bytes. */
#define COUNTERS(X)                                                                                \
  X(GLOBAL_LOADS, "global_load_requests", "global: load requests",                                 \
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", COUNTED_EVENTS,                             \
    PREDICT_LOADS(GLOBAL, REQUESTS))                                                               \
  X(GLOBAL_LOAD_SECTORS, "global_load_sectors", "global: sectors loaded",                          \
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", COUNTED_EVENTS,                              \
    PREDICT_LOADS(GLOBAL, SERVED))                                                                 \
  X(GLOBAL_STORES, "global_store_requests", "global: store requests",                              \
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", COUNTED_EVENTS,                             \
    PREDICT_STORES(GLOBAL, REQUESTS))                                                              \
  X(GLOBAL_STORE_SECTORS, "global_store_sectors", "global: sectors stored",                        \
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", COUNTED_EVENTS,                              \
    PREDICT_STORES(GLOBAL, SERVED))                                                                \
  X(SHARED_LOADS, "shared_load_requests", "shared: load requests",                                 \
    "smsp__inst_executed_op_shared_ld.sum", COUNTED_EVENTS, PREDICT_LOADS(SHARED, REQUESTS))       \
  X(SHARED_LOAD_WAVEFRONTS, "shared_load_wavefronts", "shared: wavefronts of loads",               \
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", COUNTED_EVENTS,                        \
    PREDICT_LOADS(SHARED, SERVED))                                                                 \
  X(SHARED_LOAD_CONFLICTS, "shared_load_conflicts", "shared: bank conflicts of loads",             \
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", COUNTED_EVENTS,                    \
    PREDICT_LOADS(SHARED, CONFLICTS))                                                              \
  X(SHARED_STORES, "shared_store_requests", "shared: store requests",                              \
    "smsp__inst_executed_op_shared_st.sum", COUNTED_EVENTS, PREDICT_STORES(SHARED, REQUESTS))      \
  X(SHARED_STORE_WAVEFRONTS, "shared_store_wavefronts", "shared: wavefronts of stores",            \
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", COUNTED_EVENTS,                        \
    PREDICT_STORES(SHARED, SERVED))                                                                \
  X(SHARED_STORE_CONFLICTS, "shared_store_conflicts", "shared: bank conflicts of stores",          \
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", COUNTED_EVENTS,                    \
    PREDICT_STORES(SHARED, CONFLICTS))                                                             \
  X(TEXTURE_FETCHES, "texture_requests", "texture: requests",                                      \
    "l1tex__t_requests_pipe_tex_mem_texture.sum", COUNTED_EVENTS,                                  \
    PREDICT_LOADS(TEXTURE, REQUESTS))                                                              \
  X(TEXTURE_SECTORS, "texture_sectors", "texture: sectors",                                        \
    "l1tex__t_sectors_pipe_tex_mem_texture.sum", COUNTED_EVENTS, PREDICT_LOADS(TEXTURE, SERVED))   \
  X(DRAM_READ, "dram_bytes_read", "memory: bytes read", "dram__bytes_read.sum", COUNTED_EVENTS,    \
    NOT_PREDICTED)                                                                                 \
  X(DRAM_WRITTEN, "dram_bytes_written", "memory: bytes written", "dram__bytes_write.sum",          \
    COUNTED_EVENTS, NOT_PREDICTED)                                                                 \
  X(WARPS_ACTIVE, "achieved_occupancy", "achieved occupancy, %",                                   \
    "sm__warps_active.avg.pct_of_peak_sustained_active", COUNTED_SHARE, NOT_PREDICTED)

enum counter {
#define X(id, name, title, metric, kind, prediction) COUNTER_##id,
  COUNTERS(X)
#undef X
      COUNTER_COUNT
};

struct counter_about {
  const char *name, *title, *metric;
  enum counter_kind kind;
  struct {
    enum counter_prediction what;
    enum explained_memory memory; /* of which lines */
    bool write;
  } prediction;
};

extern const struct counter_about counter_table[COUNTER_COUNT];

struct counters {
  double value[COUNTER_COUNT]; /* NaN where it was neither counted nor predicted */
  char unavailable[256];       /* why there are no values at all, or empty */
};

/* Adds the counters of one more launch to the sum, each by its kind. */
void counters_add(struct counters *sum, const struct counters *counters);

/* Predicts what a GPU counts for kernels whose source lines made these accesses.  NaN for counters that the
   table does not predict. */
void counters_of_lines(struct counters *counters, const struct explained_lines *lines);

#ifdef __cplusplus
}
#endif
#endif
