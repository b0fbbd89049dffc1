/* One band through a GPU: upload, kernels, download.  `run` of the devices cuda and emulated. */
#include "slot.cuh"

#include <stdlib.h>

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

/* Everything that has to do with the slot; *full where fewer rows might do. */
bool slot_run(struct slot *slot, const struct path *path, const struct job *job,
              struct band_cost *cost, bool *full, struct error *error)
{
  struct placement placement;
  struct job placed = *job;
  bool launched;

  *full = !job_place(&placement, slot, job, path->margins, error);
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
  if (!stream_finish(slot->stream, error))
    return false;
  job_deliver(&placement, job);
  cost->upload += event_elapsed(slot->event[UPLOAD_BEGINS], slot->event[KERNEL_BEGINS]);
  cost->kernel += event_elapsed(slot->event[KERNEL_BEGINS], slot->event[KERNEL_ENDS]);
  cost->download += event_elapsed(slot->event[KERNEL_ENDS], slot->event[DOWNLOAD_ENDS]);
  return true;
}

/* One launch between two events. */
bool launch_timed(struct slot *slot, const struct path *path, const struct job *placed,
                  struct event *from, struct event *to, struct error *error)
{
  bool launched;

  event_mark(from, slot->stream);
  launched = path->launch(placed, error);
  event_mark(to, slot->stream);
  if (slot->textures == 0)
    return launched;
  launched = stream_finish(slot->stream, error) && launched;
  slot_clean(slot);
  return launched;
}

/* With the slot taken: all launches are queued before the first is waited for, so that the device
   never waits for the host. */
bool slot_repeat(struct slot *slot, const struct path *path, const struct job *job,
                 const struct repeat *repeat, struct event **event, struct error *error)
{
  struct placement placement;
  struct job placed = *job;
  bool done = job_place(&placement, slot, job, path->margins, error);

  if (!done)
    return false;
  placed.placement = &placement;
  job_stage(&placement, job);
  job_upload(&placement, job);
  for (size_t i = 0; done && i < 2 * repeat->count; i += 2) {
    if (repeat->cold)
      caches_flush(slot->stream);
    done = (event[i] = event_open(error)) && (event[i + 1] = event_open(error)) &&
           launch_timed(slot, path, &placed, event[i], event[i + 1], error);
  }
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

} // namespace

bool band_repeat(const struct path *path, const struct job *job, struct repeat *repeat,
                 struct error *error)
{
  size_t count = repeat->count;
  struct event **event = static_cast<struct event **>(calloc(2 * count, sizeof *event));
  struct slot *slot = event ? slot_take(false, error) : nullptr;
  bool done;

  if (!event)
    error_set(error, STATUS_FAILED, "no memory for %zu events", 2 * count);
  if (slot) {
    slot->stream->facts = {};
    slot->stream->listens = true;
  }
  done = slot && slot_repeat(slot, path, job, repeat, event, error);
  if (slot) {
    repeat->registers = slot->stream->facts.registers;
    repeat->shared_bytes = slot->stream->facts.shared_bytes;
    repeat->occupancy = slot->stream->facts.occupancy;
    slot->stream->listens = false;
    slot_return(slot);
  }
  for (size_t i = 0; done && i < count; i++)
    repeat->nanoseconds[i] = event_elapsed(event[2 * i], event[2 * i + 1]);
  for (size_t i = 0; event && i < 2 * count; i++)
    if (event[i])
      event_close(event[i]);
  free(event);
  return done;
}

bool band_run(const struct path *path, const struct job *job, struct band_cost *cost,
              struct error *error)
{
  const char *lost = machine_lost();
  bool full = true, done = false;
  struct error cause;

  if (lost)
    return error_set(error, STATUS_DEVICE, "the device %s can't be used any more: %s",
                     path->device->name, lost);
  /* What other bands hold may be what this one lacks: then once more, alone. */
  for (int alone = 0; !done && full && alone < 2; alone++) {
    struct slot *slot = slot_take(alone, error);

    if (!slot)
      return false;
    done = slot_run(slot, path, job, cost, &full, error);
    slot_return(slot);
  }
  if (done || !full)
    return done;
  if (job->rows > 1)
    return halves_run(path, job, cost, error);
  cause = *error;
  return error_set(error, STATUS_DEVICE, "the device %s can't do a single row: %s",
                   path->device->name, cause.text);
}

} // namespace GPU_MACHINE
} // namespace gpu
