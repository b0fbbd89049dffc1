/* The picture that --bench works on: see bench.h. */
#include "config.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convolve.h"
#include "plan.h"
#include "source.h"

enum { MADE_SIDE = 2048, MADE_CHANNELS = 3 };

/* A slope with noise: neither flat nor without order. */
static bool picture_invent(struct bench_picture *picture, struct error *error)
{
  unsigned state = 20251;

  picture->seed = state;
  picture->shape = (struct shape){MADE_SIDE, MADE_SIDE, MADE_CHANNELS, SAMPLE_U8};
  if (!raster_allocate(&picture->source, MADE_SIDE, MADE_SIDE * MADE_CHANNELS, error))
    return false;
  for (size_t y = 0; y < MADE_SIDE; y++) {
    unsigned char *row = raster_row(&picture->source, y);

    for (size_t x = 0; x < MADE_SIDE * MADE_CHANNELS; x++) {
      state = state * 1664525u + 1013904223u;
      row[x] = (unsigned char)((x + y) / 48 + (state >> 26));
    }
  }
  return true;
}

static bool picture_read(struct bench_picture *picture, double *gamma,
                         const struct options *options, struct error *error)
{
  struct picture read = {0};
  struct source source = {.picture = &read};
  struct input input;
  bool done;

  if (!input_open(&input, options->files[0], error))
    return error_name(error, options->files[0]);
  done = source_open(&source, &input, options, error) &&
         source_read_all(&source, &picture->source, error);
  picture->shape = read.shape;
  *gamma = metadata_gamma(&read.metadata);
  if (source.reader)
    source.format->close(source.reader);
  picture_free(&read);
  if (!done)
    error_name(error, input.name);
  input_close(&input);
  return done;
}

/* The samples that the first step reads. */
static bool picture_prepare(struct bench_picture *picture, struct error *error)
{
  const struct shape *shape = &picture->shape;

  if (!picture->plan.convert)
    return true;
  if (!raster_allocate(&picture->prepared, shape->height,
                       shape->width * shape->channels * sizeof(float), error))
    return false;
  for (size_t y = 0; y < shape->height; y++)
    colour_prepare(&picture->plan.colour, raster_row(&picture->source, y),
                   (float *)raster_row(&picture->prepared, y), shape->width);
  return true;
}

/* The rows beneath the taps, with the border settled. */
static bool picture_table(struct bench_picture *picture, const struct options *options,
                          struct error *error)
{
  const struct raster *raster = picture->plan.convert ? &picture->prepared : &picture->source;
  const struct step *step = &picture->plan.steps[0];
  const struct pass *high = step->column ? step->column : step->pass;
  size_t above = options->border == BORDER_CROP ? 0 : high->anchor_y;

  picture->job = step_job(step, options->border);
  picture->job.rows = step->result.height;
  picture->beyond_row = step_row_beyond(step);
  picture->table = malloc((picture->job.rows + high->height - 1) * sizeof *picture->table);
  if (!picture->beyond_row || !picture->table)
    return error_set(error, STATUS_FAILED, "no memory for the rows of a picture");
  for (size_t i = 0; i < picture->job.rows + high->height - 1; i++) {
    ptrdiff_t at = border_index((ptrdiff_t)i - (ptrdiff_t)above, (ptrdiff_t)step->source.height,
                                options->border);

    picture->table[i] = at < 0 ? picture->beyond_row : raster_row(raster, (size_t)at);
  }
  picture->job.source = picture->table;
  return true;
}

bool bench_picture_make(struct bench_picture *picture, const struct options *options,
                        const struct choice *choice, const struct chain *chain, struct error *error)
{
  double gamma = 0;
  bool made;

  memset(picture, 0, sizeof *picture);
  made = options->file_count ? picture_read(picture, &gamma, options, error)
                             : picture_invent(picture, error);
  made = made &&
         plan_make(&picture->plan, options, choice, chain, &picture->shape, gamma,
                   picture->shape.type, error) &&
         picture_prepare(picture, error) && picture_table(picture, options, error);
  if (!made)
    bench_picture_free(picture);
  return made;
}

void bench_picture_free(struct bench_picture *picture)
{
  raster_free(&picture->source);
  raster_free(&picture->prepared);
  free(picture->beyond_row);
  free(picture->table);
  plan_free(&picture->plan);
}

bool bench_picture_through(struct bench *bench, const struct options *options,
                           const struct choice *choice, const struct chain *chain,
                           const struct bench_picture *picture, struct error *error)
{
  char made[] = "/tmp/halo-bench-XXXXXX.ppm", result[] = "/tmp/halo-bench-XXXXXX.png";
  int in = -1, out = mkstemps(result, 4);
  const struct bench_row *best = NULL;
  struct choice one = *choice;
  struct options plain = *options;
  struct report report;
  FILE *file;
  bool done = out >= 0;

  for (size_t i = 0; i < bench->rows; i++) {
    const struct bench_row *row = &bench->row[i];

    if (!row->failed[0] && row->median > 0 && (!best || row->median < best->median))
      best = row;
  }
  if (best)
    bench->through = best->path;
  if (!bench->through)
    bench->through = choice->paths[0];
  one.paths[0] = bench->through;
  one.count = 1;
  one.every = one.open = false;
  plain.format = NULL;
  plain.output = result;
  if (done && !options->file_count) {
    in = mkstemps(made, 4);
    file = in >= 0 ? fdopen(in, "w") : NULL;
    done = file &&
           fprintf(file, "P6\n%zu %zu\n255\n", picture->shape.width, picture->shape.height) > 0;
    for (size_t y = 0; done && y < picture->shape.height; y++)
      done = fwrite(raster_row(&picture->source, y), picture->shape.width * 3, 1, file) == 1;
    if (file)
      done = fclose(file) == 0 && done;
  }
  if (!done)
    error_set(error, STATUS_FAILED, "no temporary file in /tmp can be written");
#pragma omp parallel num_threads((int)one.threads)
#pragma omp single
  {
#pragma omp task shared(done)
    done = done &&
           convolve_picture(&plain, &one, chain, options->file_count ? options->files[0] : made,
                            result, &report, error);
  }
  if (done)
    bench->picture = report.cost;
  bench->started = bench->through->device->started();
  if (in >= 0)
    unlink(made);
  if (out >= 0) {
    close(out);
    unlink(result);
  }
  return done;
}
