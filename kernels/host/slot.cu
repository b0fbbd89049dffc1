/* Slots, and a job's memory in them: see slot.cuh. */
#include "slot.cuh"

#include "constant_bank.cuh"

#include <condition_variable>
#include <mutex>

#include <stdlib.h>
#include <string.h>

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

std::mutex slots_lock;
std::condition_variable slots_change;
struct slot *slots_free;
unsigned slots_used;
bool slots_alone;    /* somebody has the only one, or waits for it */
size_t device_bytes; /* in all rooms */

size_t round_up(size_t value, size_t multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

/* HALO_DEVICE_MEMORY, in bytes, stands for a device that has no more: tests use it. */
bool device_bytes_take(size_t bytes)
{
  const char *text = getenv("HALO_DEVICE_MEMORY");
  size_t limit = text ? (size_t)strtoull(text, nullptr, 10) : SIZE_MAX;
  std::lock_guard<std::mutex> lock(slots_lock);

  if (bytes > limit || device_bytes > limit - bytes)
    return false;
  device_bytes += bytes;
  return true;
}

void device_bytes_give(size_t bytes)
{
  std::lock_guard<std::mutex> lock(slots_lock);

  device_bytes -= bytes;
}

void room_free(struct room *room, bool pinned)
{
  if (!room->memory)
    return;
  if (pinned) {
    pinned_free(room->memory);
  } else {
    device_free(room->memory);
    device_bytes_give(room->bytes);
  }
  *room = {};
}

void slot_free(struct slot *slot)
{
  for (struct room &room : slot->room)
    room_free(&room, false);
  for (struct room &room : slot->pinned)
    room_free(&room, true);
  for (struct event *event : slot->event)
    if (event)
      event_close(event);
  if (slot->stream)
    stream_close(slot->stream);
  free(slot);
}

/* One slot less in use; it joins those that are free. */
void slots_leave(bool alone, struct slot *slot)
{
  std::lock_guard<std::mutex> lock(slots_lock);

  slots_used--;
  if (alone)
    slots_alone = false;
  if (slot) {
    slot->next = slots_free;
    slots_free = slot;
  }
  slots_change.notify_all();
}

struct slot *slot_open(struct error *error)
{
  struct slot *slot = static_cast<struct slot *>(calloc(1, sizeof *slot));
  bool opened;

  if (!slot) {
    error_set(error, STATUS_FAILED, "no memory for a band");
    return nullptr;
  }
  slot->stream = stream_open(error);
  opened = slot->stream != nullptr;
  for (int i = 0; opened && i < MOMENTS; i++) {
    slot->event[i] = event_open(error);
    opened = slot->event[i] != nullptr;
  }
  if (opened)
    return slot;
  slot_free(slot);
  return nullptr;
}

/* A frame of `rows` rows; all but its start. */
struct frame frame_measure(size_t rows, size_t samples, size_t left, size_t right, size_t bytes)
{
  struct frame frame = {};

  frame.rows = rows;
  frame.left = left;
  frame.reach = round_up(samples, SHARE_MAX) + right + SHARE_MAX;
  frame.pitch = round_up((frame.left + frame.reach) * bytes, 128);
  frame.reach = frame.pitch / bytes - frame.left;
  return frame;
}

/* Of one copy, such that the next begins as well aligned. */
size_t frame_bytes(const struct frame *frame)
{
  size_t all;

  return __builtin_mul_overflow(frame->pitch, frame->rows, &all) || all > SIZE_MAX - 512
             ? SIZE_MAX
             : round_up(all, 512);
}

bool frame_place(struct frame *frame, struct room *room, size_t copies, struct error *error)
{
  size_t all;

  if (frame_bytes(frame) == SIZE_MAX || __builtin_mul_overflow(frame_bytes(frame), copies, &all))
    return error_set(error, STATUS_FAILED, "a band is too large for this machine");
  if (!room_reserve(room, all, false, error))
    return false;
  frame->start = static_cast<unsigned char *>(room->memory);
  return true;
}

size_t taps_pitch(const struct pass *pass)
{
  return round_up(pass->width, TAPS_ALIGNED);
}

size_t taps_bytes(const struct pass *pass)
{
  return pass ? round_up(taps_pitch(pass) * pass->height * sizeof(float), 512) : 0;
}

/* Rows of taps at their pitch, with zeros behind. */
void taps_lay(const struct pass *pass, float *to)
{
  memset(to, 0, taps_bytes(pass));
  for (size_t j = 0; j < pass->height; j++)
    memcpy(to + j * taps_pitch(pass), pass->taps + j * pass->width, pass->width * sizeof *to);
}

} // namespace

struct slot *slot_take(bool alone, struct error *error)
{
  struct slot *slot = nullptr, *given_up = nullptr;
  {
    std::unique_lock<std::mutex> lock(slots_lock);

