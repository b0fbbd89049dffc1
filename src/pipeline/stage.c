/* Stages, their rings and the order of their bands: see stage.h. */
#include "stage.h"

#include <stdint.h>
#include <stdlib.h>

#include "bytes.h"
#include "clock.h"

enum { RUN_BYTES = 1 << 16 }; /* of rows: bands smaller than this are made several at a time */

/* Bands first … end − 1; none where both are 0. */
struct range {
  size_t first, end;
};

static size_t band_count(const struct stage *stage, size_t band)
{
  size_t first = band * stage->band_rows;

  return stage->rows - first < stage->band_rows ? stage->rows - first : stage->band_rows;
}

/* The bands of `source` with the rows that the border puts at rows from … to, some of which may lie
   outside. */
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

/* What a stage reads: its source (0) and its second source (1). */
static struct stage *stage_input(const struct stage *stage, int input)
{
  return input == 0 ? stage->source : stage->second;
}

/* The bands of that input that the band reads. */
static struct range range_read(const struct stage *stage, int input, size_t band)
{
  size_t first = band * stage->band_rows, last = first + band_count(stage, band) - 1;

  if (!stage_input(stage, input))
    return (struct range){0, 0};
  if (input == 0)
    return range_of_rows(stage->source, (ptrdiff_t)first - (ptrdiff_t)stage->above,
                         (ptrdiff_t)(last + stage->below), stage->border);
  return range_of_rows(stage->second, (ptrdiff_t)(first + stage->second_shift),
                       (ptrdiff_t)(last + stage->second_shift), BORDER_CLAMP);
}

static size_t range_first(struct range range)
{
  return range.end > 0 ? range.first : SIZE_MAX;
}

/* Finds what the next band waits for. */
static void stage_look_ahead(struct stage *stage)
{
  for (int i = 0; i < 2; i++)
    stage->next_end[i] =
        stage->started < stage->bands ? range_read(stage, i, stage->started).end : 0;
}

/* Finds the first band of each input that unfinished bands read.

   From band to band the rows under the taps move down.  Where they reach over the end of the image, some
   borders fold them back; the further they reach, the higher up lies what they are folded to.  So the
   first row that later bands read lies either as far up as that of the first unfinished band, or as that
   of the very last band, which reaches the furthest. */
static void stage_look_back(struct stage *stage)
{
  for (int i = 0; i < 2; i++) {
    size_t first = SIZE_MAX;

    if (stage->done < stage->bands)
      first = range_first(range_read(stage, i, stage->done));
    if (stage->done < stage->bands && stage->last_first[i] < first)
      first = stage->last_first[i];
    stage->still_first[i] = first;
  }
}

/* The first band that must stay in the ring: those before it are done, and nobody reads them any more. */
static size_t stage_needed(const struct stage *stage)
{
  size_t needed = stage->done;

  for (int reader = 0; reader < 2 && stage->readers[reader]; reader++)
    for (int i = 0; i < 2; i++)
      if (stage_input(stage->readers[reader], i) == stage &&
          stage->readers[reader]->still_first[i] < needed)
        needed = stage->readers[reader]->still_first[i];
  return needed;
}

/* Whether the sources of the next band are done, and its slot is free. */
static bool stage_can_start(const struct stage *stage)
{
  size_t band = stage->started;

  for (int i = 0; i < 2; i++)
    if (stage_input(stage, i) && stage_input(stage, i)->done < stage->next_end[i])
      return false;
  return band < stage->bands && (band < stage->slots || band - stage->slots < stage_needed(stage));
}

bool stage_ready(const struct stage *stage)
{
  return (!stage->serial || stage->done == stage->started) && stage_can_start(stage);
}

size_t stage_start(struct stage *stage)
{
  size_t count = 0;

  do {
    stage->started++;
    count++;
    stage_look_ahead(stage);
  } while (count < stage->at_once && stage_can_start(stage));
  return count;
}

bool stage_make(struct stage *stage, size_t band, size_t count, struct error *error)
{
  unsigned long long start = clock_nanoseconds();
  bool done = true;

  for (size_t i = 0; done && i < count; i++)
    done = stage->run(stage, band + i, (band + i) * stage->band_rows, band_count(stage, band + i),
                      error);
  atomic_fetch_add(&stage->nanoseconds, clock_nanoseconds() - start);
  return done;
}

void stage_finish(struct stage *stage, size_t band, size_t count)
{
  for (size_t i = 0; i < count; i++)
    stage->finished[(band + i) % stage->slots] = 1;
  while (stage->done < stage->started && stage->finished[stage->done % stage->slots])
    stage->finished[stage->done++ % stage->slots] = 0;
  stage_look_back(stage);
}

bool graph_done(const struct graph *graph)
{
  for (size_t i = 0; i < graph->count; i++)
    if (graph->stages[i]->done < graph->stages[i]->bands)
      return false;
  return true;
}

/* Walks through the bands of a stage up to `end`, each after those that it reads.  `started` counts the
   bands that the walk has passed.  A source must hold everything from the first band that this one reads
   to the last one passed. */
static void stage_walk(struct stage *stage, size_t end)
{
  for (; stage->started < end; stage->started++) {
    struct range range[2];

    for (int i = 0; i < 2; i++) {
      range[i] = range_read(stage, i, stage->started);
      if (range[i].end > 0)
        stage_walk(stage_input(stage, i), range[i].end);
    }
    for (int i = 0; i < 2; i++) {
      struct stage *input = stage_input(stage, i);

      if (range[i].end > 0 && input->started - range[i].first > input->slots_least)
        input->slots_least = input->started - range[i].first;
    }
  }
}

