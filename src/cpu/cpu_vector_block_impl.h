/* Blocks of sums, of cpu_vector_impl.h: BLOCK_ROWS result rows of BLOCK_VECTORS vectors, which stay
   in registers from the first tap until they are stored as samples.

   A block of 3 rows of 4 vectors (that of AVX2), under taps 3 rows high; source rows are rows of floats
   in the ring, of which the block reads 3 + 3 − 1:

     source row 0   [ v0 ][ v1 ][ v2 ][ v3 ]    times taps of row     0     for result row    0
     source row 1   [    ][    ][    ][    ]                          1, 0                    0, 1
     source row 2   [    ][    ][    ][    ]                          2, 1, 0                 0, 1, 2
     source row 3   [    ][    ][    ][    ]                             2, 1                    1, 2
     source row 4   [    ][    ][    ][    ]                                2                       2

     result row 0   [ sum[0][0] ][ sum[0][1] ][ sum[0][2] ][ sum[0][3] ]    12 registers
     result row 1   [ sum[1][0] ]   …
     result row 2   [ sum[2][0] ]   …

   Source row r lies under tap row r − q of result row q.  So a vector of samples is loaded once for up to 3
   multiply-adds, and a tap is spread over a vector once for 4.  For a tap one pixel to the right the vectors
   are loaded `channels` samples further to the right. */

/* clang-format takes UNROLL for a part of what follows. */
/* clang-format off */

/* One result row of a block. */
typedef lanes sums[BLOCK_VECTORS];

/* A tap that is not 0. */
struct tap {
  size_t row;    /* from the top of the taps */
  size_t offset; /* samples to the right of the window's first */
  float value;
};

/* How sums become samples: the epilogue of sample.h, in vectors. */
struct finish {
  struct ending ending;
  enum sample_type to;
  bool plain;  /* sum · inverse is exact, and needs no correction */
  bool exact;  /* sums and scale are integers under 2^24, and so is the result */
  bool finite; /* no sum is infinite or NaN, nor overflows */
};

/* BLOCK_ROWS result rows of a strip. */
struct group {
  const float *const *rows; /* BLOCK_ROWS + height − 1 source rows, as floats */
  const float *taps;        /* width · height */
  size_t width, height;
  size_t step;            /* samples from one tap to the next */
  const struct tap *list; /* the taps that are not 0, in row-major order */
  size_t list_length;
  struct finish finish;
  unsigned char *result; /* the strip's first sample, in the first row */
  size_t pitch;          /* bytes from one result row to the next */
  size_t count;          /* rows that are wanted, up to BLOCK_ROWS */
  size_t samples;        /* of a row of the strip */
};

/* Computes and stores a group.  There is one such function for each way to add up. */
typedef void group_run(const struct group *group);

/* Adds, for result rows `first` … `last` of a block, the samples at `sample` times the taps of one
   column: `tap` is that of result row 0, and result row q has the one that lies q rows above.
   Whichever are fewer, samples or taps, stay in registers; the others are streamed past them. */
INLINE void block_multiply(sums *sum, size_t first, size_t last, const float *sample,
                           const float *tap, size_t width, bool single)
{
  lanes kept[BLOCK_ROWS < BLOCK_VECTORS ? BLOCK_ROWS : BLOCK_VECTORS];

#if BLOCK_ROWS < BLOCK_VECTORS
  UNROLL for (size_t q = first; q <= last; q++)
    kept[q] = lanes_keep(lanes_spread(*(tap - q * width)));
  UNROLL for (int v = 0; v < BLOCK_VECTORS; v++) {
    lanes loaded = lanes_keep(lanes_load(sample + v * LANES));

    UNROLL for (size_t q = first; q <= last; q++)
      sum[q][v] = lanes_fma(kept[q], loaded, sum[q][v], single);
  }
#else
  UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
    kept[v] = lanes_keep(lanes_load(sample + v * LANES));
  UNROLL for (size_t q = first; q <= last; q++) {
    lanes spread = lanes_spread(*(tap - q * width));

    UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
      sum[q][v] = lanes_fma(spread, kept[v], sum[q][v], single);
  }
#endif
}

/* Adds what one source row has under the taps of these result rows.  `row` is the source row at the
   block's first sample; `taps` the row of taps that result row 0 has there. */
INLINE void block_feed(sums *sum, size_t first, size_t last, const float *row, const float *taps,
                       size_t width, size_t step, bool single)
{
  /* A width that the compiler knows is unrolled.  The taps must not seem to be the same for every block
     then, or GCC spreads them all beforehand, for more registers than there are. */
  if (__builtin_constant_p(width)) {
    __asm__ volatile("" : "+r"(taps));
    UNROLL for (size_t i = 0; i < width; i++)
      block_multiply(sum, first, last, row + i * step, taps + i, width, single);
  } else {
    for (size_t i = 0; i < width; i++)
      block_multiply(sum, first, last, row + i * step, taps + i, width, single);
  }
}

/* The sums of a block at sample x, where the taps are at least as high as the block: the first
   source rows lie under the taps of the upper result rows only, the last under those of the lower. */
