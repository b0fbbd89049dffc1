/* The emulator: runs kernels on the processor and looks at every access to memory.

   The threads of a block are fibers on one thread of the processor, run one after the other from
   barrier to barrier.  An access outside its buffer, a barrier that not all threads of a block
   reach, and shared memory that one thread writes and another touches with no barrier between, are
   errors that name kernel, line and thread.  While a recorder is on, the accesses of a warp
   are lined up per source line, and counted as the memory of a GPU would serve them. */
#ifndef HALO_EMULATOR_H
#define HALO_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#include <vector>

namespace emulator
{

struct dim3 {
  unsigned x, y, z;
};

enum { WARP = 32, THREADS_MAX = 1024, SHARED_MAX = 227 * 1024 };

enum space { SPACE_GLOBAL, SPACE_SHARED, SPACE_CONSTANT, SPACE_TEXTURE };

/* The place in the source that an access stands at. */
struct site {
  const char *file;
  int line;
};

/* An index that knows where it was written: the default arguments are those of the place where the
   conversion happens. */
struct index {
  ptrdiff_t at;
  struct site site;

  template <class I>
  index(I i, int line = __builtin_LINE(), const char *file = __builtin_FILE())
      : at((ptrdiff_t)i), site{file, line}
  {
  }
};

/* Memory that may be touched: begin ≤ address < end. */
struct extent {
  const char *begin, *end;
};

/* --- what kernels call, through gpu_emulated.cuh --- */

extern __thread struct dim3 thread_index, block_index, block_size, grid_size;
extern __thread class recorder *recording; /* what records accesses, or NULL */

[[noreturn]] void fail_bounds(const void *address, size_t bytes, bool write, const char *memory,
                              struct extent extent, struct site site);
[[noreturn]] void fail_alignment(const void *address, size_t bytes, struct site site);
void note(enum space space, const void *address, size_t bytes, bool write, struct site site);

/* Looks at an access to global memory. */
static inline void touch_global(const void *address, size_t bytes, bool write, struct extent extent,
                                struct site site)
{
  const char *at = static_cast<const char *>(address);

  if (__builtin_expect(at < extent.begin || at + bytes > extent.end, 0))
    fail_bounds(address, bytes, write, "global memory", extent, site);
  if (__builtin_expect((uintptr_t)address % bytes != 0, 0))
    fail_alignment(address, bytes, site);
  if (__builtin_expect(recording != nullptr, 0))
    note(SPACE_GLOBAL, address, bytes, write, site);
}

/* Looks at an access to the block's shared memory, for races too. */
void touch_shared(const void *address, size_t bytes, bool write, struct site site);

/* The block's dynamic shared memory, and how much of it the launch asked for. */
void *shared_memory(void);

void barrier(struct site site);

/* Gives `value`, of `bytes` ≤ 8 bytes, to the warp, and takes that of `lane`. */
void shuffle(void *value, size_t bytes, int lane, struct site site);

/* --- what the host calls --- */

/* Runs `blocks` blocks of `threads` threads, each a call of body(context).  False, with a message of
   at most `size` bytes, where a thread did what it must not. */
bool run(const char *kernel, size_t blocks, struct dim3 threads, size_t shared_bytes,
         void (*body)(const void *context), const void *context, char *message, size_t size);

/* Memory that stands for the device's: extent_of() tells what may be touched around an address.
   NULL where there is none. */
void *allocate(size_t bytes);
void release(void *memory);
struct extent extent_of(const void *address);

/* What a line of the source did to one kind of memory, summed over all warps. */
struct tally {
  const char *kernel, *file;
  int line;
  enum space space;
  bool write;
  unsigned bytes;    /* of one access */
  uint64_t accesses; /* of threads */
  uint64_t requests; /* of warps; of quads of them, for textures */
  uint64_t
      served;     /* shared: wavefronts; global and texture: 32-byte sectors; constant: addresses */
  unsigned worst; /* the most that one request took */
};

/* Records the launches of this thread of the processor between start() and stop(). */
class recorder
{
public:
  void start(void);
  void stop(void);
  const std::vector<struct tally> &tallies(void) const
  {
    return sums;
  }

  /* Called by the engine: an access of a lane of a warp, and the end of a segment, after which the
     accesses of each warp are lined up. */
  void access(const char *kernel, unsigned thread, enum space space, const void *address,
              size_t bytes, bool write, struct site site);
  void segment_end(void);

private:
  struct request {
    uintptr_t address[WARP];
    uint32_t lanes; /* which of them took part */
  };
  struct stream { /* the accesses of one warp at one place, in order */
    size_t sum;
    unsigned warp;
    uint32_t count[WARP]; /* so far, of each lane */
    std::vector<struct request> requests;
  };

  size_t sum_find(const char *kernel, enum space space, size_t bytes, bool write, struct site site);
  struct stream &stream_find(size_t sum, unsigned warp);
  void stream_count(struct stream &stream);

  std::vector<struct tally> sums;
  std::vector<struct stream> streams;
  size_t last_stream = 0;
};

} // namespace emulator

#endif
