/* Stages: rings, dependences and the order of bands, on made-up stages whose rows are one number,
   mixed from the rows beneath.  What comes out is compared with plain loops over whole images. */
#include "config.h"

#include <check.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#include "stage.h"
#include "unit.h"

enum { STAGES = 5, ROWS = 64 };

static uint64_t mix(uint64_t a, uint64_t b)
{
  return (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
}

static unsigned below(unsigned *state, unsigned count)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 16) % count;
}

static uint64_t row_number(const struct stage *stage, size_t row)
{
  return *(const uint64_t *)(const void *)stage_row(stage, row);
}

static bool run_mix(struct stage *stage, size_t band, size_t first, size_t count,
                    struct error *error)
{
  (void)band, (void)error;
  for (size_t y = first; y < first + count; y++) {
    uint64_t number = y;
    ptrdiff_t to = (ptrdiff_t)(y + stage->below);

    for (ptrdiff_t at = (ptrdiff_t)y - (ptrdiff_t)stage->above; stage->source && at <= to; at++) {
      ptrdiff_t row = border_index(at, (ptrdiff_t)stage->source->rows, stage->border);

      number = mix(number, row < 0 ? 1 : row_number(stage->source, (size_t)row));
    }
    if (stage->also)
      number = mix(number, row_number(stage->also, y + stage->also_shift));
    *(uint64_t *)(void *)stage_row(stage, y) = number;
  }
  return true;
}

static void stages_draw(struct stage *stages, struct stage **order, unsigned *state)
{
  size_t rows = 1 + below(state, ROWS);

  for (size_t i = 0; i < STAGES; i++) {
    struct stage *stage = &stages[i];

    *stage = (struct stage){
        .run = run_mix,
        .rows = rows,
        .source = i ? &stages[i - 1] : NULL,
        .row_bytes = sizeof(uint64_t),
        .serial = below(state, 3) == 0,
        .border = (enum border)below(state, BORDER_CONSTANT + 1),
        .above = below(state, 2) ? below(state, 4) : below(state, 80),
        .below = below(state, 2) ? below(state, 4) : below(state, 80),
    };
    stage->band_rows = 1 + below(state, below(state, 2) ? (unsigned)rows : 4);
    if (stage->band_rows > rows)
      stage->band_rows = rows;
    order[i] = stage;
  }
  stages[3].also = &stages[below(state, 2)]; /* never the source itself */
  stages[STAGES - 1].keep_all = true;        /* so that the result can be looked at */
}

/* The same in plain loops: one band as tall as the image, and everything kept. */
static void stages_expect(const struct stage *stages, uint64_t *expected)
{
  struct stage plain[STAGES];
  struct stage *order[STAGES];
  struct error error;
  size_t bytes;

  for (size_t i = 0; i < STAGES; i++) {
    plain[i] = stages[i];
    plain[i].band_rows = plain[i].rows;
    plain[i].source = i ? &plain[i - 1] : NULL;
    plain[i].also = stages[i].also ? &plain[stages[i].also - stages] : NULL;
    order[i] = &plain[i];
  }
  ck_assert(stages_arrange(order, STAGES, 1, &bytes, &error));
  ck_assert(stages_run(order, STAGES, &error));
  for (size_t y = 0; y < plain[STAGES - 1].rows; y++)
    expected[y] = row_number(&plain[STAGES - 1], y);
  stages_free(order, STAGES);
}

static bool stages_try(struct stage **order, size_t threads, struct error *error)
{
  bool done = false;
  size_t bytes;

  ck_assert(stages_arrange(order, STAGES, threads, &bytes, error));
#pragma omp parallel num_threads((int)threads)
#pragma omp single
#pragma omp task shared(done)
  done = stages_run(order, STAGES, error);
  return done;
}

START_TEST(rows_do_not_depend_on_bands)
{
  unsigned state = (unsigned)_i;

  for (int round = 0; round < 100; round++) {
    struct stage stages[STAGES], *order[STAGES];
    uint64_t expected[ROWS];
    struct error error;

    stages_draw(stages, order, &state);
    stages_expect(stages, expected);
    ck_assert(stages_try(order, 1 + (size_t)below(&state, 4), &error));
    for (size_t y = 0; y < stages[0].rows; y++)
      ck_assert_msg(row_number(&stages[STAGES - 1], y) == expected[y],
                    "seed %d, round %d: row %zu of %zu", _i, round, y, stages[0].rows);
    stages_free(order, STAGES);
  }
}
END_TEST

static bool run_fail(struct stage *stage, size_t band, size_t first, size_t count,
                     struct error *error)
{
  if (first + count > 20)
    return error_set(error, STATUS_FAILED, "row 20 is bad");
  return run_mix(stage, band, first, count, error);
}

START_TEST(an_error_ends_all)
{
  for (size_t threads = 1; threads <= 3; threads++) {
    struct stage stages[STAGES], *order[STAGES];
    struct error error;
    unsigned state = 7;

    do
      stages_draw(stages, order, &state);
    while (stages[0].rows < 30);
    stages[0].run = run_fail;
    ck_assert(!stages_try(order, threads, &error));
    ck_assert_str_eq(error.text, "row 20 is bad");
    stages_free(order, STAGES);
  }
}
END_TEST

START_TEST(memory_does_not_grow_with_height)
{
  size_t bytes[2];

  for (size_t i = 0; i < 2; i++) {
    struct stage stages[2] = {
        {.run = run_mix, .rows = i ? 1000000 : 1000, .band_rows = 16, .row_bytes = 64},
        {.run = run_mix,
         .rows = i ? 1000000 : 1000,
         .band_rows = 16,
         .row_bytes = 64,
         .above = 6,
         .below = 6,
         .source = &stages[0],
         .border = BORDER_MIRROR},
    };
    struct stage *order[] = {&stages[0], &stages[1]};
    struct error error;

    ck_assert(stages_arrange(order, 2, 2, &bytes[i], &error));
  }
  ck_assert_uint_eq(bytes[0], bytes[1]);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("stage");

  tcase_add_loop_test(test, rows_do_not_depend_on_bands, 1, 9);
  tcase_add_test(test, an_error_ends_all);
  tcase_add_test(test, memory_does_not_grow_with_height);
  tcase_set_timeout(test, 120);
  return unit_run("stage", test);
}
