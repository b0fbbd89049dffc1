/* The dialect of gpu.cuh as the C++ compiler sees it: every access goes through the emulator. */
#ifndef HALO_GPU_EMULATED_CUH
#define HALO_GPU_EMULATED_CUH

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <type_traits>

#include "gpu_emulated_memory.cuh"

#define KERNEL(threads, blocks) void
#define GRID_CONSTANT
#define NO_UNROLL
#define DEVICE static inline
#define CONSTANT(T, name, n) static gpu::constant_array<T, n> name

#define threadIdx emulator::thread_index
#define blockIdx emulator::block_index
#define blockDim emulator::block_size
#define gridDim emulator::grid_size

/* CUDA's vectors, aligned to their size as there. */
#define GPU_VECTORS(T, name)                                                                       \
  struct alignas(sizeof(T)) name##1                                                                \
  {                                                                                                \
    T x;                                                                                           \
  };                                                                                               \
  struct alignas(2 * sizeof(T)) name##2                                                            \
  {                                                                                                \
    T x, y;                                                                                        \
  };                                                                                               \
  struct alignas(4 * sizeof(T)) name##4                                                            \
  {                                                                                                \
    T x, y, z, w;                                                                                  \
  };

namespace gpu
{
inline namespace emulated
{

GPU_VECTORS(unsigned char, uchar)
GPU_VECTORS(unsigned short, ushort)
GPU_VECTORS(int, int)
GPU_VECTORS(unsigned, uint)
GPU_VECTORS(float, float)

using emulator::dim3;

/* What a kernel takes of a multiprocessor. */
struct launch_facts {
  unsigned registers;
  size_t shared_bytes;
  double occupancy;
};

/* Where kernels run, one after the other, and what the first one that failed has to say. */
struct stream {
  char failed[256];
  bool records_facts;
  struct launch_facts facts; /* all 0: nothing of the kind is known here */
};

/* What a texture coordinate beyond the texture stands for, as CUDA has it. */
enum address_mode { ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_WRAP, ADDRESS_ZERO };

struct texture {
  const char *origin;
  size_t width, height, pitch; /* texels, rows, bytes */
  struct extent extent;
  enum address_mode mode;
  bool normalized; /* coordinates run from 0 to 1 */
};

struct shape_of_launch {
  const char *name; /* of the kernel, for messages */
  size_t blocks;
  struct dim3 threads; /* of a block */
  size_t shared_bytes;
  struct stream *stream;
  bool overlaps = false; /* with the launch before it, which is long done here */
};

template <class T> static inline global<T> global_from(void *address)
{
  return {static_cast<T *>(address), emulator::extent_of(address)};
}

template <class U, class T> static inline global<U> as(global<T> pointer)
{
  return {reinterpret_cast<U *>(pointer.address), pointer.extent};
}

template <class U, class T> static inline shared<U> as(shared<T> pointer)
{
  return {reinterpret_cast<U *>(pointer.address)};
}

template <class T> static inline shared<T> dynamic_shared(size_t offset = 0)
{
  return {reinterpret_cast<T *>(static_cast<char *>(emulator::shared_memory()) + offset)};
}

template <class V, class T> static inline V load(global<T> pointer, struct index i)
{
  return as<const V>(pointer + i.at).read(i.site);
}

template <class V, class T> static inline V load(shared<T> pointer, struct index i)
{
  return as<const V>(pointer + i.at).read(i.site);
}

template <class V, class T> static inline void store(global<T> pointer, struct index i, V value)
{
  as<V>(pointer + i.at).write(value, i.site);
}

template <class V, class T> static inline void store(shared<T> pointer, struct index i, V value)
{
  as<V>(pointer + i.at).write(value, i.site);
}

/* The texel that a coordinate means, without filtering; −1 for one of zeros. */
static inline ptrdiff_t texel_index(float coordinate, size_t size, const struct texture &texture)
{
  float n = (float)size;
  float at = texture.normalized ? coordinate * n : coordinate;

  switch (texture.mode) {
  case ADDRESS_CLAMP:
    break;
  case ADDRESS_ZERO:
    if (!(at >= 0 && at < n))
      return -1;
    break;
  case ADDRESS_WRAP:
    at = texture.normalized ? (coordinate - floorf(coordinate)) * n : at;
    break;
  case ADDRESS_MIRROR:
    if (texture.normalized) {
      float turn = floorf(coordinate);
      float within = coordinate - turn;

      at = (fmodf(turn, 2) != 0 ? 1 - within : within) * n;
    }
    break;
  }
  return at >= n ? (ptrdiff_t)size - 1 : at > 0 ? (ptrdiff_t)at : 0; /* NaN is 0 */
}

template <class V>
static inline V fetch(const struct texture &texture, float x, float y, int line = __builtin_LINE(),
                      const char *file = __builtin_FILE())
{
  ptrdiff_t column = texel_index(x, texture.width, texture);
  ptrdiff_t row = texel_index(y, texture.height, texture);
  V value = {};

  if (column < 0 || row < 0)
    return value;
  const char *texel = texture.origin + (size_t)row * texture.pitch + (size_t)column * sizeof value;
  if (texel < texture.extent.begin || texel + sizeof value > texture.extent.end)
    emulator::fail_bounds(texel, sizeof value, false, "a texture", texture.extent, {file, line});
  if (emulator::recording)
    emulator::note(emulator::SPACE_TEXTURE, texel, sizeof value, false, {file, line});
  memcpy(&value, texel, sizeof value);
  return value;
}

static inline void barrier(int line = __builtin_LINE(), const char *file = __builtin_FILE())
{
  emulator::barrier({file, line});
}

template <class T>
static inline T shuffle(T value, int lane, int line = __builtin_LINE(),
                        const char *file = __builtin_FILE())
{
  static_assert(std::is_arithmetic_v<T>);
  emulator::shuffle(&value, sizeof value, lane, {file, line});
  return value;
}

static inline void let_next_begin()
{
}

static inline void wait_for_launch_before()
{
}

template <int N, class F> static inline void unroll(const F &function)
{
  for (int i = 0; i < N; i++)
    function(i);
}

template <class T> static inline void prefetch(global<T> pointer, ptrdiff_t index)
{
  (void)pointer, (void)index;
}

template <int bytes> static inline unsigned part_of(unsigned word, int k)
{
  return word >> (8 * bytes * k) & ((1u << 8 * bytes) - 1);
}

static inline unsigned saturate(int value, int most)
{
  return (unsigned)(value < 0 ? 0 : value > most ? most : value);
}

static inline unsigned pack_bytes(int a, int b, int c, int d)
{
  return saturate(a, 255) | saturate(b, 255) << 8 | saturate(c, 255) << 16 | saturate(d, 255) << 24;
}

static inline unsigned pack_words(int a, int b)
{
  return saturate(a, 65535) | saturate(b, 65535) << 16;
}

static inline float float_of(unsigned word)
{
  float value;

  memcpy(&value, &word, sizeof value);
  return value;
}

static inline unsigned word_of(float value)
{
  unsigned word;

  memcpy(&word, &value, sizeof word);
  return word;
}

template <class... P, class... A>
static inline void launch(const struct shape_of_launch &shape, void (*kernel)(P...), A... arguments)
{
  auto call = [&] { kernel(P(arguments)...); };
  void (*body)(const void *) = [](const void *context) {
    (*static_cast<const decltype(call) *>(context))();
  };
  char message[256];

  if (shape.stream->failed[0] || shape.blocks == 0)
    return;
  if (!emulator::run(shape.name, shape.blocks, shape.threads, shape.shared_bytes, body, &call,
                     message, sizeof message))
    snprintf(shape.stream->failed, sizeof shape.stream->failed, "%s", message);
}

template <class... P>
static inline int blocks_resident(void (*kernel)(P...), int threads, size_t shared_bytes)
{
  (void)kernel, (void)shared_bytes;
  return 1024 / threads;
}

template <class T, size_t N>
static inline void constant_set(constant_array<T, N> &array, const T *values, size_t count,
                                struct stream *stream)
{
  if (stream->failed[0])
    return;
  if (count > N)
    snprintf(stream->failed, sizeof stream->failed,
             "%zu values are more than the %zu of an array in constant memory", count, N);
  else
    memcpy(array.data, values, count * sizeof(T));
}

} // namespace emulated
} // namespace gpu

#endif
