/* bench_vector: the path `vector` on one thread, beside the multiply-add rate of the same core.

   Each case is timed several times, and the rate between the cases; what counts is the median.
   The share is what the sums alone need (width · height multiply-adds a sample, for two passes width +
   height) by that rate: 1 would leave no time for loading, converting, ending and storing.

     bench_vector [--csv] [--runs=N] [--kind=matrix|gauss] [--type=u8|u16|f32] [--size=K]...  */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpu_ceiling.h"
#include "cpu_vector.h"
#include "path.h"

enum { SIDE = 2048, CHANNELS = 3, SIZE_MOST = 255, RUNS_MOST = 101 };

struct options {
  bool csv;
  size_t runs;
  const char *kind, *type; /* NULL: all */
  size_t sizes[16];
  size_t size_count;
};

struct picture {
  unsigned char *samples;
  const void **rows; /* with the border above and below, for the highest filter */
  unsigned char *result;
};

static const char *const type_names[] = {"u8", "u16", "f32"};

/* Of processor time: others on the machine count less. */
static double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int number_compare(const void *a, const void *b)
{
  double left = *(const double *)a, right = *(const double *)b;

  return (left > right) - (left < right);
}

/* Noise over a slope; the border above and below is clamp. */
static bool picture_make(struct picture *picture, enum sample_type type)
{
  size_t count = (size_t)SIDE * SIDE * CHANNELS;
  size_t bytes = sample_bytes(type);
  uint32_t noise = 1;

  picture->samples = malloc(count * bytes);
  picture->result = malloc(count * bytes);
  picture->rows = malloc((SIDE + SIZE_MOST) * sizeof *picture->rows);
  if (!picture->samples || !picture->result || !picture->rows)
    return false;
  for (size_t i = 0; i < count; i++) {
    noise = noise * 1664525u + 1013904223u;
    uint32_t sample = ((noise >> 17) + (uint32_t)(i % (SIDE * CHANNELS)) * 5) & 0xffff;

    if (type == SAMPLE_U8)
      picture->samples[i] = (uint8_t)(sample >> 8);
    else if (type == SAMPLE_U16)
      ((uint16_t *)picture->samples)[i] = (uint16_t)sample;
    else
      ((float *)picture->samples)[i] = (float)sample / 65535.0f;
  }
  memset(picture->result, 0, count * bytes);
  return true;
}

static void picture_free(struct picture *picture)
{
  free(picture->samples);
  free(picture->rows);
  free(picture->result);
}

static void picture_rows(struct picture *picture, enum sample_type type, size_t height)
{
  size_t pitch = (size_t)SIDE * CHANNELS * sample_bytes(type);

  for (size_t r = 0; r < SIDE + height - 1; r++)
    picture->rows[r] =
        picture->samples +
        (size_t)border_index((ptrdiff_t)r - (ptrdiff_t)height / 2, SIDE, BORDER_CLAMP) * pitch;
}

/* A matrix without any zero; for integer samples of integers that are exact on 8 bits. */
static void taps_matrix(struct pass *pass, size_t size, enum sample_type type)
{
  float sum = 0;

  *pass = (struct pass){.width = size, .height = size, .anchor_x = size / 2, .anchor_y = size / 2};
  pass->taps = malloc(size * size * sizeof *pass->taps);
  for (size_t i = 0; pass->taps && i < size * size; i++) {
    pass->taps[i] = (float)(1 + i * 7 % 13);
    sum += pass->taps[i];
  }
  pass->scale = sum;
  pass->integral = type != SAMPLE_F32;
}

/* A Gaussian of sigma = width / 6 as integers with sum 2^16. */
static void taps_gauss(struct pass *row, struct pass *column, size_t width)
{
  double sigma = (double)width / 6, sum = 0, left = 65536;
  size_t middle = width / 2;

  *row = (struct pass){
      .width = width, .height = 1, .anchor_x = middle, .scale = 65536, .integral = true};
  row->taps = malloc(width * sizeof *row->taps);
  for (size_t i = 0; i < width; i++)
    sum += exp(-pow((double)i - (double)middle, 2) / (2 * sigma * sigma));
  for (size_t i = 0; row->taps && i < width; i++) {
    double tap = exp(-pow((double)i - (double)middle, 2) / (2 * sigma * sigma)) / sum;

    row->taps[i] = (float)fmax(1, nearbyint(tap * 65536));
    left -= i == middle ? 0 : (double)row->taps[i];
  }
  row->taps[middle] = (float)left;
  *column = *row;
  column->width = 1;
  column->height = width;
  column->anchor_x = 0;
  column->anchor_y = middle;
}

