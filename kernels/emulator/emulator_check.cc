/* Checks of memory accesses, and the messages of what they find: bounds, alignment, and races in shared
   memory.  See emulator.h. */
#undef _FORTIFY_SOURCE /* see emulator_fiber.h */

#include "emulator_engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

namespace emulator
{

void complain(const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(engine->message, sizeof engine->message, format, arguments);
  va_end(arguments);
  engine->failed = true;
}

const char *base_name(const char *file)
{
  const char *slash = strrchr(file, '/');

  return slash ? slash + 1 : file;
}

namespace
{

[[noreturn]] void fail_race(const char *what, unsigned other, size_t offset, struct site site)
{
  complain("kernel %s, %s:%d: thread %u %s byte %zu of shared memory, which thread %u touched with "
           "no barrier between",
           engine->kernel, base_name(site.file), site.line, engine->current->thread, what, offset,
           other);
  thread_abandon();
}

} // namespace

void fail_bounds(const void *address, size_t bytes, bool write, const char *memory,
                 struct extent extent, struct site site)
{
  complain("kernel %s, %s:%d: block %u, thread %u %s %zu bytes at offset %td of %s of %td bytes",
           engine->kernel, base_name(site.file), site.line, block_index.x, engine->current->thread,
           write ? "writes" : "reads", bytes, static_cast<const char *>(address) - extent.begin,
           memory, extent.end - extent.begin);
  thread_abandon();
}

void fail_alignment(const void *address, size_t bytes, struct site site)
{
  complain("kernel %s, %s:%d: block %u, thread %u touches %zu bytes at an address (%p) that is no "
           "multiple of that",
           engine->kernel, base_name(site.file), site.line, block_index.x, engine->current->thread,
           bytes, address);
  thread_abandon();
}

void note(enum space space, const void *address, size_t bytes, bool write, struct site site)
{
  recording->access(engine->kernel, engine->current->thread, space, address, bytes, write, site);
}

void touch_shared(const void *address, size_t bytes, bool write, struct site site)
{
  const unsigned char *at = static_cast<const unsigned char *>(address);
  size_t offset = (size_t)(at - engine->memory);
  uint16_t self = (uint16_t)engine->current->thread;
  uint32_t segment = engine->segment;

  if (at < engine->memory || offset + bytes > engine->shared_bytes)
    fail_bounds(address, bytes, write, "shared memory",
                {(const char *)engine->memory, (const char *)engine->memory + engine->shared_bytes},
                site);
  if ((uintptr_t)address % bytes != 0)
    fail_alignment(address, bytes, site);
  for (size_t i = offset; i < offset + bytes; i++) {
    struct touched *touched = &engine->touched[i];

    if (touched->written == segment && touched->writer != self)
      fail_race(write ? "writes" : "reads", touched->writer, i, site);
    if (write) {
      if (touched->read == segment && (touched->reader != self || touched->other != self))
        fail_race("writes", touched->reader != self ? touched->reader : touched->other, i, site);
      touched->written = segment;
      touched->writer = self;
    } else {
      if (touched->read != segment)
        touched->reader = touched->other = self;
      else if (touched->reader != self)
        touched->other = self;
      touched->read = segment;
    }
  }
  if (recording)
    note(SPACE_SHARED, address, bytes, write, site);
}

} // namespace emulator
