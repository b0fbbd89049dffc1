/* One band through a GPU: upload, kernels, download.  `run` of the devices cuda and emulated, and what its
   measuring has in common with that. */
#include "band.cuh"

#include <atomic>

#include "bytes.h"
#include "placement.cuh"
#include "transfer.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

/* Bytes of the device for which it had not the memory, even with nothing else of this program there: a band
   that needs as many is halved without another try. */
std::atomic<size_t> bytes_refused{SIZE_MAX};

/* Everything that has to do with the slot; *full where fewer rows might do. */
bool slot_run(struct slot *slot, const struct path *path, const struct job *job,
              struct band_cost *cost, bool *full, struct error *error)
{
  struct placement placement;
  struct job placed = *job;
  bool launched;

  *full = !job_place(&placement, slot, job, path->margins, 1, error);
  if (*full)
    return false;
  placed.placement = &placement;
  job_stage(&placement, job);
  event_mark(slot->event[UPLOAD_BEGINS], slot->stream);
  job_upload(&placement, job);
  event_mark(slot->event[KERNEL_BEGINS], slot->stream);
  launched = path->launch(&placed, error);
  event_mark(slot->event[KERNEL_ENDS], slot->stream);
  if (launched)
    job_download(&placement, job);
  event_mark(slot->event[DOWNLOAD_ENDS], slot->stream);
  if (!launched) { /* its error is the one to tell */
    struct error other;

    stream_finish(slot->stream, &other);
    *full = error->status == STATUS_DEVICE && !machine_lost();
    return false;
  }
  if (!stream_finish(slot->stream, error)) {
    *full = error->status == STATUS_DEVICE && !machine_lost(); /* a launch takes memory, too */
    return false;
  }
  job_deliver(&placement, job);
  cost->upload += event_elapsed(slot->event[UPLOAD_BEGINS], slot->event[KERNEL_BEGINS]);
  cost->kernel += event_elapsed(slot->event[KERNEL_BEGINS], slot->event[KERNEL_ENDS]);
  cost->download += event_elapsed(slot->event[KERNEL_ENDS], slot->event[DOWNLOAD_ENDS]);
  return true;
}

/* With the slot taken. */
bool slot_work(struct slot *slot, const struct path *path, const struct job *job, size_t copies,
               const std::function<bool(struct slot *slot, const band_launch &launch,
                                        struct error *error)> &work,
               struct error *error)
{
  struct placement placement;

  if (!job_place(&placement, slot, job, path->margins, copies, error)) {
    copies = 1;
    if (!job_place(&placement, slot, job, path->margins, copies, error))
      return false;
  }
  job_stage(&placement, job);
  for (size_t copy = 0; copy < copies; copy++) {
    struct placement other = placement_copy(&placement, copy);

    job_upload(&other, job);
  }
  auto launch = [&](size_t copy, struct error *failed) {
    struct placement other = placement_copy(&placement, copy % copies);
    struct job placed = *job;

    placed.placement = &other;
    return path->launch(&placed, failed);
  };
  bool done = work(slot, launch, error);

  if (done)
    job_download(&placement, job);
  if (!stream_finish(slot->stream, error) || !done)
    return false;
  job_deliver(&placement, job);
  return true;
}

/* The upper and the lower half, one after the other: the same rows in less memory. */
bool halves_run(const struct path *path, const struct job *job, struct band_cost *cost,
                struct error *error)
{
  struct job half = *job;

  half.rows = job->rows / 2;
  if (!band_run(path, &half, cost, error))
    return false;
  half.source += half.rows;
  half.result = static_cast<unsigned char *>(job->result) + half.rows * job->pitch;
  half.rows = job->rows - half.rows;
  return band_run(path, &half, cost, error);
}

/* Adds to an error what memory there is, and what the least band needs.  False. */
bool memory_explain(const struct path *path, const struct job *job, struct error *error)
{
  char left[BYTES_TEXT], need[BYTES_TEXT];
  size_t bytes = buffers_left();
  struct error cause = *error;
  struct job row = *job;

  row.rows = 1;
  if (bytes == SIZE_MAX)
    return false;
  return error_set(error, cause.status, "%s; it has %s free, and a band of one row needs %s",
                   cause.text, bytes_text(bytes, left),
                   bytes_text(job_device_bytes(&row, path->margins), need));
}

/* Tries a band in a slot; *full as in slot_run(). */
bool band_try(const struct path *path, const struct job *job, bool alone, struct band_cost *cost,
              bool *full, struct error *error)
{
  struct slot *slot = slot_take(alone, error);
  bool done;

  *full = false;
  if (!slot)
    return error->status == STATUS_DEVICE && memory_explain(path, job, error);
  done = slot_run(slot, path, job, cost, full, error);
  if (!done && *full)
    slot_shrink(slot);
  slot_return(slot);
  return done;
}

} // namespace

bool band_work(const struct path *path, const struct job *job, size_t copies,
               const std::function<bool(struct slot *slot, const band_launch &launch,
                                        struct error *error)> &work,
               struct error *error)
{
  struct slot *slot = slot_take(false, error);
  bool done = slot && slot_work(slot, path, job, copies, work, error);

  if (slot)
    slot_return(slot);
  return done;
}

size_t band_staged_bytes(const struct job *job)
{
  size_t source = job->width * job->channels * sample_bytes(job->from);
  size_t result = job->result_width * job->channels * sample_bytes(job->to);
  size_t taps = job->pass->width * job->pass->height + (job->column ? job->column->height : 0);

  return (job->rows + job_taps_high(job) - 1) * source + job->rows * result + taps * sizeof(float);
}

bool band_run(const struct path *path, const struct job *job, struct band_cost *cost,
              struct error *error)
{
  const char *lost = machine_lost();
  size_t bytes = job_device_bytes(job, path->margins);
  bool full = true, done = false;
  struct error cause;

  if (lost)
    return error_set(error, STATUS_DEVICE, "the device %s can't be used any more: %s",
                     path->device->name, lost);
  if (job->rows > 1 && bytes >= bytes_refused)
    return halves_run(path, job, cost, error);
  /* What other bands hold may be what this one lacks: then once more, alone. */
  for (int alone = 0; !done && full && alone < 2; alone++)
    done = band_try(path, job, alone, cost, &full, error);
  if (done || !full)
    return done;
  if (job->rows > 1) {
    bytes_refused = bytes;
    return halves_run(path, job, cost, error);
  }
  cause = *error;
  error_set(error, STATUS_DEVICE, "the device %s can't do a single row: %s", path->device->name,
            cause.text);
  return memory_explain(path, job, error);
}

} // namespace GPU_MACHINE
} // namespace gpu
