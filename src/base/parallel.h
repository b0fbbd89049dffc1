/* Parallel loops: their iterations (turns) are divided among the threads of a team.

   For measuring and for tests; pictures are computed by the scheduler of src/pipeline, which has threads
   of its own. */
#ifndef HALO_PARALLEL_H
#define HALO_PARALLEL_H

#include <stddef.h>

/* The cores that this process may use: those that its affinity mask names, and no more than the CPU
   quota of its control group (cgroup v2) allows.  At least 1. */
size_t parallel_cores(void);

/* A thread pool: threads that wait for loops to run. */
struct team;

/* A team of `threads` threads, of which the caller is one.  Where threads or memory are short it has fewer;
   NULL is a team of the caller alone. */
struct team *team_start(size_t threads);
void team_stop(struct team *team);

/* How many threads the team has, the caller included. */
size_t team_size(const struct team *team);

/* Calls turn(context, index) for each index from 0 to count − 1, each once, in any order and on any thread
   of the team; returns when all are done.  One loop at a time. */
void team_loop(struct team *team, size_t count, void (*turn)(void *context, size_t index),
               void *context);

#endif
