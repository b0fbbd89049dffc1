/* The table of devices. */
#include "config.h"

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
