/* When a row of --bench is not to be believed, and the reasons that it gives. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "unit.h"

/* A row of the reference, whose i-th sample is level + slope · i + (wide · (i mod 4)), and a machine that
   did nothing else. */
static struct bench bench = {.threads = 1};
static struct bench_row row;

static void row_make(size_t count, unsigned level, unsigned slope, unsigned wide)
{
  memset(&row, 0, sizeof row);
  row.path = &path_cpu_reference;
  row.rotated.count = count;
  for (size_t i = 0; i < count; i++)
    row.rotated.nanoseconds[i] = level + slope * i + wide * (i % 4);
  row.load = (struct load){.seconds = 1, .preemptions = 2, .others = 0, .readings = 10};
  bench_row_sum_up(&row, 0);
}

static const char *doubt(void)
{
  static char text[BENCH_DOUBT_BYTES];

  return bench_doubt(&bench, &row, text, sizeof text);
}

START_TEST(a_steady_row_is_believed)
{
  row_make(40, 100000, 0, 500); /* quartiles 1% apart */
  ck_assert_str_eq(doubt(), "");
}
END_TEST

START_TEST(wide_quartiles_are_doubted)
{
  row_make(40, 100000, 0, 10000); /* 100, 110, 120 and 130 µs */
  ck_assert_str_eq(doubt(), "the quartiles lie 17% of the median apart"); /* 20 / 120 */
}
END_TEST

START_TEST(drift_is_doubted)
{
  row_make(80, 100000, 200, 0);
  ck_assert_ptr_nonnull(
      strstr(doubt(), "the second half of the samples is 8% slower than the first"));
}
END_TEST

START_TEST(few_samples_are_doubted)
{
  row_make(3, 100000, 0, 0);
  ck_assert_str_eq(doubt(), "only 3 samples");
  row_make(1, 100000, 0, 0);
  ck_assert_str_eq(doubt(), "only 1 sample");
}
END_TEST

START_TEST(interruptions_are_doubted)
{
  row_make(40, 100000, 0, 0);
  row.load.seconds = 0.5;
  row.load.preemptions = 60;
  ck_assert_str_eq(doubt(), "each thread was interrupted 120 times a second");
}
END_TEST

START_TEST(a_run_queue_is_doubted)
{
  row_make(40, 100000, 0, 0);
  row.load.others = 50000; /* 5000 at each reading: more than any machine has processors */
  ck_assert_ptr_nonnull(strstr(doubt(), "5000.0 other tasks ready to run beside 1 thread on "));
  row.load.readings = 0;
  row.load.others = 0;
  ck_assert_str_eq(doubt(), "");
}
END_TEST

START_TEST(reasons_are_all_given)
{
  row_make(80, 100000, 1000, 0);
  row.load.preemptions = 1e6;
  ck_assert_ptr_nonnull(strstr(doubt(), "apart; not settled: "));
  ck_assert_ptr_nonnull(strstr(doubt(), "first; each thread was interrupted 1000000 times"));
}
END_TEST

/* Neither a path that was refused nor one that has no times. */
START_TEST(rows_without_times_are_not_doubted)
{
  row_make(40, 100000, 0, 10000);
  snprintf(row.failed, sizeof row.failed, "refused");
  ck_assert_str_eq(doubt(), "");
  row_make(0, 0, 0, 0);
  ck_assert_str_eq(doubt(), "");
}
END_TEST

/* 1, 2 … 9: what stands at a quarter, the half and three quarters of the sorted samples. */
START_TEST(quartiles_are_those_of_the_samples)
{
  memset(&row, 0, sizeof row);
  row.path = &path_cpu_reference;
  row.rotated.count = 9;
  for (size_t i = 0; i < 9; i++)
    row.rotated.nanoseconds[i] = 1 + (i * 4) % 9;
  bench_row_sum_up(&row, 0);
  ck_assert_double_eq(row.rotated.minimum, 1);
  ck_assert_double_eq(row.rotated.lower, 3);
  ck_assert_double_eq(row.rotated.median, 5);
  ck_assert_double_eq(row.rotated.upper, 7);
  ck_assert_uint_eq(row.rotated.kept_nanoseconds[1], 5); /* in the order in which they were taken */
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("doubt");

  tcase_add_test(all, a_steady_row_is_believed);
  tcase_add_test(all, wide_quartiles_are_doubted);
  tcase_add_test(all, drift_is_doubted);
  tcase_add_test(all, few_samples_are_doubted);
  tcase_add_test(all, interruptions_are_doubted);
  tcase_add_test(all, a_run_queue_is_doubted);
  tcase_add_test(all, reasons_are_all_given);
  tcase_add_test(all, rows_without_times_are_not_doubted);
  tcase_add_test(all, quartiles_are_those_of_the_samples);
  return unit_run("doubt", all);
}
