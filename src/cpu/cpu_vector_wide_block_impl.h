/* Blocks of sums of integers in double, of cpu_vector_wide_impl.h: cpu_vector_block_impl.h once more, with half
   as many samples in a vector. */

/* clang-format takes UNROLL for a part of what follows. */
/* clang-format off */

enum {
  WIDE_LANES = LANES / 2,
  WIDE_ROW_VECTORS = 8,
  WIDE_BLOCK = BLOCK_VECTORS * WIDE_LANES, /* samples of a block row; two blocks are stored at a time */
};

typedef double wide_lanes __attribute__((vector_size(LANES * 4)));
typedef double wide_anywhere __attribute__((vector_size(LANES * 4), aligned(8), may_alias));
typedef int64_t wide_int __attribute__((vector_size(LANES * 4)));
typedef float wide_half __attribute__((vector_size(LANES * 2), aligned(4), may_alias));
typedef wide_lanes wide_sums[BLOCK_VECTORS];

/* A tap that is not 0: as struct tap. */
struct wide_tap {
  size_t row, offset;
  double value;
};

/* What a launch works with. */
struct wide {
  struct work work;
  const double *taps; /* of the pass over the ring */
  struct wide_tap *list, *row_list;
  size_t list_length, row_list_length;
  double *ring, *reading; /* as in struct work */
  const double **rows;
  struct integer_ending ending;
  void (*run)(const struct wide *wide);
  bool plain; /* its scale is a power of two, and quotients are below 2^51 */
};

INLINE wide_lanes wide_load(const double *from)
{
  return *(const wide_anywhere *)from;
}

INLINE void wide_store(double *to, wide_lanes value)
{
  *(wide_anywhere *)to = value;
}

INLINE wide_lanes wide_spread(double value)
{
#if LANES == 16 && defined __AVX512F__
  return (wide_lanes)_mm512_set1_pd(value);
#elif LANES == 8 && defined __AVX2__
  return (wide_lanes)_mm256_set1_pd(value);
#else
  return (wide_lanes){0} + value;
#endif
}

INLINE wide_lanes wide_fma(wide_lanes a, wide_lanes b, wide_lanes c)
{
#if LANES == 16 && defined __AVX512F__
  return (wide_lanes)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif LANES == 8 && defined __FMA__
  return (wide_lanes)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  return a * b + c;
#endif
}

INLINE wide_lanes wide_keep(wide_lanes value)
{
  return (wide_lanes)lanes_keep((lanes)value);
}

INLINE wide_lanes wide_select(wide_int condition, wide_lanes yes, wide_lanes no)
{
  return (wide_lanes)((condition & (wide_int)yes) | (~condition & (wide_int)no));
}

INLINE wide_lanes wide_of_floats(const float *from)
{
#if LANES == 16 && defined __AVX512F__
  return (wide_lanes)_mm512_cvtps_pd(_mm256_loadu_ps(from));
#elif LANES == 8 && defined __AVX2__
  return (wide_lanes)_mm256_cvtps_pd(_mm_loadu_ps(from));
#else
  return __builtin_convertvector(*(const wide_half *)from, wide_lanes);
#endif
}

INLINE void wide_put_floats(float *to, wide_lanes value)
{
#if LANES == 16 && defined __AVX512F__
  _mm256_storeu_ps(to, _mm512_cvtpd_ps((__m512d)value));
#elif LANES == 8 && defined __AVX2__
  _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)value));
#else
  *(wide_half *)to = __builtin_convertvector(value, wide_half);
#endif
}

/* Makes doubles of floats, whole vectors of them; there is room behind both. */
static void wide_convert(double *to, const float *from, size_t count)
{
  for (size_t i = 0; i < count; i += WIDE_LANES)
    wide_store(to + i, wide_of_floats(from + i));
}

