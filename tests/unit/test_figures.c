/* Every path against figures that exact arithmetic made: tests/data/figures.txt, which
   tests/data/make_figures.py writes without any of halo's code.  Small pictures (1×1, 1×7, …) lie
   under filters of all shapes, also larger than they are, with each border.

   Each figure is computed by each path as it is typed, and once more split into two passes where the
   filter can be.  Rows are allocated one by one, so that the sanitizers see any read beside them. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "filter_fit.h"
#include "filter_split.h"
#include "filter_taps.h"
#include "path.h"
#include "source_file.h"
#include "unit.h"

enum { NAME_BYTES = 32, LIST_MAX = 64, BESIDE = 16, PATTERN = 0xa5 };

struct picture {
  char name[NAME_BYTES];
  size_t width, height;
  unsigned channels;
  enum sample_type type;
  void **rows;
};

struct recipe {
  char name[NAME_BYTES];
  struct filter filter;
  bool absolute;
};

/* What the file holds, but for the results: those are checked as they are read. */
static struct figures {
  FILE *file;
  struct picture pictures[LIST_MAX];
  struct recipe recipes[LIST_MAX];
  size_t picture_count, recipe_count;
  size_t checked, split; /* results compared, and those of them in two passes */
} figures;

static struct error error;

static enum border border_find(const char *name)
{
  static const char *const names[] = {
#define X(name, constant, pattern, about) [constant] = name,
      BORDERS(X)
#undef X
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0)
      return (enum border)i;
  ck_abort_msg("figures.txt: there is no border %s", name);
  return BORDER_CLAMP;
}

static void *memory(size_t bytes)
{
  void *made = malloc(bytes);

  ck_assert_ptr_nonnull(made);
  return made;
}

static double number_read(void)
{
  double number;

  ck_assert_int_eq(fscanf(figures.file, "%lf", &number), 1);
  return number;
}

static void sample_put(void *row, size_t index, enum sample_type type, double value)
{
  if (type == SAMPLE_U8)
    ((uint8_t *)row)[index] = (uint8_t)value;
  else
    ((uint16_t *)row)[index] = (uint16_t)value;
}

static unsigned sample_get(const void *row, size_t index, enum sample_type type)
{
  return type == SAMPLE_U8 ? ((const uint8_t *)row)[index] : ((const uint16_t *)row)[index];
}

static enum sample_type type_of(unsigned white)
{
  ck_assert(white == 255 || white == 65535);
  return white == 255 ? SAMPLE_U8 : SAMPLE_U16;
}

/* A row of `samples` numbers of the file. */
static void *row_read(size_t samples, enum sample_type type)
{
  void *row = memory(samples * sample_bytes(type));

  for (size_t i = 0; i < samples; i++)
    sample_put(row, i, type, number_read());
  return row;
}

static void picture_read(void)
{
  struct picture *picture = &figures.pictures[figures.picture_count++];
  unsigned white;

  ck_assert_uint_le(figures.picture_count, LIST_MAX);
  ck_assert_int_eq(fscanf(figures.file, "%31s %zu %zu %u %u", picture->name, &picture->width,
                          &picture->height, &picture->channels, &white),
                   5);
  picture->type = type_of(white);
  picture->rows = memory(picture->height * sizeof *picture->rows);
  for (size_t y = 0; y < picture->height; y++)
    picture->rows[y] = row_read(picture->width * picture->channels, picture->type);
}

/* A table of taps, or (`passes`) a row and a column. */
static void recipe_read(bool passes)
{
  struct recipe *recipe = &figures.recipes[figures.recipe_count++];
  size_t width, height, count;
  double scale, offset, taps[LIST_MAX * LIST_MAX];
  float parts[LIST_MAX * LIST_MAX];
  int absolute;
  bool made;

  ck_assert_uint_le(figures.recipe_count, LIST_MAX);
  ck_assert_int_eq(fscanf(figures.file, "%31s %zu %zu %lf %lf %d", recipe->name, &width, &height,
                          &scale, &offset, &absolute),
                   6);
  ck_assert(width <= LIST_MAX && height <= LIST_MAX);
  count = passes ? width + height : width * height;
  for (size_t i = 0; i < count; i++)
    parts[i] = (float)(taps[i] = number_read());
  recipe->absolute = absolute != 0;
  if (passes)
    made = filter_from_passes(&recipe->filter, recipe->name, width, parts, 1, height, parts + width,
                              scale, &error);
  else
    made =
        filter_from_taps(&recipe->filter, recipe->name, width, height, taps, scale, offset, &error);
  ck_assert_msg(made, "%s: %s", recipe->name, error.text);
  recipe->filter.offset = offset;
}

