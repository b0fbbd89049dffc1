/* Fibers of the emulator: a stack, and where execution on it stands.

   They are entered once by makecontext(), and from then on switched by _setjmp() and _longjmp(), which
   save no signal mask: swapcontext() would ask the kernel for it twice a switch, and takes 20 times as
   long.  A file that includes this undefines _FORTIFY_SOURCE before anything else: glibc's check of longjmp()
   takes a jump to another stack for an error. */
#ifndef HALO_EMULATOR_FIBER_H
#define HALO_EMULATOR_FIBER_H

#include "emulator.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define HALO_ADDRESS_SANITIZER
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define HALO_ADDRESS_SANITIZER
#endif
#endif
#ifdef HALO_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator
{

enum { STACK_BYTES = 128 * 1024 };

enum waiting { WAITS_NOT, WAITS_BARRIER, WAITS_SHUFFLE };

struct fiber {
  jmp_buf context;
  void *mapping; /* the stack, above a page without access */
  size_t mapped;
  bool begun;
  unsigned thread;
  enum waiting waiting;
  struct site site; /* where it waits */
  unsigned char value[8];
  unsigned lane; /* of the shuffle */
};

static inline void *stack_of(const struct fiber *fiber)
{
  return static_cast<char *>(fiber->mapping) + (fiber->mapped - STACK_BYTES);
}

/* Tells the address sanitizer that execution moves to another stack. */
static inline void switch_begin(void **fake, const void *stack, size_t bytes)
{
#ifdef HALO_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(fake, stack, bytes);
#else
  (void)fake, (void)stack, (void)bytes;
#endif
}

static inline void switch_end(void *fake, const void **stack, size_t *bytes)
{
#ifdef HALO_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake, stack, bytes);
#else
  (void)fake, (void)stack, (void)bytes;
#endif
}

/* A fiber that has not begun; nullptr where there is no memory for its stack. */
static inline struct fiber *fiber_make(void)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  struct fiber *fiber = new struct fiber();

  fiber->mapped = STACK_BYTES + page;
  fiber->mapping = mmap(nullptr, fiber->mapped, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fiber->mapping == MAP_FAILED) {
    delete fiber;
    return nullptr;
  }
  mprotect(fiber->mapping, page, PROT_NONE);
  return fiber;
}

static inline void fiber_free(struct fiber *fiber)
{
  munmap(fiber->mapping, fiber->mapped);
  delete fiber;
}

} // namespace emulator

#endif
