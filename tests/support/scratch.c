/* A folder of its own for each test: see scratch.h. */
#include "config.h"

#include "scratch.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[32];

void scratch_enter(void)
{
  strcpy(folder, "/tmp/halo-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

void scratch_leave(void)
{
  char command[64];

  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(system(command), 0);
}

int scratch_files(const char *prefix)
{
  DIR *directory = opendir(".");
  int count = 0;

  ck_assert_ptr_nonnull(directory);
  for (struct dirent *entry; (entry = readdir(directory));)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
             strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
  closedir(directory);
  return count;
}
