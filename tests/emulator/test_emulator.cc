/* The emulator runs kernels as a GPU would: places, barriers, shuffles, launches; and on several threads
   of the processor at once. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <math.h>
#include <string.h>

#include <thread>

#include "machine.cuh"
#include "unit.h"

namespace
{

using namespace gpu;

enum { LANES = 32, COUNT = 256 };

/* Adds up a block's values, pair by pair. */
KERNEL(1024, 1) sum_blocks(global<const int> values, global<int> sums)
{
  shared<int> tile = dynamic_shared<int>();
  unsigned count = blockDim.x, self = threadIdx.x;

  tile[self] = values[blockIdx.x * count + self];
  for (unsigned step = 1; step < count; step *= 2) {
    barrier();
    if (self % (2 * step) == 0 && self + step < count)
      tile[self] = tile[self] + tile[self + step];
  }
  if (self == 0)
    sums[blockIdx.x] = tile[0];
}

/* Adds up 0, 1, 2, … in blocks of `count`: whether all sums are right. */
bool sums_right(unsigned count, unsigned blocks)
{
  int *values = static_cast<int *>(device_allocate(blocks * count * sizeof(int)));
  int *sums = static_cast<int *>(device_allocate(blocks * sizeof(int)));
  struct stream stream = {};
  bool right = true;

  for (unsigned i = 0; i < blocks * count; i++)
    values[i] = (int)i;
  launch({"sum_blocks", blocks, {count, 1, 1}, count * sizeof(int), &stream}, sum_blocks,
         global_from<const int>(values), global_from<int>(sums));
  for (unsigned i = 0; i < blocks; i++)
    right = right && sums[i] == (int)(i * count * count + count * (count - 1) / 2);
  device_free(values);
  device_free(sums);
  return right && !stream.failed[0];
}

START_TEST(barriers_part_writes_from_reads)
{
  static const unsigned counts[] = {1, 2, 31, 32, 33, 128, 1000, 1024};

  for (unsigned count : counts)
    ck_assert_msg(sums_right(count, 3), "blocks of %u", count);
  ck_assert(sums_right(64, 1000));
}
END_TEST

KERNEL(60, 1) places(global<unsigned> memory)
{
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned place = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;

  memory[60 * blockIdx.x + thread] = place + 1000 * blockIdx.x + 10000 * gridDim.x;
}

START_TEST(each_thread_has_its_place)
{
  unsigned *memory = static_cast<unsigned *>(device_allocate(7 * 60 * sizeof(unsigned)));
  struct stream stream = {};

  launch({"places", 7, {4, 3, 5}, 0, &stream}, places, global_from<unsigned>(memory));
  ck_assert_str_eq(stream.failed, "");
  for (unsigned i = 0; i < 7 * 60; i++) {
    unsigned block = i / 60, x = i % 4, y = i / 4 % 3, z = i / 12 % 5;
    ck_assert_uint_eq(memory[i], x + 10 * y + 100 * z + 1000 * block + 70000);
  }
  device_free(memory);
}
END_TEST

/* Elements of the same memory, one assigned to the other: the value goes, and not the reference. */
KERNEL(LANES, 1) reverse(global<float> memory)
{
  shared<float> tile = dynamic_shared<float>();
  unsigned self = threadIdx.x, other = LANES - 1 - self;

  tile[self] = memory[self];
  barrier();
  tile[LANES + self] = tile[other];
  memory[LANES + self] = memory[self];
  barrier();
  memory[self] = tile[LANES + self];
}

START_TEST(elements_are_assigned_by_value)
{
  float *memory = static_cast<float *>(device_allocate(2 * LANES * sizeof(float)));
  struct stream stream = {};

  for (int i = 0; i < LANES; i++)
    memory[i] = (float)i;
  launch({"reverse", 1, {LANES, 1, 1}, 2 * LANES * sizeof(float), &stream}, reverse,
         global_from<float>(memory));
  ck_assert_str_eq(stream.failed, "");
  for (int i = 0; i < LANES; i++) {
    ck_assert_float_eq(memory[i], (float)(LANES - 1 - i));
    ck_assert_float_eq(memory[LANES + i], (float)i);
  }
  device_free(memory);
}
END_TEST

