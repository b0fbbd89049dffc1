/* The picture that --bench works on: see bench.h. */
#include "config.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "cpu_ceiling.h"
#include "plan.h"
#include "result.h"
#include "source.h"
#include "temporary.h"

enum {
  MADE_SIDE = 2048,
  MADE_CHANNELS = 3,
  COPIES_BYTES = 256 << 20, /* of all copies, at most */
};

/* A gradient with noise. */
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
                         const struct settings *settings, struct error *error)
{
  struct picture read = {0};
  struct source source = {.picture = &read};
  struct input input;
  bool done;

  if (!input_open(&input, picture->input.name, error))
    return error_name(error, picture->input.shown);
  done = source_open(&source, &input, settings->max_pixels, error) &&
         source_read_all(&source, &picture->source, error);
  picture->shape = read.shape;
  *gamma = metadata_gamma(&read.metadata);
  if (source.reader)
    source.format->close(source.reader);
  picture_free(&read);
  if (!done)
    error_name(error, picture->input.shown);
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

/* Makes one more copy of the picture, and memory for its result. */
static bool copy_make(struct bench_picture *picture, enum border border, struct error *error)
{
  const struct raster *first = picture->plan.convert ? &picture->prepared : &picture->source;
  const struct step *step = &picture->plan.steps[0];
  struct bench_copy *copy = &picture->copy[picture->copies];
  size_t rows = step->source.height, bytes, result_bytes;

  if (!shape_row_bytes(&step->source, &bytes, error) ||
      !shape_row_bytes(&step->result, &result_bytes, error))
    return false;
  picture->copies++;
  if (picture->copies == 1)
    copy->raster = *first;
  else if (!raster_allocate(&copy->raster, rows, bytes, error))
    return false;
  for (size_t y = 0; picture->copies > 1 && y < rows; y++)
    memcpy(raster_row(&copy->raster, y), raster_row(first, y), bytes);
  copy->table = step_rows(step, border, 0, step->result.height, picture->beyond_row,
                          step_raster_row, &copy->raster);
  if (!copy->table)
    return error_set(error, STATUS_FAILED, "no memory for the rows of a picture");
  return raster_allocate(&copy->result, step->result.height, result_bytes, error);
}

/* On the processor, so many copies that its cache does not hold all of them; else one. */
static bool copies_make(struct bench_picture *picture, const struct settings *settings,
                        const struct choice *choice, struct error *error)
{
  const struct step *step = &picture->plan.steps[0];
  size_t bytes, wanted = 1;

  picture->job = step_job(step, settings->border);
  picture->job.rows = step->result.height;
  picture->beyond_row = step_row_beyond(step);
  if (!picture->beyond_row)
    return error_set(error, STATUS_FAILED, "no memory for the rows of a picture");
  if (!shape_row_bytes(&step->source, &bytes, error))
    return false;
  for (size_t i = 0; i < choice->count; i++)
    if (choice->paths[i]->device == &device_cpu)
      wanted = 1 + (cpu_cache_bytes() < COPIES_BYTES ? cpu_cache_bytes() : COPIES_BYTES) /
                       (bytes * step->source.height);
  if (wanted > BENCH_COPIES_MAX)
    wanted = BENCH_COPIES_MAX;
  while (picture->copies < wanted)
    if (!copy_make(picture, settings->border, error))
      return false;
  return true;
}

struct job bench_job(const struct bench_picture *picture, size_t copy)
{
  struct job job = picture->job;

  job.source = picture->copy[copy].table;
  job.result = picture->copy[copy].result.data;
  job.pitch = picture->copy[copy].result.pitch;
  return job;
}

bool bench_picture_make(struct bench_picture *picture, const struct settings *settings,
                        const struct choice *choice, const struct chain *chain, struct error *error)
{
  double gamma = 0;
  bool made;

  memset(picture, 0, sizeof *picture);
  made = bench_input_open(&picture->input, settings, error) &&
         (picture->input.name ? picture_read(picture, &gamma, settings, error)
                              : picture_invent(picture, error)) &&
         plan_make(&picture->plan, settings, choice->automatic, chain, &picture->shape, gamma,
                   result_type_wanted(settings, picture->shape.type), error) &&
         picture_prepare(picture, error) && copies_make(picture, settings, choice, error);
  if (!made)
    bench_picture_free(picture);
  return made;
}

void bench_picture_free(struct bench_picture *picture)
{
  raster_free(&picture->source);
  raster_free(&picture->prepared);
  for (size_t i = 0; i < picture->copies; i++) {
    if (i > 0) /* the first is one of those above */
      raster_free(&picture->copy[i].raster);
    raster_free(&picture->copy[i].result);
    free(picture->copy[i].table);
  }
  free(picture->beyond_row);
  plan_free(&picture->plan);
  bench_input_close(&picture->input);
}

/* Writes the made picture as a PPM, and closes it. */
static bool made_write(const struct bench_picture *picture, int descriptor)
{
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  bool done =
      file && fprintf(file, "P6\n%zu %zu\n255\n", picture->shape.width, picture->shape.height) > 0;

  for (size_t y = 0; done && y < picture->shape.height; y++)
    done = fwrite(raster_row(&picture->source, y), picture->shape.width * 3, 1, file) == 1;
  return file && fclose(file) == 0 && done;
}

/* The fastest path, or the first where none was timed. */
static const struct path *path_fastest(const struct bench *bench, const struct choice *choice)
{
  const struct bench_row *best = NULL;

  for (size_t i = 0; i < bench->rows; i++) {
    const struct bench_row *row = &bench->row[i];

    if (!row->failed[0] && row->rotated.median > 0 &&
        (!best || row->rotated.median < best->rotated.median))
      best = row;
  }
  return best ? best->path : choice->paths[0];
}

/* Where the cost and the error of the picture are kept. */
struct through {
  struct cost *cost;
  struct error *error;
};

static void through_tell(void *context, const char *name, const struct report *report,
                         const struct error *error)
{
  struct through *through = context;

  (void)name;
  if (report)
    *through->cost = report->cost;
  if (error)
    *through->error = *error;
}

bool bench_picture_through(struct bench *bench, const struct settings *settings,
                           const struct choice *choice, const struct chain *chain,
                           const struct bench_picture *picture, struct error *error)
{
  struct temporary made = {0}, result = {0};
  int out = temporary_open(&result, "/tmp/", "halo-bench", "png", 0600);
  struct choice one = *choice;
  struct settings plain = *settings;
  struct through through = {&bench->picture, error};
  const char *name;
  bool done = out >= 0;

  bench->through = path_fastest(bench, choice);
  one.paths[0] = bench->through;
  one.count = 1;
  one.every = one.open = false;
  plain.format = NULL;
  plain.output = result.name;
  plain.directory = NULL;
  if (done && !picture->input.name)
    done = made_write(picture, temporary_open(&made, "/tmp/", "halo-bench", "ppm", 0600));
  name = picture->input.name ? picture->input.name : made.name;
  plain.files = &name;
  plain.file_count = 1;
  if (!done)
    error_set(error, STATUS_FAILED, "no temporary file in /tmp can be written");
  else
    done = batch_run(&plain, &one, chain, through_tell, &through) == 0;
  bench->started = bench->through->device->started();
  if (out >= 0)
    close(out);
  temporary_remove(&made);
  temporary_remove(&result);
  return done;
}
