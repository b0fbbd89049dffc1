/* Running stages as tasks: see stage.h. */
#include "stage.h"

#include <stdlib.h>

#include "clock.h"

enum { STAGES_MAX = 64 };

size_t stage_bands(const struct stage *stage)
{
  return (stage->rows + stage->band_rows - 1) / stage->band_rows;
}

static size_t band_count(const struct stage *stage, size_t band)
{
  size_t first = band * stage->band_rows;

  return stage->rows - first < stage->band_rows ? stage->rows - first : stage->band_rows;
}

/* Bands first … end − 1. */
struct range {
  size_t first, end;
};

/* The bands of `source` that hold what the border makes of rows from … to (which may lie outside). */
static struct range range_of_rows(const struct stage *source, ptrdiff_t from, ptrdiff_t to,
                                  enum border border)
{
  ptrdiff_t rows = (ptrdiff_t)source->rows;
  ptrdiff_t low = rows, high = -1;
  ptrdiff_t fold = 2 * rows; /* beyond that a folded border repeats */

  if (from < -fold)
    from = -fold;
  if (to > rows + fold)
    to = rows + fold;
  for (ptrdiff_t row = from; row <= to; row++) {
    ptrdiff_t at;

    if (row > 0 && row < rows - 1 && row < to) { /* inside rows stand for themselves */
      low = row < low ? row : low;
      row = to < rows - 1 ? to : rows - 1;
    }
    at = border_index(row, rows, border);
    if (at < 0)
      continue;
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  if (high < 0)
    return (struct range){0, 0};
  return (struct range){(size_t)low / source->band_rows, (size_t)high / source->band_rows + 1};
}

static struct range range_of_source(const struct stage *stage, size_t band)
{
  size_t first = band * stage->band_rows;
  size_t last = first + band_count(stage, band) - 1;

  if (!stage->source)
    return (struct range){0, 0};
  return range_of_rows(stage->source, (ptrdiff_t)first - (ptrdiff_t)stage->above,
                       (ptrdiff_t)(last + stage->below), stage->border);
}

static struct range range_of_also(const struct stage *stage, size_t band)
{
  size_t first = band * stage->band_rows + stage->also_shift;

  if (!stage->also)
    return (struct range){0, 0};
  return range_of_rows(stage->also, (ptrdiff_t)first,
                       (ptrdiff_t)(first + band_count(stage, band) - 1), BORDER_CLAMP);
}

/* The order in which bands are made, and what is done with each. */
struct schedule {
  struct stage *const *stages;
  size_t count;
  size_t made[STAGES_MAX]; /* bands of each stage so far */
  void (*visit)(struct schedule *schedule, struct stage *stage, size_t band);
  atomic_bool failed;
  struct error *error;
};

static size_t schedule_place(const struct schedule *schedule, const struct stage *stage)
{
  size_t place = 0;

  while (schedule->stages[place] != stage)
    place++;
  return place;
}

/* Makes the bands of a stage up to `end`, after those of others that they need. */
static void schedule_demand(struct schedule *schedule, struct stage *stage, size_t end)
{
  size_t *made = &schedule->made[schedule_place(schedule, stage)];

  while (*made < end && !atomic_load(&schedule->failed)) {
    struct range also = range_of_also(stage, *made);

    if (stage->source)
      schedule_demand(schedule, stage->source, range_of_source(stage, *made).end);
    if (stage->also)
      schedule_demand(schedule, (struct stage *)stage->also, also.end);
    schedule->visit(schedule, stage, *made);
    ++*made;
  }
}

/* A stage must hold everything from the oldest band that this one needs to the newest made. */
static void visit_widen(struct schedule *schedule, const struct stage *source, struct range range)
{
  struct stage *held = schedule->stages[schedule_place(schedule, source)];
  size_t span = schedule->made[schedule_place(schedule, source)] - range.first;

  if (range.end > range.first && span > held->slots)
    held->slots = span;
}

static void visit_measure(struct schedule *schedule, struct stage *stage, size_t band)
{
  if (stage->source)
    visit_widen(schedule, stage->source, range_of_source(stage, band));
  if (stage->also)
    visit_widen(schedule, stage->also, range_of_also(stage, band));
}

/* Room beyond the need, so that `threads` bands of whoever reads the stage can be under way. */
static void stage_widen(struct stage *stage, const struct stage *reader, size_t threads)
{
  size_t ahead = reader->band_rows / stage->band_rows + 1;

  stage->slots += threads * ahead;
}

bool stages_arrange(struct stage *const *stages, size_t count, size_t threads, size_t *bytes,
                    struct error *error)
{
  struct schedule schedule = {.stages = stages, .count = count, .visit = visit_measure};
  size_t ring;

