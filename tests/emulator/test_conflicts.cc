/* What the kernels of the paths do to shared and constant memory, as the emulator's recorder counts it:
   every request to shared memory is served in one wavefront, and a warp never asks constant memory for
   two taps at once. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>

#include "emulator.h"
#include "unit.h"

extern "C" {
#include "cases.h"
#include "device.h"
#include "path.h"
}

namespace
{

/* Case 0, 20, 40 and so on: recording takes a hundred times as long as running. */
enum { STEP = 20, PARTS = 4 };

/* How often each kind of memory was asked. */
uint64_t asked[4];

void tally_check(const struct emulator::tally &tally, const char *name)
{
  asked[tally.space] += tally.requests;
  if (tally.space == emulator::SPACE_SHARED || tally.space == emulator::SPACE_CONSTANT)
    ck_assert_msg(tally.served == tally.requests, "%s: kernel %s, %s:%d: %zu requests took %zu",
                  name, tally.kernel, tally.file, tally.line, (size_t)tally.requests,
                  (size_t)tally.served);
}

void case_record(const struct path *path, const struct test_case *test)
{
  struct job job = test->job;
  struct band_cost cost = {};
  emulator::recorder recorder;
  struct result result;
  struct error error;
  bool done;

  if (path->refuse(&job))
    return;
  result_make(&result, job.rows, test->result_bytes);
  job.result = result.data;
  job.pitch = result.pitch;
  recorder.start();
  done = path->device->run(path, &job, &cost, &error);
  recorder.stop();
  result_free(&result);
  ck_assert_msg(done, "%s: %s", test->name, error.text);
  for (const struct emulator::tally &tally : recorder.tallies())
    tally_check(tally, test->name);
}

START_TEST(no_path_has_bank_conflicts)
{
  for (size_t index = (size_t)_i * STEP; index < cases_count(); index += PARTS * STEP) {
    struct test_case test;

    case_make(&test, index);
    for (size_t i = 0; paths[i]; i++)
      if (paths[i]->device == &device_emulated)
        case_record(paths[i], &test);
    case_free(&test);
  }
  for (uint64_t requests : asked)
    ck_assert_uint_gt(requests, 0); /* each kind of memory was looked at */
}
END_TEST

} // namespace

int main()
{
  TCase *table = tcase_create("case table");

  tcase_add_loop_test(table, no_path_has_bank_conflicts, 0, PARTS);
  tcase_set_timeout(table, 300);
  return unit_run("conflicts", table);
}
