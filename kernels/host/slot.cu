/* The slots of a device: see slot.cuh. */
#include "slot.cuh"

#include <condition_variable>
#include <mutex>

#include <stdlib.h>

#include "constant_bank.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

std::mutex slots_lock;
std::condition_variable slots_change;
struct slot *slots_free;
size_t slots_open; /* free ones and those in use */
size_t slots_used;
size_t slots_most = SIZE_MAX; /* in use at a time: fewer, once memory was short */
bool slots_alone;             /* somebody has the only one, or waits for it */

/* HALO_DEVICE_STREAMS stands for a device that gives no more streams: tests use it. */
bool stream_allowed(struct error *error)
{
  const char *text = getenv("HALO_DEVICE_STREAMS");
  std::lock_guard<std::mutex> lock(slots_lock);

  if (text && slots_open >= (size_t)strtoull(text, nullptr, 10))
    return error_set(error, STATUS_DEVICE, "the device gives no stream: HALO_DEVICE_STREAMS is %s",
                     text);
  slots_open++;
  return true;
}

void buffers_free(struct slot *slot)
{
  for (struct buffer &buffer : slot->device)
    buffer_free(&buffer, false);
  for (struct buffer &buffer : slot->pinned)
    buffer_free(&buffer, true);
}

void slot_close(struct slot *slot)
{
  buffers_free(slot);
  for (struct event *event : slot->event)
    if (event)
      event_close(event);
  if (slot->stream)
    stream_close(slot->stream);
  free(slot);
  std::lock_guard<std::mutex> lock(slots_lock);
  slots_open--;
}

struct slot *slot_open(struct error *error)
{
  struct slot *slot;
  bool opened;

  if (!stream_allowed(error))
    return nullptr;
  slot = static_cast<struct slot *>(calloc(1, sizeof *slot));
  if (!slot) {
    std::lock_guard<std::mutex> lock(slots_lock);

    slots_open--;
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
  slot_close(slot);
  return nullptr;
}

/* Waits until the caller may use a slot, and counts it as used.  A free one, or NULL for one that has to be
   opened; *rest are others that give up what they have. */
struct slot *slot_wait(bool alone, struct slot **rest)
{
  std::unique_lock<std::mutex> lock(slots_lock);
  struct slot *slot;

  slots_change.wait(lock, [alone] { return !slots_alone && (alone || slots_used < slots_most); });
  slots_alone = alone;
  if (alone)
    slots_change.wait(lock, [] { return slots_used == 0; });
  slots_used++;
  slot = slots_free;
  slots_free = slot ? slot->next : nullptr;
  if (alone) {
    *rest = slots_free;
    slots_free = nullptr;
  }
  return slot;
}

/* The end of a use: the slot joins those that are free.  NULL for one that could not be opened: then no
   more than there are will be used, and it is false where there is none. */
bool slots_leave(bool alone, struct slot *slot)
{
  std::lock_guard<std::mutex> lock(slots_lock);

  slots_used--;
  if (alone)
    slots_alone = false;
  if (slot) {
    slot->next = slots_free;
    slots_free = slot;
  } else if (slots_open > 0) {
    slots_most = slots_open;
  }
  slots_change.notify_all();
  return slots_open > 0;
}

} // namespace

struct slot *slot_take(bool alone, struct error *error)
{
  struct slot *slot;

  do {
    struct slot *rest = nullptr;

    slot = slot_wait(alone, &rest);
    if (slot && alone)
      buffers_free(slot);
    while (rest) {
      struct slot *next = rest->next;

      slot_close(rest);
      rest = next;
    }
    if (!slot)
      slot = slot_open(error);
  } while (!slot && slots_leave(alone, nullptr));
  if (slot)
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

void slot_shrink(struct slot *slot)
{
  slot_clean(slot);
  buffers_free(slot);
  std::lock_guard<std::mutex> lock(slots_lock);
  slots_most = slots_used > 1 ? slots_used - 1 : 1;
}

struct texture *slot_texture(struct slot *slot)
{
  return &slot->texture[slot->textures++];
}

void *slot_extra(struct slot *slot, size_t bytes, struct error *error)
{
  struct buffer *extra = &slot->device[DEVICE_EXTRA];

  return buffer_reserve(extra, bytes, false, error) ? extra->memory : nullptr;
}

} // namespace GPU_MACHINE
} // namespace gpu
