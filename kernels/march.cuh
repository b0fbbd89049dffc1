/* Marching down a strip: the kernel of the path `register` for squares of taps known when it is
   compiled.

   A thread owns `share` adjacent samples of a strip of the result and marches down it; a warp owns 32
   times as many, a block of four warps 128 times.  No shared memory: each source row that comes by is
   loaded once a thread, as its whole window of share + (size − 1) · channels samples, in aligned
   vectors (the windows of neighbours overlap, which the L1 cache serves), `ahead` rows before it is
   needed, and feeds all results that it lies beneath: the `size` rows of sums in flight stay in
   registers.  When a row has been added, the oldest row of sums is complete, and the others move up by
   one:

     sum[j] = fmaf(v, tap[j][0], sum[j − 1])    for the first column of taps, j from the last to 0
     sum[j] = fmaf(v, tap[j][i], sum[j])        for the others

   so that the move costs nothing, and every sum gets its taps row by row, in the order of the reference.

   Bytes become floats by one permutation: the integer v is the bit pattern of the float v · 2^-149,
   which a multiply-add takes at full speed.  Taps carry 2^100 for that, and sums are in units of 2^-49;
   both are powers of two, so the bits of the results are the same.  Taps come as kernel parameters,
   column by column, which the compiler makes uniform registers of.

   Sums of integers that float32 does not hold are added in 32 bits, wrapping around: their range is less than
   2^32, so that the end knows which number it was.  An integer multiply-add takes twice as long.

   Per result: (1 + (size − 1) · channels / share) samples read (from L1; from memory 1), 1 written,
   size² multiply-adds, and for bytes one permutation per sample of the window and 2.5 instructions
   for the ending.  Memory binds small sizes, issue slots large ones. */
#ifndef HALO_MARCH_CUH
#define HALO_MARCH_CUH

#include "passes.cuh"

