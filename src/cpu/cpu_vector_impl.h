/* The template of the path `vector` (cpu_vector.c explains the idea), compiled once per instruction set
   by files that define

     VECTOR_SET      the name of the set, and of its struct vector_set: vector_NAME
     LANES           floats in a vector
     BLOCK_ROWS      result rows of a block of sums
     BLOCK_VECTORS   vectors of a row of the block, 4: the sums and their operands fit the registers
     FMA_PER_SECOND  half the multiply-adds that a core was measured to do in a second

   and then set_supported(). */
#include "cpu_vector.h"

#include <math.h>
#include <stdlib.h>

enum {
  BLOCK = BLOCK_VECTORS * LANES, /* samples of a block row */
  RING_BYTES = 40 * 1024,        /* unless the taps need more: stays in the first-level cache */
  STRIP_LEAST = 256, /* samples of a strip; with fewer, too much beside it is converted */
  STRIP_MOST = 4096,
};

#include "cpu_vector_lanes_impl.h"

#include "cpu_vector_block_impl.h"

#include "cpu_vector_row_impl.h"

/* What a launch works with. */
struct work {
  const struct job *job;
  const struct pass *pass; /* over the ring: the job's only one, or the column pass */
  struct beside beside;
  ptrdiff_t *beside_from;
  struct tap *list, *row_list; /* taps of that pass, and of the row pass of a separable filter */
  size_t row_list_length;
  bool row_single; /* as in lanes_fma(), for the row pass */
  struct finish row_finish;
  const float **rows; /* of the group */
  struct raster memory;
  float *ring;      /* ring_rows rows of `pitch` floats */
  float *reading;   /* separable: a source row on its way through the row pass */
  size_t ring_rows; /* BLOCK_ROWS + height − 1 */
  size_t pitch;
  size_t wide;  /* floats of a source row under a strip's taps */
  size_t reach; /* samples that taps lie to the right of their window's first */
  size_t total; /* samples of a result row */
  size_t strip; /* samples of a strip's row; those of the last strip may be fewer */
  group_run *run;
  struct group group;
};

static bool scale_is_power(double given)
{
  float scale = (float)given;
  int exponent;

  return scale >= 1.0f && frexpf(scale, &exponent) == 0.5f;
}

/* The largest tap, and the sum of all, in magnitude. */
static void pass_magnitude(const struct pass *pass, double *largest, double *sum)
{
  *largest = *sum = 0;
  for (size_t i = 0; i < pass->width * pass->height; i++) {
    double tap = fabs((double)pass->taps[i]);

    *largest = tap > *largest ? tap : *largest;
    *sum += tap;
  }
}

/* Chooses the epilogue of a pass over samples of magnitude 0 … *bound (infinity: nothing is known of them),
   and finds whether the products with its taps are floats.  `whole` says that samples are integers.
   *bound then is that of the results. */
static struct finish finish_find(const struct pass *pass, enum sample_type to, bool absolute,
                                 bool whole, double *bound, bool *single)
{
  struct finish finish = {.ending = pass_ending(pass, to, absolute), .to = to};
  double largest, sum;
  bool exact;

  pass_magnitude(pass, &largest, &sum);
  whole = whole && pass->integral;
  *single = whole && largest * *bound < FILTER_EXACT_LIMIT;
  sum = sum * *bound + fabs(pass->bias);
  exact = whole && sum < FILTER_EXACT_LIMIT;
  *bound = sum / fabs(pass->scale);
  finish.exact = exact && to != SAMPLE_F32;
  finish.finite = sum < 1e30 && *bound < 1e30;
  finish.plain = scale_is_power(pass->scale) && (exact || to != SAMPLE_F32);
  return finish;
}

/* The taps that are not 0. */
static struct tap *list_make(const struct pass *pass, size_t step, size_t *length)
{
  struct tap *list = calloc(pass->width * pass->height, sizeof *list);

  *length = 0;
  for (size_t i = 0; list && i < pass->width * pass->height; i++)
    if (pass->taps[i] != 0)
      list[(*length)++] = (struct tap){i / pass->width, i % pass->width * step, pass->taps[i]};
  return list;
}

static bool work_list(struct work *work)
{
  const struct job *job = work->job;

  work->list = list_make(work->pass, job->channels, &work->group.list_length);
  if (job->column)
    work->row_list = list_make(job->pass, job->channels, &work->row_list_length);
  work->group.list = work->list;
  return work->list && (work->row_list || !job->column);
}

