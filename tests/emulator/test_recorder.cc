/* What the emulator's recorder counts, against counts done by hand: how many sectors and addresses a
   warp's request takes, which accesses make a request, and how requests add up.  Shared memory is
   looked at in test_recorder_shared.cc.

   Each kernel marks the lines that are looked at; expected figures follow from the rules that
   emulator_recorder.cc opens with. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>

#include "recorded.h"
#include "unit.h"

namespace
{

using namespace gpu;

enum { FLOATS = 4096 };

/* --- constant memory --- */

CONSTANT(float, table, LANES);
CONSTANT(float4, vectors, LANES);

KERNEL(LANES, 1) constant_grouped(int lanes)
{
  mark(0), table[threadIdx.x / (unsigned)lanes];
  mark(1), vectors[threadIdx.x / (unsigned)lanes];
}

START_TEST(constant_memory_takes_addresses)
{
  for (unsigned lanes = 1; lanes <= LANES; lanes *= 2) {
    count(shape(LANES), constant_grouped, lanes);
    ck_assert_tally(tally(0, emulator::SPACE_CONSTANT), LANES, 1, LANES / lanes, LANES / lanes);
    ck_assert_tally(tally(1, emulator::SPACE_CONSTANT), LANES, 1, LANES / lanes, LANES / lanes);
  }
}
END_TEST

/* --- global memory --- */

/* Every lane reads and writes the V that begins at value `first` + lane · stride. */
template <class V, class T> KERNEL(LANES, 1) global_strided(global<T> memory, int first, int stride)
{
  ptrdiff_t at = first + (ptrdiff_t)threadIdx.x * stride;
  V value;

  mark(0), value = load<V>(memory, at);
  mark(1), store(memory, at, value);
}

template <class V, class T> void count_global(int first, int stride, unsigned sectors)
{
  void *memory = device_allocate(FLOATS * sizeof(float));

  count(shape(LANES), global_strided<V, T>, global_from<T>(memory), first, stride);
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), LANES, 1, sectors, sectors);
  ck_assert_tally(tally(1, emulator::SPACE_GLOBAL, true), LANES, 1, sectors, sectors);
  device_free(memory);
}

START_TEST(global_memory_takes_sectors)
{
  count_global<float, float>(0, 1, 4); /* 128 bytes */
  count_global<unsigned char, unsigned char>(0, 1, 1);
  count_global<unsigned short, unsigned short>(0, 1, 2);
  count_global<float2, float>(0, 2, 8);
  count_global<float4, float>(0, 4, 16);
  count_global<float, float>(0, 2, 8);
  count_global<float, float>(0, 8, 32);
  count_global<float, float>(0, 100, 32);
  count_global<float, float>(0, 0, 1);
  count_global<float, float>(1, 1, 5); /* a row that begins 4 bytes after a sector does */
  count_global<float, float>(7, 1, 5);
  count_global<float, float>(8, 1, 4);
  count_global<float, float>(31, -1, 4);                  /* backwards */
  count_global<unsigned char, unsigned char>(31, 1, 2);   /* one byte of the first sector */
  count_global<unsigned char, unsigned char>(0, 100, 32); /* a sector each */
}
END_TEST

/* Threes of floats, as an array of structures and as a structure of arrays. */
KERNEL(LANES, 1) threes(global<const float> memory)
{
  for (int i = 0; i < 3; i++) {
    mark(0), memory[3 * threadIdx.x + i];
    mark(1), memory[LANES * i + threadIdx.x];
  }
}

START_TEST(an_array_of_structures_takes_three_times_as_many)
{
  void *memory = device_allocate(3 * LANES * sizeof(float));

  /* 384 bytes are 12 sectors of 2⅔ structures: each of the three loads touches all of them. */
  count(shape(LANES), threes, global_from<const float>(memory));
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), 3 * LANES, 3, 3 * 12, 12);
  ck_assert_tally(tally(1, emulator::SPACE_GLOBAL), 3 * LANES, 3, 3 * 4, 4);
  device_free(memory);
}
END_TEST

/* --- textures --- */

KERNEL(LANES, 1) fetches(struct texture texture)
{
  float lane = (float)threadIdx.x + 0.5f;

  mark(0), fetch<float>(texture, lane, 0.5f);
  mark(1), fetch<float>(texture, 0.5f, lane);
  mark(2), fetch<float>(texture, lane - 1000, lane + 1000);
}

START_TEST(textures_take_sectors)
{
  void *memory = device_allocate(LANES * LANES * sizeof(float));
  struct texture texture;
  struct error error;

  ck_assert(texture_make(&texture, memory, LANES * sizeof(float), LANES, LANES, 1, TEXEL_FLOAT,
                         sizeof(float), TEXTURE_CLAMP, &error));
  count(shape(LANES), fetches, texture);
  ck_assert_tally(tally(0, emulator::SPACE_TEXTURE), LANES, 8, 8, 1); /* a quad at a time */
  ck_assert_tally(tally(1, emulator::SPACE_TEXTURE), LANES, 8, 32, 4);
  ck_assert_tally(tally(2, emulator::SPACE_TEXTURE), LANES, 8, 8, 1); /* all the same corner */
  texture_free(&texture);
  device_free(memory);
}
END_TEST

