/* Plans: what each filter of a chain becomes for a picture, its border and its colour. */
#include "plan.h"

#include <string.h>

#include "filter_one.h"
#include "filter_read.h"
#include "unit.h"

/* A plan and what it was made of. */
struct planned {
  struct settings settings;
  struct shape shape;
  enum sample_type to;
  bool split;
  struct chain chain;
  struct plan plan;
  struct error error;
};

/* Without any option, for a picture of 8 bits that is 100 wide and 50 high; never split. */
static struct planned planned_of(unsigned channels)
{
  struct planned planned = {
      .settings = {.border = BORDER_CLAMP, .border_level = -1},
      .shape = {100, 50, channels, SAMPLE_U8},
      .to = SAMPLE_U8,
  };

  return planned;
}

static void planned_add(struct planned *planned, const char *text)
{
  ck_assert_msg(filter_read(&planned->chain, text, &planned->error), "%s", planned->error.text);
}

static bool planned_try(struct planned *planned)
{
  return plan_make(&planned->plan, &planned->settings, planned->split, &planned->chain,
                   &planned->shape, 0, planned->to, &planned->error);
}

static void planned_make(struct planned *planned)
{
  ck_assert_msg(planned_try(planned), "%s", planned->error.text);
}

static void planned_free(struct planned *planned)
{
  plan_free(&planned->plan);
  chain_free(&planned->chain);
}

START_TEST(borders_keep_the_size)
{
  const enum border borders[] = {BORDER_CLAMP, BORDER_MIRROR, BORDER_REFLECT, BORDER_WRAP,
                                 BORDER_CONSTANT};

  for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
    struct planned planned = planned_of(3);
    struct job job;

    planned.settings.border = borders[i];
    planned_add(&planned, "1 2 3 4 5; 6 7 8 9 1; 2 3 4 5 6");
    planned_make(&planned);
    ck_assert_uint_eq(planned.plan.step_count, 1);
    ck_assert(planned.plan.result.width == 100 && planned.plan.result.height == 50);
    ck_assert(planned.plan.crop_left == 0 && planned.plan.crop_top == 0);
    job = step_job(&planned.plan.steps[0], borders[i]);
    ck_assert(job.border == borders[i] && job.left == 2 && job.result_width == 100);
    planned_free(&planned);
  }
}
END_TEST

START_TEST(crop_adds_up)
{
  struct planned planned = planned_of(1);
  const struct plan *plan = &planned.plan;

  planned.settings.border = BORDER_CROP;
  planned_add(&planned, "1 2 3 4 5; 6 7 8 9 1; 2 3 4 5 6"); /* 5 by 3 */
  planned_add(&planned, "1 1; 1 2; 1 1; 1 1");              /* 2 by 4 */
  planned_make(&planned);
  ck_assert_uint_eq(plan->step_count, 2);
  ck_assert(plan->steps[0].result.width == 96 && plan->steps[0].result.height == 48);
  ck_assert(plan->steps[1].source.width == 96 && plan->steps[1].source.height == 48);
  ck_assert(plan->result.width == 95 && plan->result.height == 45);
  ck_assert(plan->crop_left == 2 + 1 && plan->crop_top == 1 + 2);
  ck_assert_uint_eq(step_job(&plan->steps[0], BORDER_CROP).left, 0);
  planned_free(&planned);
}
END_TEST

START_TEST(crop_leaves_nothing)
{
  struct planned planned = planned_of(1);

  planned.settings.border = BORDER_CROP;
  planned.shape.height = 2;
  planned_add(&planned, "box:3");
  ck_assert(!planned_try(&planned));
  ck_assert_int_eq(planned.error.status, STATUS_FAILED);
  ck_assert(strstr(planned.error.text, "smaller than the filter (3x3)"));
  chain_free(&planned.chain);
}
END_TEST

/* Floats stand between filters; the last one makes the samples of the result, and what --absolute says
   happens there alone. */
START_TEST(chain_rounds_once)
{
  struct planned planned = planned_of(3);
  const struct plan *plan = &planned.plan;

  planned.to = SAMPLE_U16;
  planned.settings.absolute = true;
  planned_add(&planned, "1 2 3");
  planned_add(&planned, "gauss:2");
  planned_add(&planned, "1 2 1");
  planned_make(&planned);
  ck_assert_uint_eq(plan->step_count, 3);
  ck_assert(plan->steps[0].from == SAMPLE_U8 && plan->steps[0].to == SAMPLE_F32);
  ck_assert(plan->steps[1].from == SAMPLE_F32 && plan->steps[1].to == SAMPLE_F32);
  ck_assert(plan->steps[2].from == SAMPLE_F32 && plan->steps[2].to == SAMPLE_U16);
  ck_assert(!plan->steps[0].absolute && !plan->steps[1].absolute && plan->steps[2].absolute);
  ck_assert(plan->steps[1].column && !plan->steps[0].column);
  ck_assert(plan->result.type == SAMPLE_U16 && !plan->convert);
  planned_free(&planned);
}
END_TEST

