/* Stages and their scheduler: rings, the order of bands, memory and failures, on made-up stages whose rows
   are one number, mixed from the rows that the stage reads.  What comes out is compared with plain loops
   over whole images. */
#include "config.h"

#include <check.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "scheduler.h"
#include "unit.h"

enum { STAGES = 5, ROWS = 64, PICTURES = 12 };

/* A picture of made-up stages. */
struct made {
  struct stage stages[STAGES];
  struct stage *order[STAGES];
  struct graph graph;
  uint64_t expected[ROWS]; /* what its last stage makes */
  size_t fails_at;         /* row of stages[fails_in] that can't be made; SIZE_MAX for none */
  size_t fails_in;
  atomic_size_t rows;    /* made so far, of all stages */
  atomic_size_t at_once; /* bands that are being made */
  atomic_bool begun, failed;
  atomic_bool late;    /* a band was started after a failure, */
  atomic_bool crowded; /* or more of them at once than the graph allows */
};

/* Pictures on their way through a scheduler. */
static struct run {
  struct made made[PICTURES];
  size_t max_bytes; /* for each */
  pthread_mutex_t lock;
  size_t opened, closed, failures;
  size_t bytes, bytes_most; /* of pictures that were begun and not yet closed; the most at a time */
  struct error error;       /* the last failure */
} run;

static uint64_t mix(uint64_t a, uint64_t b)
{
  return (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
}

static unsigned below(unsigned *state, unsigned count)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 16) % count;
}

/* Row y of a stage; row_of() gives the rows of those before it. */
static uint64_t row_make(const struct stage *stage, size_t y,
                         uint64_t (*row_of)(const void *context, const struct stage *stage,
                                            size_t row),
                         const void *context)
{
  uint64_t number = y;
  ptrdiff_t to = (ptrdiff_t)(y + stage->below);

  for (ptrdiff_t at = (ptrdiff_t)y - (ptrdiff_t)stage->above; stage->source && at <= to; at++) {
    ptrdiff_t row = border_index(at, (ptrdiff_t)stage->source->rows, stage->border);

    number = mix(number, row < 0 ? 1 : row_of(context, stage->source, (size_t)row));
  }
  if (stage->second)
    number = mix(number, row_of(context, stage->second, y + stage->second_shift));
  return number;
}

static uint64_t row_of_ring(const void *context, const struct stage *stage, size_t row)
{
  (void)context;
  return *(const uint64_t *)(const void *)stage_row(stage, row);
}

static uint64_t row_of_image(const void *context, const struct stage *stage, size_t row)
{
  const uint64_t(*image)[ROWS] = context;

  return image[stage - ((const struct made *)stage->context)->stages][row];
}

static void memory_count(struct made *made)
{
  if (atomic_exchange(&made->begun, true))
    return;
  pthread_mutex_lock(&run.lock);
  run.bytes += made->graph.bytes;
  run.bytes_most = run.bytes > run.bytes_most ? run.bytes : run.bytes_most;
  pthread_mutex_unlock(&run.lock);
}

static bool run_mix(struct stage *stage, size_t band, size_t first, size_t count,
                    struct error *error)
{
  struct made *made = stage->context;
  size_t fails_at = stage == &made->stages[made->fails_in] ? made->fails_at : SIZE_MAX;

  (void)band;
  memory_count(made);
  if (atomic_load(&made->failed))
    atomic_store(&made->late, true);
  if (atomic_fetch_add(&made->at_once, 1) >= made->graph.bands_at_once)
    atomic_store(&made->crowded, true);
  if (first <= fails_at && fails_at < first + count)
    atomic_store(&made->failed, true);
  for (size_t y = first; y < first + count; y++)
    *(uint64_t *)(void *)stage_row(stage, y) = row_make(stage, y, row_of_ring, NULL);
  atomic_fetch_add(&made->rows, count);
  atomic_fetch_sub(&made->at_once, 1);
  return fails_at < first || fails_at >= first + count ||
         error_set(error, STATUS_FAILED, "row %zu is bad", fails_at);
}