/* --- which accesses make a request --- */

/* Lane i reads i + 1 times. */
KERNEL(LANES, 1) triangle(global<const float> memory)
{
  for (unsigned i = 0; i <= threadIdx.x; i++)
    mark(0), memory[threadIdx.x];
}

/* Even lanes read on the second turn only. */
KERNEL(LANES, 1) turns(global<const float> memory)
{
  for (unsigned turn = 0; turn < 2; turn++) {
    if (turn || threadIdx.x % 2)
      mark(0), memory[turn * LANES + threadIdx.x];
    barrier();
  }
}

/* Even lanes of one warp and odd lanes of the other read. */
KERNEL(2 * LANES, 1) checkered(global<const float> memory)
{
  if (threadIdx.x % 2 == threadIdx.x / LANES)
    mark(0), memory[threadIdx.x];
}

START_TEST(the_nth_accesses_of_the_lanes_are_a_request)
{
  void *memory = device_allocate(FLOATS * sizeof(float));

  /* The k-th request is of lanes k to 31: eight each of 4, 3, 2 and 1 sectors. */
  count(shape(LANES), triangle, global_from<const float>(memory));
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), 32 * 33 / 2, 32, 8 * (4 + 3 + 2 + 1), 4);

  /* A barrier stands between the turns: without it, the first of the even lanes and the first of the
     odd ones would make a request of 8 sectors. */
  count(shape(LANES), turns, global_from<const float>(memory));
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), 16 + 32, 2, 4 + 4, 4);

  count(shape(2 * LANES), checkered, global_from<const float>(memory));
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), 16 + 16, 2, 4 + 4, 4);
  device_free(memory);
}
END_TEST

/* A line that reads and writes, and two that read two kinds of memory. */
KERNEL(LANES, 1) crowded(global<float> memory)
{
  shared<float> tile = dynamic_shared<float>();
  float sum = 0;

  mark(0), memory[threadIdx.x] = memory[LANES + 1 + threadIdx.x];
  mark(1), sum = load<float>(memory, threadIdx.x) + load<float>(tile, 2 * threadIdx.x);
  mark(2), sum += load<float4>(tile, 4 * threadIdx.x).x + load<float2>(memory, 2 * threadIdx.x).x;
  memory[threadIdx.x] = sum;
}

START_TEST(a_line_has_a_tally_for_each_kind_of_access)
{
  void *memory = device_allocate(FLOATS * sizeof(float));

  count(shape(LANES, 4096), crowded, global_from<float>(memory));
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL, true), LANES, 1, 4, 4);
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), LANES, 1, 5, 5);
  ck_assert_tally(tally(1, emulator::SPACE_GLOBAL), LANES, 1, 4, 4);
  ck_assert_tally(tally(1, emulator::SPACE_SHARED), LANES, 1, 2, 2);
  ck_assert_tally(tally(2, emulator::SPACE_SHARED), LANES, 1, 4, 4);
  ck_assert_tally(tally(2, emulator::SPACE_GLOBAL), LANES, 1, 8, 8);
  device_free(memory);
}
END_TEST

START_TEST(warps_and_blocks_and_launches_add_up)
{
  void *memory = device_allocate(FLOATS * sizeof(float));
  struct shape_of_launch many = {"counted", 3, {64, 1, 1}, 0, &recorded_stream};

  recorder.start();
  launch(many, global_strided<float, float>, global_from<float>(memory), 0, 1);
  launch(many, global_strided<float, float>, global_from<float>(memory), 1, 1);
  recorder.stop();
  launch(many, global_strided<float, float>, global_from<float>(memory), 0, 1); /* to nobody */
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), 2 * 3 * 64, 12, 6 * 4 + 6 * 5, 5);

  recorder.start();
  ck_assert_uint_eq(recorder.tallies().size(), 0);
  recorder.stop();
  device_free(memory);
}
END_TEST

} // namespace

int main(void)
{
  TCase *all = tcase_create("counts");

  tcase_add_test(all, constant_memory_takes_addresses);
  tcase_add_test(all, global_memory_takes_sectors);
  tcase_add_test(all, an_array_of_structures_takes_three_times_as_many);
  tcase_add_test(all, textures_take_sectors);
  tcase_add_test(all, the_nth_accesses_of_the_lanes_are_a_request);
  tcase_add_test(all, a_line_has_a_tally_for_each_kind_of_access);
  tcase_add_test(all, warps_and_blocks_and_launches_add_up);
  tcase_set_timeout(all, 60);
  return unit_run("recorder", all);
}
