/* What is special to the path `vector`: all its instruction sets give the bits of the reference, next to
   unmapped memory, and its fused multiply-add without hardware is that of the C library. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu_vector.h"
#include "path.h"
#include "unit.h"

enum { JOBS = 600, ROWS_MOST = 24, FUSED_JOBS = 400, FUSED_SAMPLES = 4001 };

static uint64_t state;

static uint64_t number(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 2685821657736338717u >> 16;
}

static size_t between(size_t least, size_t most)
{
  return least + number() % (most - least + 1);
}

/* Bytes with an unmapped page right before (`low`) or right behind them. */
struct guarded {
  unsigned char *data;
  void *map;
  size_t map_size;
};

static struct guarded guarded_allocate(size_t size, bool low)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t middle = (size + page - 1) / page * page;
  struct guarded guarded = {.map_size = middle + 2 * page};
  unsigned char *map =
      mmap(NULL, guarded.map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  ck_assert(map != MAP_FAILED);
  ck_assert_int_eq(mprotect(map, page, PROT_NONE), 0);
  ck_assert_int_eq(mprotect(map + page + middle, page, PROT_NONE), 0);
  guarded.map = map;
  guarded.data = map + page + (low ? 0 : middle - size);
  return guarded;
}

static void guarded_free(struct guarded *guarded)
{
  munmap(guarded->map, guarded->map_size);
}

/* A job with all that it points to. */
struct made {
  struct job job;
  struct pass pass, column;
  struct guarded rows[ROWS_MOST + 64];
  const void *source[ROWS_MOST + 64];
  size_t source_rows;
};

enum taps { TAPS_SMALL, TAPS_LARGE, TAPS_DECIMAL, TAPS_SPARSE, TAPS_KINDS };

static float tap_make(enum taps kind, size_t count)
{
  switch (kind) {
  case TAPS_SMALL:
    return (float)between(0, 20) - 10;
  case TAPS_LARGE:
    return (float)between(0, 65536 / count);
  case TAPS_DECIMAL:
    return ((float)between(0, 1000000) - 400000) * 1e-6f;
  default:
    return between(0, 3) ? 0 : (float)between(0, 8) - 4;
  }
}

static void pass_make(struct pass *pass, size_t width, size_t height)
{
  enum taps kind = (enum taps)between(0, TAPS_KINDS - 1);
  double sum = 0;

  *pass = (struct pass){.width = width, .height = height, .integral = kind != TAPS_DECIMAL};
  pass->taps = malloc(width * height * sizeof *pass->taps);
  ck_assert_ptr_nonnull(pass->taps);
  for (size_t i = 0; i < width * height; i++) {
    pass->taps[i] = tap_make(kind, width * height);
    sum += (double)pass->taps[i];
  }
  pass->bias = between(0, 2) ? 0 : kind == TAPS_DECIMAL ? 0.37f : (float)between(0, 500);
  pass->scale = between(0, 1) ? (float)(1 << between(0, 12)) : sum > 0.001 ? (float)sum : 3;
  if (between(0, 9) == 0)
    pass->scale = -pass->scale;
  if (between(0, 9) == 0) { /* quotients of large sums overflow */
    pass->scale *= 1e-36f;
    pass->integral = false;
  }
}

static float float_make(int content)
{
  if (content == 0 && between(0, 50) == 0)
    return between(0, 2) == 0 ? INFINITY : between(0, 1) ? NAN : -3e38f;
  return content == 1 ? (float)number() * 1e-40f : (float)(number() % 100000) * 1e-5f;
}

static void row_make(struct made *made, size_t r, int content)
{
  const struct job *job = &made->job;
  size_t samples = job->width * job->channels;

  made->rows[r] = guarded_allocate(samples * sample_bytes(job->from), number() % 2);
  made->source[r] = made->rows[r].data;
  for (size_t i = 0; i < samples; i++) {
    uint16_t sample = content == 0 ? 0xffff : content == 1 ? 0 : (uint16_t)number();

    if (job->from == SAMPLE_U8)
      made->rows[r].data[i] = (uint8_t)sample;
    else if (job->from == SAMPLE_U16)
      ((uint16_t *)made->rows[r].data)[i] = sample;
    else
      ((float *)made->rows[r].data)[i] = float_make(content);
  }
  if (r && between(0, 8) == 0) /* a border repeats rows */
    made->source[r] = made->source[r - 1];
}

