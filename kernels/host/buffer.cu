/* Buffers, and the limit of the device's memory: see buffer.cuh. */
#include "buffer.cuh"

#include <algorithm>
#include <mutex>

#include <stdlib.h>

#include "bytes.h"
#include "machine.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

namespace
{

std::mutex bytes_lock;
size_t bytes_taken; /* of the device, by all buffers */

/* HALO_DEVICE_MEMORY, in bytes, stands for a device that has no more: tests use it. */
size_t bytes_limit(void)
{
  const char *text = getenv("HALO_DEVICE_MEMORY");

  return text ? (size_t)strtoull(text, nullptr, 10) : SIZE_MAX;
}

bool bytes_take(size_t bytes)
{
  std::lock_guard<std::mutex> lock(bytes_lock);
  size_t limit = bytes_limit();

  if (bytes > limit || bytes_taken > limit - bytes)
    return false;
  bytes_taken += bytes;
  return true;
}

void bytes_give(size_t bytes)
{
  std::lock_guard<std::mutex> lock(bytes_lock);

  bytes_taken -= bytes;
}

} // namespace

void buffer_free(struct buffer *buffer, bool pinned)
{
  if (!buffer->memory)
    return;
  if (pinned) {
    pinned_free(buffer->memory);
  } else {
    device_free(buffer->memory);
    bytes_give(buffer->bytes);
  }
  *buffer = {};
}

bool buffer_reserve(struct buffer *buffer, size_t bytes, bool pinned, struct error *error)
{
  char text[BYTES_TEXT];

  if (buffer->bytes >= bytes)
    return true;
  buffer_free(buffer, pinned);
  if (pinned) {
    buffer->memory = pinned_allocate(bytes);
  } else if (bytes_take(bytes)) {
    buffer->memory = device_allocate(bytes);
    if (!buffer->memory)
      bytes_give(bytes);
  }
  if (!buffer->memory)
    return error_set(error, STATUS_DEVICE, "%s of %s memory can't be had", bytes_text(bytes, text),
                     pinned ? "pinned" : "the device's");
  buffer->bytes = bytes;
  return true;
}

size_t buffers_left(void)
{
  std::lock_guard<std::mutex> lock(bytes_lock);
  size_t limit = bytes_limit();

  return std::min(device_bytes_free(), limit == SIZE_MAX     ? SIZE_MAX
                                       : limit > bytes_taken ? limit - bytes_taken
                                                             : 0);
}

} // namespace GPU_MACHINE
} // namespace gpu
