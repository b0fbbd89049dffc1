/* reference: the definition of correct.

   Plain loops in the order of the contract, never optimised, always built, always the one to compare
   with.  Where taps and samples are integers the sums are 64-bit integers and the result is the rational
   number rounded half to even, by integer division; elsewhere one float32 accumulator per result adds tap by
   tap, row by row, with fmaf.  A tap of 0 is no tap: its sample takes no part, so an infinity or a NaN
   there does not reach the sum. */
#include <stdint.h>
#include <stdlib.h>

#include "device.h"
#include "path.h"

/* The sample under a tap `column` to the right of the window's first, for result pixel x. */
static float sample_under(const struct job *job, const void *row, size_t x, size_t column,
                          unsigned channel)
{
  ptrdiff_t at = (ptrdiff_t)(x + column) - (ptrdiff_t)job->left;

  at = border_index(at, (ptrdiff_t)job->width, job->border);
  if (at < 0)
    return job->beyond[channel];
  return sample_load(row, (size_t)at * job->channels + channel, job->from);
}

/* The sum over the taps at result pixel x, whose window begins with source row `top`. */
static float sum_float(const struct job *job, size_t top, size_t x, unsigned channel)
{
  const struct pass *pass = job->pass;
  float sum = 0;

  for (size_t j = 0; j < pass->height; j++) {
    for (size_t i = 0; i < pass->width; i++) {
      float tap = pass->taps[j * pass->width + i];

      if (tap != 0)
        sum = fmaf(tap, sample_under(job, job->source[top + j], x, i, channel), sum);
    }
  }
  return sum;
}

/* The same as an integer; of a job of two passes, the sum of the row pass. */
static int64_t sum_integer(const struct job *job, size_t top, size_t x, unsigned channel)
{
  const struct pass *pass = job->pass;
  int64_t sum = 0;

  for (size_t j = 0; j < pass->height; j++)
    for (size_t i = 0; i < pass->width; i++)
      sum += (int64_t)pass->taps[j * pass->width + i] *
             (int64_t)sample_under(job, job->source[top + j], x, i, channel);
  return sum;
}

/* numerator / denominator, rounded half to even. */
static int64_t divide_half_even(int64_t numerator, int64_t denominator)
{
  int64_t quotient, remainder;

  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  quotient = numerator / denominator;
  remainder = numerator % denominator;
  if (remainder < 0) {
    quotient--;
    remainder += denominator;
  }
  if (2 * remainder > denominator || (2 * remainder == denominator && quotient % 2 != 0))
    quotient++;
  return quotient;
}

/* The end of a sum of integers, in integers: (sum + bias) / scale, rounded, and kept in range. */
static float end_integer(const struct job *job, int64_t sum, double bias, double scale)
{
  int64_t numerator = sum + (int64_t)bias, value, white;

  if (job->to == SAMPLE_F32) {
    float quotient = (float)((double)numerator / scale);

    return job->absolute ? fabsf(quotient) : quotient;
  }
  value = divide_half_even(numerator, (int64_t)scale);
  white = (int64_t)sample_white(job->to);
  if (job->absolute && value < 0)
    value = -value;
  return (float)(value < 0 ? 0 : value > white ? white : value);
}

/* One pass; `integer` says that its sums are held as integers. */
static void launch_matrix(const struct job *job, bool integer)
{
  struct ending ending = pass_ending(job->pass, job->to, job->absolute);

  for (size_t y = 0; y < job->rows; y++) {
    void *row = (unsigned char *)job->result + y * job->pitch;

    for (size_t x = 0; x < job->result_width; x++) {
      for (unsigned channel = 0; channel < job->channels; channel++) {
        float value;

        if (integer)
          value =
              end_integer(job, sum_integer(job, y, x, channel), job->pass->bias, job->pass->scale);
        else
          value = sample_end(sum_float(job, y, x, channel), &ending);
        sample_store(row, x * job->channels + channel, job->to, value);
      }
    }
  }
}

/* The rows of a job of two passes that the row pass makes. */
static size_t rows_between(const struct job *job)
{
  return job->rows + job->column->height - 1;
}

/* The row pass: from the source rows to the float32 rows `between`. */
static void launch_rows(const struct job *job, float *between)
{
  struct job rows = *job;

  rows.column = NULL;
  rows.to = SAMPLE_F32;
  rows.absolute = false;
  rows.rows = rows_between(job);
  rows.result = between;
  rows.pitch = job->result_width * job->channels * sizeof *between;
  launch_matrix(&rows, pass_is_exact(job->pass, job->from));
}

static void launch_column(const struct job *job, const float *between)
{
  const struct pass *column = job->column;
  struct ending ending = pass_ending(column, job->to, job->absolute);
  size_t samples = job->result_width * job->channels;

  for (size_t y = 0; y < job->rows; y++) {
    for (size_t x = 0; x < samples; x++) {
      float sum = 0;

      for (size_t j = 0; j < column->height; j++)
        if (column->taps[j] != 0)
          sum = fmaf(column->taps[j], between[(y + j) * samples + x], sum);
      sample_store((unsigned char *)job->result + y * job->pitch, x, job->to,
                   sample_end(sum, &ending));
    }
  }
}

/* The same two passes over integers: the row pass does not divide, and the end divides by both scales. */
static void launch_rows_integer(const struct job *job, int64_t *between)
{
  for (size_t y = 0; y < rows_between(job); y++)
    for (size_t x = 0; x < job->result_width; x++)
      for (unsigned channel = 0; channel < job->channels; channel++)
        *between++ = sum_integer(job, y, x, channel);
}

static void launch_column_integer(const struct job *job, const int64_t *between)
{
  const struct pass *column = job->column;
  size_t samples = job->result_width * job->channels;

  for (size_t y = 0; y < job->rows; y++) {
    for (size_t x = 0; x < samples; x++) {
      int64_t sum = 0;

      for (size_t j = 0; j < column->height; j++)
        sum += (int64_t)column->taps[j] * between[(y + j) * samples + x];
      sample_store(
          (unsigned char *)job->result + y * job->pitch, x, job->to,
          end_integer(job, sum, column->bias * job->pass->scale, column->scale * job->pass->scale));
    }
  }
}

/* Bytes of the rows between the two passes. */
static size_t reference_scratch_bytes(const struct job *job)
{
  size_t bytes = job_sums(job) == SUMS_INTEGER ? sizeof(int64_t) : sizeof(float);

  return job->column ? rows_between(job) * job->result_width * job->channels * bytes : 0;
}

static bool reference_launch(const struct job *job, struct error *error)
{
  struct raster between;

  if (!job->column) {
    launch_matrix(job, pass_is_exact(job->pass, job->from) || job_sums(job) == SUMS_INTEGER);
    return true;
  }
  if (!raster_allocate(&between, 1, reference_scratch_bytes(job), error))
    return false;
  if (job_sums(job) == SUMS_INTEGER) {
    launch_rows_integer(job, (int64_t *)between.data);
    launch_column_integer(job, (const int64_t *)between.data);
  } else {
    launch_rows(job, (float *)between.data);
    launch_column(job, (const float *)between.data);
  }
  raster_free(&between);
  return true;
}

static const char *reference_refuse(const struct job *job)
{
  (void)job;
  return NULL;
}

const struct path path_cpu_reference = {
    .name = "reference",
    .about = "plain loops, the definition of the result",
    .device = &device_cpu,
    .tolerance = 0,
    .refuse = reference_refuse,
    .scratch_bytes = reference_scratch_bytes,
    .launch = reference_launch,
};
