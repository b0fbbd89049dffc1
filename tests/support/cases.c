/* The case table: see cases.h.

   Every dimension has a list of what is known to break things: sizes around the edges of vectors and
   blocks, filters from one tap to larger than the image, even sizes, all borders, all numbers of
   channels and types, contents that are all zero, all white, near both, random and (for floats) not
   even numbers.  A case draws one of each by a hash of its index, so that some thousands of cases
   meet most pairs, and the same seed gives the same cases. */
#include "config.h"

#include "cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "filter_fit.h"
#include "filter_taps.h"

enum { TAIL = 48 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum shape_of_taps { TAPS_INTEGER, TAPS_LARGE, TAPS_FLOAT, TAPS_SPARSE, TAPS_TWO_PASSES };

struct drawn_filter {
  size_t width, height;
  enum shape_of_taps taps;
};

static const size_t small_widths[] = {1,  2,  3,  4,  5,  7,  8,  9,  15,  16,  17,  21,
                                      22, 31, 32, 33, 63, 64, 65, 85, 127, 128, 129, 257};
static const size_t small_heights[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33};

static const struct drawn_filter small_filters[] = {
    {1, 1, TAPS_INTEGER},      {3, 3, TAPS_INTEGER},    {3, 3, TAPS_FLOAT},
    {3, 3, TAPS_LARGE},        {2, 2, TAPS_INTEGER},    {5, 5, TAPS_INTEGER},
    {5, 5, TAPS_FLOAT},        {4, 3, TAPS_INTEGER},    {7, 7, TAPS_INTEGER},
    {7, 7, TAPS_LARGE},        {1, 7, TAPS_INTEGER},    {9, 1, TAPS_INTEGER},
    {9, 9, TAPS_SPARSE},       {15, 15, TAPS_INTEGER},  {15, 15, TAPS_SPARSE},
    {11, 6, TAPS_FLOAT},       {31, 31, TAPS_SPARSE},   {63, 3, TAPS_INTEGER},
    {1, 63, TAPS_FLOAT},       {3, 3, TAPS_TWO_PASSES}, {5, 5, TAPS_TWO_PASSES},
    {7, 13, TAPS_TWO_PASSES},  {2, 4, TAPS_TWO_PASSES}, {13, 13, TAPS_TWO_PASSES},
    {61, 61, TAPS_TWO_PASSES}, {11, 11, TAPS_FLOAT},    {13, 13, TAPS_INTEGER},
};

static const size_t large_widths[] = {1,    3,    33,   127,  255,  256,  257,  511,  640,  1023,
                                      1024, 1025, 1366, 1920, 2047, 2049, 3000, 4095, 4097, 5003};
static const size_t large_heights[] = {1,   2,   31,   33,   127,  255,  257,
                                       511, 768, 1025, 1080, 2048, 2161, 3001};

static const struct drawn_filter large_filters[] = {
    {3, 3, TAPS_INTEGER},     {3, 3, TAPS_FLOAT},        {5, 5, TAPS_INTEGER},
    {7, 7, TAPS_FLOAT},       {9, 9, TAPS_INTEGER},      {11, 11, TAPS_FLOAT},
    {13, 13, TAPS_INTEGER},   {15, 15, TAPS_FLOAT},      {17, 17, TAPS_INTEGER},
    {4, 6, TAPS_INTEGER},     {31, 31, TAPS_INTEGER},    {32, 32, TAPS_FLOAT},
    {33, 33, TAPS_SPARSE},    {63, 63, TAPS_INTEGER},    {63, 63, TAPS_FLOAT},
    {63, 1, TAPS_INTEGER},    {1, 63, TAPS_FLOAT},       {9, 9, TAPS_TWO_PASSES},
    {31, 5, TAPS_TWO_PASSES}, {63, 63, TAPS_TWO_PASSES},
};

struct table {
  const char *name; /* in $HALO_CASES */
  size_t cases;
  const size_t *widths, *heights;
  size_t width_count, height_count;
  const struct drawn_filter *filters;
  size_t filter_count;
  size_t work; /* multiply-adds of a case; it has no more rows than that */
};

#define TABLE_OF(lists)                                                                            \
  .widths = lists##_widths, .width_count = COUNT(lists##_widths), .heights = lists##_heights,      \
  .height_count = COUNT(lists##_heights), .filters = lists##_filters,                              \
  .filter_count = COUNT(lists##_filters)

static const struct table tables[] = {
    {.name = "small", .cases = 2400, .work = SIZE_MAX, TABLE_OF(small)},
    {.name = "large", .cases = 160, .work = (size_t)3 << 30, TABLE_OF(large)},
};

enum contents { ALL_ZERO, ALL_WHITE, NEAR_ZERO, NEAR_WHITE, RANDOM, CHECKERED, ODD_FLOATS };

static const char *const contents_name[] = {"zero",   "white",   "near zero",         "near white",
                                            "random", "checker", "infinities and NaN"};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t random_next(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static size_t random_below(uint64_t *state, size_t count)
{
  return (size_t)(random_next(state) % count);
}

static const struct table *table_chosen(void)
{
  const char *name = getenv("HALO_CASES");

  for (size_t i = 0; i < COUNT(tables); i++)
    if (strcmp(name ? name : tables[0].name, tables[i].name) == 0)
      return &tables[i];
  fprintf(stderr, "cases: HALO_CASES=%s is no table; there are small and large\n", name);
  exit(99);
}

size_t cases_count(void)
{
  return table_chosen()->cases;
}

uint64_t cases_seed(void)
{
  const char *text = getenv("HALO_SEED");

  return text ? strtoull(text, NULL, 0) : 20251;
}

void cases_print(FILE *stream)
{
  fprintf(stream, "case table %s: %zu cases, HALO_SEED=%llu\n", table_chosen()->name, cases_count(),
          (unsigned long long)cases_seed());
}

static void give_up(const char *what)
{
  fprintf(stderr, "cases: no memory for %s\n", what);
  exit(99);
}

static size_t round_to_page(size_t bytes)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);

  return (bytes + page - 1) / page * page;
}

/* Memory of `bytes` bytes whose end is the end of what may be touched. */
static unsigned char *guarded_allocate(size_t bytes, void **mapping, size_t *mapped)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t room = round_to_page(bytes);
  unsigned char *data;

  *mapped = room + page;
  data = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED || mprotect(data + room, page, PROT_NONE) != 0)
    give_up("a guarded buffer");
  *mapping = data;
  return data + room - bytes;
}

