/* Launching the kernels of march.cuh: their shapes, and what the host decides for them. */
#ifndef HALO_MARCH_LAUNCH_CUH
#define HALO_MARCH_LAUNCH_CUH

#include <string.h>

#include "machine.cuh"
#include "march.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* Share of a thread, rows ahead, blocks on a multiprocessor, and whether rows further ahead are brought
   to the L2 cache; for one channel and for several.  Measured on an H200: bench/results/h200.md. */
template <class T, int SIZE, bool SEVERAL> struct march_shape;

#define MARCH_SHAPE(T, SIZE, SEVERAL, share, ahead, blocks, prefetch)                              \
  template <> struct march_shape<T, SIZE, SEVERAL> {                                               \
    static constexpr int SHARE = share, AHEAD = ahead, BLOCKS = blocks;                            \
    static constexpr bool PREFETCH = prefetch;                                                     \
  };
MARCH_SHAPE(unsigned char, 3, false, 32, 1, 4, false)
MARCH_SHAPE(unsigned char, 3, true, 16, 1, 8, false)
MARCH_SHAPE(unsigned char, 5, false, 16, 1, 3, false)
MARCH_SHAPE(unsigned char, 5, true, 16, 1, 3, false)
MARCH_SHAPE(unsigned char, 7, false, 16, 1, 3, false)
MARCH_SHAPE(unsigned char, 7, true, 16, 1, 3, false)
MARCH_SHAPE(unsigned char, 9, false, 16, 1, 2, false)
MARCH_SHAPE(unsigned char, 9, true, 16, 1, 2, false)
MARCH_SHAPE(unsigned char, 11, false, 8, 1, 3, true)
MARCH_SHAPE(unsigned char, 11, true, 8, 1, 3, true)
MARCH_SHAPE(unsigned char, 13, false, 8, 1, 2, false)
MARCH_SHAPE(unsigned char, 13, true, 8, 1, 2, false)
MARCH_SHAPE(unsigned char, 15, false, 8, 1, 3, true)
MARCH_SHAPE(unsigned char, 15, true, 8, 2, 2, false)
MARCH_SHAPE(unsigned short, 3, false, 8, 1, 8, false)
MARCH_SHAPE(unsigned short, 3, true, 8, 1, 8, false)
MARCH_SHAPE(unsigned short, 5, false, 16, 1, 3, false)
MARCH_SHAPE(unsigned short, 5, true, 16, 1, 3, false)
MARCH_SHAPE(unsigned short, 7, false, 16, 1, 2, false)
MARCH_SHAPE(unsigned short, 7, true, 16, 1, 2, false)
MARCH_SHAPE(unsigned short, 9, false, 8, 1, 2, false)
MARCH_SHAPE(unsigned short, 9, true, 8, 1, 2, false)
MARCH_SHAPE(unsigned short, 11, false, 8, 1, 2, false)
MARCH_SHAPE(unsigned short, 11, true, 8, 1, 2, false)
MARCH_SHAPE(unsigned short, 13, false, 8, 1, 2, false)
MARCH_SHAPE(unsigned short, 13, true, 8, 1, 2, false)
MARCH_SHAPE(unsigned short, 15, false, 8, 1, 2, false)
MARCH_SHAPE(unsigned short, 15, true, 8, 1, 2, false)
MARCH_SHAPE(float, 3, false, 8, 2, 4, false)
MARCH_SHAPE(float, 3, true, 8, 1, 5, false)
MARCH_SHAPE(float, 5, false, 8, 1, 5, false)
MARCH_SHAPE(float, 5, true, 8, 0, 5, false)
MARCH_SHAPE(float, 7, false, 12, 1, 4, false)
MARCH_SHAPE(float, 7, true, 8, 1, 3, true)
MARCH_SHAPE(float, 9, false, 8, 1, 3, false)
MARCH_SHAPE(float, 9, true, 8, 1, 3, true)
MARCH_SHAPE(float, 11, false, 8, 0, 3, true)
MARCH_SHAPE(float, 11, true, 8, 1, 2, false)
MARCH_SHAPE(float, 13, false, 8, 1, 2, false)
MARCH_SHAPE(float, 13, true, 8, 1, 2, false)
MARCH_SHAPE(float, 15, false, 8, 1, 2, true)
MARCH_SHAPE(float, 15, true, 8, 1, 2, false)
#undef MARCH_SHAPE

/* Cuts the result into strips for a device that runs so many blocks at once, and chooses how sums
   end. */
