/* What the emulator's recorder counts of shared memory, against counts done by hand: how many
   wavefronts a warp's request takes.

   Each kernel marks the lines that are looked at; expected figures are worked out beside the rows
   of the tables, from the rules that emulator_recorder.cc opens with. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>

#include "recorded.h"
#include "unit.h"

namespace
{

using namespace gpu;

enum { TILE = 32 };

/* Every lane writes and reads a value of its own, `stride` values from its neighbour's. */
template <class V> KERNEL(LANES, 1) shared_strided(int stride)
{
  shared<V> tile = dynamic_shared<V>();
  ptrdiff_t at = (ptrdiff_t)threadIdx.x * stride;
  V value = {};

  mark(0), store(tile, at, value);
  barrier();
  mark(1), load<V>(tile, at);
}

typedef void (*kernel_of_stride)(int stride);

const struct {
  kernel_of_stride kernel;
  int stride;
  unsigned bytes, wavefronts;
} shared_cases[] = {
    /* lanes with the same stride · lane mod 32 share a bank: gcd(stride, 32) of them */
    {shared_strided<float>, 1, 4, 1},
    {shared_strided<float>, 2, 4, 2},
    {shared_strided<float>, 4, 4, 4},
    {shared_strided<float>, 8, 4, 8},
    {shared_strided<float>, 16, 4, 16},
    {shared_strided<float>, 32, 4, 32},
    {shared_strided<float>, 33, 4, 1},
    {shared_strided<float>, 31, 4, 1},
    {shared_strided<float>, 12, 4, 4},
    /* 4 or 2 lanes share a word; bytes 4 apart are words 1 apart, and so on */
    {shared_strided<unsigned char>, 1, 1, 1},
    {shared_strided<unsigned char>, 4, 1, 1},
    {shared_strided<unsigned char>, 8, 1, 2},
    {shared_strided<unsigned char>, 128, 1, 32},
    {shared_strided<unsigned short>, 1, 2, 1},
    {shared_strided<unsigned short>, 2, 2, 1},
    {shared_strided<unsigned short>, 64, 2, 32},
    /* two halves of 16 lanes: 32 words each; or 64, where lane i + 8 has the banks of lane i */
    {shared_strided<float2>, 1, 8, 2},
    {shared_strided<float2>, 2, 8, 4},
    {shared_strided<uint2>, 16, 8, 32},
    {shared_strided<ushort4>, 1, 8, 2},
    /* four quarters of 8 lanes: 32 words each; or 64, where lane i + 4 has the banks of lane i */
    {shared_strided<float4>, 1, 16, 4},
    {shared_strided<float4>, 2, 16, 8},
    {shared_strided<float4>, 8, 16, 32},
    {shared_strided<float4>, 9, 16, 4},
};

START_TEST(shared_memory_takes_wavefronts)
{
  auto c = shared_cases[_i];

  count(shape(LANES, LANES * c.bytes * (size_t)c.stride), c.kernel, c.stride);
  ck_assert_tally(tally(0, emulator::SPACE_SHARED, true), LANES, 1, c.wavefronts, c.wavefronts);
  ck_assert_tally(tally(1, emulator::SPACE_SHARED), LANES, 1, c.wavefronts, c.wavefronts);
  ck_assert_uint_eq(tally(1, emulator::SPACE_SHARED).bytes, c.bytes);
}
END_TEST

KERNEL(TILE *TILE, 1) transpose(global<const float> from, global<float> to, int pitch)
{
  shared<float> tile = dynamic_shared<float>();
  int x = (int)threadIdx.x, y = (int)threadIdx.y;

  mark(0), tile[y * pitch + x] = from[y * TILE + x];
  barrier();
  mark(1), to[y * TILE + x] = tile[x * pitch + y];
}

