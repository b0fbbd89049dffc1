/* The state of a launch, shared by what runs its threads (emulator.cc) and what checks their accesses
   (emulator_check.cc). */
#ifndef HALO_EMULATOR_ENGINE_H
#define HALO_EMULATOR_ENGINE_H

#include "emulator_fiber.h"

#include <stdlib.h>

namespace emulator
{

/* Who touched a byte of shared memory, and in which segment. */
struct touched {
  uint32_t written, read; /* segments */
  uint16_t writer;
  uint16_t reader, other; /* the first that read it, and the last that is not the first */
};

/* What one thread of the processor needs to run the blocks of a kernel. */
struct engine {
  jmp_buf scheduler;
  std::vector<struct fiber *> idle, all;
  std::vector<struct fiber *> waiting;
  struct fiber *current;
  const char *kernel;
  void (*body)(const void *context);
  const void *context;
  unsigned threads, next;
  bool failed;
  char message[256];

  unsigned char *memory; /* SHARED_MAX bytes */
  struct touched *touched;
  size_t shared_bytes;
  uint32_t segment;

  const void *scheduler_stack; /* for the address sanitizer */
  size_t scheduler_stack_bytes;

  ~engine()
  {
    for (struct fiber *fiber : all)
      fiber_free(fiber);
    free(memory);
    free(touched);
  }
};

extern __thread struct engine *engine; /* of the launch that this thread of the processor runs */

/* Notes the first fault of a launch, which then ends. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The name of a file without its folders, for messages. */
const char *base_name(const char *file);

/* Ends the launch from within a thread, after complain().  The frames on the fiber's stack are dropped. */
[[noreturn]] void thread_abandon(void);

} // namespace emulator

#endif
