/* The scheduler: shares the bands of pictures out among threads.

   Each thread takes the next thing that can be done, in this order: a band of the oldest picture that has
   one, of its last stages before its first ones (so that memory is freed before more is filled); a band of
   a younger picture; a picture that was opened and now fits in memory; a new picture.  Where threads sleep
   for want of work, the first stage goes before the others, since that is then what a picture waits for.

   A thread that finds nothing sleeps.  Threads are started one by one, when there is work that nobody is
   free to do, so that small pictures never have more than one. */
#ifndef HALO_SCHEDULER_H
#define HALO_SCHEDULER_H

#include "stage.h"

/* The pictures to be run.  The functions are called by any of the threads, several at a time; open() and
   then close() exactly once for each picture. */
struct work_list {
  void *context;
  size_t count;
  size_t open_bytes; /* of memory that a picture takes as soon as it is opened */

  /* Opens picture `index`, and arranges its graph for as many as `threads` bands at a time.  NULL, with
     the reason, where that fails. */
  struct graph *(*open)(void *context, size_t index, size_t threads, struct error *error);

  /* Ends picture `index`: `failure` is NULL where all its bands are done.  The graph is no longer used. */
  void (*close)(void *context, size_t index, struct error *failure);
};

/* Runs all pictures, on the calling thread and as many others as help, `threads` in all.  Pictures are in
   memory at the same time only as far as all of them together take `max_bytes` or less. */
void scheduler_run(const struct work_list *list, size_t threads, size_t max_bytes);

#endif
