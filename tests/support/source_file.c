/* Files of the source: see source_file.h. */
#include "config.h"

#include "source_file.h"

#include <check.h>
#include <stdlib.h>

const char *source_path(const char *rest)
{
  static char path[4096];
  const char *folder = getenv("srcdir");

  snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : ".", rest);
  return path;
}

FILE *data_open(const char *name)
{
  char rest[256];
  FILE *file;

  snprintf(rest, sizeof rest, "tests/data/%s", name);
  file = fopen(source_path(rest), "r");
  ck_assert_msg(file != NULL, "%s can't be read", source_path(rest));
  return file;
}