static void made_draw(struct made *made, unsigned *state)
{
  size_t rows = 1 + below(state, ROWS);

  made->fails_at = SIZE_MAX;
  for (size_t i = 0; i < STAGES; i++) {
    struct stage *stage = &made->stages[i];

    *stage = (struct stage){
        .context = made,
        .run = run_mix,
        .rows = rows,
        .source = i ? &made->stages[i - 1] : NULL,
        .row_bytes = sizeof(uint64_t),
        .serial = below(state, 3) == 0,
        .border = (enum border)below(state, BORDER_CONSTANT + 1),
        .above = below(state, 2) ? below(state, 4) : below(state, 80),
        .below = below(state, 2) ? below(state, 4) : below(state, 80),
    };
    stage->band_rows = 1 + below(state, below(state, 2) ? (unsigned)rows : 4);
    if (stage->band_rows > rows)
      stage->band_rows = rows;
    made->order[i] = stage;
  }
  made->stages[3].second = &made->stages[below(state, 2)]; /* never the source itself */
  made->stages[STAGES - 1].keep_all = true;                /* so that the result can be looked at */
  made->graph = (struct graph){.stages = made->order, .count = STAGES};
}

/* The same in plain loops over images. */
static void made_expect(struct made *made)
{
  uint64_t image[STAGES][ROWS];

  for (size_t i = 0; i < STAGES; i++)
    for (size_t y = 0; y < made->stages[i].rows; y++)
      image[i][y] = row_make(&made->stages[i], y, row_of_image, image);
  memcpy(made->expected, image[STAGES - 1], sizeof made->expected);
}

static void made_check(const struct made *made)
{
  const struct stage *last = &made->stages[STAGES - 1];

  for (size_t y = 0; y < last->rows; y++)
    ck_assert_msg(row_of_ring(NULL, last, y) == made->expected[y], "row %zu of %zu", y, last->rows);
  ck_assert_uint_eq(atomic_load(&made->rows), STAGES * last->rows);
}

static struct graph *run_open(void *context, size_t index, size_t threads, struct error *error)
{
  struct graph *graph = &run.made[index].graph;
  bool arranged = graph_arrange(graph, threads, run.max_bytes, error);

  (void)context;
  pthread_mutex_lock(&run.lock);
  run.opened++;
  pthread_mutex_unlock(&run.lock);
  return arranged ? graph : NULL;
}

static void run_close(void *context, size_t index, struct error *failure)
{
  struct made *made = &run.made[index];

  (void)context;
  if (!failure)
    made_check(made);
  graph_free(&made->graph);
  pthread_mutex_lock(&run.lock);
  run.closed++;
  if (atomic_load(&made->begun))
    run.bytes -= made->graph.bytes;
  if (failure) {
    run.failures++;
    run.error = *failure;
  }
  pthread_mutex_unlock(&run.lock);
}

static void run_all(size_t pictures, size_t threads, size_t max_bytes)
{
  struct work_list list = {.count = pictures, .open = run_open, .close = run_close};

  pthread_mutex_init(&run.lock, NULL);
  scheduler_run(&list, threads, max_bytes);
  pthread_mutex_destroy(&run.lock);
  ck_assert_uint_eq(run.opened, pictures);
  ck_assert_uint_eq(run.closed, pictures);
  for (size_t i = 0; i < pictures; i++)
    ck_assert(!atomic_load(&run.made[i].crowded));
}

static void run_draw(size_t pictures, unsigned *state)
{
  memset(&run, 0, sizeof run);
  run.max_bytes = SIZE_MAX;
  for (size_t i = 0; i < pictures; i++) {
    made_draw(&run.made[i], state);
    made_expect(&run.made[i]);
  }
}

START_TEST(rows_do_not_depend_on_bands)
{
  unsigned state = (unsigned)_i;

  for (int round = 0; round < 100; round++) {
    struct error error;

    run_draw(1, &state);
    if (below(&state, 2)) { /* no more memory than the picture needs at least */
      ck_assert(graph_arrange(&run.made[0].graph, 1, SIZE_MAX, &error));
      run.max_bytes = run.made[0].graph.bytes;
    }
    run_all(1, 1 + (size_t)below(&state, 16), run.max_bytes);
    ck_assert_msg(run.failures == 0, "seed %d, round %d: %s", _i, round, run.error.text);
  }
}
END_TEST

START_TEST(pictures_run_side_by_side)
{
  unsigned state = (unsigned)_i;

  for (int round = 0; round < 20; round++) {
    run_draw(PICTURES, &state);
    run_all(PICTURES, 1 + (size_t)below(&state, 16), SIZE_MAX);
    ck_assert_uint_eq(run.failures, 0);
  }
}
END_TEST

