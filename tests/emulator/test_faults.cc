/* What threads must not do is told, with the kernel's name, the line and the thread; and after it the
   emulator works again.

   Each faulty kernel takes a number that is 0 for a launch without the fault: so the same accesses
   are seen to be fine, before a fault and after it. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "machine.cuh"
#include "unit.h"

namespace
{

using namespace gpu;

enum { LANES = 32, COUNT = 256, WORDS = 64, TABLE = 8 };

int lines[2];
float sink;

/* Remembers the line it stands in. */
void mark(int n, int line = __builtin_LINE())
{
  lines[n] = line;
}

/* --- beyond memory --- */

CONSTANT(float, table, TABLE);

enum place { GLOBAL, SHARED };

/* Global memory of COUNT floats, or shared memory of WORDS. */
template <enum place place> auto memory_of(global<float> memory)
{
  if constexpr (place == GLOBAL)
    return memory;
  else
    return dynamic_shared<float>();
}

template <enum place place> KERNEL(LANES, 1) reads(global<float> memory, int at)
{
  if (threadIdx.x == 3)
    mark(0), sink = memory_of<place>(memory)[at];
}

template <enum place place> KERNEL(LANES, 1) writes(global<float> memory, int at)
{
  if (threadIdx.x == 3)
    mark(0), memory_of<place>(memory)[at] = 1.0f;
}

template <enum place place> KERNEL(LANES, 1) loads(global<float> memory, int at)
{
  if (threadIdx.x == 3)
    mark(0), sink = load<float4>(memory_of<place>(memory), at).x;
}

template <enum place place> KERNEL(LANES, 1) stores(global<float> memory, int at)
{
  if (threadIdx.x == 3)
    mark(0), store(memory_of<place>(memory), at, float2());
}

KERNEL(LANES, 1) reads_constant(global<float>, int at)
{
  if (threadIdx.x == 3)
    mark(0), sink = table[at];
}

/* Fails when all threads have a fiber of their own. */
KERNEL(1024, 1) reads_late(global<float> memory, int at)
{
  barrier();
  if (threadIdx.x == 1000 && blockIdx.x == 1)
    mark(0), sink = memory[at];
  barrier();
}

/* --- waiting in vain --- */

KERNEL(LANES, 1) leave_barrier(global<float>, int absent)
{
  if ((int)threadIdx.x < absent)
    return;
  mark(0), barrier();
}

KERNEL(LANES, 1) part_at_barriers(global<float>, int others)
{
  if ((int)threadIdx.x < others)
    mark(0), barrier();
  else
    mark(1), barrier();
}

KERNEL(2 * LANES, 1) leave_shuffle(global<float>, int absent)
{
  if ((int)threadIdx.x % LANES < absent)
    return;
  mark(0), shuffle(1, 31);
}

KERNEL(LANES, 1) part_at_shuffles(global<float>, int others)
{
  if ((int)threadIdx.x < others)
    mark(0), shuffle(1, 31);
  else
    mark(1), shuffle(1, 31);
}

KERNEL(LANES, 1) part_at_both(global<float>, int others)
{
  if ((int)threadIdx.x < others)
    barrier();
  mark(0), shuffle(1, 31);
  if ((int)threadIdx.x >= others)
    barrier();
}

KERNEL(LANES, 1) shuffle_absent(global<float>, int lane)
{
  mark(0), shuffle(1, lane);
}

/* --- races in shared memory --- */

KERNEL(2 * LANES, 1) race_write_read(global<float>, int race)
{
  shared<float> tile = dynamic_shared<float>();

  tile[threadIdx.x] = 1.0f;
  if (!race)
    barrier();
  mark(0), sink = tile[(threadIdx.x + blockDim.x - 1) % blockDim.x];
}

KERNEL(2 * LANES, 1) race_read_write(global<float>, int race)
{
  shared<float> tile = dynamic_shared<float>();

  sink = tile[(threadIdx.x + 1) % blockDim.x];
  if (!race)
    barrier();
  mark(0), tile[threadIdx.x] = 1.0f;
}

KERNEL(2 * LANES, 1) race_write_write(global<float>, int race)
{
  for (unsigned turn = 0; turn < blockDim.x; turn += LANES) {
    if (threadIdx.x == turn)
      mark(0), dynamic_shared<float>()[7] = 1.0f;
    if (!race)
      barrier();
  }
}

