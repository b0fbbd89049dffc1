/* Messages of errors, and names in them. */
#include "config.h"

#include <check.h>
#include <string.h>

#include "error.h"
#include "unit.h"

static const struct {
  const char *name, *quoted;
} names[] = {
    {"a.png", "a.png"},
    {"sp ace.png", "sp ace.png"},
    {"", "''"},
    {" a", "' a'"},
    {"new\nline", "$'new\\nline'"},
    {"it's", "$'it\\'s'"},
    {"\033[2J", "$'\\033[2J'"},
    {"\177", "$'\\177'"},
    {"caf\303\251.png", "$'caf\\303\\251.png'"}, /* UTF-8 */
    {"caf\351.png", "$'caf\\351.png'"},          /* Latin 1 */
    {"\200\377", "$'\\200\\377'"},
};

START_TEST(names_are_quoted)
{
  char buffer[64];

  ck_assert_str_eq(quote_name(names[_i].name, buffer, sizeof buffer), names[_i].quoted);
}
END_TEST

START_TEST(long_names_end_in_time)
{
  char name[300], buffer[40];

  memset(name, '\377', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  ck_assert_uint_lt(strlen(quote_name(name, buffer, sizeof buffer)), sizeof buffer);
  memset(name, 'a', sizeof name - 1);
  ck_assert_uint_lt(strlen(quote_name(name, buffer, sizeof buffer)), sizeof buffer);
}
END_TEST

START_TEST(the_first_name_stays)
{
  struct error error;

  ck_assert(!error_set(&error, STATUS_FAILED, "can't be written"));
  ck_assert(!error_name(&error, "out.png"));
  ck_assert(!error_name(&error, "in.png"));
  ck_assert_str_eq(error.text, "out.png: can't be written");
  error_set(&error, STATUS_FAILED, "is empty");
  error_name(&error, "in.png");
  ck_assert_str_eq(error.text, "in.png: is empty");
}
END_TEST

int main(void)
{
  TCase *test = tcase_create("error");

  tcase_add_loop_test(test, names_are_quoted, 0, sizeof names / sizeof *names);
  tcase_add_test(test, long_names_end_in_time);
  tcase_add_test(test, the_first_name_stays);
  return unit_run("error", test);
}
