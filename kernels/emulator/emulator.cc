/* The engine of the emulator: see emulator.h.

   A fiber runs the threads of a block one after the other until one of them has to wait; that thread
   keeps the fiber, and the next fiber goes on with the threads that have not begun.  So a kernel
   without barriers needs one fiber and no switches at all.  When all have begun, those that wait
   together go on together. */
#undef _FORTIFY_SOURCE /* see emulator_fiber.h */

#include "emulator_fiber.h"

#include <algorithm>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace emulator
{

__thread struct dim3 thread_index, block_index, block_size, grid_size;
__thread class recorder *listening;

namespace
{

/* Who touched a byte of shared memory, and in which segment. */
struct touched {
  uint32_t written, read; /* segments */
  uint16_t writer;
  uint16_t reader, other; /* the first that read it, and the last that is not the first */
};

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

thread_local struct engine engine_of_thread;
__thread struct engine *engine; /* the same, without the question whether it was constructed */

struct dim3 thread_place(unsigned thread)
{
  unsigned x = block_size.x, y = block_size.y;

  return {thread % x, thread / x % y, thread / (x * y)};
}

/* Gives the word to the scheduler, and returns when the fiber is resumed. */
void fiber_leave(void)
{
  struct fiber *fiber = engine->current;
  void *fake = nullptr;

  switch_begin(&fake, engine->scheduler_stack, engine->scheduler_stack_bytes);
  if (_setjmp(fiber->context) == 0)
    _longjmp(engine->scheduler, 1);
  switch_end(fake, &engine->scheduler_stack, &engine->scheduler_stack_bytes);
  thread_index = thread_place(engine->current->thread);
}

/* What a fiber does all its life: threads, one after the other. */
void fiber_main(void)
{
  switch_end(nullptr, &engine->scheduler_stack, &engine->scheduler_stack_bytes);
  for (;;) {
    while (engine->next < engine->threads) {
      engine->current->thread = engine->next++;
      thread_index = thread_place(engine->current->thread);
      engine->body(engine->context);
    }
    engine->current->waiting = WAITS_NOT;
    fiber_leave();
  }
}

/* Runs a fiber until it waits or has no thread left to begin. */
void fiber_resume(struct fiber *fiber)
{
  ucontext_t context;
  void *fake = nullptr;

  engine->current = fiber;
  if (_setjmp(engine->scheduler) == 0) {
    switch_begin(&fake, stack_of(fiber), STACK_BYTES);
    if (fiber->begun)
      _longjmp(fiber->context, 1);
    fiber->begun = true;
    getcontext(&context);
    context.uc_stack.ss_sp = stack_of(fiber);
    context.uc_stack.ss_size = STACK_BYTES;
    context.uc_link = nullptr;
    makecontext(&context, fiber_main, 0);
    setcontext(&context);
  }
  switch_end(fake, nullptr, nullptr);
  if (engine->failed)
    return;
  if (fiber->waiting == WAITS_NOT)
    engine->idle.push_back(fiber);
  else
    engine->waiting.push_back(fiber);
}

__attribute__((format(printf, 1, 2))) void complain(const char *format, ...)
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

/* Ends the launch from within a thread.  What stood on the fiber's stack is given up. */
[[noreturn]] void thread_abandon(void)
{
  struct fiber *fiber = engine->current;

  fiber->begun = false;
  switch_begin(nullptr, engine->scheduler_stack, engine->scheduler_stack_bytes);
  _longjmp(engine->scheduler, 1);
}

/* Whether a thread waits where the first one does. */
bool places_agree(const struct fiber *first, const struct fiber *fiber, const char *what)
{
  if (fiber->site.line == first->site.line && strcmp(fiber->site.file, first->site.file) == 0)
    return true;
  complain("kernel %s: thread %u waits at the %s of %s:%d, thread %u at that of %s:%d",
           engine->kernel, first->thread, what, base_name(first->site.file), first->site.line,
           fiber->thread, base_name(fiber->site.file), fiber->site.line);
  return false;
}

/* All threads of the block wait at the same barrier, or some never will. */
bool barrier_release(std::vector<struct fiber *> &together)
{
  struct fiber *first = engine->waiting[0];

  for (struct fiber *fiber : engine->waiting)
    if (fiber->waiting != WAITS_BARRIER)
      return false;
  if (engine->waiting.size() < engine->threads) {
    complain("kernel %s, %s:%d: thread %u waits at a barrier that %zu of %u threads never reach",
             engine->kernel, base_name(first->site.file), first->site.line, first->thread,
             engine->threads - engine->waiting.size(), engine->threads);
    return false;
  }
  for (struct fiber *fiber : engine->waiting)
    if (!places_agree(first, fiber, "barrier"))
      return false;
  together.swap(engine->waiting);
  engine->segment++;
  if (listening)
    listening->segment_end();
  return true;
}

/* A warp of which all lanes wait at a shuffle goes on. */
bool shuffle_release(std::vector<struct fiber *> &together)
{
  for (unsigned warp = 0; warp * WARP < engine->threads; warp++) {
    unsigned lanes = std::min<unsigned>(WARP, engine->threads - warp * WARP);
    struct fiber *lane[WARP] = {};
    unsigned char values[WARP][8];
    unsigned count = 0;

    for (struct fiber *fiber : engine->waiting)
      if (fiber->thread / WARP == warp && fiber->waiting == WAITS_SHUFFLE) {
        lane[fiber->thread % WARP] = fiber;
        count++;
      }
    if (count < lanes)
      continue;
    for (unsigned i = 0; i < lanes; i++) {
      if (!places_agree(lane[0], lane[i], "shuffle"))
        return false;
      memcpy(values[i], lane[i]->value, sizeof values[i]);
    }
    for (unsigned i = 0; i < lanes; i++) {
      memcpy(lane[i]->value, values[lane[i]->lane], sizeof values[i]);
      together.push_back(lane[i]);
      engine->waiting.erase(std::find(engine->waiting.begin(), engine->waiting.end(), lane[i]));
    }
    return true;
  }
  return false;
}

/* Nobody can go on. */
void deadlock_tell(void)
{
  struct fiber *first =
      *std::find_if(engine->waiting.begin(), engine->waiting.end(),
                    [](struct fiber *fiber) { return fiber->waiting == WAITS_SHUFFLE; });

  complain("kernel %s, %s:%d: thread %u waits at a shuffle that not all lanes of its warp reach",
           engine->kernel, base_name(first->site.file), first->site.line, first->thread);
}

void block_run(void)
{
  std::vector<struct fiber *> together;

  engine->next = 0;
  engine->segment++;
  while (engine->next < engine->threads && !engine->failed) {
    struct fiber *fiber;

    if (engine->idle.empty()) {
      fiber = fiber_make();
      if (!fiber)
        return complain("no memory for the threads of a block");
      engine->all.push_back(fiber);
    } else {
      fiber = engine->idle.back();
      engine->idle.pop_back();
    }
    fiber_resume(fiber);
  }
  while (!engine->waiting.empty() && !engine->failed) {
    together.clear();
    if (!barrier_release(together) && !engine->failed && !shuffle_release(together) &&
        !engine->failed)
      deadlock_tell();
    std::sort(together.begin(), together.end(),
              [](struct fiber *a, struct fiber *b) { return a->thread < b->thread; });
    for (size_t i = 0; i < together.size() && !engine->failed; i++)
      fiber_resume(together[i]);
  }
  if (listening)
    listening->segment_end();
}

bool engine_prepare(const char *kernel, struct dim3 threads, size_t shared_bytes)
{
  size_t count = (size_t)threads.x * threads.y * threads.z;

  engine = &engine_of_thread;
  engine->kernel = kernel;
  engine->failed = false;
  engine->threads = (unsigned)count;
  engine->shared_bytes = shared_bytes;
  if (count == 0 || count > THREADS_MAX) {
    complain("kernel %s: %zu threads do not make a block; 1 to %d do", kernel, count, THREADS_MAX);
  } else if (shared_bytes > SHARED_MAX) {
    complain("kernel %s: %zu bytes of shared memory are more than the %d of a block", kernel,
             shared_bytes, SHARED_MAX);
  } else if (!engine->touched) {
    free(engine->memory); /* of an earlier launch that got no further */
    engine->memory = static_cast<unsigned char *>(aligned_alloc(1024, SHARED_MAX));
    engine->touched = static_cast<struct touched *>(calloc(SHARED_MAX, sizeof(struct touched)));
    if (!engine->memory || !engine->touched)
      complain("no memory for the shared memory of a block");
  }
  return !engine->failed;
}

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
  listening->access(engine->kernel, engine->current->thread, space, address, bytes, write, site);
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
  if (listening)
    note(SPACE_SHARED, address, bytes, write, site);
}

void *shared_memory(void)
{
  return engine->memory;
}

void barrier(struct site site)
{
  engine->current->waiting = WAITS_BARRIER;
  engine->current->site = site;
  fiber_leave();
}

void shuffle(void *value, size_t bytes, int lane, struct site site)
{
  struct fiber *fiber = engine->current;
  unsigned lanes = std::min<unsigned>(WARP, engine->threads - fiber->thread / WARP * WARP);

  if ((unsigned)lane % WARP >= lanes) {
    complain(
        "kernel %s, %s:%d: block %u, thread %u takes the value of lane %u of a warp of %u lanes",
        engine->kernel, base_name(site.file), site.line, block_index.x, fiber->thread,
        (unsigned)lane % WARP, lanes);
    thread_abandon();
  }
  memcpy(fiber->value, value, bytes);
  fiber->lane = (unsigned)lane % WARP;
  fiber->waiting = WAITS_SHUFFLE;
  fiber->site = site;
  fiber_leave();
  memcpy(value, fiber->value, bytes);
}

bool run(const char *kernel, size_t blocks, struct dim3 threads, size_t shared_bytes,
         void (*body)(const void *context), const void *context, char *message, size_t size)
{
  if (engine_prepare(kernel, threads, shared_bytes)) {
    engine->body = body;
    engine->context = context;
    block_size = threads;
    grid_size = {(unsigned)blocks, 1, 1};
    for (size_t block = 0; block < blocks && !engine->failed; block++) {
      block_index = {(unsigned)block, 0, 0};
      block_run();
    }
  }
  if (!engine->failed)
    return true;
  snprintf(message, size, "%s", engine->message);
  engine->waiting.clear();
  engine->idle.clear();
  for (struct fiber *fiber : engine->all) { /* threads that were given up never go on */
    fiber->begun = false;
#ifdef HALO_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(stack_of(fiber), STACK_BYTES);
#endif
    engine->idle.push_back(fiber);
  }
  return false;
}

} // namespace emulator