static void job_make(struct made *made)
{
  size_t most = between(0, 5) ? 9 : 40;
  size_t width = between(1, most), height = between(1, most);
  struct job *job = &made->job;
  int content = (int)between(0, 4);

  *job = (struct job){.pass = &made->pass,
                      .border = (enum border)between(BORDER_CLAMP, BORDER_CROP),
                      .channels = (unsigned)between(1, CHANNELS_MAX),
                      .from = (enum sample_type)between(SAMPLE_U8, SAMPLE_F32),
                      .to = (enum sample_type)between(SAMPLE_U8, SAMPLE_F32),
                      .beyond = {0, 1, 17, 200},
                      .absolute = between(0, 3) == 0,
                      .width = between(1, between(0, 3) ? 70 : 1500),
                      .left = width / 2,
                      .rows = between(1, ROWS_MOST)};
  if (between(0, 2)) {
    pass_make(&made->pass, width, height);
  } else {
    pass_make(&made->pass, width, 1);
    pass_make(&made->column, 1, height);
    job->column = &made->column;
  }
  if (job->border == BORDER_CROP) {
    job->width += width;
    job->left = 0;
  }
  job->result_width = job->border == BORDER_CROP ? job->width - width + 1 : job->width;
  job->pitch = (job->result_width * job->channels * sample_bytes(job->to) + 3) / 4 * 4 + 12;
  made->source_rows = job->rows + height - 1;
  for (size_t r = 0; r < made->source_rows; r++)
    row_make(made, r, content);
  job->source = made->source;
}

static void job_free(struct made *made)
{
  for (size_t r = 0; r < made->source_rows; r++)
    guarded_free(&made->rows[r]);
  free(made->pass.taps);
  if (made->job.column)
    free(made->column.taps);
}

static size_t result_bytes(const struct job *job)
{
  return job->pitch * (job->rows - 1) + job->result_width * job->channels * sample_bytes(job->to);
}

/* Whether two floats are the same to the bit, or both NaN. */
static bool float_same(const void *a, const void *b)
{
  float left, right;

  memcpy(&left, a, sizeof left);
  memcpy(&right, b, sizeof right);
  return memcmp(a, b, sizeof left) == 0 || (isnan(left) && isnan(right));
}

/* What lies between the rows counts too: it must be as it was. */
static bool results_same(const struct job *job, const unsigned char *a, const unsigned char *b)
{
  size_t bytes = result_bytes(job);

  if (job->to != SAMPLE_F32)
    return memcmp(a, b, bytes) == 0;
  for (size_t i = 0; i < bytes; i += 4)
    if (!float_same(a + i, b + i))
      return false;
  return true;
}

static void job_compare(struct made *made, const struct vector_set *set, int place)
{
  struct job *job = &made->job;
  size_t bytes = result_bytes(job);
  struct guarded expected = guarded_allocate(bytes, false);
  struct guarded result = guarded_allocate(bytes, number() % 2);
  struct error error;

  memset(expected.data, 77, bytes);
  memset(result.data, 77, bytes);
  job->result = expected.data;
  ck_assert(path_cpu_reference.launch(job, &error));
  job->result = result.data;
  ck_assert_msg(set->launch(job, &error), "%s", error.text);
  ck_assert_msg(results_same(job, expected.data, result.data),
                "%s differs: job %d, %zux%zu taps%s, %zu pixels of %u channels, %zu rows, border "
                "%d, type %d to %d",
                set->name, place, job->pass->width, job_taps_high(job),
                job->column ? " in two passes" : "", job->width, job->channels, job->rows,
                (int)job->border, (int)job->from, (int)job->to);
  guarded_free(&expected);
  guarded_free(&result);
}

