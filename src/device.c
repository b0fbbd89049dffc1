/* The table of devices, and the processor itself: its memory is the program's own. */
#include "config.h"

#include "device.h"

#include <string.h>

#include "path.h"
#include "clock.h"

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

static bool cpu_run(const struct path *path, const struct job *job, struct band_cost *cost,
                    struct error *error)
{
  unsigned long long start = clock_nanoseconds();
  bool done = path->launch(job, error);

  cost->kernel += clock_nanoseconds() - start;
  return done;
}

static bool cpu_repeat(const struct path *path, const struct job *job, size_t count,
                       unsigned long long *nanoseconds, struct error *error)
{
  for (size_t i = 0; i < count; i++) {
    struct band_cost cost = {0};

    if (!cpu_run(path, job, &cost, error))
      return false;
    nanoseconds[i] = cost.kernel;
  }
  return true;
}

const struct device device_cpu = {
    .name = "cpu",
    .about = "the processor of this machine",
    .missing = cpu_missing,
    .run = cpu_run,
    .repeat = cpu_repeat,
    .band_bytes = 1 << 20, /* enough work for a task, little for a cache */
};