void result_make(struct result *result, size_t rows, size_t row_bytes)
{
  result->rows = rows;
  result->row_bytes = row_bytes;
  result->pitch = (row_bytes + TAIL + 3) / 4 * 4;
  result->data =
      guarded_allocate((rows - 1) * result->pitch + row_bytes, &result->mapping, &result->mapped);
  result->data -= (uintptr_t)result->data % 4;
  memset(result->data, 0xa5, (rows - 1) * result->pitch + row_bytes);
}

bool result_intact(const struct result *result)
{
  for (size_t y = 0; y + 1 < result->rows; y++)
    for (size_t x = result->row_bytes; x < result->pitch; x++)
      if (result->data[y * result->pitch + x] != 0xa5)
        return false;
  return true;
}

void result_free(struct result *result)
{
  munmap(result->mapping, result->mapped);
}

static double tap_draw(enum shape_of_taps shape, uint64_t *state)
{
  int64_t draw = (int64_t)(random_next(state) >> 40); /* 24 bits */

  switch (shape) {
  case TAPS_LARGE:
    return (double)(draw - (1 << 23)) / 64; /* sums beyond 2^24 */
  case TAPS_FLOAT:
    return (double)draw / (1 << 23) - 1 + 1e-9;
  case TAPS_SPARSE:
    return draw % 8 ? 0 : (double)(draw / 8 % 15 - 7);
  case TAPS_INTEGER:
  case TAPS_TWO_PASSES:
    break;
  }
  return (double)(draw % 15 - 7);
}

