/* Textures of the emulator: coordinates beyond a texture follow the rules of border.h where CUDA has the
   same, and its memory has an end. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine.cuh"
#include "unit.h"

namespace
{

using namespace gpu;

enum { ACROSS = 5, DOWN = 3, PITCH = 64, FAR = 100 };

/* A thread fetches column thread − FAR of row block − FAR, in the middle of the texel. */
template <class V>
KERNEL(2 * FAR, 1)
fetch_around(global<float> result, struct texture texture, bool normalized)
{
  float x = (float)(int)threadIdx.x - FAR + 0.5f, y = (float)(int)blockIdx.x - FAR + 0.5f;

  result[blockIdx.x * 2 * FAR + threadIdx.x] =
      (float)fetch<V>(texture, normalized ? x / ACROSS : x, normalized ? y / DOWN : y).x;
}

/* A texture whose texel (x, y) begins with 1 + 10 y + x, and the rest of its memory with 99. */
template <class V>
void *texels_make(struct texture *texture, enum sample_type type, unsigned channels,
                  enum texture_border border)
{
  char *memory = static_cast<char *>(device_allocate(DOWN * PITCH));
  struct error error;

  for (size_t i = 0; i < DOWN * PITCH / sizeof(V); i++) {
    size_t x = i % (PITCH / sizeof(V)), y = i / (PITCH / sizeof(V));
    V texel = {};

    texel.x = (decltype(texel.x))(x < ACROSS ? 1 + 10 * y + x : 99);
    memcpy(memory + i * sizeof(V), &texel, sizeof(V));
  }
  ck_assert(texture_make(texture, memory, PITCH, ACROSS, DOWN, channels,
                         type == SAMPLE_F32 ? TEXEL_FLOAT : TEXEL_UNSIGNED, sample_bytes(type),
                         border, &error));
  return memory;
}

const struct {
  enum texture_border texture;
  enum border border; /* with the same rule */
  bool normalized;
} borders[] = {
    {TEXTURE_CLAMP, BORDER_CLAMP, false},
    {TEXTURE_MIRROR, BORDER_MIRROR, true},
    {TEXTURE_WRAP, BORDER_WRAP, true},
    {TEXTURE_ZERO, BORDER_CONSTANT, false},
};

template <class V> void check_texture(int border, enum sample_type type, unsigned channels)
{
  float *result = static_cast<float *>(device_allocate(4 * FAR * FAR * sizeof(float)));
  struct stream stream = {};
  struct texture texture;
  void *memory = texels_make<V>(&texture, type, channels, borders[border].texture);

  launch({"fetch_around", 2 * FAR, {2 * FAR, 1, 1}, 0, &stream}, fetch_around<V>,
         global_from<float>(result), texture, borders[border].normalized);
  ck_assert_str_eq(stream.failed, "");
  for (int y = -FAR; y < FAR; y++)
    for (int x = -FAR; x < FAR; x++) {
      ptrdiff_t column = border_index(x, ACROSS, borders[border].border);
      ptrdiff_t row = border_index(y, DOWN, borders[border].border);
      float expected = column < 0 || row < 0 ? 0 : (float)(1 + 10 * row + column);
      float got = result[(y + FAR) * 2 * FAR + x + FAR];

      ck_assert_msg(got == expected, "(%d, %d): %g and not %g", x, y, got, expected);
    }
  texture_free(&texture);
  device_free(memory);
  device_free(result);
}

START_TEST(textures_have_their_borders)
{
  check_texture<float1>(_i, SAMPLE_F32, 1);
  check_texture<uchar4>(_i, SAMPLE_U8, 4);
  check_texture<ushort2>(_i, SAMPLE_U16, 2);
}
END_TEST

KERNEL(1, 1) fetch_at(global<float> result, struct texture texture, float x)
{
  result[0] = fetch<float>(texture, x, 0);
}

START_TEST(no_coordinate_is_too_far)
{
  static const struct {
    enum texture_border border;
    float coordinate, expected; /* NaN, and infinity where it becomes NaN, is the first texel's */
  } cases[] = {
      {TEXTURE_CLAMP, -1e30f, 1},     {TEXTURE_CLAMP, 1e30f, 5}, {TEXTURE_CLAMP, -INFINITY, 1},
      {TEXTURE_CLAMP, INFINITY, 5},   {TEXTURE_ZERO, -1e30f, 0}, {TEXTURE_ZERO, 1e30f, 0},
      {TEXTURE_ZERO, -0.01f, 0},      {TEXTURE_ZERO, 0, 1},      {TEXTURE_ZERO, 4.99f, 5},
      {TEXTURE_ZERO, 5, 0},           {TEXTURE_WRAP, -1e-9f, 5}, {TEXTURE_WRAP, 1, 1},
      {TEXTURE_MIRROR, -1e-9f, 1},    {TEXTURE_MIRROR, 1, 5},    {TEXTURE_MIRROR, 2, 1},
      {TEXTURE_WRAP, 1e30f, 1},       {TEXTURE_WRAP, -1e30f, 1}, {TEXTURE_MIRROR, -1e30f, 1},
      {TEXTURE_CLAMP, NAN, 1},        {TEXTURE_ZERO, NAN, 0},    {TEXTURE_WRAP, INFINITY, 1},
      {TEXTURE_MIRROR, -INFINITY, 1},
  };
  float *result = static_cast<float *>(device_allocate(sizeof(float)));
  struct stream stream = {};
  struct texture texture;

  for (auto c : cases) {
    void *memory = texels_make<float1>(&texture, SAMPLE_F32, 1, c.border);

    launch({"fetch_at", 1, {1, 1, 1}, 0, &stream}, fetch_at, global_from<float>(result), texture,
           c.coordinate);
    ck_assert_str_eq(stream.failed, "");
    ck_assert_msg(*result == c.expected, "border %d, %g: %g and not %g", c.border, c.coordinate,
                  *result, c.expected);
    texture_free(&texture);
    device_free(memory);
  }
  device_free(result);
}
END_TEST

int line;
float sink;

KERNEL(1, 1) fetch_last(struct texture texture)
{
  line = __LINE__, sink = fetch<float>(texture, 0.5f, 1000);
}

START_TEST(textures_end_with_their_memory)
{
  void *memory = device_allocate(10 * 64);
  struct stream stream = {};
  struct texture texture;
  struct error error;
  char expected[256];

  ck_assert(texture_make(&texture, memory, 64, 4, 11, 1, TEXEL_FLOAT, sizeof(float), TEXTURE_CLAMP,
                         &error));
  launch({"fetch_last", 1, {1, 1, 1}, 0, &stream}, fetch_last, texture);
  snprintf(
      expected, sizeof expected,
      "kernel fetch_last, test_texture.cc:%d: block 0, thread 0 reads 4 bytes at offset 640 of "
      "a texture of 640 bytes",
      line);
  ck_assert_str_eq(stream.failed, expected);
  texture_free(&texture);
  device_free(memory);
}
END_TEST

} // namespace

int main(void)
{
  TCase *all = tcase_create("fetch");

  tcase_add_loop_test(all, textures_have_their_borders, 0, sizeof borders / sizeof *borders);
  tcase_add_test(all, no_coordinate_is_too_far);
  tcase_add_test(all, textures_end_with_their_memory);
  tcase_set_timeout(all, 60);
  return unit_run("texture", all);
}
