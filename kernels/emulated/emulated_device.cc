/* The device `emulated`: kernels on the processor, for tests and explanations. */
#include "band.cuh"
#include "counters.h"
#include "repeat.cuh"

#include <stdio.h>
#include <stdlib.h>

namespace
{

const char *emulated_missing(void)
{
  return nullptr;
}

bool emulated_measure(struct ceilings *ceilings, size_t, struct error *)
{
  *ceilings = {};
  return true;
}

/* What lies in the device's memory, which is the program's as well, is as much as what is staged, and the
   margins and the floats between two passes. */
size_t emulated_host_bytes(const struct path *, const struct job *job)
{
  size_t rows = job->rows + job_taps_high(job) - 1;
  size_t margin = 2 * job->pass->width * job->channels * sizeof(float);
  size_t between = job->column ? job->result_width * job->channels * sizeof(float) : 0;

  return 2 * gpu::band_staged_bytes(job) + rows * (margin + between);
}

/* A band that is run to record its accesses. */
struct recorded {
  const struct path *path;
  const struct job *job;
};

bool recorded_run(void *context, struct error *error)
{
  const struct recorded *recorded = static_cast<const struct recorded *>(context);
  struct band_cost cost = {};

  return gpu::band_run(recorded->path, recorded->job, &cost, error);
}

bool emulated_count(const struct path *path, const struct job *job, struct counters *counters,
                    struct error *error)
{
  struct recorded recorded = {path, job};
  struct explained_lines lines = {};
  bool done = explain_record(recorded_run, &recorded, &lines, error);

  if (done)
    counters_of_lines(counters, &lines);
  free(lines.line);
  return done;
}

void emulated_describe(char *text, size_t size)
{
  snprintf(text, size, "kernels on the processor; time means nothing there");
}

unsigned long long emulated_started(void)
{
  return 0;
}

} // namespace

extern "C" const struct device device_emulated = {
    "emulated",       "the kernels of a GPU on the processor: slow, and every access is checked",
    emulated_missing,
    nullptr, // no choice among several
    gpu::band_run,    emulated_host_bytes,
    gpu::band_repeat, emulated_measure,
    emulated_count,   emulated_describe,
    emulated_started,
    1 << 20, // as for the cpu
};
