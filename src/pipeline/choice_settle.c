/* The choice for one picture: see choice.h. */
#include "config.h"

#include "choice.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cpu_vector.h"
#include "device.h"

/* What the model of costs knows.  Rates are half of what was measured, on both sides. */
#define CONTEXT_SECONDS 0.3       /* the first use of CUDA: 0.2 to 0.33 on an H200 */
#define COPY_BYTES_PER_SECOND 8e9 /* to the device and back, staging included */
#define CUDA_FMA_PER_SECOND 8e12

enum {
  BAND_ROWS_LEAST = 8,
  BANDS_PER_THREAD = 4,        /* so that the last band does not keep all waiting */
  SAMPLE_NANOSECONDS = 10,     /* reading and writing a sample, and … */
  SAMPLE_TAPS = 8,             /* … multiply-adds in a nanosecond: roughly, on a processor */
  THREAD_NANOSECONDS = 500000, /* of work that pays for waking a thread */
};

static double plan_samples(const struct plan *plan)
{
  return (double)plan->source.width * (double)plan->source.height * plan->source.channels;
}

/* Multiply-adds of a result. */
static double plan_taps(const struct plan *plan)
{
  double taps = 0;

  for (size_t i = 0; i < plan->chain.count; i++)
    taps += (double)filter_taps(&plan->chain.filters[i]);
  return taps;
}

/* Takes a GPU where the whole picture should be done sooner there, its start included. */
static void choice_device_settle(struct choice *settled, const struct plan *plan)
{
  const struct device *cuda = device_find("cuda");
  double samples = plan_samples(plan), taps = plan_taps(plan);
  double bytes = samples * 2 * (double)sample_bytes(plan->source.type);
  double start = CONTEXT_SECONDS / (double)settled->pictures;
  double cpu = samples * taps / (vector_set_choose()->fma_per_second * (double)settled->threads);
  double gpu = start + bytes / COPY_BYTES_PER_SECOND + samples * taps / CUDA_FMA_PER_SECOND;
  const char *reason = "";

  if (cuda && gpu < cpu) {
    reason = cuda->missing();
    if (!reason)
      settled->paths[0] = choice_best(cuda);
  }
  snprintf(settled->why, sizeof settled->why,
           "path %s on the device %s (%s; at most some %.0f ms on the cpu, %.0f on cuda, of which "
           "%.0f are its start%s%s); %zu threads",
           settled->paths[0]->name, settled->paths[0]->device->name, vector_set_choose()->name,
           cpu * 1e3, gpu * 1e3, start * 1e3, reason && *reason ? "; cuda can't be used: " : "",
           reason ? reason : "", settled->threads);
}

/* Of all paths, leaves out those that can't do the plan. */
static bool choice_leave_out(struct choice *settled, const struct plan *plan, enum border border,
                             struct error *error)
{
  const struct path *last = settled->paths[settled->count - 1];
  const char *reason = NULL;
  size_t kept = 0;

  for (size_t i = 0; i < settled->count; i++) {
    size_t length = strlen(settled->why);

    reason = plan_refuse(plan, settled->paths[i], border);
    if (!reason)
      settled->paths[kept++] = settled->paths[i];
    else
      snprintf(settled->why + length, sizeof settled->why - length, "; without %s: %s",
               settled->paths[i]->name, reason);
  }
  settled->count = kept;
  return kept ||
         error_set(error, STATUS_DEVICE, "no path can do this; %s can't: %s", last->name, reason);
}

static bool choice_check(const struct choice *settled, const struct plan *plan, enum border border,
                         struct error *error)
{
  for (size_t i = 0; i < settled->count; i++) {
    const char *reason = plan_refuse(plan, settled->paths[i], border);

    if (reason)
      return error_set(error, STATUS_DEVICE, "the path %s can't do this: %s",
                       settled->paths[i]->name, reason);
  }
  return true;
}

/* Threads that can help: small pictures are done before a thread would have woken up. */
static size_t threads_settle(const struct choice *choice, const struct plan *plan)
{
  double nanoseconds = plan_samples(plan) * (SAMPLE_NANOSECONDS + plan_taps(plan) / SAMPLE_TAPS);
  double useful = nanoseconds / THREAD_NANOSECONDS;

  return useful < (double)choice->threads ? (size_t)useful + 1 : choice->threads;
}

/* Rows of a band: so many that the rows which bands share cost little, and so few that threads have
   enough of them. */
static size_t band_rows_settle(const struct choice *settled, const struct plan *plan)
{
  size_t row_bytes = plan->source.width * plan->source.channels * sizeof(float);
  size_t shared = 0, bytes = SIZE_MAX, share, rows;

  for (size_t i = 0; i < plan->step_count; i++) { /* row passes are done again for shared rows */
    const struct pass *column = plan->steps[i].column;

    shared = column && column->height > shared ? column->height : shared;
  }
  for (size_t i = 0; i < settled->count; i++)
    if (settled->paths[i]->device->band_bytes < bytes)
      bytes = settled->paths[i]->device->band_bytes;
  share = plan->result.height / (BANDS_PER_THREAD * settled->threads) + 1;
  rows = bytes / row_bytes;
  rows = rows < share ? rows : share;
  rows = rows > 2 * shared ? rows : 2 * shared;
  return rows > BAND_ROWS_LEAST ? rows : BAND_ROWS_LEAST;
}

bool choice_settle(struct choice *settled, const struct choice *choice, const struct plan *plan,
                   const struct settings *settings, struct error *error)
{
  size_t height = plan->source.height;
  bool able;

  *settled = *choice;
  if (choice->open)
    choice_device_settle(settled, plan);
  able = choice->every ? choice_leave_out(settled, plan, settings->border, error)
                       : choice_check(settled, plan, settings->border, error);
  if (!able)
    return false;
  settled->threads = threads_settle(choice, plan);
  settled->band_rows = settings->band_rows ? settings->band_rows : band_rows_settle(settled, plan);
  settled->band_rows = settled->band_rows < height ? settled->band_rows : height;
  return true;
}