/* The thread that writes is the last that read: it is another that it gets in the way of. */
KERNEL(LANES, 1) race_readers(global<float>, int race)
{
  sink = dynamic_shared<float>()[0];
  if (!race)
    barrier();
  if (threadIdx.x == 1)
    mark(0), dynamic_shared<float>()[0] = 1.0f;
}

/* Thread 0 is the first and the last that reads, before it writes. */
KERNEL(LANES, 1) race_reads_again(global<float>, int race)
{
  for (int turn = 0; turn < 2; turn++) {
    if ((int)threadIdx.x <= 1 - turn)
      sink = dynamic_shared<float>()[0];
    shuffle(1, 0);
  }
  if (!race)
    barrier();
  if (threadIdx.x == 0)
    mark(0), dynamic_shared<float>()[0] = 1.0f;
}

/* One thread writes a word, another reads a byte of it. */
KERNEL(LANES, 1) race_bytes(global<float>, int race)
{
  shared<float> tile = dynamic_shared<float>();

  if (threadIdx.x == 0)
    tile[1] = 1.0f;
  if (!race)
    barrier();
  if (threadIdx.x == 9)
    mark(0), sink = as<unsigned char>(tile)[6];
}

/* --- what is told of them --- */

/* What is told of a fault, where "%d" stands for the lines that were marked. */
#define AT "kernel faulty, test_faults.cc:%d: "
#define BEYOND(does, offset, memory)                                                               \
  AT "block 0, thread 3 " does " bytes at offset " offset " of " memory " bytes"
#define BENT(bytes) AT "block 0, thread 3 touches " bytes " bytes at an address ("
#define RACE(does, other)                                                                          \
  AT does " of shared memory, which thread " other " touched with no barrier between"
#define PARTED(what)                                                                               \
  "kernel faulty: thread 0 waits at the " what " of test_faults.cc:%d, thread 16 at that of "      \
  "test_faults.cc:%d"

const struct fault {
  void (*kernel)(global<float> memory, int fault);
  int fault;
  unsigned threads;
  const char *text;
} faults[] = {
    {reads<GLOBAL>, -1, 32, BEYOND("reads 4", "-4", "global memory of 1024")},
    {reads<GLOBAL>, COUNT, 32, BEYOND("reads 4", "1024", "global memory of 1024")},
    {writes<GLOBAL>, -1, 32, BEYOND("writes 4", "-4", "global memory of 1024")},
    {writes<GLOBAL>, COUNT, 32, BEYOND("writes 4", "1024", "global memory of 1024")},
    {loads<GLOBAL>, COUNT - 2, 32, BEYOND("reads 16", "1016", "global memory of 1024")},
    {stores<GLOBAL>, -2, 32, BEYOND("writes 8", "-8", "global memory of 1024")},
    {reads<SHARED>, -1, 32, BEYOND("reads 4", "-4", "shared memory of 256")},
    {reads<SHARED>, WORDS, 32, BEYOND("reads 4", "256", "shared memory of 256")},
    {writes<SHARED>, -1, 32, BEYOND("writes 4", "-4", "shared memory of 256")},
    {writes<SHARED>, WORDS, 32, BEYOND("writes 4", "256", "shared memory of 256")},
    {loads<SHARED>, WORDS - 2, 32, BEYOND("reads 16", "248", "shared memory of 256")},
    {stores<SHARED>, -2, 32, BEYOND("writes 8", "-8", "shared memory of 256")},
    {reads_constant, -1, 32, BEYOND("reads 4", "-4", "constant memory of 32")},
    {reads_constant, TABLE, 32, BEYOND("reads 4", "32", "constant memory of 32")},
    {reads_late, COUNT, 1024,
     AT "block 1, thread 1000 reads 4 bytes at offset 1024 of global memory of 1024 bytes"},

    {loads<GLOBAL>, 2, 32, BENT("16")},
    {loads<SHARED>, 1, 32, BENT("16")},
    {stores<GLOBAL>, 1, 32, BENT("8")},
    {stores<SHARED>, 3, 32, BENT("8")},

    {leave_barrier, 12, 32, AT "thread 12 waits at a barrier that 12 of 32 threads never reach"},
    {leave_barrier, 1, 1024, AT "thread 1 waits at a barrier that 1 of 1024 threads never reach"},
    {part_at_barriers, 16, 32, PARTED("barrier")},
    {part_at_shuffles, 16, 32, PARTED("shuffle")},
    {leave_shuffle, 5, 64, AT "thread 5 waits at a shuffle that not all lanes of its warp reach"},
    {part_at_both, 10, 32, AT "thread 10 waits at a shuffle that not all lanes of its warp reach"},
    {shuffle_absent, 20, 20,
     AT "block 0, thread 0 takes the value of lane 20 of a warp of 20 lanes"},

    {race_write_read, 1, 64, RACE("thread 1 reads byte 0", "0")},
    {race_read_write, 1, 64, RACE("thread 1 writes byte 4", "0")},
    {race_write_write, 1, 64, RACE("thread 32 writes byte 28", "0")},
    {race_readers, 1, 32, RACE("thread 1 writes byte 0", "0")},
    {race_reads_again, 1, 32, RACE("thread 0 writes byte 0", "1")},
    {race_bytes, 1, 32, RACE("thread 9 reads byte 6", "0")},
};

