/* Runs the tests of a program: see unit.h. */
#include "config.h"

#include "unit.h"

#include <stdlib.h>

int unit_run(const char *suite, TCase *tests)
{
  Suite *all = suite_create(suite);
  SRunner *runner;
  int failed;

  suite_add_tcase(all, tests);
  runner = srunner_create(all);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
