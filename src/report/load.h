/* What else ran on the processor while something was timed. */
#ifndef HALO_LOAD_H
#define HALO_LOAD_H

#include <stddef.h>

struct load {
  double seconds;     /* that were watched */
  double preemptions; /* in them: involuntary context switches of this process's threads */
  double others;      /* other tasks that were ready to run, added up over the readings */
  size_t readings;    /* 0 where the system does not say */
};

/* The state of the system before something is timed. */
struct load_mark {
  unsigned long long nanoseconds;
  long preemptions;
  double others; /* negative where the system does not say */
};

struct load_mark load_begin(void);

/* Adds what happened since the mark. */
void load_add(struct load *load, const struct load_mark *since);

#endif
