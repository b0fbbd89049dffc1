/* Times the kernels of a device's paths: bench_paths DEVICE PATH[,PATH]... [SIZE]...

   For each path, type of samples and filter: the median of 31 samples, each of as many launches between
   two events as take 200 microseconds, margins included, on a picture of SIZE × SIZE pixels (2048
   unless given) that is on the device already, and its share of the floor: the larger of bytes / copy
   bandwidth and multiply-adds / rate.  Both ceilings are those of an H200 unless HALO_COPY (bytes a
   second) and HALO_FMA (a second) say otherwise.  HALO_PICTURES=N does only the first N kinds of
   picture.  Each path's result is compared with that of the CPU on some rows before it is timed. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "filter_fit.h"
#include "filter_taps.h"
#include "job.h"
#include "path.h"

enum { LAUNCHES = 31, WARM = 3, ROWS_KEPT = 61, ROWS_CHECKED = 24 };

static const struct {
  enum sample_type type;
  unsigned channels;
} pictures[] = {{SAMPLE_F32, 1}, {SAMPLE_U8, 3}, {SAMPLE_U8, 1},  {SAMPLE_U16, 3},
                {SAMPLE_U16, 1}, {SAMPLE_U8, 4}, {SAMPLE_F32, 3}, {SAMPLE_F32, 4}};

static const size_t sizes[] = {3, 5, 7, 9, 11, 13, 15, 31};

static double setting(const char *name, double value)
{
  const char *text = getenv(name);

  return text ? strtod(text, NULL) : value;
}

static int compare(const void *a, const void *b)
{
  unsigned long long p = *(const unsigned long long *)a, q = *(const unsigned long long *)b;

  return (p > q) - (p < q);
}

/* A filter of size × size taps, none of them 0, that is exact for 8 bits. */
static void filter_make(struct filter *filter, size_t size, enum sample_type type)
{
  double *taps = malloc(size * size * sizeof *taps), sum = 0;
  struct error error;

  for (size_t i = 0; i < size * size; i++)
    sum += taps[i] = (double)(1 + i * 7 % 13);
  if (!filter_from_taps(filter, "bench", size, size, taps, sum, 0, &error) ||
      !filter_fit(filter, type, type, &error))
    exit(1);
  free(taps);
}

struct scene {
  struct job job;
  struct filter filter;
  unsigned char *rows, *result;
  const void **table;
};

static void scene_make(struct scene *scene, enum sample_type type, unsigned channels, size_t side,
                       size_t size)
{
  size_t bytes = side * channels * sample_bytes(type);
  unsigned state = 1;

  memset(scene, 0, sizeof *scene);
  filter_make(&scene->filter, size, type);
  scene->rows = malloc(ROWS_KEPT * bytes);
  scene->result = malloc(side * bytes);
  scene->table = malloc((side + size - 1) * sizeof *scene->table);
  if (!scene->rows || !scene->result || !scene->table)
    exit(1);
  for (size_t i = 0; i < ROWS_KEPT * side * channels; i++) {
    state = state * 1664525u + 1013904223u;
    sample_store(scene->rows, i, type,
                 type == SAMPLE_F32 ? (float)(state >> 8) * 0x1p-24f
                                    : (float)(state >> (type == SAMPLE_U8 ? 24 : 16)));
  }
  for (size_t y = 0; y < side + size - 1; y++)
    scene->table[y] = scene->rows + y * 7 % ROWS_KEPT * bytes;
  scene->job = (struct job){
      .pass = &scene->filter.term[0].pass[0],
      .border = BORDER_MIRROR,
      .channels = channels,
      .from = type,
      .to = type,
      .width = side,
      .result_width = side,
      .left = size / 2,
      .source = scene->table,
      .rows = side,
      .result = scene->result,
      .pitch = bytes,
  };
}

static void scene_free(struct scene *scene)
{
  filter_free(&scene->filter);
  free(scene->rows);
  free(scene->result);
  free(scene->table);
}

/* Whether the first rows of the result are those of the CPU. */
static bool scene_is_right(const struct scene *scene)
{
  struct job job = scene->job;
  struct band_cost cost = {0};
  struct error error;
  bool right;

  job.rows = job.rows < ROWS_CHECKED ? job.rows : ROWS_CHECKED;
  job.result = malloc(job.rows * job.pitch);
  right = job.result && device_cpu.run(&path_cpu_vector, &job, &cost, &error) &&
          memcmp(job.result, scene->result, job.rows * job.pitch) == 0;
  free(job.result);
  return right;
}

static void path_time(const struct path *path, struct scene *scene, size_t size)
{
  const struct job *job = &scene->job;
  unsigned long long times[WARM + LAUNCHES];
  double samples = (double)job->width * (double)job->rows * job->channels;
  double memory = 2 * samples * (double)sample_bytes(job->to) / setting("HALO_COPY", 4.22e12);
  double arithmetic = samples * (double)(size * size) / setting("HALO_FMA", 33.45e12);
  double floor = memory > arithmetic ? memory : arithmetic, median;
  const char *reason = path->refuse(job);
  struct repeat repeat = {.count = WARM + LAUNCHES, .rows = REPEAT_HOT, .nanoseconds = times};
  struct error error;

  printf("%-9s %-6s x%u %5zu k %2zu ", path->name, sample_name(job->from), job->channels,
         job->width, size);
  if (reason) {
    printf("refused: %s\n", reason);
    return;
  }
  memset(scene->result, 0xaa, job->rows * job->pitch);
  if (!path->device->repeat(path, job, &repeat, &error)) {
    printf("failed: %s\n", error.text);
    return;
  }
  if (!scene_is_right(scene)) {
    printf("WRONG\n");
    return;
  }
  qsort(times + WARM, LAUNCHES, sizeof *times, compare);
  median = (double)times[WARM + LAUNCHES / 2];
  printf("%9.1f us (%.1f to %.1f) floor %8.1f share %.2f\n", median / 1e3,
         (double)times[WARM + LAUNCHES / 4] / 1e3, (double)times[WARM + 3 * LAUNCHES / 4] / 1e3,
         floor * 1e6, floor * 1e9 / median);
}

int main(int argc, char **argv)
{
  const struct device *device = argc > 2 ? device_find(argv[1]) : NULL;
  const char *missing = device && device->repeat
                            ? device->missing()
                            : "usage: bench_paths cuda|emulated PATH[,PATH]... [SIZE]...";

  size_t count = (size_t)setting("HALO_PICTURES", sizeof pictures / sizeof *pictures);

  if (missing) {
    fprintf(stderr, "bench_paths: %s\n", missing);
    return 2;
  }
  for (int a = 3; a < argc || a == 3; a++) {
    size_t side = a < argc ? strtoul(argv[a], NULL, 10) : 2048;

    for (size_t p = 0; p < count; p++)
      for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct scene scene;

        scene_make(&scene, pictures[p].type, pictures[p].channels, side, sizes[k]);
        for (size_t i = 0; paths[i]; i++)
          if (paths[i]->device == device && strstr(argv[2], paths[i]->name))
            path_time(paths[i], &scene, sizes[k]);
        scene_free(&scene);
        fflush(stdout);
      }
  }
  return 0;
}
