/* Counters predicted of lines: each is what its line of the table says, and one that the table does not
   predict is not known, instead of 0. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <math.h>
#include <string.h>

#include "counters.h"
#include "unit.h"

/* Two lines of shared memory that is read, and one of everything else; figures as small as can be told
   apart. */
static struct explained_line line[] = {
    {.memory = EXPLAINED_GLOBAL, .bytes = 4, .requests = 3, .served = 12},
    {.memory = EXPLAINED_GLOBAL, .write = true, .bytes = 4, .requests = 5, .served = 40},
    {.memory = EXPLAINED_SHARED, .bytes = 4, .requests = 7, .served = 10},
    {.memory = EXPLAINED_SHARED, .bytes = 16, .requests = 2, .served = 9}, /* 8 without conflict */
    {.memory = EXPLAINED_SHARED, .write = true, .bytes = 4, .requests = 6, .served = 6},
    {.memory = EXPLAINED_CONSTANT, .bytes = 4, .requests = 99, .served = 99},
    {.memory = EXPLAINED_TEXTURE, .bytes = 4, .requests = 11, .served = 13},
};
static const struct explained_lines lines = {line, sizeof line / sizeof *line};

static double value(const struct counters *counters, const char *name)
{
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (strcmp(counter_table[i].name, name) == 0)
      return counters->value[i];
  ck_abort_msg("there is no counter %s", name);
}

static const struct {
  const char *name;
  double value;
} expected[] = {
    {"global_load_requests", 3},   {"global_load_sectors", 12},  {"global_store_requests", 5},
    {"global_store_sectors", 40},  {"shared_load_requests", 9},  {"shared_load_wavefronts", 19},
    {"shared_load_conflicts", 4},  {"shared_store_requests", 6}, {"shared_store_wavefronts", 6},
    {"shared_store_conflicts", 0}, {"texture_requests", 11},     {"texture_sectors", 13},
};

START_TEST(predictions_are_those_worked_out)
{
  struct counters counters;

  counters_of_lines(&counters, &lines);
  ck_assert_double_eq(value(&counters, expected[_i].name), expected[_i].value);
}
END_TEST

/* Also of a counter that somebody adds: a line of the table that predicts nothing gives no number. */
START_TEST(what_is_not_predicted_is_unknown)
{
  struct counters counters;
  size_t unknown = 0;

  counters_of_lines(&counters, &lines);
  for (int i = 0; i < COUNTER_COUNT; i++) {
    bool predicted = counter_table[i].prediction.what != PREDICT_NOTHING;

    ck_assert_msg(isnan(counters.value[i]) == !predicted, "%s", counter_table[i].name);
    unknown += !predicted;
  }
  ck_assert_uint_eq(unknown + sizeof expected / sizeof *expected, COUNTER_COUNT);
  ck_assert(isnan(value(&counters, "dram_bytes_read")));
}
END_TEST

START_TEST(launches_add_up_but_for_shares)
{
  struct counters sum = {.unavailable = ""}, more = {.unavailable = ""};

  for (int i = 0; i < COUNTER_COUNT; i++)
    sum.value[i] = 40, more.value[i] = 2;
  counters_add(&sum, &more);
  for (int i = 0; i < COUNTER_COUNT; i++)
    ck_assert_double_eq(sum.value[i], counter_table[i].kind == COUNTED_SHARE ? 40 : 42);
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("counters");

  tcase_add_loop_test(all, predictions_are_those_worked_out, 0, sizeof expected / sizeof *expected);
  tcase_add_test(all, what_is_not_predicted_is_unknown);
  tcase_add_test(all, launches_add_up_but_for_shares);
  return unit_run("counters", all);
}
