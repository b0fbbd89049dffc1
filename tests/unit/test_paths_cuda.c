/* Every path of the device cuda against the reference, over the case table.  A program of its own:
   a CUDA context does not survive fork(), and where there is no GPU it is skipped as a whole, so that
   it is seen. */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "case_check.h"
#include "cases.h"
#include "unit.h"

enum { PARTS = 8, SKIPPED = 77 };

static const struct device *cuda;
static struct case_tally tally;

START_TEST(cuda_paths_give_the_bits_of_the_reference)
{
  size_t count = cases_count();
  struct error error;

  for (size_t index = (size_t)_i; index < count; index += PARTS)
    ck_assert_msg(case_check(index, cuda, &tally, &error), "%s", error.text);
}
END_TEST

START_TEST(no_cuda_path_refuses_everything)
{
  struct error error;

  ck_assert_msg(case_tally_check(&tally, cuda, &error), "%s", error.text);
}
END_TEST

static void tally_print(void)
{
  for (size_t i = 0; paths[i]; i++)
    if (paths[i]->device == cuda)
      printf("%s took %zu of %zu cases\n", paths[i]->name, tally.ran[i], cases_count());
}

int main(void)
{
  const char *reason;
  TCase *table;
  int status;

  cuda = device_find("cuda");
  reason = cuda ? cuda->missing() : "this halo was built without CUDA";
  if (reason) {
    printf("SKIP: no device cuda: %s\n", reason);
    return SKIPPED;
  }
  setenv("CK_FORK", "no", 1);
  cases_print(stdout);
  table = tcase_create("cuda");
  tcase_add_loop_test(table, cuda_paths_give_the_bits_of_the_reference, 0, PARTS);
  tcase_add_test(table, no_cuda_path_refuses_everything);
  status = unit_run("paths of cuda", table);
  tally_print();
  return status;
}
