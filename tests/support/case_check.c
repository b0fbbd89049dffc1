/* Every path against the reference: see case_check.h. */
#include "config.h"

#include "case_check.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "cases.h"
#include "compare.h"
#include "parallel.h"

enum { REFERENCE_ROWS = 128 }; /* that a thread computes at a time */

static bool results_compare(const struct test_case *test, const struct path *path,
                            const struct result *expected, const struct result *got,
                            struct error *error)
{
  const struct job *job = &test->job;
  const struct shape shape = {job->result_width, job->rows, job->channels, job->to};
  struct difference difference =
      rows_compare(&shape, got->data, got->pitch, expected->data, expected->pitch, path->tolerance);

  return !difference.found ||
         error_set(error, STATUS_FAILED,
                   "%s: %s on %s differs at x %zu, channel %zu, y %zu: %.9g, not %.9g", test->name,
                   path->name, path->device->name, difference.x, difference.channel, difference.y,
                   (double)difference.one, (double)difference.other);
}

/* What the threads share that compute the reference. */
struct reference {
  const struct test_case *test;
  struct result *result;
  atomic_bool failed;
};

static void reference_band(void *context, size_t band)
{
  struct reference *reference = context;
  struct job job = reference->test->job;
  size_t first = band * REFERENCE_ROWS;
  struct error error;

  job.source += first;
  job.rows = job.rows - first < REFERENCE_ROWS ? job.rows - first : REFERENCE_ROWS;
  job.result = reference->result->data + first * reference->result->pitch;
  job.pitch = reference->result->pitch;
  if (!path_cpu_reference.launch(&job, &error))
    atomic_store(&reference->failed, true);
}

/* The reference, of which large cases take so long that all threads share the rows. */
static bool reference_run(const struct test_case *test, struct result *result, struct error *error)
{
  struct reference reference = {test, result, false};
  size_t bands = (test->job.rows + REFERENCE_ROWS - 1) / REFERENCE_ROWS;
  struct team *team = bands > 1 ? team_start(parallel_cores()) : NULL;

  result_make(result, test->job.rows, test->result_bytes);
  team_loop(team, bands, reference_band, &reference);
  team_stop(team);
  return !atomic_load(&reference.failed) ||
         error_set(error, STATUS_FAILED, "%s: the reference fails", test->name);
}

static bool path_run(const struct test_case *test, const struct path *path, struct result *result,
                     struct error *error)
{
  struct job job = test->job;
  struct band_cost cost = {0};
  struct error cause;

  result_make(result, job.rows, test->result_bytes);
  job.result = result->data;
  job.pitch = result->pitch;
  if (!path->device->run(path, &job, &cost, &cause))
    return error_set(error, STATUS_FAILED, "%s: %s on %s: %s", test->name, path->name,
                     path->device->name, cause.text);
  return result_intact(result) ||
         error_set(error, STATUS_FAILED, "%s: %s on %s wrote beside its rows", test->name,
                   path->name, path->device->name);
}

/* Why the path is not asked to do the case, or NULL.  */
static const char *path_excuse(const struct path *path, const struct job *job)
{
  const char *reason = path_missing(path);

  if (path == &path_cpu_reference)
    return "it is what the others are compared with";
  if (!reason)
    reason = path->refuse(job);
  return reason;
}

static bool path_check(const struct test_case *test, const struct path *path,
                       const struct result *expected, struct case_tally *tally, struct error *error)
{
  const char *excuse = path_excuse(path, &test->job);
  struct result got;
  bool agrees;

  if (excuse)
    return *excuse || error_set(error, STATUS_FAILED, "%s: %s on %s refuses without a reason",
                                test->name, path->name, path->device->name);
  agrees = path_run(test, path, &got, error) && results_compare(test, path, expected, &got, error);
  result_free(&got);
  tally->ran[path_index(path)]++;
  return agrees;
}

bool case_check(size_t index, const struct device *device, struct case_tally *tally,
                struct error *error)
{
  struct test_case test;
  struct result expected;
  bool agree;

  case_make(&test, index);
  agree = reference_run(&test, &expected, error);
  for (size_t i = 0; agree && paths[i]; i++)
    if (paths[i]->device == device)
      agree = path_check(&test, paths[i], &expected, tally, error);
  result_free(&expected);
  case_free(&test);
  return agree;
}

bool case_tally_check(const struct case_tally *tally, const struct device *device,
                      struct error *error)
{
  for (size_t i = 0; paths[i]; i++)
    if (paths[i]->device == device && paths[i] != &path_cpu_reference && !path_missing(paths[i]) &&
        tally->ran[i] == 0)
      return error_set(error, STATUS_FAILED, "%s on %s took no case of the table", paths[i]->name,
                       device->name);
  return true;
}
