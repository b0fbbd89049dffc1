/* Loops on several threads, and numbers of bytes as people write them. */
#include "config.h"

#include <check.h>
#include <stdatomic.h>

#include "bytes.h"
#include "parallel.h"
#include "unit.h"

enum { TURNS = 1000 };

static void turn_count(void *context, size_t index)
{
  atomic_fetch_add(&((atomic_int *)context)[index], 1);
}

START_TEST(each_index_has_one_turn)
{
  for (size_t threads = 1; threads <= 9; threads++) {
    struct team *team = team_start(threads);

    for (size_t count = 0; count < TURNS; count += 1 + count / 2) { /* one loop after another */
      static atomic_int turns[TURNS];

      for (size_t i = 0; i < TURNS; i++)
        atomic_store(&turns[i], 0);
      team_loop(team, count, turn_count, turns);
      for (size_t i = 0; i < TURNS; i++)
        ck_assert_int_eq(atomic_load(&turns[i]), i < count);
    }
    ck_assert_uint_le(team_size(team), threads);
    team_stop(team);
  }
}
END_TEST

START_TEST(no_team_is_the_caller_alone)
{
  atomic_int turns[3] = {0};

  ck_assert_uint_eq(team_size(NULL), 1);
  team_loop(NULL, 3, turn_count, turns);
  team_stop(NULL);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(atomic_load(&turns[i]), 1);
}
END_TEST

START_TEST(there_is_a_core)
{
  ck_assert_uint_ge(parallel_cores(), 1);
}
END_TEST

START_TEST(bytes_are_told_as_options_take_them)
{
  static const struct {
    size_t bytes;
    const char *text;
  } cases[] = {
      {0, "0"},
      {1, "1"},
      {1023, "1023"},
      {1024, "1K"},
      {1025, "1025"},
      {1500 << 10, "1500K"},
      {(100 << 10) + 1, "101K"},
      {64 << 20, "64M"},
      {(size_t)7971 << 20, "7971M"},
      {(size_t)2 << 30, "2G"},
      {SIZE_MAX, "17179869184G"},
  };
  char text[BYTES_TEXT];

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_str_eq(bytes_text(cases[i].bytes, text), cases[i].text);
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("parallel");

  tcase_add_test(test, each_index_has_one_turn);
  tcase_add_test(test, no_team_is_the_caller_alone);
  tcase_add_test(test, there_is_a_core);
  tcase_add_test(test, bytes_are_told_as_options_take_them);
  return unit_run("parallel", test);
}
