/* The machine behind the device `emulated`: see machine.cuh.  Its memory is the program's, its
   streams do at once what they are asked. */
#include "machine.cuh"

#include <new>

#include <stdlib.h>
#include <string.h>

#include "clock.h"

namespace gpu
{
inline namespace emulated
{

struct event {
  unsigned long long nanoseconds;
};

void *device_allocate(size_t bytes)
{
  return emulator::allocate(bytes);
}

void device_free(void *memory)
{
  if (memory)
    emulator::release(memory);
}

void *pinned_allocate(size_t bytes)
{
  return malloc(bytes);
}

void pinned_free(void *memory)
{
  free(memory);
}

size_t device_bytes_free(void)
{
  return SIZE_MAX;
}

int processors(void)
{
  return 4; /* few, so that pictures as small as those of tests are cut into several strips */
}

struct stream *stream_open(struct error *error)
{
  struct stream *stream = new (std::nothrow) struct stream();

  if (!stream)
    error_set(error, STATUS_FAILED, "no memory for a stream");
  return stream;
}

void stream_close(struct stream *stream)
{
  delete stream;
}

bool stream_finish(struct stream *stream, struct error *error)
{
  if (!stream->failed[0])
    return true;
  error_set(error, STATUS_FAILED, "%s", stream->failed);
  stream->failed[0] = '\0';
  return false;
}

static void copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t bytes,
                      size_t rows)
{
  for (size_t y = 0; y < rows; y++)
    memcpy(static_cast<char *>(to) + y * to_pitch, static_cast<const char *>(from) + y * from_pitch,
           bytes);
}

void copy_in(struct stream *stream, void *device, size_t device_pitch, const void *host,
             size_t host_pitch, size_t bytes, size_t rows)
{
  (void)stream;
  copy_rows(device, device_pitch, host, host_pitch, bytes, rows);
}

void copy_out(struct stream *stream, void *host, size_t host_pitch, const void *device,
              size_t device_pitch, size_t bytes, size_t rows)
{
  (void)stream;
  copy_rows(host, host_pitch, device, device_pitch, bytes, rows);
}

struct event *event_open(struct error *error)
{
  struct event *event = new (std::nothrow) struct event();

  if (!event)
    error_set(error, STATUS_FAILED, "no memory for an event");
  return event;
}

void event_close(struct event *event)
{
  delete event;
}

void event_mark(struct event *event, struct stream *stream)
{
  (void)stream;
  event->nanoseconds = clock_nanoseconds();
}

unsigned long long event_elapsed(const struct event *from, const struct event *to)
{
  return to->nanoseconds - from->nanoseconds;
}

bool texture_make(struct texture *texture, void *memory, size_t pitch, size_t width, size_t rows,
                  unsigned channels, enum texel_kind kind, size_t bytes, enum texture_border border,
                  struct error *error)
{
  static const enum address_mode modes[] = {ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_WRAP,
                                            ADDRESS_ZERO};

  (void)channels, (void)kind, (void)bytes, (void)error;
  *texture = {static_cast<const char *>(memory),
              width,
              rows,
              pitch,
              emulator::extent_of(memory),
              modes[border],
              border == TEXTURE_MIRROR || border == TEXTURE_WRAP};
  return true;
}

void texture_free(struct texture *texture)
{
  (void)texture;
}

size_t cache_bytes(void)
{
  return 0;
}

void caches_flush(struct stream *stream)
{
  (void)stream;
}

void clock_measure(struct stream *stream, float *megahertz, unsigned microseconds)
{
  (void)stream, (void)microseconds;
  *megahertz = 0;
}

const char *machine_lost(void)
{
  return nullptr;
}

} // namespace emulated
} // namespace gpu