    slots_change.wait(lock, [] { return !slots_alone; });
    slots_alone = alone;
    if (alone) {
      slots_change.wait(lock, [] { return slots_used == 0; });
      given_up = slots_free;
      slots_free = nullptr;
    } else if (slots_free) {
      slot = slots_free;
      slots_free = slot->next;
    }
    slots_used++;
  }
  while (given_up) {
    struct slot *next = given_up->next;

    slot_free(given_up);
    given_up = next;
  }
  if (!slot)
    slot = slot_open(error);
  if (!slot)
    slots_leave(alone, nullptr);
  else
    slot->alone = alone;
  return slot;
}

void slot_clean(struct slot *slot)
{
  while (slot->textures > 0)
    texture_free(&slot->texture[--slot->textures]);
  if (slot->bank)
    constant_release(slot);
}

void slot_return(struct slot *slot)
{
  slot_clean(slot);
  slots_leave(slot->alone, slot);
}

bool room_reserve(struct room *room, size_t bytes, bool pinned, struct error *error)
{
  if (room->bytes >= bytes)
    return true;
  room_free(room, pinned);
  if (pinned) {
    room->memory = pinned_allocate(bytes);
  } else if (device_bytes_take(bytes)) {
    room->memory = device_allocate(bytes);
    if (!room->memory)
      device_bytes_give(bytes);
  }
  if (!room->memory)
    return error_set(error, STATUS_DEVICE, "%zu MiB more of %s memory can't be had",
                     (bytes >> 20) + 1, pinned ? "pinned" : "the device's");
  room->bytes = bytes;
  return true;
}

bool job_place(struct placement *placement, struct slot *slot, const struct job *job, bool margins,
               size_t copies, struct error *error)
{
  size_t from = sample_bytes(job->from), to = sample_bytes(job->to);
  size_t samples = job->result_width * job->channels;
  size_t left = margins ? job->left * job->channels : 0;
  size_t right = margins ? (job->pass->width - 1 + TAPS_SPARE) * job->channels
                         : (job->width - job->result_width) * job->channels;
  size_t source_rows = job->rows + job_taps_high(job) - 1;
  size_t taps = taps_bytes(job->pass);
  size_t row_bytes = job->width * job->channels * from;

  *placement = {};
  placement->slot = slot;
  placement->source = frame_measure(source_rows, samples, left, right, from);
  placement->result = frame_measure(job->rows, samples, 0, 0, to);
  if (!frame_place(&placement->source, &slot->room[ROOM_SOURCE], copies, error) ||
      !frame_place(&placement->result, &slot->room[ROOM_RESULT], copies, error) ||
      !room_reserve(&slot->room[ROOM_TAPS], taps + taps_bytes(job->column), false, error) ||
      !room_reserve(&slot->pinned[PINNED_TAPS], taps + taps_bytes(job->column), true, error) ||
      !room_reserve(&slot->pinned[PINNED_SOURCE], row_bytes * source_rows, true, error) ||
      !room_reserve(&slot->pinned[PINNED_RESULT], samples * to * job->rows, true, error))
    return false;
  placement->taps = static_cast<const float *>(slot->room[ROOM_TAPS].memory);
  placement->column_taps = placement->taps + taps / sizeof(float);
  if (!job->column)
    return true;
  placement->between = frame_measure(source_rows, samples, 0, TAPS_SPARE * job->channels, 4);
  return frame_place(&placement->between, &slot->room[ROOM_BETWEEN], 1, error);
}

struct placement placement_copy(const struct placement *placement, size_t copy)
{
  struct placement other = *placement;

  other.source.start += copy * frame_bytes(&placement->source);
  other.result.start += copy * frame_bytes(&placement->result);
  return other;
}

void job_stage(const struct placement *placement, const struct job *job)
{
  struct slot *slot = placement->slot;
  size_t bytes = job->width * job->channels * sample_bytes(job->from);
  unsigned char *rows = static_cast<unsigned char *>(slot->pinned[PINNED_SOURCE].memory);
  float *taps = static_cast<float *>(slot->pinned[PINNED_TAPS].memory);

  for (size_t y = 0; y < placement->source.rows; y++)
    memcpy(rows + y * bytes, job->source[y], bytes);
  taps_lay(job->pass, taps);
  if (job->column)
    taps_lay(job->column, taps + taps_bytes(job->pass) / sizeof(float));
}

void job_upload(const struct placement *placement, const struct job *job)
{
  struct slot *slot = placement->slot;
  const struct frame *source = &placement->source;
  size_t bytes = job->width * job->channels * sample_bytes(job->from);
  size_t taps = taps_bytes(job->pass) + taps_bytes(job->column);

  copy_in(slot->stream, source->start + source->left * sample_bytes(job->from), source->pitch,
          slot->pinned[PINNED_SOURCE].memory, bytes, bytes, source->rows);
  copy_in(slot->stream, slot->room[ROOM_TAPS].memory, taps, slot->pinned[PINNED_TAPS].memory, taps,
          taps, 1);
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

struct texture *slot_texture(struct slot *slot)
{
  return &slot->texture[slot->textures++];
}

void *slot_extra(struct slot *slot, size_t bytes, struct error *error)
{
  return room_reserve(&slot->room[ROOM_EXTRA], bytes, false, error) ? slot->room[ROOM_EXTRA].memory
                                                                    : nullptr;
}

} // namespace GPU_MACHINE
} // namespace gpu
