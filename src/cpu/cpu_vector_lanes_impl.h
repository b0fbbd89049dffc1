/* Operations on vectors of LANES floats for cpu_vector_impl.h, written with the vector extensions of GCC and
   clang.  Intrinsics stand where the compilers make slow code of these, or where they cannot express an
   operation (fma); each stands beside a form that works everywhere. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __AVX512F__ || defined __AVX2__ || defined __SSE2__
#include <immintrin.h>
#endif
#if defined __aarch64__
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Before a loop of constant length, whose vectors then stay in registers. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

typedef float lanes __attribute__((vector_size(LANES * 4)));
typedef float lanes_anywhere __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef int32_t lanes_int __attribute__((vector_size(LANES * 4)));
typedef uint8_t lanes_u8 __attribute__((vector_size(LANES)));
typedef uint16_t lanes_u16 __attribute__((vector_size(LANES * 2)));

#if defined __AVX512F__ || defined __FMA__ || defined __aarch64__
#define LANES_HAVE_FMA 1
#else
#define LANES_HAVE_FMA 0
#endif

INLINE lanes lanes_load(const float *from)
{
  return *(const lanes_anywhere *)from;
}

INLINE void lanes_store(float *to, lanes value)
{
  *(lanes_anywhere *)to = value;
}

/* Returns the value, forced into a register: otherwise GCC would load it again for each use. */
INLINE lanes lanes_keep(lanes value)
{
#if LANES == 16 && defined __AVX512F__
  __asm__("" : "+v"(value));
#elif LANES <= 8 && defined __SSE2__
  __asm__("" : "+x"(value));
#elif defined __aarch64__
  __asm__("" : "+w"(value));
#endif
  return value;
}

INLINE lanes lanes_spread(float value)
{
#if LANES == 16 && defined __AVX512F__
  return (lanes)_mm512_set1_ps(value);
#elif LANES == 8 && defined __AVX2__
  return (lanes)_mm256_set1_ps(value);
#else
  return (lanes){0} + value;
#endif
}

#if !LANES_HAVE_FMA
/* Half a vector, whose doubles fill a whole one. */
typedef double half_double __attribute__((vector_size(LANES * 4)));
typedef int64_t half_int64 __attribute__((vector_size(LANES * 4)));
typedef float half __attribute__((vector_size(LANES * 2)));

/* a · b + c rounded once, by rounding to odd (Boldo and Melquiond 2008).  The product of two floats
   is exact in a double.  The sum is rounded there; where it was not exact and its last bit is even,
   the neighbour on the other side of the exact value is taken, whose last bit is odd.  An odd
   last bit says "not exact" to the rounding to float, which then is as if it saw the exact sum: a
   double has more than the two bits on top of a float's that this needs. */
INLINE half half_fma(half a, half b, half c)
{
  half_double product =
      __builtin_convertvector(a, half_double) * __builtin_convertvector(b, half_double);
  half_double added = __builtin_convertvector(c, half_double);
  half_double sum = product + added;
  half_double part = sum - product; /* the error of the sum, exactly (Knuth's TwoSum) */
  half_double lost = (product - (sum - part)) + (added - part);
  half_int64 bits = (half_int64)sum;
  half_int64 inexact = (lost > 0) | (lost < 0);                       /* −1 or 0; 0 for NaN */
  half_int64 away = (half_int64)(lost > 0) ^ ((half_int64)(sum < 0)); /* −1: magnitude grows */
  half_int64 even = (bits & 1) - 1;                                   /* −1 where it is even */

  bits += inexact & even & ((away & 2) - 1);
  return __builtin_convertvector((half_double)bits, half);
}

INLINE lanes lanes_fused(lanes a, lanes b, lanes c)
{
  half part[3][2], result[2];
  lanes whole;

  memcpy(part[0], &a, sizeof a);
  memcpy(part[1], &b, sizeof b);
  memcpy(part[2], &c, sizeof c);
  for (int i = 0; i < 2; i++)
    result[i] = half_fma(part[0][i], part[1][i], part[2][i]);
  memcpy(&whole, result, sizeof whole);
  return whole;
}

