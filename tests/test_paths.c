/* Every path against the reference, over the case table: the same bits, nothing read or written
   outside, and a refusal only with a reason. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "device.h"
#include "path.h"

/* The same bits; a path that declares a tolerance may differ by it, and NaN is NaN. */
static bool sample_agrees(const void *a, const void *b, size_t index, const struct job *job,
                          float tolerance)
{
  size_t bytes = sample_bytes(job->to);
  const char *one = (const char *)a + index * bytes, *other = (const char *)b + index * bytes;

  if (memcmp(one, other, bytes) == 0)
    return true;
  switch (job->to) {
  case SAMPLE_U8:
    return abs(*(const uint8_t *)one - *(const uint8_t *)other) <= tolerance;
  case SAMPLE_U16:
    return abs(((const uint16_t *)a)[index] - ((const uint16_t *)b)[index]) <= tolerance;
  case SAMPLE_F32:
    break;
  }
  return (isnan(((const float *)a)[index]) && isnan(((const float *)b)[index])) ||
         (tolerance > 0 &&
          fabsf(((const float *)a)[index] - ((const float *)b)[index]) <= tolerance);
}

static void results_compare(const struct test_case *test, const struct path *path,
                            const struct result *expected, const struct result *got)
{
  const struct job *job = &test->job;

  for (size_t y = 0; y < job->rows; y++)
    for (size_t x = 0; x < job->result_width * job->channels; x++)
      if (!sample_agrees(expected->data + y * expected->pitch, got->data + y * got->pitch, x, job,
                         path->tolerance))
        ck_abort_msg("%s: %s differs at x %zu, y %zu", test->name, path->name, x / job->channels,
                     y);
}

static void case_run(const struct test_case *test, const struct path *path, struct result *result)
{
  struct job job = test->job;
  struct band_cost cost = {0};
  struct error error;

  result_make(result, job.rows, test->result_bytes);
  job.result = result->data;
  job.pitch = result->pitch;
  ck_assert_msg(path->device->run(path, &job, &cost, &error), "%s: %s: %s", test->name, path->name,
                error.text);
  ck_assert_msg(result_intact(result), "%s: %s wrote beside its rows", test->name, path->name);
}

static void case_check(size_t index, size_t *ran)
{
  struct test_case test;
  struct result expected, got;

  case_make(&test, index);
  case_run(&test, &path_cpu_reference, &expected);
  for (size_t i = 0; paths[i]; i++) {
    const char *reason = path_missing(paths[i]);

    if (!reason)
      reason = paths[i]->refuse(&test.job);

    if (paths[i] == &path_cpu_reference || reason || (test.job.column && !paths[i]->separable)) {
      ck_assert(!reason || *reason);
      continue;
    }
    case_run(&test, paths[i], &got);
    results_compare(&test, paths[i], &expected, &got);
    result_free(&got);
    ++*ran;
  }
  result_free(&expected);
  case_free(&test);
}

START_TEST(every_path_gives_the_bits_of_the_reference)
{
  size_t count = cases_count(), ran = 0;

  for (size_t index = (size_t)_i; index < count; index += 8)
    case_check(index, &ran);
  ck_assert_uint_gt(ran, count / 16); /* a path that refuses everything is no success */
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("paths");
  TCase *table = tcase_create("case table");
  SRunner *runner;
  int failed;

  printf("case table: %zu cases, HALO_SEED=%llu\n", cases_count(),
         (unsigned long long)cases_seed());
  tcase_add_loop_test(table, every_path_gives_the_bits_of_the_reference, 0, 8);
  tcase_set_timeout(table, 300);
  suite_add_tcase(suite, table);
  runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
