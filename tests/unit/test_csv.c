/* Records of CSV: what is quoted, what is empty, and how they end (RFC 4180). */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "csv.h"
#include "unit.h"

/* Runs a function, and gives what it wrote to standard output. */
static const char *printed(void (*print)(void))
{
  static char text[1024];
  FILE *file = tmpfile();
  int kept = dup(STDOUT_FILENO);

  ck_assert(file && kept >= 0);
  fflush(stdout);
  dup2(fileno(file), STDOUT_FILENO);
  print();
  fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static void texts_print(void)
{
  struct csv csv = {0};

  csv_text(&csv, "plain text");
  csv_text(&csv, "a, b");
  csv_text(&csv, "say \"a\"");
  csv_text(&csv, "two\nlines");
  csv_text(&csv, "");
  csv_text(&csv, NULL);
  csv_end(&csv);
}

START_TEST(texts_are_quoted_where_they_must_be)
{
  ck_assert_str_eq(printed(texts_print),
                   "plain text,\"a, b\",\"say \"\"a\"\"\",\"two\nlines\",,\r\n");
}
END_TEST

static void numbers_print(void)
{
  struct csv csv = {0};

  csv_names(&csv, "a,b");
  csv_text(&csv, "c");
  csv_end(&csv);
  csv_count(&csv, UINT64_MAX);
  csv_fixed(&csv, 2, 1.005e3);
  csv_fixed(&csv, 0, NAN);
  csv_number(&csv, 0.25);
  csv_number(&csv, NAN);
  csv_skip(&csv, 2);
  csv_end(&csv);
}

START_TEST(numbers_that_are_not_known_are_empty)
{
  ck_assert_str_eq(printed(numbers_print), "a,b,c\r\n18446744073709551615,1005.00,,0.25,,,\r\n");
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("csv");

  tcase_add_test(all, texts_are_quoted_where_they_must_be);
  tcase_add_test(all, numbers_that_are_not_known_are_empty);
  return unit_run("csv", all);
}