/* As block_multiply() and block_feed(). */
INLINE void wide_feed(wide_sums *sum, size_t first, size_t last, const double *row,
                      const double *taps, size_t width, size_t step)
{
  for (size_t i = 0; i < width; i++) {
    const double *sample = row + i * step, *tap = taps + i;
#if BLOCK_ROWS < BLOCK_VECTORS
    wide_lanes kept[BLOCK_ROWS];

    UNROLL for (size_t q = first; q <= last; q++)
      kept[q] = wide_keep(wide_spread(*(tap - q * width)));
    UNROLL for (int v = 0; v < BLOCK_VECTORS; v++) {
      wide_lanes loaded = wide_keep(wide_load(sample + v * WIDE_LANES));

      UNROLL for (size_t q = first; q <= last; q++)
        sum[q][v] = wide_fma(kept[q], loaded, sum[q][v]);
    }
#else
    wide_lanes kept[BLOCK_VECTORS];

    UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
      kept[v] = wide_keep(wide_load(sample + v * WIDE_LANES));
    UNROLL for (size_t q = first; q <= last; q++) {
      wide_lanes spread = wide_spread(*(tap - q * width));

      UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
        sum[q][v] = wide_fma(spread, kept[v], sum[q][v]);
    }
#endif
  }
}

/* As block_sum_high(): the taps are at least as high as the block. */
INLINE void wide_sum_matrix(wide_sums *sum, const struct wide *wide, size_t x, size_t width)
{
  size_t height = wide->work.group.height;
  size_t step = wide->work.group.step;
  const double *taps = wide->taps;
  const double *const *rows = wide->rows;

  UNROLL for (size_t r = 0; r < BLOCK_ROWS - 1; r++)
    wide_feed(sum, 0, r, rows[r] + x, taps + r * width, width, step);
  for (size_t r = BLOCK_ROWS - 1; r < height; r++)
    wide_feed(sum, 0, BLOCK_ROWS - 1, rows[r] + x, taps + r * width, width, step);
  UNROLL for (size_t q = 1; q < BLOCK_ROWS; q++)
    wide_feed(sum, q, BLOCK_ROWS - 1, rows[height - 1 + q] + x, taps + (height - 1 + q) * width,
              width, step);
}

/* As block_sum_list(). */
INLINE void wide_sum_list(wide_sums *sum, const struct wide *wide, size_t x)
{
  UNROLL for (int q = 0; q < BLOCK_ROWS; q++) {
    for (size_t i = 0; i < wide->list_length; i++) {
      const struct wide_tap *tap = &wide->list[i];
      const double *row = wide->rows[tap->row + q] + tap->offset + x;
      wide_lanes value = wide_spread(tap->value);

      UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
        sum[q][v] = wide_fma(value, wide_load(row + v * WIDE_LANES), sum[q][v]);
    }
  }
}

/* The row pass: `samples` sums, whole vectors, from a row of doubles.  Eight sums at a time, so that none waits
   for the one before it. */
static void wide_row_pass(const struct wide *wide, double *to, size_t samples)
{
  for (size_t x = 0; x < samples; x += WIDE_ROW_VECTORS * WIDE_LANES) {
    wide_lanes sum[WIDE_ROW_VECTORS] = {0};

    for (size_t i = 0; i < wide->row_list_length; i++) {
      const double *row = wide->reading + wide->row_list[i].offset + x;
      wide_lanes tap = wide_spread(wide->row_list[i].value);

      UNROLL for (int v = 0; v < WIDE_ROW_VECTORS; v++)
        sum[v] = wide_fma(tap, wide_load(row + v * WIDE_LANES), sum[v]);
    }
    UNROLL for (int v = 0; v < WIDE_ROW_VECTORS; v++)
      wide_store(to + x + v * WIDE_LANES, sum[v]);
  }
}

/* integer_end() of sample.h for samples of integers.  The quotient, rounded, is right to within one; the
   remainder, which is exact, corrects it. */
INLINE wide_lanes wide_end(wide_lanes value, const struct integer_ending *ending)
{
  wide_lanes scale = wide_spread((double)ending->scale), white = wide_spread(ending->white + 1.0);
  wide_lanes zero = wide_spread(0), one = wide_spread(1), big = wide_spread(0x1.8p52);
  wide_lanes quotient = value * wide_spread(ending->inverse), twice, half;
  wide_int odd;

  quotient = wide_select(quotient < white, quotient, white);
  quotient = wide_select(quotient > zero, quotient, zero);
  quotient = (quotient + big) - big;
  twice = wide_fma(-quotient, scale, value);
  twice += twice;
  half = quotient * wide_spread(0.5);
  odd = (half + big) - big != half;
  quotient += wide_select((twice > scale) | ((twice == scale) & odd), one, zero);
  quotient -= wide_select((twice < -scale) | ((twice == -scale) & odd), one, zero);
  return quotient;
}