/* Times one case and prints its line. */
static bool case_run(const struct options *options, struct picture *picture, enum sample_type type,
                     bool gauss, size_t size)
{
  struct pass pass, column;
  struct error error;
  struct job job = {.pass = &pass,
                    .border = BORDER_CLAMP,
                    .channels = CHANNELS,
                    .from = type,
                    .to = type,
                    .width = SIDE,
                    .result_width = SIDE,
                    .left = size / 2,
                    .source = picture->rows,
                    .rows = SIDE,
                    .result = picture->result,
                    .pitch = (size_t)SIDE * CHANNELS * sample_bytes(type)};
  double speed[RUNS_MOST], rate[RUNS_MOST];
  double adds = (double)(gauss ? 2 * size : size * size) * CHANNELS;
  bool done = true;

  if (gauss) {
    taps_gauss(&pass, &column, size);
    job.column = &column;
  } else {
    taps_matrix(&pass, size, type);
  }
  picture_rows(picture, type, size);
  for (size_t i = 0; done && i < options->runs + 1; i++) { /* the first is to warm up */
    double start, end;
    size_t place = i ? i - 1 : 0;

    rate[place] = cpu_fma_rate() * 1e-9;
    start = seconds();
    done = pass.taps && path_cpu_vector.launch(&job, &error);
    end = seconds();
    speed[place] = (double)SIDE * SIDE / (end - start) * 1e-6;
  }
  free(pass.taps);
  if (!done)
    return false;
  qsort(speed, options->runs, sizeof *speed, number_compare);
  qsort(rate, options->runs, sizeof *rate, number_compare);
  double median = speed[options->runs / 2], median_rate = rate[options->runs / 2];
  printf(options->csv ? "%s,%s,%zu,%.2f,%.2f,%.2f,%.2f,%.4f\n"
                      : "%-6s %-4s %3zu %9.1f %9.1f %9.1f %9.1f %7.2f\n",
         gauss ? "gauss" : "matrix", type_names[type], size, median, speed[0],
         speed[options->runs - 1], median_rate, median * 1e6 * adds / (median_rate * 1e9));
  return fflush(stdout) == 0;
}

static bool kind_run(const struct options *options, struct picture *picture, enum sample_type type,
                     bool gauss)
{
  static const size_t matrix_sizes[] = {3, 5, 7, 9, 11, 13, 15, 21, 31};
  static const size_t gauss_sizes[] = {3, 5, 7, 9, 11, 13, 15, 21, 31, 45, 61};
  const size_t *sizes = gauss ? gauss_sizes : matrix_sizes;
  size_t count =
      gauss ? sizeof gauss_sizes / sizeof *gauss_sizes : sizeof matrix_sizes / sizeof *matrix_sizes;
  bool done = true;

  if (options->kind && strcmp(options->kind, gauss ? "gauss" : "matrix") != 0)
    return true;
  if (options->size_count) {
    sizes = options->sizes;
    count = options->size_count;
  }
  for (size_t i = 0; done && i < count; i++)
    done = case_run(options, picture, type, gauss, sizes[i]);
  return done;
}

static bool options_read(struct options *options, int count, char **words)
{
  *options = (struct options){.runs = 5};
  for (int i = 1; i < count; i++) {
    const char *value = strchr(words[i], '=');

    value = value ? value + 1 : "";
    if (strcmp(words[i], "--csv") == 0)
      options->csv = true;
    else if (strncmp(words[i], "--runs=", 7) == 0)
      options->runs = strtoul(value, NULL, 10);
    else if (strncmp(words[i], "--kind=", 7) == 0)
      options->kind = value;
    else if (strncmp(words[i], "--type=", 7) == 0)
      options->type = value;
    else if (strncmp(words[i], "--size=", 7) == 0 && options->size_count < 16)
      options->sizes[options->size_count++] = strtoul(value, NULL, 10);
    else
      return false;
  }
  for (size_t i = 0; i < options->size_count; i++)
    if (options->sizes[i] < 1 || options->sizes[i] > SIZE_MOST)
      return false;
  return options->runs >= 1 && options->runs < RUNS_MOST;
}

int main(int count, char **words)
{
  struct options options;
  bool done = true;

  if (!options_read(&options, count, words)) {
    fprintf(stderr,
            "usage: %s [--csv] [--runs=1…100] [--kind=matrix|gauss] [--type=u8|u16|f32] "
            "[--size=1…255]...\n",
            words[0]);
    return 2;
  }
  if (options.csv)
    printf("kind,type,k,mpx_s,least,most,rate_g_s,share\n");
  else
    printf("%d×%d RGB, one thread, %s\n\n%-6s %-4s %3s %9s %9s %9s %9s %7s\n", SIDE, SIDE,
           vector_set_choose()->name, "kind", "type", "k", "Mpx/s", "least", "most", "G mul-add",
           "share");
  for (int type = SAMPLE_U8; done && type <= SAMPLE_F32; type++) {
    struct picture picture = {0};

    if (options.type && strcmp(options.type, type_names[type]) != 0)
      continue;
    done = picture_make(&picture, (enum sample_type)type) &&
           kind_run(&options, &picture, (enum sample_type)type, false) &&
           kind_run(&options, &picture, (enum sample_type)type, true);
    picture_free(&picture);
  }
  if (!done)
    fprintf(stderr, "%s: no memory for the pictures\n", words[0]);
  return done ? 0 : 1;
}