/* sum / scale of integers under 2^24, rounded half to even to an integer: a double quotient
   is a tie (n + ½) only where the exact one is. */
INLINE lanes lanes_divide(lanes sum, double scale)
{
  half part[2];

  memcpy(part, &sum, sizeof sum);
  for (int i = 0; i < 2; i++) {
    half_double q = __builtin_convertvector(part[i], half_double) / scale;

    part[i] = __builtin_convertvector((q + 6755399441055744.0) - 6755399441055744.0, half);
  }
  memcpy(&sum, part, sizeof sum);
  return sum;
}
#endif

/* a · b + c, rounded once.  `single` says that the product alone is a float already; then adding it
   is the same, and cheaper for processors without the instruction. */
INLINE lanes lanes_fma(lanes a, lanes b, lanes c, bool single)
{
  (void)single;
#if LANES == 16 && defined __AVX512F__
  return (lanes)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif LANES == 8 && defined __FMA__
  return (lanes)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif LANES == 4 && defined __FMA__
  return (lanes)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
#elif LANES == 4 && defined __aarch64__
  return (lanes)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
  return single ? a * b + c : lanes_fused(a, b, c);
#endif
}

/* Where `condition` is −1 `yes`, where it is 0 `no`. */
INLINE lanes lanes_select(lanes_int condition, lanes yes, lanes no)
{
  return (lanes)((condition & (lanes_int)yes) | (~condition & (lanes_int)no));
}

INLINE lanes lanes_absolute(lanes value)
{
  return (lanes)((lanes_int)value & 0x7fffffff);
}

/* fma(remainder, inverse, q), but q where the remainder is NaN, which it is where the sum is infinite or
   NaN; see sample_quotient().  Right for scales of magnitude 1 and more: no quotient of a finite sum
   overflows there. */
INLINE lanes lanes_correct(lanes remainder, lanes inverse, lanes q)
{
#if LANES == 16 && defined __AVX512F__
  __mmask16 number = _mm512_cmp_ps_mask((__m512)remainder, (__m512)remainder, _CMP_ORD_Q);

  return (lanes)_mm512_mask3_fmadd_ps((__m512)remainder, (__m512)inverse, (__m512)q, number);
#else
  return lanes_select(remainder == remainder, lanes_fma(remainder, inverse, q, false), q);
#endif
}

/* The same for any scale: an infinite remainder, of a quotient that overflows, leaves q too. */
INLINE lanes lanes_correct_finite(lanes remainder, lanes inverse, lanes q)
{
  return lanes_select(lanes_absolute(remainder) < lanes_spread(INFINITY),
                      lanes_fma(remainder, inverse, q, false), q);
}

/* The smaller of value and limit; NaN stays, or becomes the limit. */
INLINE lanes lanes_limit(lanes value, lanes limit)
{
#if LANES == 16 && defined __AVX512F__
  return (lanes)_mm512_min_ps((__m512)limit, (__m512)value);
#elif LANES == 8 && defined __AVX2__
  return (lanes)_mm256_min_ps((__m256)limit, (__m256)value);
#elif LANES == 4 && defined __SSE2__
  return (lanes)_mm_min_ps((__m128)limit, (__m128)value);
#else
  return lanes_select(limit < value, limit, value);
#endif
}

INLINE lanes lanes_from_u8(const uint8_t *from)
{
#if LANES == 16 && defined __AVX512F__
  return (lanes)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)from)));
#elif LANES == 8 && defined __AVX2__
  return (lanes)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from)));
#else
  lanes_u8 bytes;

  memcpy(&bytes, from, sizeof bytes);
  return __builtin_convertvector(__builtin_convertvector(bytes, lanes_int), lanes);
#endif
}

INLINE lanes lanes_from_u16(const uint16_t *from)
{
#if LANES == 16 && defined __AVX512F__
  return (lanes)_mm512_cvtepi32_ps(
      _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)from)));
