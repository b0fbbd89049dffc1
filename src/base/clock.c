/* The clock: see clock.h. */
#include "config.h"

#include "clock.h"

#include <time.h>

unsigned long long clock_nanoseconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}