static void filter_draw(struct filter *filter, size_t width, size_t height,
                        enum shape_of_taps shape, uint64_t *state)
{
  static const double scales[] = {1, 2, 3, 7, 9, 16, 49, 273, 1000, -5, 0.37, 1e-12};
  double scale = scales[random_below(state, COUNT(scales))];
  double offset = random_below(state, 3) == 0 ? 128 : 0;
  double *taps = malloc((width * height) * sizeof *taps);
  float *two = malloc((width + height) * sizeof *two);
  struct error error;
  bool made;

  if (scale == 1e-12 && offset != 0)
    offset = random_below(state, 2) ? 1e39 : -1e39; /* the sum is finite, the quotient is not */
  if (!taps || !two)
    give_up("taps");
  for (size_t i = 0; i < width * height; i++)
    taps[i] = tap_draw(shape, state);
  taps[random_below(state, width * height)] = shape == TAPS_LARGE ? 65521 : 5;
  for (size_t i = 0; i < width + height; i++)
    two[i] = (float)(1 + random_below(state, 65536 / (width + height)));
  if (shape == TAPS_TWO_PASSES)
    made = filter_from_passes(filter, "two", width, two, random_below(state, 2) ? 65536 : 1, height,
                              two + width, 65536, &error);
  else
    made = filter_from_taps(filter, "taps", width, height, taps, scale, offset, &error);
  if (!made)
    give_up(error.text);
  free(taps);
  free(two);
}

static float sample_draw(enum contents contents, size_t x, size_t y, float white, uint64_t *state)
{
  float small = (float)random_below(state, 3);

  switch (contents) {
  case ALL_ZERO:
    return 0;
  case ALL_WHITE:
    return white;
  case NEAR_ZERO:
    return white == 1 ? small * 1e-30f : small;
  case NEAR_WHITE:
    return white == 1 ? 1 - small * 1e-6f : white - small;
  case CHECKERED:
    return (x + y) % 2 ? white : 0;
  case ODD_FLOATS:
    if (random_below(state, 50) == 0)
      return random_below(state, 2) ? INFINITY : random_below(state, 2) ? -INFINITY : NAN;
    break;
  case RANDOM:
    break;
  }
  if (white == 1)
    return (float)((double)random_next(state) / 0x1p63 - 0.5);
  return (float)random_below(state, (size_t)white + 1);
}

/* A row for each source row, and one more for what lies beyond a constant border. */
static void rows_draw(struct test_case *test, size_t height, enum contents contents,
                      uint64_t *state)
{
  struct job *job = &test->job;
  size_t samples = job->width * job->channels;
  size_t bytes = samples * sample_bytes(job->from);
  float white = sample_white(job->from);

  test->rows = height + 1;
  test->row = calloc(test->rows, sizeof *test->row);
  if (!test->row)
    give_up("rows");
  for (size_t y = 0; y < test->rows; y++) {
    void *mapping;

    test->row[y] = guarded_allocate(bytes, &mapping, &test->row_room);
    for (size_t x = 0; x < samples; x++)
      sample_store(test->row[y], x, job->from,
                   y == height ? job->beyond[x % job->channels]
                               : sample_draw(contents, x / job->channels, y, white, state));
  }
}

/* The source rows under the taps, with the border settled. */
static void table_make(struct test_case *test, size_t height, size_t above, size_t taps_high)
{
  size_t count = test->job.rows + taps_high - 1;

  test->table = malloc(count * sizeof *test->table);
  if (!test->table)
    give_up("rows");
  for (size_t i = 0; i < count; i++) {
    ptrdiff_t at =
        border_index((ptrdiff_t)i - (ptrdiff_t)above, (ptrdiff_t)height, test->job.border);

    test->table[i] = test->row[at < 0 ? height : (size_t)at];
  }
  test->job.source = test->table;
}