#elif LANES == 8 && defined __AVX2__
  return (lanes)_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)from)));
#else
  lanes_u16 words;

  memcpy(&words, from, sizeof words);
  return __builtin_convertvector(__builtin_convertvector(words, lanes_int), lanes);
#endif
}

/* Rounds four vectors, none above the largest sample, half to even, makes 0 of negative values and NaN, and
   stores them as samples.  x86 rounds as it converts to int32, where values that are too small and NaN become
   the smallest integer, which packing with unsigned saturation turns into 0. */
#if LANES == 16 && defined __AVX512BW__
INLINE void lanes_put_u8(uint8_t *to, const lanes *value)
{
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  __m512i low = _mm512_packs_epi32(_mm512_cvtps_epi32((__m512)value[0]),
                                   _mm512_cvtps_epi32((__m512)value[1]));
  __m512i high = _mm512_packs_epi32(_mm512_cvtps_epi32((__m512)value[2]),
                                    _mm512_cvtps_epi32((__m512)value[3]));

  _mm512_storeu_si512(to, _mm512_permutexvar_epi32(order, _mm512_packus_epi16(low, high)));
}

INLINE void lanes_put_u16(uint16_t *to, const lanes *value)
{
  const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);

  for (int i = 0; i < 4; i += 2) {
    __m512i pair = _mm512_packus_epi32(_mm512_cvtps_epi32((__m512)value[i]),
                                       _mm512_cvtps_epi32((__m512)value[i + 1]));

    _mm512_storeu_si512(to + i * LANES, _mm512_permutexvar_epi64(order, pair));
  }
}
#elif LANES == 8 && defined __AVX2__
INLINE void lanes_put_u8(uint8_t *to, const lanes *value)
{
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  __m256i low = _mm256_packs_epi32(_mm256_cvtps_epi32((__m256)value[0]),
                                   _mm256_cvtps_epi32((__m256)value[1]));
  __m256i high = _mm256_packs_epi32(_mm256_cvtps_epi32((__m256)value[2]),
                                    _mm256_cvtps_epi32((__m256)value[3]));

  _mm256_storeu_si256((__m256i *)to,
                      _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order));
}

INLINE void lanes_put_u16(uint16_t *to, const lanes *value)
{
  for (int i = 0; i < 4; i += 2) {
    __m256i pair = _mm256_packus_epi32(_mm256_cvtps_epi32((__m256)value[i]),
                                       _mm256_cvtps_epi32((__m256)value[i + 1]));

    _mm256_storeu_si256((__m256i *)(to + i * LANES), _mm256_permute4x64_epi64(pair, 0xd8));
  }
}
#else
/* 0 … white to the nearest integer, as sample.h does it. */
INLINE lanes_int lanes_round(lanes value)
{
  lanes positive = lanes_select(value > 0.0f, value, (lanes){0});

  return (lanes_int)(positive + 8388608.0f) & 0x7fffff;
}

INLINE void lanes_put_u8(uint8_t *to, const lanes *value)
{
#if LANES == 4 && defined __SSE2__
  __m128i low = _mm_packs_epi32((__m128i)lanes_round(value[0]), (__m128i)lanes_round(value[1]));
  __m128i high = _mm_packs_epi32((__m128i)lanes_round(value[2]), (__m128i)lanes_round(value[3]));

  _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(low, high));
#else
  for (int i = 0; i < 4; i++) {
    lanes_u8 packed = __builtin_convertvector(lanes_round(value[i]), lanes_u8);

    memcpy(to + i * LANES, &packed, sizeof packed);
  }
#endif
}

INLINE void lanes_put_u16(uint16_t *to, const lanes *value)
{
  for (int i = 0; i < 4; i++) {
    lanes_u16 packed = __builtin_convertvector(lanes_round(value[i]), lanes_u16);

    memcpy(to + i * LANES, &packed, sizeof packed);
  }
}
#endif