namespace gpu
{
inline namespace GPU_MACHINE
{

enum { MARCH_THREADS = 128 };

/* Taps of a square, column by column, each padded to an even number. */
template <int SIZE> struct square {
  static constexpr int PITCH = (SIZE + 1) / 2 * 2;
  float tap[SIZE * PITCH];
};

/* How sums become samples. */
enum march_mode {
  MARCH_PLAIN,     /* one multiply-add by the inverse is exact enough: ending_is_plain() */
  MARCH_CORRECTED, /* the corrected quotient, for sums whose quotient is finite */
  MARCH_FULL,      /* sample_end() */
};

struct march {
  int strips, strip_rows; /* strips below one another */
  int lines;              /* rows of taps that are not padding */
  bool zeros;             /* some taps are 0, and must not spread infinities */
  enum march_mode mode;
  float inverse, bias; /* of MARCH_PLAIN: scaled to the units of the sums */
};

/* Powers of two that bring integer samples to floats and back. */
static constexpr float MARCH_SUMS = 0x1p49f;      /* a sum of the kernel, to a sum */
static constexpr float MARCH_INTEGER = 0x1p-149f; /* a number, to one whose bits are the integer */

/* Samples of a row that lie side by side in words. */
template <class T> struct words_of {
  static constexpr int SAMPLES = 4 / (int)sizeof(T); /* in a word */
};

/* Loads `WORDS` words from `pointer` on, a multiple of `ALIGNED` words, in vectors as wide as may be. */
template <int WORDS, int ALIGNED, int AT = 0>
DEVICE void words_load(unsigned *word, global<const unsigned> pointer)
{
  if constexpr (AT < WORDS && ALIGNED % 4 == 0 && AT % 4 == 0 && WORDS - AT > 2) {
    uint4 v = load<uint4>(pointer, AT);

    word[AT] = v.x;
    if constexpr (AT + 1 < WORDS)
      word[AT + 1] = v.y;
    if constexpr (AT + 2 < WORDS)
      word[AT + 2] = v.z;
    if constexpr (AT + 3 < WORDS)
      word[AT + 3] = v.w;
    words_load<WORDS, ALIGNED, AT + 4>(word, pointer);
  } else if constexpr (AT < WORDS && ALIGNED % 2 == 0 && AT % 2 == 0 && WORDS - AT > 1) {
    uint2 v = load<uint2>(pointer, AT);

    word[AT] = v.x;
    word[AT + 1] = v.y;
    words_load<WORDS, ALIGNED, AT + 2>(word, pointer);
  } else if constexpr (AT < WORDS) {
    word[AT] = pointer[AT];
    words_load<WORDS, ALIGNED, AT + 1>(word, pointer);
  }
}

template <int WORDS, int AT = 0>
DEVICE void words_store(const unsigned *word, global<unsigned> pointer)
{
  if constexpr (WORDS % 4 == 0 && AT < WORDS) {
    uint4 v = {word[AT], word[AT + 1], word[AT + 2], word[AT + 3]};

    store(pointer, AT, v);
    words_store<WORDS, AT + 4>(word, pointer);
  } else if constexpr (WORDS % 2 == 0 && AT < WORDS) {
    uint2 v = {word[AT], word[AT + 1]};

    store(pointer, AT, v);
    words_store<WORDS, AT + 2>(word, pointer);
  } else if constexpr (AT < WORDS) {
    pointer[AT] = word[AT];
    words_store<WORDS, AT + 1>(word, pointer);
  }
}

/* Sample k of a window, as a word: the bits of a float, or an integer. */
template <class T> DEVICE unsigned window_word(const unsigned *word, int k)
{
  constexpr int SAMPLES = words_of<T>::SAMPLES;

  if constexpr (SAMPLES == 1)
    return word[k];
  else
    return part_of<(int)sizeof(T)>(word[k / SAMPLES], k % SAMPLES);
}

/* The next term of a sum, the sample and the tap as words: for floats in the kernel's units, integers times
   2^-149. */
DEVICE float march_add(float sum, float tap, unsigned sample)
{
  return fmaf(float_of(sample), tap, sum);
}

DEVICE unsigned march_add(unsigned sum, float tap, unsigned sample)
{
  return sum + word_of(tap) * sample;
}

/* The epilogue of finished sums of integer samples, up to clamping to 0 … white.  Multiplying by 2^-149
   makes a subnormal float, whose bits are the number rounded half to even. */
template <int SHARE>
DEVICE void march_integers(const float *sum, int *value, const struct march &march,
                           const struct ending &ending)
{
  if (march.mode == MARCH_PLAIN) {
    unroll<SHARE>([&](auto s) {
      value[s] = (int)word_of(fmaf(sum[s], march.inverse, march.bias) * MARCH_INTEGER);
    });
  } else if (march.mode == MARCH_CORRECTED) {
    float inverse = ending.inverse, scale = ending.scale, bias = ending.bias;

    unroll<SHARE>([&](auto s) {
      float biased = fmaf(sum[s], MARCH_SUMS, bias); /* the product is exact */
      float q = biased * inverse;

      q = fmaf(fmaf(-q, scale, biased), inverse, q);
      value[s] = (int)word_of(q * MARCH_INTEGER);
    });
  } else {
    unroll<SHARE>([&](auto s) {
      value[s] = (int)word_of(sample_end(sum[s] * MARCH_SUMS, &ending) * MARCH_INTEGER);
    });
  }
}

/* Finished sums of float samples: the quotient of sample_end(), which is held to nothing. */
template <int SHARE>
DEVICE void march_floats_end(const float *sum, unsigned *word, const struct march &march,
                             const struct ending &ending)
{
  float inverse = ending.inverse, scale = ending.scale, bias = ending.bias;
  unsigned kept =
      ending.absolute ? 0x7fffffffu : 0xffffffffu; /* bits, of which the first is the sign */

  if (march.mode == MARCH_PLAIN)
    unroll<SHARE>([&](auto s) { word[s] = word_of(sum[s] + bias); });
  else
    unroll<SHARE>(
        [&](auto s) { word[s] = word_of(sample_quotient(sum[s] + bias, scale, inverse)) & kept; });
}

/* Ends a row of sums, and stores it. */
template <class T, int SHARE>
DEVICE void march_store(const float *sum, const struct view &view, const struct march &march,
                        global<T> result)
{
  constexpr int WORDS = SHARE / words_of<T>::SAMPLES;
  unsigned word[WORDS];
  int value[SHARE];

  if constexpr (sizeof(T) == sizeof(float)) {
    march_floats_end<SHARE>(sum, word, march, view.ending);
  } else {
    march_integers<SHARE>(sum, value, march, view.ending);
    unroll<WORDS>([&](auto w) {
      if constexpr (sizeof(T) == 2)
        word[w] = pack_words(value[2 * w], value[2 * w + 1]);
      else
        word[w] = pack_bytes(value[4 * w], value[4 * w + 1], value[4 * w + 2], value[4 * w + 3]);
    });
  }
  words_store<WORDS>(word, as<unsigned>(result));
}

/* Whether any of the floats is no number (or infinities of both signs are among them). */
template <int SHARE> DEVICE bool any_is_nan(const float *sum)
{
  float all = 0;

  unroll<SHARE>([&](auto s) { all += sum[s]; });
  return all != all;
}

/* Computes the results that are NaN once more, leaving out taps of 0: 0 · infinity is NaN, but a tap of 0
   must not touch anything.  This is rare, so the code is kept small: it works on what was stored. */
template <int SHARE>
DEVICE void march_mend(const struct view &view, global<float> result, int sample, int row)
{
  NO_UNROLL
  for (int s = 0; s < SHARE && sample + s < view.samples; s++) {
    float value = result[s], sum = 0;

    if (value == value)
      continue;
    NO_UNROLL
    for (int j = 0; j < view.lines; j++) {
      NO_UNROLL
      for (int i = 0; i < view.columns; i++)
        sum = sum_add<float>(sum, view.taps[j * view.tap_pitch + i],
                             source_row<float>(view, row + j)[sample + s + i * view.channels]);
    }
    result[s] = sample_end(sum, &view.ending);
  }
}

/* What a thread does.  end(row, sample, sums) stores a row of sums. */
template <class T, class Sum, int CHANNELS, int SIZE, int SHARE, int AHEAD, bool PREFETCH,
          class End>
DEVICE void march_strip(const struct view &view, const struct march &march,
                        const struct square<SIZE> &taps, End end)
{
  constexpr int SAMPLES = words_of<T>::SAMPLES;
  constexpr int WINDOW = SHARE + (SIZE - 1) * CHANNELS;
  constexpr int WORDS = (WINDOW + SAMPLES - 1) / SAMPLES;
  constexpr int ALIGNED = SHARE / SAMPLES;
  constexpr int PITCH = square<SIZE>::PITCH;
  unsigned blocks_across = (unsigned)(view.samples - 1) / (SHARE * MARCH_THREADS) + 1;
  int strip = (int)(blockIdx.x / blocks_across);
  int sample = (int)((blockIdx.x % blocks_across) * MARCH_THREADS + threadIdx.x) * SHARE;
  int row = strip * march.strip_rows;
  int rows = view.rows - row < march.strip_rows ? view.rows - row : march.strip_rows;
  int last = row + rows + march.lines - 2; /* source row */
  unsigned window[AHEAD + 1][WORDS];
  Sum sum[SIZE][SHARE];

  if (sample >= view.samples)
    return;
  /* Only threads whose window reaches into a margin wait for the kernel that fills the margins.  The row
     itself was uploaded before that kernel began. */
  if (sample < view.left * CHANNELS || sample + WINDOW > (view.left + view.width) * CHANNELS)
    wait_for_launch_before();
  unroll<SIZE>([&](auto j) { unroll<SHARE>([&](auto s) { sum[j][s] = 0; }); });
  unroll<AHEAD>([&](auto a) {
    int at = row + a < last ? row + a : last;

    words_load<WORDS, ALIGNED>(window[a], as<const unsigned>(source_row<T>(view, at) + sample));
  });
  /* The window of the row in turn lies in the first place; rows that lie ahead move up. */
  for (int y = 1 - SIZE; y < rows; y++) {
    int ahead = row + y + SIZE - 1 + AHEAD;
    int at = ahead < last ? ahead : last;
    global<const unsigned> source = as<const unsigned>(source_row<T>(view, at) + sample);

    words_load<WORDS, ALIGNED>(window[AHEAD], source);
    if (PREFETCH && at + 4 <= last)
      prefetch(source, 4 * (ptrdiff_t)(view.source_pitch / sizeof(unsigned)));
    unroll<SIZE>([&](auto i) {
      unsigned v[SHARE];

      unroll<SHARE>([&](auto s) { v[s] = window_word<T>(window[0], s + i * CHANNELS); });
      unroll<SIZE>([&](auto up) {
        int j = SIZE - 1 - up;
        float tap = taps.tap[i * PITCH + j];

        unroll<SHARE>([&](auto s) {
          Sum before = i > 0 ? sum[j][s] : j > 0 ? sum[j - 1][s] : (Sum)0;

          sum[j][s] = march_add(before, tap, v[s]);
        });
      });
    });
    if (y >= 0)
      end(row + y, sample, sum[SIZE - 1]);
    unroll<AHEAD>([&](auto a) { unroll<WORDS>([&](auto w) { window[a][w] = window[a + 1][w]; }); });
  }
}

template <class T, int CHANNELS, int SIZE, int SHARE, int AHEAD, int BLOCKS, bool PREFETCH>
KERNEL(MARCH_THREADS, BLOCKS)
convolve_march(const GRID_CONSTANT struct view view, const GRID_CONSTANT struct march march,
               const GRID_CONSTANT struct square<SIZE> taps)
{
  march_strip<T, float, CHANNELS, SIZE, SHARE, AHEAD, PREFETCH>(
      view, march, taps, [&](int row, int sample, const float *sum) {
        global<T> result = result_row<T>(view, row) + sample;

        march_store<T, SHARE>(sum, view, march, result);
        if constexpr (sizeof(T) == sizeof(float))
          if (march.zeros && any_is_nan<SHARE>(sum))
            march_mend<SHARE>(view, result, sample, row);
      });
}

/* The same for sums of integers. */
template <class T, int CHANNELS, int SIZE, int SHARE, int AHEAD, int BLOCKS, bool PREFETCH>
KERNEL(MARCH_THREADS, BLOCKS)
convolve_march_integers(const GRID_CONSTANT struct view view,
                        const GRID_CONSTANT struct march march,
                        const GRID_CONSTANT struct square<SIZE> taps,
                        const GRID_CONSTANT struct integers integers)
{
  march_strip<T, unsigned, CHANNELS, SIZE, SHARE, AHEAD, PREFETCH>(
      view, march, taps, [&](int row, int sample, const unsigned *sum) {
        integers_store<SHARE>(view, integers, row, sample, sum);
      });
}

} // namespace GPU_MACHINE
} // namespace gpu

#endif
