/* Borders: which sample stands for one beyond the image.  Written once, for host and device. */
#ifndef HALO_BORDER_H
#define HALO_BORDER_H

#include <stddef.h>

#ifdef __CUDACC__
#define HALO_HOST_DEVICE __host__ __device__
#else
#define HALO_HOST_DEVICE
#endif

/* Name, constant, what lies left and right of a row abcd, and a description. */
#define BORDERS(X)                                                                                 \
  X("clamp", BORDER_CLAMP, "aaa|abcd|ddd", "the outermost pixel is repeated")                      \
  X("mirror", BORDER_MIRROR, "cba|abcd|dcb", "mirrored, with the outermost pixel twice")           \
  X("reflect", BORDER_REFLECT, "dcb|abcd|cba", "mirrored at the outermost pixel")                  \
  X("wrap", BORDER_WRAP, "bcd|abcd|abc", "the image again, as tiles")                              \
  X("constant", BORDER_CONSTANT, "VVV|abcd|VVV", "one level V, 0 unless given")                    \
  X("crop", BORDER_CROP, "   |abcd|   ", "nothing: the result is smaller than the image")

enum border {
#define X(name, constant, pattern, about) constant,
  BORDERS(X)
#undef X
};

/* The index (0 … n − 1) of the sample that is read for index i of a row or column of n ≥ 1 samples.  −1
   where the border's constant is read instead: outside the image, for `constant` and `crop`.  i may lie
   any distance outside: a filter may be many times larger than the image, which is then mirrored or
   repeated many times. */
HALO_HOST_DEVICE static inline ptrdiff_t border_index(ptrdiff_t i, ptrdiff_t n, enum border mode)
{
  ptrdiff_t period;

  if (i >= 0 && i < n)
    return i;
  switch (mode) {
  case BORDER_CLAMP:
    return i < 0 ? 0 : n - 1;
  case BORDER_MIRROR:
    period = 2 * n;
    i %= period;
    if (i < 0)
      i += period;
    return i < n ? i : period - 1 - i;
  case BORDER_REFLECT:
    if (n == 1)
      return 0;
    period = 2 * (n - 1);
    i %= period;
    if (i < 0)
      i += period;
    return i < n ? i : period - i;
  case BORDER_WRAP:
    i %= n;
    return i < 0 ? i + n : i;
  case BORDER_CONSTANT:
  case BORDER_CROP:
    break;
  }
  return -1;
}

#endif
