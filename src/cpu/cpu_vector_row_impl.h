/* Source rows on their way into the ring, of cpu_vector_impl.h: samples become floats, and what lies
   left and right of the image is filled in. */

/* clang-format takes UNROLL for a part of what follows. */
/* clang-format off */

/* Where the samples beside a source row come from: for each an index into the row, or, negative, into
   the border's pixel (−1 is its first channel). */
struct beside {
  const ptrdiff_t *from; /* those to the left, then those to the right */
  size_t left;           /* how many are to the left */
};

/* Converts samples that lie within the row, and reads no others: the last vector overlaps. */
#define ROW_CONVERT(type, convert)                                                                 \
  static void row_convert_##type(float *to, const type##_t *from, size_t count)                    \
  {                                                                                                \
    size_t i = 0;                                                                                  \
                                                                                                   \
    for (; i + LANES <= count; i += LANES)                                                         \
      lanes_store(to + i, convert(from + i));                                                      \
    if (i < count && count >= LANES) {                                                             \
      lanes_store(to + count - LANES, convert(from + count - LANES));                              \
      return;                                                                                      \
    }                                                                                              \
    for (; i < count; i++)                                                                         \
      to[i] = from[i];                                                                             \
  }
ROW_CONVERT(uint8, lanes_from_u8)
ROW_CONVERT(uint16, lanes_from_u16)
#undef ROW_CONVERT

static void row_convert(float *to, const void *row, size_t first, size_t count,
                        enum sample_type type)
{
  switch (type) {
  case SAMPLE_U8:
    row_convert_uint8(to, (const uint8_t *)row + first, count);
    break;
  case SAMPLE_U16:
    row_convert_uint16(to, (const uint16_t *)row + first, count);
    break;
  case SAMPLE_F32:
    memcpy(to, (const float *)row + first, count * sizeof *to);
    break;
  }
}

/* Fills in `count` samples from beside->from[place] on. */
static void row_beside(float *to, const struct job *job, const struct beside *beside,
                       const void *row, size_t place, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    ptrdiff_t from = beside->from[place + i];

    to[i] = from < 0 ? job->beyond[-1 - from] : sample_load(row, (size_t)from, job->from);
  }
}

/* Makes floats of a source row's samples from `first` on, counted from the leftmost sample of the
   left border. */
static void row_read(float *to, const struct job *job, const struct beside *beside,
                     const void *row, size_t first, size_t count)
{
  size_t samples = job->width * job->channels;
  size_t end = first + count;
  size_t within = beside->left + samples; /* where the right side begins */

  if (first < beside->left) {
    size_t part = (end < beside->left ? end : beside->left) - first;

    row_beside(to, job, beside, row, first, part);
    to += part;
    first += part;
  }
  if (first < end && first < within) {
    size_t part = (end < within ? end : within) - first;

    row_convert(to, row, first - beside->left, part, job->from);
    to += part;
    first += part;
  }
  if (first < end)
    row_beside(to, job, beside, row, first - samples, end - first);
}

enum { ROW_VECTORS = LANES == 16 ? 8 : 4 }; /* of sums in a row pass */

/* The row pass of a separable filter: `samples` results, whole vectors, from a row of floats.  With
   a single result row no load can be shared between taps, so it goes through a list of the taps. */
INLINE void row_pass(float *to, const float *from, const struct tap *list, size_t length,
                     const struct finish *finish, size_t samples, bool single)
{
  for (size_t x = 0; x < samples; x += ROW_VECTORS * LANES) {
    lanes sum[ROW_VECTORS] = {0};

    for (size_t i = 0; i < length; i++) {
      const float *row = from + list[i].offset + x;
      lanes tap = lanes_spread(list[i].value);

      UNROLL for (int v = 0; v < ROW_VECTORS; v++)
        sum[v] = lanes_fma(tap, lanes_load(row + v * LANES), sum[v], single);
    }
    lanes_end(sum, ROW_VECTORS, finish);
    UNROLL for (int v = 0; v < ROW_VECTORS; v++)
      lanes_store(to + x + v * LANES, sum[v]);
  }
}

static void row_pass_single(float *to, const float *from, const struct tap *list, size_t length,
                            const struct finish *finish, size_t samples)
{
  row_pass(to, from, list, length, finish, samples, true);
}

#if !LANES_HAVE_FMA
static void row_pass_fused(float *to, const float *from, const struct tap *list, size_t length,
                           const struct finish *finish, size_t samples)
{
  row_pass(to, from, list, length, finish, samples, false);
}
#endif

/* clang-format on */
