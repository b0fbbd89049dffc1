/* Kernels run while the emulator's recorder is on, and what it counted for the lines that they
   marked. */
#ifndef HALO_TESTS_RECORDED_H
#define HALO_TESTS_RECORDED_H

#include <check.h>

#include "machine.cuh"

enum { LANES = 32 };

inline struct emulator::site marked[3];
inline struct gpu::stream recorded_stream;
inline emulator::recorder recorder;

/* Remembers the line it stands in. */
inline void mark(int n, int line = __builtin_LINE(), const char *file = __builtin_FILE())
{
  marked[n] = {file, line};
}

inline struct gpu::shape_of_launch shape(unsigned threads, size_t shared_bytes = 0)
{
  return {"counted", 1, {threads, 1, 1}, shared_bytes, &recorded_stream};
}

/* Launches a kernel while the recorder is on. */
template <class... P, class... A>
void count(const struct gpu::shape_of_launch &shape, void (*kernel)(P...), A... arguments)
{
  recorder.start();
  gpu::launch(shape, kernel, arguments...);
  recorder.stop();
  ck_assert_str_eq(recorded_stream.failed, "");
}

/* What was counted for the line that was marked n-th. */
inline struct emulator::tally tally(int n, enum emulator::space space, bool write = false)
{
  struct emulator::tally found = {};
  int count = 0;

  for (const struct emulator::tally &tally : recorder.tallies())
    if (tally.line == marked[n].line && tally.space == space && tally.write == write) {
      found = tally;
      count++;
    }
  ck_assert_int_eq(count, 1);
  ck_assert_str_eq(found.kernel, "counted");
  ck_assert_str_eq(found.file, marked[n].file);
  return found;
}

inline void ck_assert_tally(struct emulator::tally tally, uint64_t accesses, uint64_t requests,
                            uint64_t served, unsigned worst)
{
  ck_assert_uint_eq(tally.accesses, accesses);
  ck_assert_uint_eq(tally.requests, requests);
  ck_assert_uint_eq(tally.served, served);
  ck_assert_uint_eq(tally.worst, worst);
}

#endif