/* Launches two blocks of the kernel of a fault, with it or without, and returns what is told. */
const char *launch_fault(const struct fault &fault, int number)
{
  static struct stream stream;
  void *memory = device_allocate(COUNT * sizeof(float));

  stream.failed[0] = '\0';
  launch({"faulty", 2, {fault.threads, 1, 1}, WORDS * sizeof(float), &stream}, fault.kernel,
         global_from<float>(memory), number);
  device_free(memory);
  return stream.failed;
}

/* Lanes that wait at a barrier and at a shuffle, and turn the block round in shared memory. */
KERNEL(1024, 1) turn(global<int> memory)
{
  shared<int> tile = dynamic_shared<int>();

  tile[threadIdx.x] = shuffle((int)threadIdx.x, (int)threadIdx.x % LANES);
  barrier();
  memory[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

bool emulator_works(void)
{
  int *memory = static_cast<int *>(device_allocate(1024 * sizeof(int)));
  struct stream stream = {};
  bool right = true;

  launch({"turn", 4, {1024, 1, 1}, 1024 * sizeof(int), &stream}, turn, global_from<int>(memory));
  for (int i = 0; i < 1024; i++)
    right = right && memory[i] == 1023 - i;
  device_free(memory);
  return right && !stream.failed[0];
}

START_TEST(faults_are_told)
{
  const struct fault &fault = faults[_i];
  const char *told;
  char expected[256];

  ck_assert_str_eq(launch_fault(fault, 0), "");
  for (int again = 0; again < 2; again++) {
    told = launch_fault(fault, fault.fault);
    snprintf(expected, sizeof expected, fault.text, lines[0], lines[1]);
    ck_assert_msg(strncmp(told, expected, strlen(expected)) == 0, "\"%s\" and not \"%s\"", told,
                  expected);
    ck_assert(emulator_works());
  }
  ck_assert_str_eq(launch_fault(fault, 0), "");
}
END_TEST

/* The same within one process, so that each fault follows upon another. */
START_TEST(faults_follow_upon_faults)
{
  emulator::recorder recorder;

  recorder.start();
  for (const struct fault &fault : faults) {
    ck_assert_str_ne(launch_fault(fault, fault.fault), "");
    ck_assert_str_eq(launch_fault(fault, 0), "");
  }
  recorder.stop();
  ck_assert(emulator_works());
}
END_TEST

START_TEST(constants_end_with_their_array)
{
  float values[TABLE + 1] = {};
  struct stream stream = {};

  constant_set(table, values, TABLE, &stream);
  ck_assert_str_eq(stream.failed, "");
  constant_set(table, values, TABLE + 1, &stream);
  ck_assert_str_eq(stream.failed, "9 values are more than the 8 of an array in constant memory");
}
END_TEST

} // namespace

int main(void)
{
  TCase *all = tcase_create("told");

  tcase_add_loop_test(all, faults_are_told, 0, sizeof faults / sizeof *faults);
  tcase_add_test(all, faults_follow_upon_faults);
  tcase_add_test(all, constants_end_with_their_array);
  tcase_set_timeout(all, 60);
  return unit_run("faults", all);
}
