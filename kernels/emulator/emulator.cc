/* Runs the blocks of a kernel, thread by thread: see emulator.h.

   A fiber runs the threads of a block one after the other until one of them has to wait; that thread
   keeps the fiber, and the next fiber goes on with the threads that have not begun.  So a kernel
   without barriers needs one fiber and no switches at all.  When all have begun, those that wait at
   the same barrier or shuffle are resumed together. */
#undef _FORTIFY_SOURCE /* see emulator_fiber.h */

#include "emulator_engine.h"

#include <algorithm>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace emulator
{

__thread struct dim3 thread_index, block_index, block_size, grid_size;
__thread class recorder *recording;
__thread struct engine *engine;

namespace
{

thread_local struct engine engine_of_thread;

struct dim3 thread_place(unsigned thread)
{
  unsigned x = block_size.x, y = block_size.y;

  return {thread % x, thread / x % y, thread / (x * y)};
}

/* Switches from the fiber to the scheduler, and returns when the fiber is resumed. */
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

/* The body of a fiber: runs threads, one after the other. */
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
  if (recording)
    recording->segment_end();
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

/* No thread can run on: a deadlock. */
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
  if (recording)
    recording->segment_end();
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

} // namespace

void thread_abandon(void)
{
  struct fiber *fiber = engine->current;

  fiber->begun = false;
  switch_begin(nullptr, engine->scheduler_stack, engine->scheduler_stack_bytes);
  _longjmp(engine->scheduler, 1);
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