START_TEST(an_error_ends_its_picture_alone)
{
  unsigned state = (unsigned)_i;

  for (size_t threads = 1; threads <= 16; threads++) {
    size_t bad = below(&state, PICTURES);
    struct made *made = &run.made[bad];

    run_draw(PICTURES, &state);
    made->fails_in = below(&state, STAGES);
    made->fails_at = below(&state, (unsigned)made->stages[0].rows);
    run_all(PICTURES, threads, SIZE_MAX);
    ck_assert_uint_eq(run.failures, 1);
    ck_assert(strncmp(run.error.text, "row ", 4) == 0);
    ck_assert_msg(threads > 1 || !atomic_load(&made->late), "a band was begun after the failure");
  }
}
END_TEST

/* Pictures share one budget: of twelve of which two fit in memory, never more than two are there. */
START_TEST(pictures_share_the_memory)
{
  for (size_t threads = 1; threads <= 16; threads++) {
    unsigned state = 3;
    size_t bytes;

    run_draw(PICTURES, &state);
    for (size_t i = 0; i < PICTURES; i++) { /* all of one size */
      struct error error;

      state = 5;
      made_draw(&run.made[i], &state);
      made_expect(&run.made[i]);
      ck_assert(graph_arrange(&run.made[i].graph, 1, SIZE_MAX, &error));
      bytes = run.made[i].graph.bytes;
    }
    run.max_bytes = bytes;
    run_all(PICTURES, threads, 2 * bytes + bytes / 2);
    ck_assert_uint_eq(run.failures, 0);
    ck_assert_uint_le(run.bytes_most, 2 * bytes);
  }
}
END_TEST

START_TEST(what_does_not_fit_alone_is_refused)
{
  unsigned state = 9;
  struct error error;
  char text[256];

  run_draw(PICTURES, &state);
  ck_assert(graph_arrange(&run.made[0].graph, 1, SIZE_MAX, &error));
  ck_assert(!graph_arrange(&run.made[0].graph, 4, run.made[0].graph.bytes - 1, &error));
  snprintf(
      text, sizeof text,
      "this picture needs %zu of memory, more than --max-memory=%zu allows; a lower --band may "
      "need less",
      run.made[0].graph.bytes, run.made[0].graph.bytes - 1);
  ck_assert_str_eq(error.text, text);
}
END_TEST

/* Two stages whose bands need 6 rows of the source above and below. */
static struct graph tall_graph(struct stage *stages, struct stage **order, size_t rows,
                               size_t band_rows)
{
  for (int i = 0; i < 2; i++) {
    stages[i] =
        (struct stage){.run = run_mix, .rows = rows, .band_rows = band_rows, .row_bytes = 64};
    order[i] = &stages[i];
  }
  stages[1].source = &stages[0];
  stages[1].above = stages[1].below = 6;
  stages[1].border = BORDER_MIRROR;
  return (struct graph){.stages = order, .count = 2};
}

START_TEST(memory_does_not_grow_with_height)
{
  for (size_t band_rows = 1; band_rows <= 16; band_rows *= 4) {
    size_t bytes[2];

    for (size_t i = 0; i < 2; i++) {
      struct stage stages[2], *order[2];
      struct graph graph = tall_graph(stages, order, i ? 1000000 : 10000, band_rows);
      struct error error;

      ck_assert(graph_arrange(&graph, 2, SIZE_MAX, &error));
      bytes[i] = graph.bytes;
    }
    ck_assert_uint_eq(bytes[0], bytes[1]);
  }
}
END_TEST

/* How often a thread has to come for a new task does not depend on the height of bands, where these are
   tiny. */
START_TEST(tiny_bands_are_made_together)
{
  for (size_t band_rows = 1; band_rows <= 64; band_rows *= 4) {
    struct stage stages[2], *order[2];
    struct graph graph = tall_graph(stages, order, 100000, band_rows);
    struct error error;

    ck_assert(graph_arrange(&graph, 1, SIZE_MAX, &error));
    ck_assert(graph_start(&graph, &error));
    ck_assert(stage_ready(&stages[0]));
    ck_assert_uint_ge(stage_start(&stages[0]) * band_rows, 900);
    graph_free(&graph);
  }
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("stage");

  tcase_add_loop_test(test, rows_do_not_depend_on_bands, 1, 9);
  tcase_add_loop_test(test, pictures_run_side_by_side, 1, 5);
  tcase_add_loop_test(test, an_error_ends_its_picture_alone, 1, 5);
  tcase_add_test(test, pictures_share_the_memory);
  tcase_add_test(test, what_does_not_fit_alone_is_refused);
  tcase_add_test(test, memory_does_not_grow_with_height);
  tcase_add_test(test, tiny_bands_are_made_together);
  tcase_set_timeout(test, 120);
  return unit_run("stage", test);
}
