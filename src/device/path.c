/* The table of paths. */
#include "config.h"

#include "path.h"

#include <string.h>

#include "device.h"

#define X(device, name) &path_##device##_##name,
#define PATHS_OF_cpu CPU_PATHS(X)
#define PATHS_OF_cuda GPU_PATHS(X, cuda)
#define PATHS_OF_emulated GPU_PATHS(X, emulated)
#define PATHS_OF(device) PATHS_OF_##device
const struct path *const paths[] = {DEVICES(PATHS_OF) NULL};
#undef X

_Static_assert(sizeof paths / sizeof *paths <= PATHS_MAX + 1, "PATHS_MAX must grow");

const struct path *path_find(const char *name, const struct device *device)
{
  for (size_t i = 0; paths[i]; i++)
    if (strcmp(paths[i]->name, name) == 0 && (!device || paths[i]->device == device))
      return paths[i];
  return NULL;
}

size_t path_index(const struct path *path)
{
  size_t index = 0;

  while (paths[index] != path)
    index++;
  return index;
}

const char *path_missing(const struct path *path)
{
  const char *reason = path->device->missing();

  return reason ? reason : path->refuse(NULL);
}