/* One result of the file. */
struct figure {
  const struct picture *picture;
  const struct recipe *recipe;
  enum border border;
  unsigned level; /* that stands beyond, in 8 bits */
  enum sample_type type;
  size_t width, height;
  void **rows;
};

static const struct picture *picture_find(const char *name)
{
  for (size_t i = 0; i < figures.picture_count; i++)
    if (strcmp(figures.pictures[i].name, name) == 0)
      return &figures.pictures[i];
  ck_abort_msg("figures.txt: there is no picture %s", name);
  return NULL;
}

static const struct recipe *recipe_find(const char *name)
{
  for (size_t i = 0; i < figures.recipe_count; i++)
    if (strcmp(figures.recipes[i].name, name) == 0)
      return &figures.recipes[i];
  ck_abort_msg("figures.txt: there is no filter %s", name);
  return NULL;
}

static void figure_read(struct figure *figure)
{
  char picture[NAME_BYTES], filter[NAME_BYTES], border[NAME_BYTES];
  unsigned white;

  ck_assert_int_eq(fscanf(figures.file, "%31s %31s %31s %u %u %zu %zu", picture, filter, border,
                          &figure->level, &white, &figure->width, &figure->height),
                   7);
  figure->picture = picture_find(picture);
  figure->recipe = recipe_find(filter);
  figure->border = border_find(border);
  figure->type = type_of(white);
  figure->rows = memory(figure->height * sizeof *figure->rows);
  for (size_t y = 0; y < figure->height; y++)
    figure->rows[y] = row_read(figure->width * figure->picture->channels, figure->type);
}

static void figure_free(struct figure *figure)
{
  for (size_t y = 0; y < figure->height; y++)
    free(figure->rows[y]);
  free(figure->rows);
}

/* A source row of nothing but the border's level. */
static void *row_beyond(const struct picture *picture, unsigned level)
{
  size_t samples = picture->width * picture->channels;
  void *row = memory(samples * sample_bytes(picture->type));

  for (size_t i = 0; i < samples; i++)
    sample_put(row, i, picture->type, level);
  return row;
}

static struct job job_make(const struct figure *figure, const struct filter *filter, unsigned level)
{
  const struct picture *picture = figure->picture;
  struct job job = {
      .pass = &filter->term[0].pass[0],
      .column = filter->term[0].passes == 2 ? &filter->term[0].pass[1] : NULL,
      .border = figure->border,
      .channels = picture->channels,
      .from = picture->type,
      .to = figure->type,
      .absolute = figure->recipe->absolute,
      .width = picture->width,
      .result_width = figure->width,
      .left = figure->border == BORDER_CROP ? 0 : filter->term[0].pass[0].anchor_x,
      .rows = figure->height,
  };

  for (unsigned channel = 0; channel < picture->channels; channel++)
    job.beyond[channel] = (float)level;
  return job;
}

/* The source rows under the taps of the first result row to the last, with the border settled. */
static const void **rows_make(const struct figure *figure, const struct filter *filter,
                              const struct job *job, const void *beyond)
{
  size_t count = job->rows + job_taps_high(job) - 1, unused, anchor;
  const void **rows = memory(count * sizeof *rows);

  filter_extent(filter, &unused, &unused, &unused, &anchor);
  if (figure->border == BORDER_CROP)
    anchor = 0;
  for (size_t i = 0; i < count; i++) {
    ptrdiff_t at = border_index((ptrdiff_t)i - (ptrdiff_t)anchor,
                                (ptrdiff_t)figure->picture->height, figure->border);

    ck_assert(at >= 0 || figure->border == BORDER_CONSTANT);
    rows[i] = at < 0 ? beyond : figure->picture->rows[at];
  }
  return rows;
}

