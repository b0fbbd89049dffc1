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

#ifdef HAVE_X86
#include <immintrin.h>
#endif

enum { COPY_BYTES = 64 << 20, COPIES = 5 };

static double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* clang-format takes the macro for a part of what follows. */
/* clang-format off */

/* Multiply-adds of `lanes` floats, 12 chains that do not wait for one another. */
#define RATE_LOOP(type, set, fma)                                                                  \
  {                                                                                                \
    type chain[12], factor = set(0.999f), term = set(0.001f);                                      \
                                                                                                   \
    for (int i = 0; i < 12; i++)                                                                   \
      chain[i] = set((float)i);                                                                    \
    for (size_t n = 0; n < turns; n++) {                                                           \
      _Pragma("GCC unroll 12") for (int i = 0; i < 12; i++)                                        \
        chain[i] = fma(chain[i], factor, term);                                                    \
    }                                                                                              \
    for (int i = 1; i < 12; i++)                                                                   \
      chain[0] = fma(chain[0], factor, chain[i]);                                                  \
    memcpy(sink, &chain[0], sizeof chain[0]);                                                      \
  }

#ifdef HAVE_X86
__attribute__((target("avx512f"))) static void rate_avx512(size_t turns, float *sink)
RATE_LOOP(__m512, _mm512_set1_ps, _mm512_fmadd_ps)

__attribute__((target("avx2,fma"))) static void rate_avx2(size_t turns, float *sink)
RATE_LOOP(__m256, _mm256_set1_ps, _mm256_fmadd_ps)
#endif

typedef float four __attribute__((vector_size(16)));

static inline four four_set(float value)
{
  return (four){value, value, value, value};
}

static inline four four_add(four a, four b, four c)
{
  return a * b + c;
}

static void rate_portable(size_t turns, float *sink)
RATE_LOOP(four, four_set, four_add)

    /* clang-format on */

    double cpu_fma_rate(void)
{
  void (*probe)(size_t, float *) = rate_portable;
  const size_t turns = 400000;
  size_t lanes = 4;
  float sink[16];
  double start;

#ifdef HAVE_X86
  if (vector_set_choose() == &vector_avx512) {
    probe = rate_avx512;
    lanes = 16;
  } else if (vector_set_choose() == &vector_avx2) {
    probe = rate_avx2;
    lanes = 8;
  }
#endif
  start = seconds();
  probe(turns, sink);
  return (double)(turns * 12 * lanes) / (seconds() - start);
}

/* What is copied: each thread copies a share. */
struct copying {
  char *from, *to;
  size_t share; /* bytes */
  bool fill;    /* the first time, the share gets its pages */
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
        __asm__ volatile("" : "+r"(sum)); /* the compiler must not add them up at once */
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