/* Chooses how sums are added up, and their epilogue. */
static void work_choose(struct work *work)
{
  const struct job *job = work->job;
  struct group *group = &work->group;
  bool whole = job->from != SAMPLE_F32;
  double bound = job->from == SAMPLE_U8 ? 255 : whole ? 65535 : INFINITY;
  bool finite = whole;
  bool single;

  if (job->column) {
    whole = whole && pass_is_exact(job->pass, job->from) && job->pass->scale == 1;
    work->row_finish = finish_find(job->pass, SAMPLE_F32, false, job->from != SAMPLE_F32, &bound,
                                   &work->row_single);
    finite = work->row_finish.finite;
  }
  group->taps = work->pass->taps;
  group->width = work->pass->width;
  group->height = work->pass->height;
  group->step = job->channels;
  group->finish = finish_find(work->pass, job->to, job->absolute, whole, &bound, &single);
  group->pitch = job->pitch;
  work->run =
      group_choose(group, single, !finite && group->list_length < group->width * group->height);
}

/* Where the samples beside a row come from. */
static bool work_beside(struct work *work)
{
  const struct job *job = work->job;
  size_t channels = job->channels;
  size_t under = job->result_width + job->pass->width - 1; /* pixels that lie under taps */
  size_t right = under > job->left + job->width ? under - job->left - job->width : 0;
  size_t count = job->left + right;

  work->beside_from = calloc(count * channels + 1, sizeof *work->beside_from);
  for (size_t i = 0; work->beside_from && i < count * channels; i++) {
    ptrdiff_t at = (ptrdiff_t)(i / channels) - (ptrdiff_t)job->left;

    if (at >= 0)
      at += (ptrdiff_t)job->width;
    at = border_index(at, (ptrdiff_t)job->width, job->border);
    work->beside_from[i] = at < 0 ? -1 - (ptrdiff_t)(i % channels)
                                  : at * (ptrdiff_t)channels + (ptrdiff_t)(i % channels);
  }
  work->beside.from = work->beside_from;
  work->beside.left = job->left * channels;
  return work->beside_from != NULL;
}

static size_t round_up(size_t n, size_t unit)
{
  return (n + unit - 1) / unit * unit;
}

/* Chooses the width of strips and the size of the ring, whose cells have so many bytes.  The taps themselves are in memory, so sizes that
   are but a few times larger do not overflow. */
static void work_measure(struct work *work, size_t cell)
{
  const struct job *job = work->job;
  size_t unit = ROW_VECTORS * LANES > BLOCK ? ROW_VECTORS * LANES : BLOCK;
  size_t strip, parts;

  work->reach = (job->pass->width - 1) * job->channels;
  work->total = job->result_width * job->channels;
  work->ring_rows = BLOCK_ROWS + work->pass->height - 1;
  strip = RING_BYTES / cell / work->ring_rows;
  strip = strip > work->reach + STRIP_LEAST ? strip - work->reach : STRIP_LEAST;
  strip = strip < STRIP_MOST ? strip : STRIP_MOST;
  parts = (work->total + strip - 1) / strip;
  work->strip = round_up((work->total + parts - 1) / parts, unit);
  work->wide = round_up(work->strip + work->reach, 16);
  work->pitch = job->column ? work->strip : work->wide;
  if (work->pitch / 16 % 2 == 0)
    work->pitch += 16; /* an odd number of cache lines: rows start in different cache sets */
}

/* Floats of the ring, and of the row before it that a separable filter reads into. */
static size_t work_floats(const struct work *work)
{
  return work->ring_rows * work->pitch + (work->job->column ? work->wide : 0);
}

static bool work_ring(struct work *work, struct error *error)
{
  work_measure(work, sizeof(float));
  if (!raster_allocate(&work->memory, 1, work_floats(work) * sizeof(float), error))
    return false;
  memset(work->memory.data, 0, work->memory.pitch);
  work->reading = (float *)work->memory.data;
  work->ring = work->reading + (work->job->column ? work->wide : 0);
  return true;
}

/* Asks for the part of a source row that the next group will read: as block_prefetch(). */
static void work_prefetch(const struct job *job, const void *row, size_t first, size_t samples)
{
  const char *from = (const char *)row + first * sample_bytes(job->from);

  for (size_t i = 0; i < samples * sample_bytes(job->from); i += 64)
    __builtin_prefetch(from + i);
}

