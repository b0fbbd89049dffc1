/* Loops on several threads: see parallel.h. */
#include "config.h"

#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

/* How long a helper spins before it sleeps.  A thread that slept would join the next loop some 50
   microseconds late, which would be measured as time of the loop.  The pause between two samples of a
   measurement is shorter than this, so helpers are awake then. */
enum { LOOK_NANOSECONDS = 200000 };

struct team {
  pthread_mutex_t lock;
  pthread_cond_t begun, ended; /* a loop has begun; the last helper has left it */
  pthread_t *helper;
  size_t helpers;
  atomic_size_t loops; /* begun so far */
  bool over;           /* the helpers are to end: `begun` announces no loop */

  /* The loop that was begun last. */
  void (*turn)(void *context, size_t index);
  void *context;
  size_t count;
  atomic_size_t next; /* the first index that nobody has taken */
  atomic_size_t busy; /* helpers that have not left the loop */
};

static size_t cores_of_quota(void)
{
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
  unsigned long long quota, period;
  size_t cores = SIZE_MAX;

  if (!file)
    return cores;
  if (fscanf(file, "%llu %llu", &quota, &period) == 2 && period > 0)
    cores = (size_t)((quota + period - 1) / period); /* "max" is no number, and no limit */
  fclose(file);
  return cores > 0 ? cores : 1;
}

size_t parallel_cores(void)
{
  size_t quota = cores_of_quota(), cores = 1;
  cpu_set_t set;

  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    cores = (size_t)CPU_COUNT(&set);
  return cores < quota ? cores : quota;
}

static void loop_share(struct team *team)
{
  size_t index;

  while ((index = atomic_fetch_add(&team->next, 1)) < team->count)
    team->turn(team->context, index);
}

/* Waits until more than `seen` loops have begun: first spinning, then asleep. */
static void helper_wait(struct team *team, size_t seen)
{
  unsigned long long start = clock_nanoseconds();

  while (atomic_load(&team->loops) == seen && clock_nanoseconds() - start < LOOK_NANOSECONDS)
    ;
  pthread_mutex_lock(&team->lock);
  while (atomic_load(&team->loops) == seen)
    pthread_cond_wait(&team->begun, &team->lock);
  pthread_mutex_unlock(&team->lock);
}

static void *helper_run(void *context)
{
  struct team *team = context;

  for (size_t seen = 0;; seen++) {
    helper_wait(team, seen);
    if (team->over)
      return NULL;
    loop_share(team);
    if (atomic_fetch_sub(&team->busy, 1) == 1) {
      pthread_mutex_lock(&team->lock);
      pthread_cond_signal(&team->ended);
      pthread_mutex_unlock(&team->lock);
    }
  }
}

struct team *team_start(size_t threads)
{
  struct team *team = calloc(1, sizeof *team);

  if (!team)
    return NULL;
  team->helper = calloc(threads, sizeof *team->helper);
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->begun, NULL);
  pthread_cond_init(&team->ended, NULL);
  while (team->helper && team->helpers + 1 < threads &&
         pthread_create(&team->helper[team->helpers], NULL, helper_run, team) == 0)
    team->helpers++;
  return team;
}

size_t team_size(const struct team *team)
{
  return team ? team->helpers + 1 : 1;
}

/* Tells the helpers that one more loop has begun. */
static void team_begin(struct team *team)
{
  pthread_mutex_lock(&team->lock);
  atomic_fetch_add(&team->loops, 1);
  pthread_cond_broadcast(&team->begun);
  pthread_mutex_unlock(&team->lock);
}

void team_loop(struct team *team, size_t count, void (*turn)(void *context, size_t index),
               void *context)
{
  if (!team) {
    for (size_t index = 0; index < count; index++)
      turn(context, index);
    return;
  }
  team->turn = turn;
  team->context = context;
  team->count = count;
  atomic_store(&team->next, 0);
  atomic_store(&team->busy, team->helpers);
  if (team->helpers > 0)
    team_begin(team);
  loop_share(team);
  pthread_mutex_lock(&team->lock);
  while (atomic_load(&team->busy) > 0)
    pthread_cond_wait(&team->ended, &team->lock);
  pthread_mutex_unlock(&team->lock);
}

void team_stop(struct team *team)
{
  if (!team)
    return;
  team->over = true;
  team_begin(team);
  for (size_t i = 0; i < team->helpers; i++)
    pthread_join(team->helper[i], NULL);
  pthread_mutex_destroy(&team->lock);
  pthread_cond_destroy(&team->begun);
  pthread_cond_destroy(&team->ended);
  free(team->helper);
  free(team);
}