/* The same where the scale is a power of two, which makes the quotient exact. */
INLINE wide_lanes wide_end_plain(wide_lanes value, const struct integer_ending *ending)
{
  wide_lanes big = wide_spread(0x1.8p52);

  return (value * wide_spread(ending->inverse) + big) - big;
}

/* Ends the sums of a block, and puts them as floats into `to`, whose rows are BLOCK floats apart; `plain` where
   the scale is a power of two. */
INLINE void wide_block_end(wide_sums *sum, const struct integer_ending *ending, bool plain,
                           float *to)
{
  wide_lanes bias = wide_spread((double)ending->bias);
  wide_lanes sign = wide_spread(ending->negate ? -1 : 1);
  wide_int kept = (wide_int){0} + (ending->absolute ? INT64_MAX : -1);
  wide_lanes scale = wide_spread((double)ending->scale);

  UNROLL for (int q = 0; q < BLOCK_ROWS; q++) {
    UNROLL for (int v = 0; v < BLOCK_VECTORS; v++) {
      wide_lanes value = (wide_lanes)((wide_int)((sum[q][v] + bias) * sign) & kept);

      value = ending->white == 0 ? value / scale
              : plain            ? wide_end_plain(value, ending)
                                 : wide_end(value, ending);
      wide_put_floats(to + q * BLOCK + v * WIDE_LANES, value);
    }
  }
}

/* Stores BLOCK finished results of each row of the group, as block_end() does. */
static void wide_block_store(const struct group *group, size_t x, const float *ended)
{
  enum sample_type type = group->finish.to;
  size_t bytes = sample_bytes(type), samples = group->samples - x;
  unsigned char *to = group->result + x * bytes;
  unsigned char whole[BLOCK_ROWS * BLOCK * sizeof(float)];
  lanes white = lanes_spread(group->finish.ending.white);
  sums value[BLOCK_ROWS];

  UNROLL for (int q = 0; q < BLOCK_ROWS; q++)
    UNROLL for (int v = 0; v < BLOCK_VECTORS; v++) {
      value[q][v] = lanes_load(ended + q * BLOCK + v * LANES);
      if (type != SAMPLE_F32)
        value[q][v] = lanes_limit(value[q][v], white);
    }
  if (samples >= BLOCK && group->count == BLOCK_ROWS) {
    block_put(to, group->pitch, value, type);
    block_prefetch(to, group->pitch, bytes);
    return;
  }
  block_put(whole, BLOCK * bytes, value, type);
  for (size_t q = 0; q < group->count; q++)
    memcpy(to + q * group->pitch, whole + q * BLOCK * bytes,
           (samples < BLOCK ? samples : BLOCK) * bytes);
}

/* The ways to add up. */
enum wide_way { WIDE_LIST, WIDE_MATRIX, WIDE_COLUMN };

INLINE void wide_group(const struct wide *wide, enum wide_way way, bool plain)
{
  const struct group *group = &wide->work.group;
  float ended[BLOCK_ROWS * BLOCK];

  for (size_t x = 0; x < group->samples; x += BLOCK) {
    for (size_t part = 0; part < BLOCK; part += WIDE_BLOCK) {
      wide_sums sum[BLOCK_ROWS] = {0};

      if (way == WIDE_LIST)
        wide_sum_list(sum, wide, x + part);
      else
        wide_sum_matrix(sum, wide, x + part, way == WIDE_COLUMN ? 1 : group->width);
      wide_block_end(sum, &wide->ending, plain, ended + part);
    }
    wide_block_store(group, x, ended);
  }
}

#define WIDE_GROUP(name, way)                                                                      \
  static void wide_group_##name(const struct wide *wide)                                           \
  {                                                                                                \
    if (wide->plain)                                                                               \
      wide_group(wide, way, true);                                                                 \
    else                                                                                           \
      wide_group(wide, way, false);                                                                \
  }
WIDE_GROUP(list, WIDE_LIST)
WIDE_GROUP(matrix, WIDE_MATRIX)
WIDE_GROUP(column, WIDE_COLUMN)
#undef WIDE_GROUP

/* clang-format on */