START_TEST(a_transpose_conflicts_unless_padded)
{
  float *memory = static_cast<float *>(device_allocate(2 * TILE * TILE * sizeof(float)));
  int pitch = TILE + _i;
  struct shape_of_launch shape = {
      "counted", 1, {TILE, TILE, 1}, TILE * (size_t)pitch * sizeof(float), &recorded_stream};

  for (int i = 0; i < TILE * TILE; i++)
    memory[i] = (float)i;
  count(shape, transpose, global_from<const float>(memory),
        global_from<float>(memory) + TILE * TILE, pitch);
  for (int i = 0; i < TILE * TILE; i++)
    ck_assert_float_eq(memory[TILE * TILE + i], (float)(i % TILE * TILE + i / TILE));

  struct emulator::tally column = tally(1, emulator::SPACE_SHARED);
  ck_assert_double_eq((double)column.served / (double)column.requests, _i ? 1.00 : 32.00);
  ck_assert_tally(column, 1024, 32, _i ? 32 : 1024, _i ? 1 : 32);
  ck_assert_tally(tally(0, emulator::SPACE_SHARED, true), 1024, 32, 32, 1);
  ck_assert_tally(tally(0, emulator::SPACE_GLOBAL), 1024, 32, 128, 4);
  ck_assert_tally(tally(1, emulator::SPACE_GLOBAL, true), 1024, 32, 128, 4);
  device_free(memory);
}
END_TEST

/* Lane i reads value i mod period / lanes · apart. */
template <class V> KERNEL(LANES, 1) shared_grouped(int period, int lanes, int apart)
{
  mark(0), load<V>(dynamic_shared<V>(), (int)threadIdx.x % period / lanes * apart);
}

START_TEST(lanes_that_want_the_same_word_share_it)
{
  static const struct {
    void (*kernel)(int period, int lanes, int apart);
    int period, lanes, apart;
    unsigned wavefronts;
  } cases[] = {
      {shared_grouped<float>, 32, 32, 0, 1}, /* all the same */
      {shared_grouped<float>, 32, 16, 1, 1},
      {shared_grouped<float>, 32, 16, 32, 2},
      {shared_grouped<float>, 32, 8, 32, 4},
      {shared_grouped<float>, 32, 8, 33, 1},
      {shared_grouped<float>, 4, 1, 32, 4},
      /* halves and quarters that want the same 32 words come one after the other */
      {shared_grouped<float2>, 16, 1, 1, 2},
      {shared_grouped<float4>, 8, 1, 1, 4},
  };

  for (auto c : cases) {
    count(shape(LANES, 1024), c.kernel, c.period, c.lanes, c.apart);
    ck_assert_tally(tally(0, emulator::SPACE_SHARED), LANES, 1, c.wavefronts, c.wavefronts);
  }
}
END_TEST

START_TEST(lanes_that_are_not_there_cost_nothing)
{
  count(shape(5, 4096), shared_strided<float>, 32);
  ck_assert_tally(tally(1, emulator::SPACE_SHARED), 5, 1, 5, 5);
  count(shape(8, 4096), shared_strided<float4>, 1);
  ck_assert_tally(tally(1, emulator::SPACE_SHARED), 8, 1, 1, 1);
  count(shape(70, 4096), shared_strided<float>, 8); /* 8 + 8 + 2: lanes 64 to 69 have 4 banks */
  ck_assert_tally(tally(1, emulator::SPACE_SHARED), 70, 3, 18, 8);
}
END_TEST

} // namespace

int main(void)
{
  TCase *all = tcase_create("counts");

  tcase_add_loop_test(all, shared_memory_takes_wavefronts, 0,
                      sizeof shared_cases / sizeof *shared_cases);
  tcase_add_loop_test(all, a_transpose_conflicts_unless_padded, 0, 2);
  tcase_add_test(all, lanes_that_want_the_same_word_share_it);
  tcase_add_test(all, lanes_that_are_not_there_cost_nothing);
  tcase_set_timeout(all, 60);
  return unit_run("recorder_shared", all);
}
