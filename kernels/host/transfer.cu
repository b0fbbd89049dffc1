/* Copies between a job's rows, pinned memory and the device: see transfer.cuh. */
#include "transfer.cuh"

#include <string.h>

#include "machine.cuh"
#include "passes.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

void job_stage(const struct placement *placement, const struct job *job)
{
  struct slot *slot = placement->slot;
  size_t bytes = job->width * job->channels * sample_bytes(job->from);
  unsigned char *rows = static_cast<unsigned char *>(slot->pinned[PINNED_SOURCE].memory);
  float *taps = static_cast<float *>(slot->pinned[PINNED_TAPS].memory);

  for (size_t y = 0; y < placement->source.rows; y++)
    memcpy(rows + y * bytes, job->source[y], bytes);
  memset(taps, 0, taps_bytes(job->pass) + taps_bytes(job->column)); /* zeros behind each row */
  taps_lay(job->pass, job_sums(job), taps_pitch(job->pass), taps);
  if (job->column)
    taps_lay(job->column, job_sums(job), taps_pitch(job->column),
             taps + taps_bytes(job->pass) / sizeof(float));
}

void job_upload(const struct placement *placement, const struct job *job)
{
  struct slot *slot = placement->slot;
  const struct frame *source = &placement->source;
  size_t bytes = job->width * job->channels * sample_bytes(job->from);
  size_t taps = taps_bytes(job->pass) + taps_bytes(job->column);

  copy_in(slot->stream, source->start + source->left * sample_bytes(job->from), source->pitch,
          slot->pinned[PINNED_SOURCE].memory, bytes, bytes, source->rows);
  copy_in(slot->stream, slot->device[DEVICE_TAPS].memory, taps, slot->pinned[PINNED_TAPS].memory,
          taps, taps, 1);
}

void job_download(const struct placement *placement, const struct job *job)
{
  struct slot *slot = placement->slot;
  size_t bytes = job->result_width * job->channels * sample_bytes(job->to);

  copy_out(slot->stream, slot->pinned[PINNED_RESULT].memory, bytes, placement->result.start,
           placement->result.pitch, bytes, job->rows);
}

void job_deliver(const struct placement *placement, const struct job *job)
{
  size_t bytes = job->result_width * job->channels * sample_bytes(job->to);
  const unsigned char *staged =
      static_cast<const unsigned char *>(placement->slot->pinned[PINNED_RESULT].memory);

  for (size_t y = 0; y < job->rows; y++)
    memcpy(static_cast<unsigned char *>(job->result) + y * job->pitch, staged + y * bytes, bytes);
}

} // namespace GPU_MACHINE
} // namespace gpu
