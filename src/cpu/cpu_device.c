/* The processor as a device: its memory is the program's own. */
#include "config.h"

#include "device.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "cpu_ceiling.h"
#include "cpu_vector.h"
#include "path.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

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

static size_t cpu_host_bytes(const struct path *path, const struct job *job)
{
  return path->scratch_bytes(job);
}

static bool cpu_measure(struct ceilings *ceilings, size_t threads, struct error *error)
{
  (void)error;
  ceilings->copy_bytes_per_second = cpu_copy_rate(threads);
  ceilings->fma_per_second = cpu_fma_rate() * (double)threads;
  return true;
}

/* The processor's name, where the system tells it, and the compiler. */
static void cpu_describe(char *text, size_t size)
{
  char line[256], *name = NULL;
  FILE *file = fopen("/proc/cpuinfo", "r");

  while (!name && file && fgets(line, sizeof line, file))
    if (strncmp(line, "model name", 10) == 0)
      name = strchr(line, ':');
  if (file)
    fclose(file);
  if (name) {
    name += strspn(name, ": ");
    name[strcspn(name, "\n")] = '\0';
  }
  snprintf(text, size, "%s, %s; compiled by %s", name ? name : "a processor without a name",
           vector_set_choose()->name, COMPILER);
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
    .host_bytes = cpu_host_bytes,
    .measure = cpu_measure,
    .describe = cpu_describe,
    .started = cpu_started,
    .band_bytes = 1 << 20, /* enough work to be worth a task, and fits a cache */
};
