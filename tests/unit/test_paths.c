/* Every path that runs without a GPU against the reference, over the case table: the same bits,
   nothing read or written outside, and a refusal only with a reason.  Those of the device cuda are
   held to the same in test_paths_cuda.c. */
#include "config.h"

#include <check.h>
#include <stdio.h>

#include "case_check.h"
#include "cases.h"
#include "unit.h"

enum { PARTS = 8 }; /* of the table, one a test */

static void part_check(size_t part, const struct device *device)
{
  size_t count = cases_count();
  struct case_tally tally = {0};
  struct error error;

  for (size_t index = part; index < count; index += PARTS)
    ck_assert_msg(case_check(index, device, &tally, &error), "%s", error.text);
  ck_assert_msg(case_tally_check(&tally, device, &error), "%s", error.text);
}

START_TEST(cpu_paths_give_the_bits_of_the_reference)
{
  part_check((size_t)_i, &device_cpu);
}
END_TEST

START_TEST(emulated_paths_give_the_bits_of_the_reference)
{
  part_check((size_t)_i, &device_emulated);
}
END_TEST

int main(void)
{
  TCase *table = tcase_create("case table");

  cases_print(stdout);
  tcase_add_loop_test(table, cpu_paths_give_the_bits_of_the_reference, 0, PARTS);
  tcase_add_loop_test(table, emulated_paths_give_the_bits_of_the_reference, 0, PARTS);
  tcase_set_timeout(table, 600);
  return unit_run("paths", table);
}