START_TEST(sets_agree)
{
  const struct vector_set *set = vector_sets[_i];
  static struct made made;

  if (!set->supported()) {
    printf("SKIP: this processor has no %s\n", set->name);
    return;
  }
  state = 20260101;
  for (int place = 0; place < JOBS; place++) {
    job_make(&made);
    job_compare(&made, set, place);
    job_free(&made);
  }
}
END_TEST

/* Floats of which two or three are likely to meet the corners of a fused multiply-add: any bits at
   all; of like size, so that sums cancel or round at their last bit; next to powers of two, whose
   products lie half way between two floats; subnormal; next to overflow. */
static float corner_make(int corner)
{
  uint32_t bits = (uint32_t)number();
  float value;

  switch (corner) {
  case 0:
    break;
  case 1:
    bits = (bits & 0x807fffff) | (uint32_t)between(115, 140) << 23;
    break;
  case 2:
    bits = (bits & 0x80000000) | (uint32_t)between(100, 150) << 23 | 1u << between(0, 22);
    break;
  case 3:
    bits &= 0x80ffffff;
    break;
  case 4:
    bits = (bits & 0x807fffff) | (uint32_t)between(250, 254) << 23;
    break;
  default:
    bits = (bits & 0x80fff000) | (uint32_t)between(60, 190) << 23;
  }
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Two taps, 1 and `factor`, over a row of floats give fmaf(factor, row[x + 1], row[x]). */
static void fused_compare(const struct vector_set *set, float factor, const float *row)
{
  static float result[FUSED_SAMPLES];
  const void *source = row;
  float taps[2] = {1, factor};
  struct pass pass = {.width = 2, .height = 1, .taps = taps, .scale = 1};
  struct job job = {.pass = &pass,
                    .border = BORDER_CROP,
                    .channels = 1,
                    .from = SAMPLE_F32,
                    .to = SAMPLE_F32,
                    .width = FUSED_SAMPLES,
                    .result_width = FUSED_SAMPLES - 1,
                    .source = &source,
                    .rows = 1,
                    .result = result,
                    .pitch = sizeof result};
  struct ending ending = pass_ending(&pass, SAMPLE_F32, false);
  struct error error;

  ck_assert(set->launch(&job, &error));
  for (size_t x = 0; x + 1 < FUSED_SAMPLES; x++) {
    float expected = sample_end(fmaf(factor, row[x + 1], row[x]), &ending);

    ck_assert_msg(float_same(&expected, &result[x]), "%s: %a * %a + %a is %a, not %a", set->name,
                  (double)factor, (double)row[x + 1], (double)row[x], (double)expected,
                  (double)result[x]);
  }
}

START_TEST(fused_is_rounded_once)
{
  const struct vector_set *set = vector_sets[_i];
  static float row[FUSED_SAMPLES];

  if (!set->supported())
    return;
  state = 20260102;
  for (int i = 0; i < FUSED_JOBS; i++) {
    float factor = corner_make(i % 6);

    for (size_t x = 0; x < FUSED_SAMPLES; x++)
      row[x] = corner_make(i % 7 == 6 ? (int)between(0, 5) : i / 6 % 6);
    if (factor != 0)
      fused_compare(set, factor, row);
  }
}
END_TEST

START_TEST(environment_hides_faster_sets)
{
  for (size_t i = 0; vector_sets[i]; i++) {
    ck_assert_int_eq(setenv("HALO_CPU", vector_sets[i]->name, 1), 0);
    if (vector_sets[i]->supported())
      ck_assert_str_eq(vector_set_choose()->name, vector_sets[i]->name);
  }
  ck_assert_int_eq(setenv("HALO_CPU", "portable", 1), 0);
  ck_assert_str_eq(vector_set_choose()->name, "portable");
  ck_assert_int_eq(unsetenv("HALO_CPU"), 0);
  ck_assert(vector_set_choose()->supported());
}
END_TEST

int main(void)
{
  TCase *sets = tcase_create("instruction sets");
  int count = 0;

  while (vector_sets[count])
    count++;
  tcase_set_timeout(sets, 300);
  tcase_add_loop_test(sets, sets_agree, 0, count);
  tcase_add_loop_test(sets, fused_is_rounded_once, 0, count);
  tcase_add_test(sets, environment_hides_faster_sets);
  return unit_run("vector", sets);
}
