/* The choice of paths: what is asked for, and what of that is right for a picture. */
#include "choice.h"

#include <string.h>

#include "device.h"
#include "filter_one.h"
#include "filter_read.h"
#include "unit.h"

/* Options, a picture of RGB with 8 bits, and the choices that come of them. */
struct chosen {
  struct settings settings;
  struct shape shape;
  struct chain chain;
  struct plan plan;
  struct choice choice, settled;
  struct error error;
};

static struct chosen chosen_of(const char *paths, const char *device)
{
  struct chosen chosen = {
      .settings = {.paths = paths, .device = device, .border_level = -1, .threads = 4},
      .shape = {6000, 4000, 3, SAMPLE_U8},
  };

  return chosen;
}

static bool choose(struct chosen *chosen)
{
  return choice_make(&chosen->choice, &chosen->settings, &chosen->error);
}

/* Chooses for the picture and this filter. */
static bool settle(struct chosen *chosen, const char *filter)
{
  ck_assert_msg(choose(chosen), "%s", chosen->error.text);
  ck_assert_msg(filter_read(&chosen->chain, filter, &chosen->error), "%s", chosen->error.text);
  ck_assert_msg(plan_make(&chosen->plan, &chosen->settings, chosen->choice.automatic,
                          &chosen->chain, &chosen->shape, 0, SAMPLE_U8, &chosen->error),
                "%s", chosen->error.text);
  return choice_settle(&chosen->settled, &chosen->choice, &chosen->plan, &chosen->settings,
                       &chosen->error);
}

static void chosen_free(struct chosen *chosen)
{
  plan_free(&chosen->plan);
  chain_free(&chosen->chain);
}

static void refuses(struct chosen chosen, enum status status, const char *words)
{
  ck_assert_msg(!choose(&chosen), "not refused: %s", words);
  ck_assert_int_eq(chosen.error.status, status);
  ck_assert_msg(strstr(chosen.error.text, words), "no \"%s\" in: %s", words, chosen.error.text);
}

START_TEST(what_is_named_is_taken)
{
  struct chosen one = chosen_of("reference", "auto"),
                several = chosen_of("vector,reference", "cpu");
  struct chosen emulated = chosen_of("shared", "emulated");

  ck_assert(settle(&one, "box:3"));
  ck_assert(one.settled.count == 1 && one.settled.paths[0] == &path_cpu_reference);
  ck_assert(!one.choice.automatic && !one.choice.every);
  ck_assert(settle(&several, "box:3"));
  ck_assert(several.settled.count == 2 && several.settled.paths[1] == &path_cpu_reference);
  ck_assert(settle(&emulated, "box:3"));
  ck_assert(emulated.settled.paths[0] == &path_emulated_shared);
  chosen_free(&one);
  chosen_free(&several);
  chosen_free(&emulated);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
  refuses(chosen_of("fast", "auto"), STATUS_USAGE, "no path fast; known are reference, vector");
  refuses(chosen_of("vector", "emulated"), STATUS_USAGE, "runs on the device cpu");
  refuses(chosen_of("vector,vector", "auto"), STATUS_USAGE, "named twice");
  refuses(chosen_of("auto", "abacus"), STATUS_DEVICE, "no device abacus; it has auto, cpu");
  refuses(chosen_of("auto", "cpu:1"), STATUS_USAGE, "leave out :1");
}
END_TEST

/* Left to halo, filters may be split; a small picture is never worth the start of a GPU. */
START_TEST(auto_takes_the_fastest)
{
  struct chosen cpu = chosen_of("auto", "cpu"), emulated = chosen_of("auto", "emulated");
  struct chosen open = chosen_of("auto", "auto");

  open.shape.width = open.shape.height = 64;
  ck_assert(settle(&cpu, "binomial7") && cpu.settled.paths[0] == &path_cpu_vector);
  ck_assert(cpu.choice.automatic && cpu.plan.steps[0].column);
  ck_assert(settle(&emulated, "box:3") && emulated.settled.paths[0] == &path_emulated_register);
  ck_assert(settle(&open, "box:3") && open.settled.paths[0] == &path_cpu_vector);
  ck_assert(open.choice.open && !cpu.choice.open && !emulated.choice.open);
  ck_assert(strstr(open.settled.why, "path vector on the device cpu"));
  chosen_free(&cpu);
  chosen_free(&emulated);
  chosen_free(&open);
}
END_TEST

