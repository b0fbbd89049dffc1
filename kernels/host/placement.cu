/* Measuring a job, and its place in a slot: see placement.cuh. */
#include "placement.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

enum { TAPS_ALIGNED = 4 };

/* The frames of a job, without their memory. */
struct placement job_measure(const struct job *job, bool margins)
{
  size_t samples = job->result_width * job->channels;
  size_t left = margins ? job->left * job->channels : 0;
  size_t right = margins ? (job->pass->width - 1 + TAPS_SPARE) * job->channels
                         : (job->width - job->result_width) * job->channels;
  size_t rows = job->rows + job_taps_high(job) - 1;
  struct placement placement = {};

  placement.source = frame_measure(rows, samples, left, right, sample_bytes(job->from));
  placement.result = frame_measure(job->rows, samples, 0, 0, sample_bytes(job->to));
  if (job->column)
    placement.between = frame_measure(rows, samples, 0, TAPS_SPARE * job->channels, sizeof(float));
  return placement;
}

bool frame_place(struct frame *frame, struct buffer *buffer, size_t copies, struct error *error)
{
  size_t all;

  if (frame_bytes(frame) == SIZE_MAX || __builtin_mul_overflow(frame_bytes(frame), copies, &all))
    return error_set(error, STATUS_FAILED, "a band is too large for this machine");
  if (!buffer_reserve(buffer, all, false, error))
    return false;
  frame->start = static_cast<unsigned char *>(buffer->memory);
  return true;
}

} // namespace

size_t taps_pitch(const struct pass *pass)
{
  return (pass->width + TAPS_ALIGNED - 1) / TAPS_ALIGNED * TAPS_ALIGNED;
}

size_t taps_bytes(const struct pass *pass)
{
  return pass ? (taps_pitch(pass) * pass->height * sizeof(float) + 511) / 512 * 512 : 0;
}

size_t job_device_bytes(const struct job *job, bool margins)
{
  struct placement placement = job_measure(job, margins);
  size_t parts[] = {frame_bytes(&placement.source), frame_bytes(&placement.between),
                    frame_bytes(&placement.result), taps_bytes(job->pass), taps_bytes(job->column)};
  size_t all = 0;

  for (size_t part : parts)
    if (__builtin_add_overflow(all, part, &all))
      return SIZE_MAX;
  return all;
}

bool job_place(struct placement *placement, struct slot *slot, const struct job *job, bool margins,
               size_t copies, struct error *error)
{
  size_t taps = taps_bytes(job->pass) + taps_bytes(job->column);
  size_t row_bytes = job->width * job->channels * sample_bytes(job->from);
  size_t result_bytes = job->result_width * job->channels * sample_bytes(job->to);

  *placement = job_measure(job, margins);
  placement->slot = slot;
  if (!frame_place(&placement->source, &slot->device[DEVICE_SOURCE], copies, error) ||
      !frame_place(&placement->result, &slot->device[DEVICE_RESULT], copies, error) ||
      !buffer_reserve(&slot->device[DEVICE_TAPS], taps, false, error) ||
      !buffer_reserve(&slot->pinned[PINNED_TAPS], taps, true, error) ||
      !buffer_reserve(&slot->pinned[PINNED_SOURCE], row_bytes * placement->source.rows, true,
                      error) ||
      !buffer_reserve(&slot->pinned[PINNED_RESULT], result_bytes * job->rows, true, error))
    return false;
  placement->taps = static_cast<const float *>(slot->device[DEVICE_TAPS].memory);
  placement->column_taps = placement->taps + taps_bytes(job->pass) / sizeof(float);
  return !job->column || frame_place(&placement->between, &slot->device[DEVICE_BETWEEN], 1, error);
}

struct placement placement_copy(const struct placement *placement, size_t copy)
{
  struct placement other = *placement;

  other.source.start += copy * frame_bytes(&placement->source);
  other.result.start += copy * frame_bytes(&placement->result);
  return other;
}

} // namespace GPU_MACHINE
} // namespace gpu