INLINE void block_sum_high(sums *sum, const struct group *group, size_t x, size_t width,
                           size_t height, bool single)
{
  const float *taps = group->taps;
  const float *const *rows = group->rows;

  UNROLL for (size_t r = 0; r < BLOCK_ROWS - 1; r++)
    block_feed(sum, 0, r, rows[r] + x, taps + r * width, width, group->step, single);
  for (size_t r = BLOCK_ROWS - 1; r < height; r++)
    block_feed(sum, 0, BLOCK_ROWS - 1, rows[r] + x, taps + r * width, width, group->step, single);
  UNROLL for (size_t q = 1; q < BLOCK_ROWS; q++)
    block_feed(sum, q, BLOCK_ROWS - 1, rows[height - 1 + q] + x, taps + (height - 1 + q) * width,
               width, group->step, single);
}

/* The same where the taps are lower than the block; `height` is a constant. */
INLINE void block_sum_low(sums *sum, const struct group *group, size_t x, size_t width,
                          const size_t height, bool single)
{
  UNROLL for (size_t r = 0; r < BLOCK_ROWS + height - 1; r++)
    block_feed(sum, r < height ? 0 : r - height + 1, r < BLOCK_ROWS ? r : BLOCK_ROWS - 1,
               group->rows[r] + x, group->taps + r * width, width, group->step, single);
}

/* The same for a list of taps. */
INLINE void block_sum_list(sums *sum, const struct group *group, size_t x, bool single)
{
  UNROLL for (int q = 0; q < BLOCK_ROWS; q++) {
    for (size_t i = 0; i < group->list_length; i++) {
      const struct tap *tap = &group->list[i];
      const float *row = group->rows[tap->row + q] + tap->offset + x;
      lanes value = lanes_spread(tap->value);

      UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
        sum[q][v] = lanes_fma(value, lanes_load(row + v * LANES), sum[q][v], single);
    }
  }
}

/* sample_untie() of sample.h. */
INLINE lanes lanes_untie(lanes q, lanes sum, lanes scale, lanes inverse)
{
  lanes beside = lanes_fma(-q, scale, sum, false) * inverse;
  lanes whole = (q + lanes_spread(12582912.0f)) - lanes_spread(12582912.0f);
  lanes step = lanes_select(beside > lanes_spread(0), lanes_spread(0.25f), lanes_spread(-0.25f));
  lanes_int tie = lanes_absolute(q - whole) == lanes_spread(0.5f);

  return lanes_select(tie & (beside != lanes_spread(0)), q + step, q);
}

/* The epilogue of `count` vectors of sums: (sum + bias) / scale, and the absolute value.  Each condition is
   tested once for all of them. */
INLINE void lanes_end(lanes *sum, int count, const struct finish *finish)
{
  lanes bias = lanes_spread(finish->ending.bias);
  lanes scale = lanes_spread(finish->ending.scale);
  lanes inverse = lanes_spread(finish->ending.inverse);

  UNROLL for (int v = 0; v < count; v++)
    sum[v] += bias;
  if (finish->plain) {
    UNROLL for (int v = 0; v < count; v++)
      sum[v] *= inverse;
#if !LANES_HAVE_FMA
  } else if (finish->exact) {
    UNROLL for (int v = 0; v < count; v++)
      sum[v] = lanes_divide(sum[v], (double)finish->ending.scale);
#endif
  } else if (finish->ending.wide) {
    UNROLL for (int v = 0; v < count; v++) {
      lanes q = sum[v] * inverse;

      q = lanes_correct(lanes_fma(-q, scale, sum[v], false), inverse, q); /* |scale| > 1 */
      sum[v] = lanes_untie(q, sum[v], scale, inverse);
    }
  } else if (finish->finite) {
    UNROLL for (int v = 0; v < count; v++) {
      lanes q = sum[v] * inverse;

      sum[v] = lanes_fma(lanes_fma(-q, scale, sum[v], false), inverse, q, false);
    }
  } else if (fabsf(finish->ending.scale) >= 1) {
    UNROLL for (int v = 0; v < count; v++) {
      lanes q = sum[v] * inverse;

      sum[v] = lanes_correct(lanes_fma(-q, scale, sum[v], false), inverse, q);
    }
  } else {
    UNROLL for (int v = 0; v < count; v++) {
      lanes q = sum[v] * inverse;

      sum[v] = lanes_correct_finite(lanes_fma(-q, scale, sum[v], false), inverse, q);
    }
  }
  if (finish->ending.absolute)
    UNROLL for (int v = 0; v < count; v++)
      sum[v] = lanes_absolute(sum[v]);
}

/* Stores the rows of a block as samples. */
INLINE void block_put(unsigned char *to, size_t pitch, sums *value, enum sample_type type)
{
  if (type == SAMPLE_U8) {
    UNROLL for (int q = 0; q < BLOCK_ROWS; q++)
      lanes_put_u8(to + q * pitch, value[q]);
  } else if (type == SAMPLE_U16) {
    UNROLL for (int q = 0; q < BLOCK_ROWS; q++)
      lanes_put_u16((uint16_t *)(to + q * pitch), value[q]);
  } else {
    UNROLL for (int q = 0; q < BLOCK_ROWS; q++)
      UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
        lanes_store((float *)(to + q * pitch) + v * LANES, value[q][v]);
  }
}

