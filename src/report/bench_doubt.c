/* --bench: reasons not to believe the times of a row.  See bench.h.

   None of them makes a time wrong; each says that another run could well give another one. */
#include "config.h"

#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES_FEW = 5 };

#define RANGE_WIDE 0.05  /* (upper - lower quartile) / median */
#define DRIFT_LARGE 0.05 /* between the medians of the first and the second half, / median */
#define PREEMPTIONS                                                                                \
  20.0 /* a second and thread: a kernel's own work makes a few, another program hundreds */

static void reason_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void reason_add(char *text, size_t size, const char *format, ...)
{
  size_t length = strlen(text);
  va_list arguments;

  length += (size_t)snprintf(text + length, size - length, "%s", length ? "; " : "");
  if (length >= size)
    return;
  va_start(arguments, format);
  vsnprintf(text + length, size - length, format, arguments);
  va_end(arguments);
}

/* The median of a part of the samples that count. */
static double part_median(const struct bench_samples *samples, size_t first, size_t count)
{
  struct bench_samples part = {.count = count};

  memcpy(part.nanoseconds, samples->kept_nanoseconds + first, count * sizeof *part.nanoseconds);
  bench_samples_sum_up(&part, 0, true);
  return part.median;
}

static void samples_doubt(const struct bench_samples *samples, char *text, size_t size)
{
  size_t half = samples->kept / 2;
  double range = (samples->upper - samples->lower) / samples->median, first, drift;

  if (samples->kept < SAMPLES_FEW) {
    reason_add(text, size, "only %zu sample%s", samples->kept, samples->kept == 1 ? "" : "s");
    return;
  }
  if (range > RANGE_WIDE)
    reason_add(text, size, "the quartiles lie %.0f%% of the median apart", 100 * range);
  first = part_median(samples, 0, half);
  drift = part_median(samples, samples->kept - half, half) / first - 1;
  if (drift > DRIFT_LARGE || drift < -DRIFT_LARGE)
    reason_add(text, size,
               "not settled: the second half of the samples is %.0f%% %s than the first",
               100 * (drift > 0 ? drift : -drift), drift > 0 ? "slower" : "faster");
}

static void load_doubt(const struct bench *bench, const struct load *load, char *text, size_t size)
{
  double rate = load->seconds > 0 ? load->preemptions / load->seconds / (double)bench->threads : 0;
  double others = load->readings ? load->others / (double)load->readings : 0;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);

  if (rate > PREEMPTIONS)
    reason_add(text, size, "each thread was interrupted %.0f times a second", rate);
  if (processors > 0 && others + (double)bench->threads > (double)processors + 0.5)
    reason_add(text, size, "%.1f other tasks ready to run beside %zu thread%s on %ld processor%s",
               others, bench->threads, bench->threads == 1 ? "" : "s", processors,
               processors == 1 ? "" : "s");
}

const char *bench_doubt(const struct bench *bench, const struct bench_row *row, char *text,
                        size_t size)
{
  *text = '\0';
  if (row->failed[0] || row->rotated.kept == 0 || row->rotated.median <= 0)
    return text;
  samples_doubt(&row->rotated, text, size);
  if (row->path->device == &device_cpu) /* a GPU's own clock does not see what the processor does */
    load_doubt(bench, &row->load, text, size);
  return text;
}