  atomic_init(&schedule.failed, false);
  *bytes = 0;
  if (count > STAGES_MAX)
    return error_set(error, STATUS_USAGE, "too many filters in one chain; at most %d fit",
                     (STAGES_MAX - 6) / 2);
  for (size_t i = 0; i < count; i++)
    stages[i]->slots = 1;
  schedule_demand(&schedule, stages[count - 1], stage_bands(stages[count - 1]));
  for (size_t i = 0; i < count; i++) {
    size_t bands = stage_bands(stages[i]);

    if (i + 1 < count)
      stage_widen(stages[i], stages[i + 1], threads);
    if (stages[i]->slots > bands || stages[i]->keep_all)
      stages[i]->slots = bands;
    if (__builtin_mul_overflow(stages[i]->slots * stages[i]->band_rows,
                               (stages[i]->row_bytes + 63) / 64 * 64, &ring) ||
        __builtin_add_overflow(*bytes, ring, bytes))
      return error_set(error, STATUS_FAILED, "the picture is too large for this machine");
  }
  return true;
}

static void stage_run(struct schedule *schedule, struct stage *stage, size_t band)
{
  struct error error;
  unsigned long long start;

  if (atomic_load(&schedule->failed))
    return;
  start = clock_nanoseconds();
  if (!stage->run(stage, band, band * stage->band_rows, band_count(stage, band), &error)) {
#pragma omp critical(halo_stage_error)
    if (!atomic_exchange(&schedule->failed, true))
      *schedule->error = error;
  }
  atomic_fetch_add(&stage->nanoseconds, clock_nanoseconds() - start);
}

static void visit_task(struct schedule *schedule, struct stage *stage, size_t band)
{
  struct range range = range_of_source(stage, band);
  struct range also = range_of_also(stage, band);
  unsigned char *mine = &stage->ready[band % stage->slots];
  unsigned char *turn = stage->serial ? &stage->turn : mine + stage->slots;
  const struct stage *source = stage->source ? stage->source : stage;
  const struct stage *other = stage->also ? stage->also : stage;

  (void)range, (void)also, (void)turn, (void)source, (void)other; /* gcc 12 overlooks depend() */
/* clang-format off */
#pragma omp task default(none) firstprivate(schedule, stage, band)                                 \
    depend(iterator(size_t i = range.first : range.end), in : source->ready[i % source->slots])    \
    depend(iterator(size_t i = also.first : also.end), in : other->ready[i % other->slots])        \
    depend(out : *mine) depend(inout : *turn)
  stage_run(schedule, stage, band);
  /* clang-format on */
}

static bool stages_allocate(struct stage *const *stages, size_t count, struct error *error)
{
  for (size_t i = 0; i < count; i++) {
    struct stage *stage = stages[i];

    stage->ready = calloc(stage->slots, 2);
    if (!stage->ready)
      return error_set(error, STATUS_FAILED, "no memory for %zu bands", stage->slots);
    if (stage->row_bytes > 0 &&
        !raster_allocate(&stage->ring, stage->slots * stage->band_rows, stage->row_bytes, error))
      return false;
  }
  return true;
}

bool stages_run(struct stage *const *stages, size_t count, struct error *error)
{
  struct schedule schedule = {
      .stages = stages, .count = count, .visit = visit_task, .error = error};

  if (!stages_allocate(stages, count, error))
    return false;
  atomic_init(&schedule.failed, false);
  schedule_demand(&schedule, stages[count - 1], stage_bands(stages[count - 1]));
#pragma omp taskwait
  return !atomic_load(&schedule.failed);
}

void stages_free(struct stage *const *stages, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    raster_free(&stages[i]->ring);
    free(stages[i]->ready);
    stages[i]->ready = NULL;
  }
}
