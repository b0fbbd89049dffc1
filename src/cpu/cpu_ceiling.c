/* Measuring ceilings of the processor: see cpu_ceiling.h. */
#include "config.h"

#include "cpu_ceiling.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "cpu_vector.h"
#include "parallel.h"

enum { COPY_BYTES = 64 << 20, COPIES = 5 };

static double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double cpu_fma_rate(void)
{
  const struct vector_set *set = vector_set_choose();
  const size_t turns = 400000;
  double start = seconds();
  volatile float kept = set->multiply_add(turns);

  (void)kept;
  return (double)(turns * VECTOR_CHAINS * set->lanes) / (seconds() - start);
}

/* What is copied: each thread copies a share. */
struct copying {
  char *from, *to;
  size_t share; /* bytes */
  bool fill;    /* on the first run: touch the share, so that its pages are allocated */
};

static void copy_share(void *context, size_t index)
{
  const struct copying *copying = context;
  size_t at = index * copying->share;

  if (copying->fill)
    memset(copying->from + at, 1, copying->share);
  memcpy(copying->to + at, copying->from + at, copying->share);
}

double cpu_copy_rate(size_t threads)
{
  size_t share = COPY_BYTES / threads;
  char *from = malloc(COPY_BYTES), *to = malloc(COPY_BYTES);
  struct team *team = team_start(threads);
  unsigned long long least = 0;

  for (int i = 0; from && to && i <= COPIES; i++) {
    struct copying copying = {from, to, share, i == 0};
    unsigned long long start = clock_nanoseconds(), took;

    team_loop(team, threads, copy_share, &copying);
    took = clock_nanoseconds() - start;
    if (i > 0 && (least == 0 || took < least))
      least = took;
  }
  team_stop(team);
  free(from);
  free(to);
  return least ? 2.0 * (double)(share * threads) / ((double)least * 1e-9) : 0;
}

double cpu_clock_rate(void)
{
  enum { RUNS = 3, TURNS = 5000, ADDITIONS = 16 };
  unsigned long long least = 0;

  for (int run = 0; run < RUNS; run++) {
    unsigned long long start = clock_nanoseconds(), took;
    size_t sum = 0, term = (size_t)start | 1;

    for (int n = 0; n < TURNS; n++) {
#pragma GCC unroll 16
      for (int i = 0; i < ADDITIONS; i++) {
        sum += term;
        __asm__ volatile("" : "+r"(sum)); /* or the compiler would merge the additions */
      }
    }
    took = clock_nanoseconds() - start;
    if (least == 0 || took < least)
      least = took;
  }
  return (double)TURNS * ADDITIONS / ((double)least * 1e-9);
}

size_t cpu_cache_bytes(void)
{
  long bytes = -1;

#ifdef _SC_LEVEL3_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return bytes > 0 ? (size_t)bytes : (size_t)32 << 20;
}
