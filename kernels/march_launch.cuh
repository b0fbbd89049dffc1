/* Launching the kernels of march.cuh: their shapes, and what the host decides for them. */
#ifndef HALO_MARCH_LAUNCH_CUH
#define HALO_MARCH_LAUNCH_CUH

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

template <class T, int CHANNELS, int SIZE> static void march_launch(const struct frame_pass *pass)
{
  typedef march_shape<T, SIZE, (CHANNELS > 1)> Shape;
  const struct view &view = pass->view;
  int blocks_across = (view.samples - 1) / (Shape::SHARE * MARCH_THREADS) + 1;
  auto kernel =
      convolve_march<T, CHANNELS, SIZE, Shape::SHARE, Shape::AHEAD, Shape::BLOCKS, Shape::PREFETCH>;
  static const int blocks_at_once = blocks_resident(kernel, MARCH_THREADS, 0) * processors();
  struct march march = march_make(pass, SIZE, blocks_across,
                                  pass->blocks_at_once ? pass->blocks_at_once : blocks_at_once);
  struct shape_of_launch shape = {"register",
                                  (size_t)blocks_across * (size_t)march.strips,
                                  {MARCH_THREADS, 1, 1},
                                  0,
                                  pass->stream,
                                  pass->margins};
  struct square<SIZE> taps = {
  };
  float unit = pass->from == SAMPLE_F32 ? 1 : 0x1p100f;

  for (size_t j = 0; j < pass->pass->height; j++)
    for (size_t i = 0; i < pass->pass->width; i++)
      taps.tap[i * square<SIZE>::PITCH + j] = pass->pass->taps[j * pass->pass->width + i] * unit;
  launch(shape, kernel, view, march, taps);
}

template <class T, int CHANNELS>
static bool march_launch_size(const struct frame_pass *pass, int size)
{
  switch (size) {
  case 3:
    march_launch<T, CHANNELS, 3>(pass);
    return true;
  case 5:
    march_launch<T, CHANNELS, 5>(pass);
    return true;
  case 7:
    march_launch<T, CHANNELS, 7>(pass);
    return true;
  case 9:
    march_launch<T, CHANNELS, 9>(pass);
    return true;
  case 11:
    march_launch<T, CHANNELS, 11>(pass);
    return true;
  case 13:
    march_launch<T, CHANNELS, 13>(pass);
    return true;
  case 15:
    march_launch<T, CHANNELS, 15>(pass);
    return true;
  }
  return false;
}

template <class T> static bool march_launch_channels(const struct frame_pass *pass, int size)
{
  switch (pass->view.channels) {
  case 1:
    return march_launch_size<T, 1>(pass, size);
  case 3:
    return march_launch_size<T, 3>(pass, size);
  case 4:
    return march_launch_size<T, 4>(pass, size);
  }
  return false;
}

/* Launches the kernel for the type of the samples, a file each, since they take long to compile.
   False where there is none for these channels. */
bool march_bytes(const struct frame_pass *pass, int size);
bool march_words(const struct frame_pass *pass, int size);
bool march_floats(const struct frame_pass *pass, int size);

} // namespace GPU_MACHINE
} // namespace gpu

#endif
