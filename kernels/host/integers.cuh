/* Integers: passes whose sums float32 does not hold, as kernels see them.

   Taps then lie in memory as int32 (the same four bytes, read by tap_integer()), samples are integers, and so
   are sums: of 64 bits, or of 32 that wrap around where the range of sums is known to be less than 2^32.  The
   row pass of two makes sums that do not divide: 32 bits, less a constant in the middle of their range, which the
   column pass accounts for in its bias. */
#ifndef HALO_INTEGERS_CUH
#define HALO_INTEGERS_CUH

#include "view.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

/* What happens to sums of integers. */
struct integers {
  struct integer_ending ending;
  bool between;        /* results are int32 sums for a column pass, less `middle` */
  enum sample_type to; /* of results, where they are not */
  long long middle;
  long long least; /* no sum is less; where `narrow`, none is least + 2^32 or more */
  bool narrow;
};

/* A tap, from the memory in which it lies as the bits of a float. */
DEVICE int tap_integer(float stored)
{
  return (int)word_of(stored);
}

/* The next term of a sum of integers.  `long long` for any, `unsigned` for sums that wrap around. */
DEVICE long long term_add(long long sum, float tap, int sample)
{
  return sum + (long long)tap_integer(tap) * sample;
}

DEVICE unsigned term_add(unsigned sum, float tap, int sample)
{
  return sum + word_of(tap) * (unsigned)sample;
}

/* The sum itself. */
DEVICE long long sum_unwrap(long long sum, const struct integers &)
{
  return sum;
}

DEVICE long long sum_unwrap(unsigned sum, const struct integers &integers)
{
  return (long long)(sum - (unsigned)integers.least) + integers.least;
}

/* Ends a sum, and stores it as sample `sample` of result row `row`. */
template <class Sum>
DEVICE void integer_store(const struct view &view, const struct integers &integers, int row,
                          int sample, Sum sum)
{
  long long whole = sum_unwrap(sum, integers);

  if (integers.between) {
    result_row<int>(view, row)[sample] = (int)(whole - integers.middle);
    return;
  }
  float value = integer_end(whole, &integers.ending);
  switch (integers.to) {
  case SAMPLE_U8:
    result_row<unsigned char>(view, row)[sample] = (unsigned char)value;
    break;
  case SAMPLE_U16:
    result_row<unsigned short>(view, row)[sample] = (unsigned short)value;
    break;
  case SAMPLE_F32:
    result_row<float>(view, row)[sample] = value;
    break;
  }
}

/* The same for SHARE adjacent results, a multiple of 4; there is room for those beyond the end of the row. */
template <int SHARE, class To, class Four, class Sum, class End>
DEVICE void integers_store_as(const struct view &view, int row, int sample, const Sum *sum, End end)
{
  global<To> result = result_row<To>(view, row) + sample;

  unroll<SHARE / 4>([&](auto k) {
    Four v = {(To)end(sum[4 * k]), (To)end(sum[4 * k + 1]), (To)end(sum[4 * k + 2]),
              (To)end(sum[4 * k + 3])};

    store(result, 4 * k, v);
  });
}

template <int SHARE, class Sum>
DEVICE void integers_store(const struct view &view, const struct integers &integers, int row,
                           int sample, const Sum *sum)
{
  auto ended = [&](Sum one) { return integer_end(sum_unwrap(one, integers), &integers.ending); };

  if (integers.between)
    integers_store_as<SHARE, int, int4>(view, row, sample, sum, [&](Sum one) {
      return (int)(sum_unwrap(one, integers) - integers.middle);
    });
  else if (integers.to == SAMPLE_U8)
    integers_store_as<SHARE, unsigned char, uchar4>(view, row, sample, sum, ended);
  else if (integers.to == SAMPLE_U16)
    integers_store_as<SHARE, unsigned short, ushort4>(view, row, sample, sum, ended);
  else
    integers_store_as<SHARE, float, float4>(view, row, sample, sum, ended);
}

} // namespace GPU_MACHINE
} // namespace gpu

#endif