/* The same memory as one type and as another, one straight after the other. */
KERNEL(1, 1) reinterpret(global<float> memory)
{
  global<unsigned> words = as<unsigned>(memory);

  memory[0] = 1.0f;
  memory[2] = (float)words[0];
  words[0] = 0x40000000;
  memory[3] = memory[0];
  store(memory, 0, float2{3, 4});
  words[4] = words[0];
}

START_TEST(memory_has_no_type)
{
  float *memory = static_cast<float *>(device_allocate(5 * sizeof(float)));
  struct stream stream = {};

  launch({"reinterpret", 1, {1, 1, 1}, 0, &stream}, reinterpret, global_from<float>(memory));
  ck_assert_str_eq(stream.failed, "");
  ck_assert_float_eq(memory[2], 0x3f800000);
  ck_assert_float_eq(memory[3], 2);
  ck_assert_float_eq(memory[4], 3);
  device_free(memory);
}
END_TEST

/* Neighbours change values; then all but the first warp take that of lane 3, as the lanes' numbers go
   round; while the first warp waits at the barrier. */
template <class T> KERNEL(COUNT, 1) exchange(global<T> memory)
{
  T value = memory[threadIdx.x];

  value = shuffle(value, (int)(threadIdx.x % LANES) ^ 1);
  if (threadIdx.x >= LANES)
    value = (T)(value + shuffle(value, 3 + 5 * LANES));
  barrier();
  memory[threadIdx.x] = value;
}

template <class T> void check_exchange(unsigned threads)
{
  T *memory = static_cast<T *>(device_allocate(threads * sizeof(T)));
  struct stream stream = {};

  for (unsigned i = 0; i < threads; i++)
    memory[i] = (T)i;
  launch({"exchange", 1, {threads, 1, 1}, 0, &stream}, exchange<T>, global_from<T>(memory));
  ck_assert_str_eq(stream.failed, "");
  for (unsigned i = 0; i < threads; i++)
    ck_assert(memory[i] == (T)(i < LANES ? i ^ 1 : (i ^ 1) + i / LANES * LANES + 2));
  device_free(memory);
}

START_TEST(shuffles_give_the_value_of_another_lane)
{
  check_exchange<unsigned char>(64);
  check_exchange<float>(70); /* the last warp has six lanes */
  check_exchange<double>(COUNT);
}
END_TEST

/* Bytes of one word belong to different threads, and everyone may read what nobody writes. */
KERNEL(LANES, 1) neighbours(global<unsigned char> memory)
{
  shared<unsigned char> tile = dynamic_shared<unsigned char>();

  tile[threadIdx.x] = (unsigned char)threadIdx.x;
  tile[threadIdx.x] = (unsigned char)(tile[threadIdx.x] + 1);
  barrier();
  memory[threadIdx.x] = (unsigned char)(tile[0] + tile[threadIdx.x ^ 1]);
}

START_TEST(adjacent_bytes_are_no_race)
{
  unsigned char *memory = static_cast<unsigned char *>(device_allocate(LANES));
  struct stream stream = {};

  launch({"neighbours", 1, {LANES, 1, 1}, LANES, &stream}, neighbours,
         global_from<unsigned char>(memory));
  ck_assert_str_eq(stream.failed, "");
  for (int i = 0; i < LANES; i++)
    ck_assert_uint_eq(memory[i], (i ^ 1) + 2);
  device_free(memory);
}
END_TEST

/* --- launches --- */

START_TEST(blocks_have_their_limits)
{
  static const struct {
    struct dim3 threads;
    size_t shared;
    const char *text;
  } limits[] = {
      {{0, 1, 1}, 0, "kernel sum_blocks: 0 threads do not make a block; 1 to 1024 do"},
      {{1025, 1, 1}, 0, "kernel sum_blocks: 1025 threads do not make a block; 1 to 1024 do"},
      {{32, 33, 1}, 0, "kernel sum_blocks: 1056 threads do not make a block; 1 to 1024 do"},
      {{32, 1, 1},
       227 * 1024 + 1,
       "kernel sum_blocks: 232449 bytes of shared memory are more than the 232448 of a block"},
  };

  for (auto limit : limits) {
    struct stream stream = {};

    launch({"sum_blocks", 1, limit.threads, limit.shared, &stream}, sum_blocks,
           global_from<const int>(nullptr), global_from<int>(nullptr));
    ck_assert_str_eq(stream.failed, limit.text);
    ck_assert(sums_right(1024, 2));
  }
}
END_TEST