/* Puts a source row, from sample `first` of the result on, into its place in the ring. */
static void work_read(const struct work *work, size_t row, size_t first, size_t samples)
{
  const struct job *job = work->job;
  float *place = work->ring + row % work->ring_rows * work->pitch;
  float *to = job->column ? work->reading : place;

  row_read(to, job, &work->beside, job->source[row], first, samples + work->reach);
  if (!job->column)
    return;
#if !LANES_HAVE_FMA
  if (!work->row_single) {
    row_pass_fused(place, to, work->row_list, work->row_list_length, &work->row_finish, samples);
    return;
  }
#endif
  row_pass_single(place, to, work->row_list, work->row_list_length, &work->row_finish, samples);
}

/* Computes a strip, group by group, downward. */
static void work_strip(struct work *work, size_t first, size_t samples)
{
  const struct job *job = work->job;
  struct group *group = &work->group;
  size_t next = 0; /* the first source row that is not yet in the ring */

  group->samples = samples;
  group->result = (unsigned char *)job->result + first * sample_bytes(job->to);
  for (size_t y = 0; y < job->rows; y += BLOCK_ROWS) {
    size_t end;

    group->count = job->rows - y < BLOCK_ROWS ? job->rows - y : BLOCK_ROWS;
    for (end = y + group->count + group->height - 1; next < end; next++) {
      if (next + BLOCK_ROWS < job->rows + group->height - 1)
        work_prefetch(job, job->source[next + BLOCK_ROWS], first, samples);
      work_read(work, next, first, samples);
    }
    for (size_t r = 0; r < work->ring_rows; r++) {
      size_t row = y + r < end ? y + r : end - 1; /* for rows that are not wanted, any will do */

      work->rows[r] = work->ring + row % work->ring_rows * work->pitch;
    }
    work->run(group);
    group->result += BLOCK_ROWS * group->pitch;
  }
}

#include "cpu_vector_wide_impl.h"

static bool set_launch(const struct job *job, struct error *error)
{
  struct work work = {.job = job, .pass = job->column ? job->column : job->pass};
  bool done = false;

  if (job_sums(job) == SUMS_INTEGER)
    return wide_launch(job, error);
  if (!work_list(&work) || !work_beside(&work) ||
      !(work.rows = calloc(BLOCK_ROWS + work.pass->height, sizeof *work.rows))) {
    error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu taps", job->pass->width,
              work.pass->height);
    goto free_work;
  }
  work_choose(&work);
  work.group.rows = work.rows;
  if (!work_ring(&work, error))
    goto free_work;
  for (size_t x = 0; x < work.total; x += work.strip)
    work_strip(&work, x, work.total - x < work.strip ? work.total - x : work.strip);
  done = true;
free_work:
  raster_free(&work.memory);
  free(work.rows);
  free(work.beside_from);
  free(work.row_list);
  free(work.list);
  return done;
}

static size_t set_scratch_bytes(const struct job *job)
{
  struct work work = {.job = job, .pass = job->column ? job->column : job->pass};
  size_t taps = job->pass->width * job->pass->height + (job->column ? job->column->height : 0);
  size_t beside = (job->pass->width * job->channels + 1) * sizeof *work.beside_from;

  if (job_sums(job) == SUMS_INTEGER)
    return wide_measure(&work).bytes + beside;
  work_measure(&work, sizeof(float));
  return work_floats(&work) * sizeof *work.ring + taps * sizeof *work.list + beside +
         (BLOCK_ROWS + work.pass->height) * sizeof *work.rows;
}

/* clang-format takes UNROLL for a part of what follows. */
/* clang-format off */

static float set_multiply_add(size_t turns)
{
  lanes chain[VECTOR_CHAINS], factor = lanes_spread(0.999f), term = lanes_spread(0.001f);

  UNROLL for (int i = 0; i < VECTOR_CHAINS; i++)
    chain[i] = lanes_spread((float)i);
  for (size_t n = 0; n < turns; n++)
    UNROLL for (int i = 0; i < VECTOR_CHAINS; i++)
      chain[i] = lanes_fma(chain[i], factor, term, true);
  UNROLL for (int i = 1; i < VECTOR_CHAINS; i++)
    chain[0] += chain[i];
  return chain[0][0];
}

/* clang-format on */

static bool set_supported(void);

#define SET_OBJECT_(name) vector_##name
#define SET_OBJECT(name) SET_OBJECT_(name)
#define SET_NAME_(name) #name
#define SET_NAME(name) SET_NAME_(name)

const struct vector_set SET_OBJECT(VECTOR_SET) = {
    .name = SET_NAME(VECTOR_SET),
    .lanes = LANES,
    .fma_per_second = FMA_PER_SECOND,
    .supported = set_supported,
    .scratch_bytes = set_scratch_bytes,
    .launch = set_launch,
    .multiply_add = set_multiply_add,
};