struct march march_make(const struct frame_pass *pass, int size, int blocks_across,
                        int blocks_at_once);

/* Whether the kernel can do the taps: for integer samples, those that stay normal floats in its units. */
bool march_fits(const struct frame_pass *pass);

/* The bits of an integer, as the float that kernels get. */
static inline float tap_bits(float tap)
{
  int whole = (int)tap;
  float bits;

  memcpy(&bits, &whole, sizeof bits);
  return bits;
}

/* The taps of a pass as the kernel wants them: floats in its units, or integers. */
template <int SIZE> static struct square<SIZE> square_make(const struct frame_pass *pass) {
  const struct pass *typed = pass->pass;
  float unit = pass->from == SAMPLE_F32 ? 1 : 0x1p100f;
  struct square<SIZE> taps = {
  };

  for (size_t j = 0; j < typed->height; j++)
    for (size_t i = 0; i < typed->width; i++) {
      float tap = typed->taps[j * typed->width + i];

      taps.tap[i * square<SIZE>::PITCH + j] =
          pass->sums == SUMS_INTEGER ? tap_bits(tap) : tap * unit;
    }
  return taps;
}

/* Launches the kernel that marches with floats, or the one with integers. */
template <class T, int CHANNELS, int SIZE, bool INTEGERS>
static void march_launch(const struct frame_pass *pass)
{
  typedef march_shape<T, SIZE, (CHANNELS > 1)> Shape;
  constexpr int SHARE = Shape::SHARE, AHEAD = Shape::AHEAD;
  constexpr int BLOCKS = INTEGERS && Shape::BLOCKS > 4 ? 4 : Shape::BLOCKS; /* else they spill */
  constexpr bool PREFETCH = Shape::PREFETCH;
  const struct view &view = pass->view;
  int blocks_across = (view.samples - 1) / (SHARE * MARCH_THREADS) + 1;
  auto launch_kernel = [&](auto kernel, const auto &...arguments) {
    static const int blocks_at_once = blocks_resident(kernel, MARCH_THREADS, 0) * processors();
    struct march march = march_make(pass, SIZE, blocks_across,
                                    pass->blocks_at_once ? pass->blocks_at_once : blocks_at_once);
    struct shape_of_launch shape = {"register",
                                    (size_t)blocks_across * (size_t)march.strips,
                                    {MARCH_THREADS, 1, 1},
                                    0,
                                    pass->stream,
                                    pass->margins};

    launch(shape, kernel, view, march, square_make<SIZE>(pass), arguments...);
  };

  if constexpr (INTEGERS)
    launch_kernel(convolve_march_integers<T, CHANNELS, SIZE, SHARE, AHEAD, BLOCKS, PREFETCH>,
                  pass->integers);
  else
    launch_kernel(convolve_march<T, CHANNELS, SIZE, SHARE, AHEAD, BLOCKS, PREFETCH>);
}

template <class T, int CHANNELS, bool INTEGERS>
static bool march_launch_size(const struct frame_pass *pass, int size)
{
  switch (size) {
  case 3:
    march_launch<T, CHANNELS, 3, INTEGERS>(pass);
    return true;
  case 5:
    march_launch<T, CHANNELS, 5, INTEGERS>(pass);
    return true;
  case 7:
    march_launch<T, CHANNELS, 7, INTEGERS>(pass);
    return true;
  case 9:
    march_launch<T, CHANNELS, 9, INTEGERS>(pass);
    return true;
  case 11:
    march_launch<T, CHANNELS, 11, INTEGERS>(pass);
    return true;
  case 13:
    march_launch<T, CHANNELS, 13, INTEGERS>(pass);
    return true;
  case 15:
    march_launch<T, CHANNELS, 15, INTEGERS>(pass);
    return true;
  }
  return false;
}

template <class T, bool INTEGERS>
static bool march_launch_channels(const struct frame_pass *pass, int size)
{
  switch (pass->view.channels) {
  case 1:
    return march_launch_size<T, 1, INTEGERS>(pass, size);
  case 3:
    return march_launch_size<T, 3, INTEGERS>(pass, size);
  case 4:
    return march_launch_size<T, 4, INTEGERS>(pass, size);
  }
  return false;
}

/* Launches the kernel for the type of the samples, a file each, since they take long to compile.
   False where there is none for these channels. */
bool march_bytes(const struct frame_pass *pass, int size);
bool march_words(const struct frame_pass *pass, int size);
bool march_floats(const struct frame_pass *pass, int size);
bool march_words_integers(const struct frame_pass *pass, int size);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