/* Notes who reads the stage. */
static void readers_find(struct stage *stage, const struct graph *graph)
{
  size_t count = 0;

  stage->readers[0] = stage->readers[1] = NULL;
  for (size_t i = 0; i < graph->count && count < 2; i++)
    if (graph->stages[i]->source == stage || graph->stages[i]->second == stage)
      stage->readers[count++] = graph->stages[i];
}

/* What does not depend on the number of slots. */
static void stage_measure(struct stage *stage, const struct graph *graph)
{
  size_t row_bytes = stage->row_bytes;

  if (stage->source && stage->source->row_bytes > row_bytes)
    row_bytes = stage->source->row_bytes;
  stage->bands = (stage->rows - 1) / stage->band_rows + 1;
  stage->at_once = 1 + RUN_BYTES / (stage->band_rows * row_bytes + 1);
  stage->slots_least = 1;
  stage->started = stage->done = 0;
  for (int i = 0; i < 2; i++)
    stage->last_first[i] = range_first(range_read(stage, i, stage->bands - 1));
  readers_find(stage, graph);
}

static void slots_measure(const struct graph *graph)
{
  for (size_t i = 0; i < graph->count; i++)
    stage_measure(graph->stages[i], graph);
  stage_walk(graph->stages[graph->count - 1], graph->stages[graph->count - 1]->bands);
  for (size_t i = 0; i < graph->count; i++) /* bands from which none of the last stage's is made */
    stage_walk(graph->stages[i], graph->stages[i]->bands);
  for (size_t i = 0; i < graph->count; i++) {
    graph->stages[i]->started = 0;
    stage_look_ahead(graph->stages[i]);
    stage_look_back(graph->stages[i]);
  }
}

/* Sets the slots of a stage so that `at_once` bands of whoever reads it can be under way, and adds up its
   memory.  False where that overflows. */
static bool stage_widen(struct stage *stage, size_t at_once, size_t *bytes)
{
  size_t ahead = stage->at_once, ring;

  for (int i = 0; i < 2; i++)
    if (stage->readers[i] && stage->readers[i]->band_rows / stage->band_rows + 1 > ahead)
      ahead = stage->readers[i]->band_rows / stage->band_rows + 1;
  stage->slots = stage->slots_least + at_once * ahead;
  if (stage->slots > stage->bands || stage->keep_all)
    stage->slots = stage->bands;
  return !__builtin_mul_overflow(stage->slots * stage->band_rows, (stage->row_bytes + 63) / 64 * 64,
                                 &ring) &&
         !__builtin_add_overflow(*bytes, ring, bytes) &&
         !__builtin_mul_overflow(stage->slots, stage->slot_bytes + 1, &ring) &&
         !__builtin_add_overflow(*bytes, ring, bytes);
}

/* The same for all stages, with what their bands take while they are made. */
static bool graph_widen(struct graph *graph, size_t at_once)
{
  size_t scratch = 0, all;

  graph->bands_at_once = at_once;
  graph->bytes = graph->own_bytes;
  for (size_t i = 0; i < graph->count; i++)
    scratch = graph->stages[i]->scratch_bytes > scratch ? graph->stages[i]->scratch_bytes : scratch;
  for (size_t i = 0; i < graph->count; i++)
    if (__builtin_add_overflow(scratch, graph->stages[i]->kept_bytes, &scratch) ||
        !stage_widen(graph->stages[i], at_once, &graph->bytes))
      return false;
  return !__builtin_mul_overflow(scratch, at_once, &all) &&
         !__builtin_add_overflow(graph->bytes, all, &graph->bytes);
}

bool graph_arrange(struct graph *graph, size_t threads, size_t max_bytes, struct error *error)
{
  char need[BYTES_TEXT], limit[BYTES_TEXT];

  slots_measure(graph);
  while (threads > 1 && (!graph_widen(graph, threads) || graph->bytes > max_bytes))
    threads--;
  if (!graph_widen(graph, threads))
    return error_set(error, STATUS_FAILED, "the picture is too large for this machine");
  if (graph->bytes > max_bytes)
    return error_set(error, STATUS_FAILED,
                     "this picture needs %s of memory, more than --max-memory=%s allows; a lower "
                     "--band may need less",
                     bytes_text(graph->bytes, need), bytes_text(max_bytes, limit));
  return true;
}

bool graph_start(struct graph *graph, struct error *error)
{
  for (size_t i = 0; i < graph->count; i++) {
    struct stage *stage = graph->stages[i];

    stage->finished = calloc(stage->slots, 1);
    if (!stage->finished)
      return error_set(error, STATUS_FAILED, "no memory for %zu bands", stage->slots);
    if (stage->row_bytes > 0 &&
        !raster_allocate(&stage->ring, stage->slots * stage->band_rows, stage->row_bytes, error))
      return false;
  }
  return true;
}

void graph_free(struct graph *graph)
{
  for (size_t i = 0; i < graph->count; i++) {
    raster_free(&graph->stages[i]->ring);
    free(graph->stages[i]->finished);
    graph->stages[i]->finished = NULL;
  }
}