/* The last byte of all the shared memory that there is. */
KERNEL(1, 1) fill(global<unsigned char> memory, int bytes)
{
  shared<unsigned char> tile = dynamic_shared<unsigned char>();

  for (int i = 0; i < bytes; i++)
    tile[i] = (unsigned char)i;
  memory[0] = tile[bytes - 1];
}

START_TEST(all_of_shared_memory_may_be_used)
{
  unsigned char *memory = static_cast<unsigned char *>(device_allocate(1));
  struct stream stream = {};

  launch({"fill", 1, {1, 1, 1}, 227 * 1024, &stream}, fill, global_from<unsigned char>(memory),
         227 * 1024);
  ck_assert_str_eq(stream.failed, "");
  ck_assert_uint_eq(*memory, 255);
  device_free(memory);
}
END_TEST

KERNEL(1, 1) set_one(global<float> memory, int at)
{
  memory[at] = 1.0f;
}

/* A stream remembers its first failure, and runs nothing until that is told. */
START_TEST(a_stream_tells_its_first_failure)
{
  float *memory = static_cast<float *>(device_allocate(COUNT * sizeof(float)));
  struct error error = {};
  struct stream *stream = stream_open(&error);
  struct shape_of_launch shape = {"first", 1, {1, 1, 1}, 0, stream};

  launch(shape, set_one, global_from<float>(memory), 1);
  ck_assert(stream_finish(stream, &error));
  launch(shape, set_one, global_from<float>(memory), COUNT);
  memory[0] = 0;
  shape.name = "second";
  launch(shape, set_one, global_from<float>(memory), COUNT);
  launch(shape, set_one, global_from<float>(memory), 0);
  ck_assert_float_eq(memory[0], 0);
  ck_assert(!stream_finish(stream, &error));
  ck_assert(strstr(error.text, "kernel first, test_emulator.cc:"));
  launch(shape, set_one, global_from<float>(memory), 0);
  ck_assert_float_eq(memory[0], 1);
  ck_assert(stream_finish(stream, &error));
  stream_close(stream);
  device_free(memory);
}
END_TEST

/* --- threads of the processor --- */

KERNEL(LANES, 1) write_behind(global<float> memory)
{
  barrier();
  memory[LANES + threadIdx.x] = 0;
}

/* Runs good and bad kernels by turns; whether all were right, and all accesses counted. */
void take_turns(unsigned count, bool *right)
{
  void *memory = device_allocate(LANES * sizeof(float));
  emulator::recorder recorder;
  uint64_t accesses = 0;

  *right = true;
  recorder.start();
  for (int turn = 0; turn < 50; turn++) {
    struct stream stream = {};

    *right = *right && sums_right(count, 3);
    launch({"write_behind", 1, {LANES, 1, 1}, 0, &stream}, write_behind,
           global_from<float>(memory));
    *right = *right && strstr(stream.failed, "thread 0 writes 4 bytes at offset 128");
  }
  recorder.stop();
  for (const struct emulator::tally &tally : recorder.tallies())
    if (tally.space == emulator::SPACE_GLOBAL)
      accesses += tally.accesses;
  *right = *right && accesses == 50 * 3 * (count + 1);
  device_free(memory);
}

START_TEST(threads_of_the_processor_run_kernels_at_once)
{
  bool right[2];
  std::thread first(take_turns, 96, &right[0]), second(take_turns, 200, &right[1]);

  first.join();
  second.join();
  ck_assert(right[0] && right[1]);
}
END_TEST

} // namespace

int main(void)
{
  TCase *all = tcase_create("kernels");

  tcase_add_test(all, barriers_part_writes_from_reads);
  tcase_add_test(all, each_thread_has_its_place);
  tcase_add_test(all, elements_are_assigned_by_value);
  tcase_add_test(all, memory_has_no_type);
  tcase_add_test(all, shuffles_give_the_value_of_another_lane);
  tcase_add_test(all, adjacent_bytes_are_no_race);
  tcase_add_test(all, blocks_have_their_limits);
  tcase_add_test(all, all_of_shared_memory_may_be_used);
  tcase_add_test(all, a_stream_tells_its_first_failure);
  tcase_add_test(all, threads_of_the_processor_run_kernels_at_once);
  tcase_set_timeout(all, 60);
  return unit_run("emulator", all);
}