/* Asks for the cache lines that the next group will write here.  A strip's rows lie too far apart for
   the processor to predict them; a prefetch beyond the last row does no harm. */
INLINE void block_prefetch(const unsigned char *to, size_t pitch, size_t bytes)
{
  UNROLL for (int q = 0; q < BLOCK_ROWS; q++)
    for (size_t i = 0; i < BLOCK * bytes; i += 64)
      __builtin_prefetch(to + (BLOCK_ROWS + q) * pitch + i, 1);
}

/* Ends a block at sample x of the strip.  Where it hangs over the end of a row or the last row, it
   goes by way of `whole`, so that nothing is written outside. */
INLINE void block_end(sums *sum, const struct group *group, size_t x)
{
  enum sample_type type = group->finish.to;
  size_t bytes = sample_bytes(type);
  size_t samples = group->samples - x;
  unsigned char *to = group->result + x * bytes;

  lanes_end(sum[0], BLOCK_ROWS * BLOCK_VECTORS, &group->finish);
  if (type != SAMPLE_F32) {
    lanes white = lanes_spread(group->finish.ending.white);

    UNROLL for (int q = 0; q < BLOCK_ROWS; q++)
      UNROLL for (int v = 0; v < BLOCK_VECTORS; v++)
        sum[q][v] = lanes_limit(sum[q][v], white);
  }
  if (samples >= BLOCK && group->count == BLOCK_ROWS) {
    block_put(to, group->pitch, sum, type);
    block_prefetch(to, group->pitch, bytes);
  } else {
    unsigned char whole[BLOCK_ROWS * BLOCK * sizeof(float)];

    block_put(whole, BLOCK * bytes, sum, type);
    for (size_t q = 0; q < group->count; q++)
      memcpy(to + q * group->pitch, whole + q * BLOCK * bytes,
             (samples < BLOCK ? samples : BLOCK) * bytes);
  }
}

/* Width and height are 0 where they are not known to the compiler. */
INLINE void group_run_matrix(const struct group *group, size_t width, size_t height, bool single)
{
  for (size_t x = 0; x < group->samples; x += BLOCK) {
    sums sum[BLOCK_ROWS] = {0};

    if (height && height < BLOCK_ROWS)
      block_sum_low(sum, group, x, width ? width : group->width, height, single);
    else
      block_sum_high(sum, group, x, width ? width : group->width, height ? height : group->height,
                     single);
    block_end(sum, group, x);
  }
}

INLINE void group_run_list(const struct group *group, bool single)
{
  for (size_t x = 0; x < group->samples; x += BLOCK) {
    sums sum[BLOCK_ROWS] = {0};

    block_sum_list(sum, group, x, single);
    block_end(sum, group, x);
  }
}

/* The ways to add up.  Without a fused multiply-add in hardware these are only for taps whose products are
   exact in float32; for others, group_list_fused() emulates it. */
#define GROUP_RUN(name, width, height)                                                             \
  static void group_##name(const struct group *group)                                              \
  {                                                                                                \
    group_run_matrix(group, width, height, true);                                                  \
  }
GROUP_RUN(3x3, 3, 3)
GROUP_RUN(5x5, 5, 5)
GROUP_RUN(7x7, 7, 7)
GROUP_RUN(1_row, 0, 1)
GROUP_RUN(2_rows, 0, 2)
GROUP_RUN(3_rows, 0, 3)
GROUP_RUN(4_rows, 0, 4)
GROUP_RUN(5_rows, 0, 5)
GROUP_RUN(rows, 0, 0)
GROUP_RUN(column, 1, 0)
#undef GROUP_RUN

static void group_list(const struct group *group)
{
  group_run_list(group, true);
}

#if !LANES_HAVE_FMA
static void group_list_fused(const struct group *group)
{
  group_run_list(group, false);
}
#endif

/* Whether a list of the taps that are not 0 costs less than all: it needs a load for each
   multiply-add, where a matrix shares them. */
static bool list_pays(size_t listed, size_t taps)
{
  return listed * 2 <= taps;
}

/* Chooses how to add up.  `single` as in lanes_fma(); `list` where only the list will do. */
static group_run *group_choose(const struct group *group, bool single, bool list)
{
#if !LANES_HAVE_FMA
  if (!single)
    return group_list_fused;
#endif
  static group_run *const low[] = {group_1_row, group_2_rows, group_3_rows, group_4_rows,
                                   group_5_rows};

  (void)single;
  if (list || list_pays(group->list_length, group->width * group->height))
    return group_list;
  if (group->width == group->height && group->width <= 7 && group->width % 2 == 1)
    return group->width == 7   ? group_7x7
           : group->width == 5 ? group_5x5
           : group->width == 3 ? group_3x3
                               : group_1_row;
  if (group->height >= BLOCK_ROWS)
    return group->width == 1 ? group_column : group_rows;
  return low[group->height - 1];
}

/* clang-format on */