/* The filters of the user stay as they are: the next picture may be of another depth. */
START_TEST(chain_is_copied)
{
  struct planned planned = planned_of(1);
  const struct pass *own;
  float tap;

  planned.to = SAMPLE_U16;
  planned_add(&planned, "1 2 1");
  own = &planned.chain.filters[0].term[0].pass[0];
  tap = own->taps[1];
  planned_make(&planned);
  ck_assert(own->taps[1] == tap && planned.plan.steps[0].pass != own);
  ck_assert(planned.plan.steps[0].pass->taps[1] / planned.plan.steps[0].pass->scale ==
            257 * (tap / own->scale));
  planned_free(&planned);
}
END_TEST

/* 7 by 7 taps that are a row times a column: 14 multiply-adds in place of 49; with 3 by 3 it is 6 in place
   of 9, which a second pass over the picture eats up. */
START_TEST(matrix_is_split_where_it_pays)
{
  const char *texts[] = {"binomial7", "binomial3", "disk:3"};
  const bool expected[] = {true, false, false};

  for (int i = 0; i < 3; i++) {
    for (int split = 0; split < 2; split++) {
      struct planned planned = planned_of(3);

      planned.split = split;
      planned_add(&planned, texts[i]);
      planned_make(&planned);
      ck_assert_msg((planned.plan.steps[0].column != NULL) == (split && expected[i]), "%s",
                    texts[i]);
      planned_free(&planned);
    }
  }
}
END_TEST

/* What each filter and option does to a picture with alpha; and without it, nothing. */
START_TEST(colour_is_converted_where_it_must)
{
  const struct {
    const char *filter;
    enum alpha_mode alpha;
    bool linear, absolute;
    bool convert, weigh, keep, restore; /* expected for RGBA */
  } rows[] = {
      {"gauss:1", ALPHA_PREMULTIPLY, false, false, true, true, false, false},
      {"gauss:1", ALPHA_STRAIGHT, false, false, false, false, false, false},
      {"gauss:1", ALPHA_KEEP, false, false, false, false, true, true},
      {"gauss:1", ALPHA_KEEP, true, false, true, false, true, false},
      {"gauss:1", ALPHA_STRAIGHT, true, false, true, false, false, false},
      {"identity", ALPHA_PREMULTIPLY, false, false, false, false, false, false},
      {"identity", ALPHA_PREMULTIPLY, false, true, true, false, false, false},
      {"sobel-x", ALPHA_PREMULTIPLY, false, false, true, true, true, false},
      {"sobel-x", ALPHA_STRAIGHT, false, true, true, false, false, false},
  };

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (unsigned channels = 1; channels <= 4; channels++) {
      struct planned planned = planned_of(channels);
      const struct plan *plan = &planned.plan;
      bool alpha = channels % 2 == 0;

      planned.settings.alpha = rows[i].alpha;
      planned.settings.linear = rows[i].linear;
      planned.settings.absolute = rows[i].absolute;
      planned_add(&planned, rows[i].filter);
      planned_make(&planned);
      ck_assert_msg(plan->convert == (alpha ? rows[i].convert : rows[i].linear), "row %zu of %u", i,
                    channels);
      ck_assert_msg(plan->colour.weigh == (alpha && rows[i].weigh), "row %zu", i);
      ck_assert_msg(plan->colour.keep == (alpha && rows[i].keep), "row %zu", i);
      ck_assert_msg(plan->restore_alpha == (alpha && rows[i].restore), "row %zu", i);
      ck_assert(plan->steps[0].from == (plan->convert ? SAMPLE_F32 : SAMPLE_U8));
      ck_assert(plan->steps[0].to == (plan->convert ? SAMPLE_F32 : SAMPLE_U8));
      ck_assert(plan->steps[0].absolute == (rows[i].absolute && !plan->convert));
      planned_free(&planned);
    }
  }
}
END_TEST

/* constant:V counts in levels of 8 bits, and is opaque; without V it is black, and transparent where there
   is alpha. */
START_TEST(beyond_a_constant_border)
{
  struct planned given = planned_of(4), absent = planned_of(4);

  given.settings.border = absent.settings.border = BORDER_CONSTANT;
  given.settings.alpha = absent.settings.alpha = ALPHA_STRAIGHT;
  given.settings.border_level = 128;
  given.shape.type = absent.shape.type = SAMPLE_U16;
  planned_add(&given, "box:3");
  planned_add(&absent, "box:3");
  planned_make(&given);
  planned_make(&absent);
  for (int c = 0; c < 3; c++)
    ck_assert(given.plan.steps[0].beyond[c] == 128 * 257 && absent.plan.steps[0].beyond[c] == 0);
  ck_assert(given.plan.steps[0].beyond[3] == 65535 && absent.plan.steps[0].beyond[3] == 0);
  planned_free(&given);
  planned_free(&absent);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("plan");

  tcase_add_test(test, borders_keep_the_size);
  tcase_add_test(test, crop_adds_up);
  tcase_add_test(test, crop_leaves_nothing);
  tcase_add_test(test, chain_rounds_once);
  tcase_add_test(test, chain_is_copied);
  tcase_add_test(test, matrix_is_split_where_it_pays);
  tcase_add_test(test, colour_is_converted_where_it_must);
  tcase_add_test(test, beyond_a_constant_border);
  return unit_run("plan", test);
}
