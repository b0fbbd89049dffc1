/* Sums of integers that float32 does not hold, of cpu_vector_impl.h: strips, ring and blocks as there, but in
   double, which holds every integer up to 2^53.  Half as many samples fit a vector, so it takes about twice as
   long.

   Sums and products are exact, so it makes no difference in which order they are added, nor whether the
   multiply-add is fused.  Of two passes the first does not divide, and the ring holds its sums. */
#include "cpu_vector_wide_block_impl.h"

/* Puts a source row into its place in the ring: work_read(). */
static void wide_read(const struct wide *wide, size_t row, size_t first, size_t samples)
{
  const struct work *work = &wide->work;
  const struct job *job = work->job;
  double *place = wide->ring + row % work->ring_rows * work->pitch;

  row_read(work->reading, job, &work->beside, job->source[row], first, samples + work->reach);
  wide_convert(job->column ? wide->reading : place, work->reading, samples + work->reach);
  if (job->column)
    wide_row_pass(wide, place, samples);
}

/* Computes a strip: work_strip(). */
static void wide_strip(struct wide *wide, size_t first, size_t samples)
{
  struct work *work = &wide->work;
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
      wide_read(wide, next, first, samples);
    }
    for (size_t r = 0; r < work->ring_rows; r++) {
      size_t row = y + r < end ? y + r : end - 1; /* for rows that are not wanted, any will do */

      wide->rows[r] = wide->ring + row % work->ring_rows * work->pitch;
    }
    wide->run(wide);
    group->result += BLOCK_ROWS * group->pitch;
  }
}

/* The taps that are not 0: list_make(). */
static size_t wide_list(struct wide_tap *list, const struct pass *pass, size_t step)
{
  size_t length = 0;

  for (size_t i = 0; i < pass->width * pass->height; i++)
    if (pass->taps[i] != 0)
      list[length++] =
          (struct wide_tap){i / pass->width, i % pass->width * step, (double)pass->taps[i]};
  return length;
}

/* Where each part of the memory of a launch begins; the last entry is the size of all. */
struct wide_layout {
  size_t reading_floats, reading, ring, taps, list, row_list, rows, bytes;
};

static struct wide_layout wide_measure(struct work *work)
{
  const struct job *job = work->job;
  size_t taps = work->pass->width * work->pass->height, spare = 2 * LANES;
  struct wide_layout layout = {0};

  work_measure(work, sizeof(double));
  layout.reading_floats = 0;
  layout.reading = round_up((work->wide + spare) * sizeof(float), 64);
  layout.ring =
      layout.reading + (job->column ? round_up((work->wide + spare) * sizeof(double), 64) : 0);
  layout.taps = layout.ring + (work->ring_rows * work->pitch + spare) * sizeof(double);
  layout.list = layout.taps + taps * sizeof(double);
  layout.row_list = layout.list + taps * sizeof(struct wide_tap);
  layout.rows = layout.row_list + (job->column ? job->pass->width : 0) * sizeof(struct wide_tap);
  layout.bytes = layout.rows + work->ring_rows * sizeof(double *);
  return layout;
}

static void wide_lay(struct wide *wide, unsigned char *memory, const struct wide_layout *layout)
{
  struct work *work = &wide->work;
  const struct job *job = work->job;
  size_t count = work->pass->width * work->pass->height;
  double *taps = (double *)(memory + layout->taps);

  work->reading = (float *)(memory + layout->reading_floats);
  wide->reading = (double *)(memory + layout->reading);
  wide->ring = (double *)(memory + layout->ring);
  wide->taps = taps;
  wide->list = (struct wide_tap *)(memory + layout->list);
  wide->row_list = (struct wide_tap *)(memory + layout->row_list);
  wide->rows = (const double **)(memory + layout->rows);
  for (size_t i = 0; i < count; i++)
    taps[i] = (double)work->pass->taps[i];
  wide->list_length = wide_list(wide->list, work->pass, job->channels);
  if (job->column)
    wide->row_list_length = wide_list(wide->row_list, job->pass, job->channels);
}

/* Chooses how sums are added up, and how they end. */
static void wide_choose(struct wide *wide)
{
  const struct job *job = wide->work.job;
  struct group *group = &wide->work.group;

  wide->ending = job_integer_ending(job);
  wide->plain = wide->ending.white != 0 && wide->ending.scale >= 2 &&
                (wide->ending.scale & (wide->ending.scale - 1)) == 0;
  group->width = wide->work.pass->width;
  group->height = wide->work.pass->height;
  group->step = job->channels;
  group->pitch = job->pitch;
  group->finish.to = job->to;
  group->finish.ending.white = wide->ending.white;
  if (group->height < BLOCK_ROWS || list_pays(wide->list_length, group->width * group->height))
    wide->run = wide_group_list;
  else
    wide->run = group->width == 1 ? wide_group_column : wide_group_matrix;
}

/* Computes a job whose sums are integers. */
static bool wide_launch(const struct job *job, struct error *error)
{
  struct wide wide = {.work = {.job = job, .pass = job->column ? job->column : job->pass}};
  struct work *work = &wide.work;
  struct wide_layout layout = wide_measure(work);
  bool done = false;

  if (!raster_allocate(&work->memory, 1, layout.bytes, error))
    return false;
  if (!work_beside(work)) {
    error_set(error, STATUS_FAILED, "no memory for a filter of %zu by %zu taps", job->pass->width,
              work->pass->height);
    goto free_memory;
  }
  memset(work->memory.data, 0, layout.bytes);
  wide_lay(&wide, work->memory.data, &layout);
  wide_choose(&wide);
  for (size_t x = 0; x < work->total; x += work->strip)
    wide_strip(&wide, x, work->total - x < work->strip ? work->total - x : work->strip);
  done = true;
  free(work->beside_from);
free_memory:
  raster_free(&work->memory);
  return done;
}
