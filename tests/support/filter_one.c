/* A filter by what -f takes: see filter_one.h. */
#include "config.h"

#include "filter_one.h"

#include <check.h>

#include "filter_read.h"

struct filter filter_read_one(const char *text)
{
  struct chain chain = {NULL, 0};
  struct filter filter;
  struct error error;

  ck_assert_msg(filter_read(&chain, text, &error), "%s: %s", text, error.text);
  ck_assert_uint_eq(chain.count, 1);
  ck_assert_str_eq(chain.filters[0].name, text);
  filter = chain.filters[0];
  chain.count = 0;
  chain_free(&chain);
  return filter;
}
