/* --bench: every path that can run, checked against the reference and then timed, beside the measured
   peaks of its device. */
#ifndef HALO_BENCH_H
#define HALO_BENCH_H

#include "bench_input.h"
#include "choice.h"
#include "counters.h"
#include "device.h"
#include "error.h"
#include "load.h"
#include "pipeline.h"

enum { BENCH_SAMPLES_MAX = 301, BENCH_DEVICES_MAX = PATHS_MAX, BENCH_COPIES_MAX = 16 };

/* Times of runs that found their rows in the same state; in nanoseconds. */
struct bench_samples {
  unsigned long long nanoseconds[BENCH_SAMPLES_MAX];
  float megahertz[BENCH_SAMPLES_MAX]; /* of the device's clock then; 0 where it isn't known */
  size_t count;
  size_t launches; /* of which each time is the mean */

  /* Those that count, in the order in which they were taken, and their figures: bench_samples_sum_up(). */
  unsigned long long kept_nanoseconds[BENCH_SAMPLES_MAX];
  size_t kept;
  double minimum, lower, median, upper; /* lower and upper quartile; 0 where no sample counts */
};

/* A path, and what was measured of it. */
struct bench_row {
  const struct path *path;
  size_t device;     /* in struct bench */
  char failed[256];  /* why there are no figures, or empty */
  bool wrong;        /* the result differs from the reference by more than the path declares */
  double difference; /* the largest, in output units */
  unsigned long long once; /* nanoseconds of the run that was checked, copies included */
  struct bench_samples rotated, cold, hot; /* enum repeat_rows */
  bool throttled;                          /* no sample was taken at full clock; all count */
  struct load load;                        /* what else ran while samples were taken */
  double bytes, fmas;                      /* the least that a run needs: row_count() */
  unsigned registers;                      /* of the kernel; 0 where there is none */
  size_t shared_bytes;
  double occupancy;
  bool counted;
  struct counters counters;
};

struct bench_device {
  const struct device *device;
  char about[256];
  struct ceilings ceilings;
  double clock_most, clock_lower, clock_upper; /* MHz: highest, and quartiles; 0 if unknown */
};

struct bench {
  struct shape shape; /* of the picture */
  char filter[128];
  size_t filter_width, filter_height, passes, taps;
  size_t threads;
  struct team *team;       /* of so many threads */
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
   none) on the first picture of the settings (a made one where there is none), and prints a table, or
   what settings->format says.  False where a path was wrong, too. */
bool bench_run(const struct settings *settings, const struct choice *choice,
               const struct chain *chain, struct error *error);

/* bench_picture.c: the picture and its job, several times over. */
struct bench_copy {
  struct raster raster; /* what the filters see; the first copy's belongs to the picture */
  const void **table;   /* of its rows, with the border above and below */
  struct raster result;
};

struct bench_picture {
  struct bench_input input;
  struct shape shape;
  struct raster source, prepared; /* as read; as the filters see it, where that is something else */
  void *beyond_row;
  struct bench_copy copy[BENCH_COPIES_MAX];
  size_t copies; /* as many as the processor's cache does not hold at a time */
  struct plan plan;
  struct job job; /* the first step of the plan; without rows and result */
  unsigned long long seed;
};

/* The job over that copy. */
struct job bench_job(const struct bench_picture *picture, size_t copy);

bool bench_picture_make(struct bench_picture *picture, const struct settings *settings,
                        const struct choice *choice, const struct chain *chain,
                        struct error *error);
void bench_picture_free(struct bench_picture *picture);

/* The whole picture through the fastest path, from file to file, and what that cost; a made one comes as
   a PPM. */
bool bench_picture_through(struct bench *bench, const struct settings *settings,
                           const struct choice *choice, const struct chain *chain,
                           const struct bench_picture *picture, struct error *error);

/* bench_row.c: what is done for a row. */

/* Runs the path once, and compares what it made with the reference's. */
void bench_row_check(struct bench_row *row, const struct bench_picture *picture,
                     const struct raster *right, struct team *team);

/* Takes so many more samples, or none where they would be more than BENCH_SAMPLES_MAX. */
bool bench_row_sample(struct bench_row *row, const struct bench_picture *picture, struct team *team,
                      enum repeat_rows rows, size_t count, struct error *error);

/* Computes the job on the cpu in bands, which the team shares out. */
bool bench_job_run(const struct path *path, const struct job *job, struct team *team,
                   struct error *error);

/* bench_samples.c: sums up samples.  Those taken at less than CLOCK_LEAST of the highest clock don't count,
   unless `all`. */
void bench_samples_sum_up(struct bench_samples *samples, double clock_most, bool all);
void bench_row_sum_up(struct bench_row *row, double clock_most);

/* The clock of a device, by the samples of all its rows. */
void bench_clock_find(struct bench *bench, struct bench_device *device);

/* Samples of the row that don't count. */
size_t bench_thrown(const struct bench_row *row);

/* bench_figures.c: what follows from a row's figures; 0 where the row has none. */
struct bench_figures {
  double mpx_per_second, gb_per_second, gfma_per_second;
  double copy, fma;    /* fractions of the device's ceilings */
  const char *binds;   /* the one that limits the speed, whose fraction is larger: the roofline */
  double speedup;      /* over the path `against` */
  const char *against; /* or empty */
  const char *note;    /* why a fraction lies beyond 1, and the like; or empty */
};

struct bench_figures bench_figures(const struct bench *bench, const struct bench_row *row);

enum { BENCH_DOUBT_BYTES = 512 }; /* any doubt in words fits */

/* bench_doubt.c: writes the reasons not to believe the times of a row, in words and separated by
   semicolons, or nothing where there are none.  Returns `text`. */
const char *bench_doubt(const struct bench *bench, const struct bench_row *row, char *text,
                        size_t size);

/* bench_print.c, bench_csv.c, bench_json.c */
void bench_print_table(const struct bench *bench);
void bench_print_csv(const struct bench *bench);
bool bench_print_json(const struct bench *bench, struct error *error);

#endif
