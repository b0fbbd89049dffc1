/* The table of devices, and the processor itself: its memory is the program's own. */
#include "config.h"

#include "device.h"

#include <string.h>

#include "clock.h"
#include "cpu_ceiling.h"
#include "path.h"

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

static bool cpu_repeat(const struct path *path, const struct job *job, struct repeat *repeat,
                       struct error *error)
{
  for (size_t i = 0; i < repeat->count; i++) {
    struct band_cost cost = {0};

    if (!cpu_run(path, job, &cost, error))
      return false;
    repeat->nanoseconds[i] = cost.kernel;
  }
  return true;
}

static bool cpu_measure(struct ceilings *ceilings, size_t threads, struct error *error)
{
  (void)error;
  ceilings->copy_bytes_per_second = cpu_copy_rate(threads);
  ceilings->fma_per_second = cpu_fma_rate() * (double)threads;
  return true;
}

static unsigned long long cpu_started(void)
{
  return 0;
}

const struct device device_cpu = {
    .name = "cpu",
    .about = "the processor of this machine",
    .missing = cpu_missing,
    .run = cpu_run,
    .repeat = cpu_repeat,
    .measure = cpu_measure,
    .started = cpu_started,
    .band_bytes = 1 << 20, /* enough work for a task, little for a cache */
};