/* The height, or less where so many rows would be too much work. */
static size_t rows_within(size_t height, size_t samples, const struct drawn_filter *kind,
                          size_t work)
{
  size_t taps =
      kind->taps == TAPS_TWO_PASSES ? kind->width + kind->height : kind->width * kind->height;
  size_t most = work / (samples * taps);

  return height < most ? height : most;
}

void case_make(struct test_case *test, size_t index)
{
  static const char *const borders[] = {
#define X(name, constant, pattern, about) name,
      BORDERS(X)
#undef X
  };
  uint64_t state = cases_seed() + index * 0x2545f4914f6cdd1du;
  const struct table *drawn = table_chosen();
  const struct drawn_filter *kind = &drawn->filters[random_below(&state, drawn->filter_count)];
  size_t width = kind->width, height = kind->height;
  struct job *job = &test->job;
  size_t image_height = drawn->heights[random_below(&state, drawn->height_count)];
  enum contents contents;
  struct error error;
  size_t x, y, left, above;

  memset(test, 0, sizeof *test);
  job->border = (enum border)random_below(&state, COUNT(borders));
  job->width = drawn->widths[random_below(&state, drawn->width_count)];
  job->channels = 1 + (unsigned)random_below(&state, 4);
  image_height = rows_within(image_height, job->width * job->channels, kind, drawn->work);
  if (job->border == BORDER_CROP) { /* the image holds the filter */
    job->width += width - 1;
    image_height += height - 1;
  }
  job->from = (enum sample_type)random_below(&state, 3);
  job->to = (enum sample_type)random_below(&state, 3);
  job->absolute = random_below(&state, 4) == 0;
  contents = (enum contents)random_below(&state, job->from == SAMPLE_F32 ? 7 : 6);
  for (unsigned c = 0; c < job->channels; c++)
    job->beyond[c] = job->from == SAMPLE_F32 ? 0.25f * (float)c : (float)((37 * c + 200) % 256);
  if (job->from != SAMPLE_F32)
    job->beyond[3] = 255;
  filter_draw(&test->filter, width, height, kind->taps, &state);
  if (!filter_fit(&test->filter, job->from, job->to, &error))
    give_up(error.text);
  filter_extent(&test->filter, &x, &y, &left, &above);
  job->pass = &test->filter.term[0].pass[0];
  job->column = test->filter.term[0].passes == 2 ? &test->filter.term[0].pass[1] : NULL;
  job->left = job->border == BORDER_CROP ? 0 : left;
  job->result_width = job->border == BORDER_CROP ? job->width - (width - 1) : job->width;
  job->rows = job->border == BORDER_CROP ? image_height - (height - 1) : image_height;
  rows_draw(test, image_height, contents, &state);
  table_make(test, image_height, job->border == BORDER_CROP ? 0 : above, height);
  test->result_bytes = job->result_width * job->channels * sample_bytes(job->to);
  snprintf(test->name, sizeof test->name,
           "%s case %zu (HALO_SEED=%llu): %zux%zux%u %s to %s, %s, filter %zu %zux%zu, %s%s",
           drawn->name, index, (unsigned long long)cases_seed(), job->width, image_height,
           job->channels, sample_name(job->from), sample_name(job->to), borders[job->border],
           (size_t)(kind - drawn->filters), width, height, contents_name[contents],
           job->absolute ? ", absolute" : "");
}

void case_free(struct test_case *test)
{
  size_t bytes = test->job.width * test->job.channels * sample_bytes(test->job.from);

  for (size_t y = 0; y < test->rows; y++)
    munmap(test->row[y] - (round_to_page(bytes) - bytes), test->row_room);
  free(test->row);
  free(test->table);
  filter_free(&test->filter);
}