static void result_compare(const struct figure *figure, const struct job *job,
                           const struct path *path, bool split)
{
  size_t samples = job->result_width * job->channels;

  for (size_t y = 0; y < job->rows; y++) {
    const unsigned char *row = (const unsigned char *)job->result + y * job->pitch;

    for (size_t i = 0; i < samples; i++) {
      unsigned got = sample_get(row, i, job->to), right = sample_get(figure->rows[y], i, job->to);

      ck_assert_msg(got == right,
                    "%s%s: %s under %s, border %d of %u, to %s: x %zu, y %zu is %u and "
                    "not %u",
                    path->name, split ? " in two passes" : "", figure->picture->name,
                    figure->recipe->name, figure->border, figure->level, sample_name(job->to),
                    i / job->channels, y, got, right);
    }
    for (size_t i = samples * sample_bytes(job->to); i < job->pitch; i++)
      ck_assert_msg(row[i] == PATTERN, "%s writes beside its rows", path->name);
  }
}

/* One figure with one filter, fitted already, by every path that can. */
static void filter_check(const struct figure *figure, const struct filter *filter, bool split)
{
  unsigned level = figure->picture->type == SAMPLE_U8 ? figure->level : figure->level * 257;
  struct job job = job_make(figure, filter, level);
  void *beyond = row_beyond(figure->picture, level);
  const void **rows = rows_make(figure, filter, &job, beyond);

  job.source = rows;
  job.pitch = job.result_width * job.channels * sample_bytes(job.to) + BESIDE;
  job.result = memory(job.rows * job.pitch);
  for (size_t i = 0; paths[i]; i++) {
    struct band_cost cost = {0};

    if (path_missing(paths[i]) || paths[i]->refuse(&job))
      continue;
    memset(job.result, PATTERN, job.rows * job.pitch);
    ck_assert_msg(paths[i]->device->run(paths[i], &job, &cost, &error), "%s: %s", paths[i]->name,
                  error.text);
    result_compare(figure, &job, paths[i], split);
    figures.checked++;
    figures.split += split;
  }
  free(job.result);
  free(rows);
  free(beyond);
}

static void figure_check(const struct figure *figure)
{
  enum sample_type from = figure->picture->type;
  struct filter filter, split;

  ck_assert(filter_copy(&filter, &figure->recipe->filter, &error));
  ck_assert_msg(filter_fit(&filter, from, figure->type, &error), "%s", error.text);
  ck_assert_msg(term_is_exact(&filter.term[0], from), "%s under %s is not exact",
                figure->picture->name, figure->recipe->name);
  filter_check(figure, &filter, false);
  if (filter_split(&filter, from, &split)) {
    filter_check(figure, &split, true);
    filter_free(&split);
  }
  filter_free(&filter);
}

static void figures_free(void)
{
  for (size_t i = 0; i < figures.picture_count; i++) {
    for (size_t y = 0; y < figures.pictures[i].height; y++)
      free(figures.pictures[i].rows[y]);
    free(figures.pictures[i].rows);
  }
  for (size_t i = 0; i < figures.recipe_count; i++)
    filter_free(&figures.recipes[i].filter);
}

static void figures_open(void)
{
  figures.file = data_open("figures.txt");
  ck_assert_int_eq(fscanf(figures.file, "%*[^\n]"), 0); /* the comment */
}

START_TEST(every_path_gives_the_exact_figures)
{
  char word[NAME_BYTES];
  size_t results = 0;

  figures_open();
  while (fscanf(figures.file, "%31s", word) == 1 && strcmp(word, "end") != 0) {
    struct figure figure;

    if (strcmp(word, "picture") == 0)
      picture_read();
    else if (strcmp(word, "matrix") == 0 || strcmp(word, "passes") == 0)
      recipe_read(*word == 'p');
    else {
      ck_assert_str_eq(word, "result");
      figure_read(&figure);
      figure_check(&figure);
      figure_free(&figure);
      results++;
    }
  }
  ck_assert_str_eq(word, "end");
  fclose(figures.file);
  figures_free();
  printf("figures: %zu results, compared %zu times, %zu of them in two passes\n", results,
         figures.checked, figures.split);
  ck_assert_uint_gt(results, 500);
  ck_assert_uint_ge(figures.checked, results);
  ck_assert_uint_gt(figures.split, 0);
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("exact");

  tcase_add_test(all, every_path_gives_the_exact_figures);
  tcase_set_timeout(all, 60);
  return unit_run("figures", all);
}
