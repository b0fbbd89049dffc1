/* The table of devices, and the processor itself: its memory is the program's own. */
#include "device.h"

#include <string.h>

#define X(name) &device_##name,
const struct device *const devices[] = {DEVICES(X) NULL};
#undef X

const struct device *device_find(const char *name)
{
  for (int i = 0; devices[i]; i++)
    if (strcmp(devices[i]->name, name) == 0)
      return devices[i];
  return NULL;
}

static const char *cpu_missing(void)
{
  return NULL;
}

const struct device device_cpu = {
    .name = "cpu",
    .about = "the processor of this machine",
    .missing = cpu_missing,
};
