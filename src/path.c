/* The table of paths. */
#include "path.h"

#include <string.h>

#define X(name) &path_##name,
const struct path *const paths[] = {PATHS(X) NULL};
#undef X

const struct path *path_find(const char *name)
{
  for (size_t i = 0; paths[i]; i++)
    if (strcmp(paths[i]->name, name) == 0)
      return paths[i];
  return NULL;
}