/* 64 KiB of constant memory hold 127 by 127 taps, not 129 by 129. */
START_TEST(every_path_that_can)
{
  struct chosen all = chosen_of("all", "emulated"), named = chosen_of("constant", "emulated");

  ck_assert(settle(&all, "disk:64"));
  ck_assert(all.choice.every && all.choice.count == 5);
  ck_assert_msg(all.settled.count < 5, "constant took 129 by 129 taps");
  for (size_t i = 0; i < all.settled.count; i++)
    ck_assert(all.settled.paths[i] != &path_emulated_constant);
  ck_assert(strstr(all.settled.why, "; without constant: "));
  ck_assert(!settle(&named, "disk:64"));
  ck_assert_int_eq(named.error.status, STATUS_DEVICE);
  ck_assert(strstr(named.error.text, "the path constant can't do this: "));
  chosen_free(&all);
  chosen_free(&named);
}
END_TEST

/* --explain looks at kernels, and the other reports at all paths, unless some are named. */
START_TEST(reports_take_all)
{
  struct chosen bench = chosen_of("auto", "cpu"), explain = chosen_of("auto", "auto");

  bench.settings.task = TASK_BENCH;
  explain.settings.task = TASK_EXPLAIN;
  ck_assert(choose(&bench) && bench.choice.every && bench.choice.count == 2);
  ck_assert(choose(&explain) && explain.choice.every);
  for (size_t i = 0; i < explain.choice.count; i++)
    ck_assert(explain.choice.paths[i]->device == &device_emulated);
}
END_TEST

START_TEST(small_pictures_have_few_threads)
{
  struct chosen large = chosen_of("vector", "cpu"), small = chosen_of("vector", "cpu");

  small.shape.width = small.shape.height = 64;
  ck_assert(settle(&large, "box:3") && settle(&small, "box:3"));
  ck_assert_uint_eq(large.settled.threads, 4);
  ck_assert_uint_eq(small.settled.threads, 1);
  chosen_free(&large);
  chosen_free(&small);
}
END_TEST

/* A band is a share of a thread's work, holds more rows than its column taps reach over, is never higher
   than the picture, and is what --band says where that is given. */
START_TEST(bands_have_a_height)
{
  struct chosen usual = chosen_of("vector", "cpu"), high = chosen_of("vector", "cpu");
  struct chosen low = chosen_of("vector", "cpu"), given = chosen_of("vector", "cpu");

  low.shape.height = 3;
  given.settings.band_rows = 7;
  ck_assert(settle(&usual, "box:3") && settle(&high, "gauss:100"));
  ck_assert(settle(&low, "box:3") && settle(&given, "box:3"));
  ck_assert(usual.settled.band_rows >= 8 && usual.settled.band_rows <= 4000 / 4);
  ck_assert(high.settled.band_rows >= 2 * high.plan.steps[0].column->height);
  ck_assert_uint_eq(low.settled.band_rows, 3);
  ck_assert_uint_eq(given.settled.band_rows, 7);
  chosen_free(&usual);
  chosen_free(&high);
  chosen_free(&low);
  chosen_free(&given);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("choice");

  tcase_add_test(test, what_is_named_is_taken);
  tcase_add_test(test, what_is_not_there_is_refused);
  tcase_add_test(test, auto_takes_the_fastest);
  tcase_add_test(test, every_path_that_can);
  tcase_add_test(test, reports_take_all);
  tcase_add_test(test, small_pictures_have_few_threads);
  tcase_add_test(test, bands_have_a_height);
  return unit_run("choice", test);
}
