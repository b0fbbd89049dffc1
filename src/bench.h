/* --bench: every path that can run, checked against the reference and then timed, beside the ceilings of
   its device. */
#ifndef HALO_BENCH_H
#define HALO_BENCH_H

#include "choice.h"
#include "device.h"
#include "error.h"
#include "pipeline.h"

enum { BENCH_SAMPLES_MAX = 301, BENCH_DEVICES_MAX = 4 };

/* A path, and what was measured of it; times in nanoseconds. */
struct bench_row {
  const struct path *path;
  char failed[256];  /* why there are no figures, or empty */
  bool wrong;        /* the result differs from the reference by more than the path declares */
  double difference; /* the largest, in output units */
  unsigned long long sample[BENCH_SAMPLES_MAX], cold_sample[BENCH_SAMPLES_MAX];
  size_t samples, cold_samples;
  double median, range; /* between the quartiles */
  double cold;          /* median, caches filled with something else before each */
  double hot;           /* the least */
  double bytes, fmas;   /* that the path can't do without */
  unsigned registers;   /* of the kernel; 0 where there is none */
  size_t shared_bytes;
  double occupancy;
};

struct bench_device {
  const struct device *device;
  struct ceilings ceilings;
};

struct bench {
  struct shape shape; /* of the picture */
  char filter[128];
  size_t filter_width, filter_height, passes, taps;
  size_t threads;
  unsigned long long seed; /* of the made picture; 0 for one that was read */
  struct bench_row row[PATHS_MAX];
  size_t rows;
  struct bench_device device[BENCH_DEVICES_MAX];
  size_t devices;
  const struct path *through; /* the path that the whole picture went through */
  struct cost picture;        /* of that */
  unsigned long long started; /* what the start of its device took */
};

/* Benches the chosen paths with the first filter of the chain (the literature's 7 × 7 where there is
   none) on the first picture of the options (a made one where there is none), and prints a table, or
   what options->format says.  False where a path was wrong, too. */
bool bench_run(const struct options *options, const struct choice *choice,
               const struct chain *chain, struct error *error);

/* bench_picture.c: the picture and its job. */
struct bench_picture {
  struct shape shape;
  struct raster source, prepared; /* as read; as the filters see it, where that is something else */
  void *beyond_row;
  const void **table; /* of source rows, with the border above and below */
  struct plan plan;
  struct job job; /* the first step of the plan; without result */
  unsigned long long seed;
};

bool bench_picture_make(struct bench_picture *picture, const struct options *options,
                        const struct choice *choice, const struct chain *chain,
                        struct error *error);
void bench_picture_free(struct bench_picture *picture);

/* The whole picture through the fastest path, from file to file, and what that cost; a made one comes as
   a PPM. */
bool bench_picture_through(struct bench *bench, const struct options *options,
                           const struct choice *choice, const struct chain *chain,
                           const struct bench_picture *picture, struct error *error);

/* bench_print.c */
void bench_print_table(const struct bench *bench);
void bench_print_csv(const struct bench *bench);
bool bench_print_json(const struct bench *bench, struct error *error);

/* The ceilings of the row's device, and the row it is compared with (NULL where that has no figures). */
const struct ceilings *bench_ceilings(const struct bench *bench, const struct bench_row *row);
const struct bench_row *bench_against(const struct bench *bench, const struct bench_row *row);

#endif
