/* What else ran: see load.h. */
#include "config.h"

#include "load.h"

#include <stdio.h>
#include <sys/resource.h>

#include "clock.h"

static long preemptions(void)
{
  struct rusage usage;

  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* Tasks on the run queues of all processors, without this thread: the fourth field of /proc/loadavg. */
static double others(void)
{
  FILE *file = fopen("/proc/loadavg", "r");
  long running = 0;

  if (!file)
    return -1;
  if (fscanf(file, "%*s %*s %*s %ld/", &running) != 1)
    running = 0;
  fclose(file);
  return (double)running - 1;
}

struct load_mark load_begin(void)
{
  return (struct load_mark){clock_nanoseconds(), preemptions(), others()};
}

void load_add(struct load *load, const struct load_mark *since)
{
  load->seconds += (double)(clock_nanoseconds() - since->nanoseconds) * 1e-9;
  load->preemptions += (double)(preemptions() - since->preemptions);
  if (since->others < 0)
    return;
  load->others += since->others;
  load->readings++;
}
