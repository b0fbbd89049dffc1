/* The windows of a picture that --explain looks at: see explain_sample.h. */
#include "config.h"

#include "explain_sample.h"

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "source.h"

enum {
  WINDOWS = 3, /* across, and down */
  WINDOW_WIDTH = 256,
  WINDOW_WIDTH_LEAST = 32,
  WINDOW_HEIGHT = 32,
  RECORDED_MOST = 20 << 20, /* accesses that are recorded within a few seconds */
};

/* Row or column `at` of the sample, in the picture. */
static size_t sample_place(size_t at, size_t sample, size_t all)
{
  size_t window = sample / WINDOWS, rest = sample - (WINDOWS - 1) * window;

  if (at < window)
    return at;
  return at < sample - window ? (all - rest) / 2 + at - window : all - sample + at;
}

/* Less than the picture, where that has more than the windows; under `crop` the filters need more. */
static size_t sample_extent(size_t all, size_t window, size_t reach)
{
  size_t most = WINDOWS * window + reach;

  return all < most ? all : most;
}

static void sample_measure(struct shape *sample, const struct shape *picture,
                           const struct settings *settings, const struct chain *chain)
{
  size_t reach_x = 0, reach_y = 0, taps = 0, window = WINDOW_WIDTH;

  for (size_t i = 0; i < chain->count; i++) {
    size_t width, height, x, y;

    filter_extent(&chain->filters[i], &width, &height, &x, &y);
    taps += filter_taps(&chain->filters[i]);
    if (settings->border == BORDER_CROP)
      reach_x += width - 1, reach_y += height - 1;
  }
  while (window > WINDOW_WIDTH_LEAST &&
         window * WINDOW_HEIGHT * WINDOWS * WINDOWS * picture->channels * taps > RECORDED_MOST)
    window /= 2;
  *sample = *picture;
  sample->width = sample_extent(picture->width, window, reach_x);
  sample->height = sample_extent(picture->height, WINDOW_HEIGHT, reach_y);
}

/* Takes of row y of the picture what belongs to the sample. */
static void sample_take(struct raster *raster, const struct shape *sample,
                        const struct shape *picture, const unsigned char *row, size_t y)
{
  size_t bytes = picture->channels * sample_bytes(picture->type);

  for (size_t at = 0; at < sample->height; at++) {
    if (sample_place(at, sample->height, picture->height) != y)
      continue;
    for (size_t x = 0; x < sample->width; x++)
      memcpy(raster_row(raster, at) + x * bytes,
             row + sample_place(x, sample->width, picture->width) * bytes, bytes);
  }
}

/* Reads the picture to its end, row by row unless it comes whole. */
static bool rows_read(struct source *source, const struct settings *settings,
                      const struct shape *sample, struct raster *raster, struct error *error)
{
  const struct shape *shape = &source->picture->shape;
  size_t rows = source->picture->whole ? shape->height : 1, bytes;
  struct raster band = {0};
  unsigned char **table = NULL;
  bool done = false;

  if (!shape_row_bytes(shape, &bytes, error))
    return false;
  if (bytes > settings->max_memory / rows)
    return error_set(error, STATUS_FAILED, "its rows need more than --max-memory=%zuM allows",
                     settings->max_memory >> 20);
  if (!raster_allocate(raster, sample->height,
                       sample->width * sample->channels * sample_bytes(sample->type), error) ||
      !raster_allocate(&band, rows, bytes, error))
    return false;
  table = malloc(rows * sizeof *table);
  if (!table) {
    error_set(error, STATUS_FAILED, "no memory for %zu rows", rows);
    goto free_band;
  }
  for (size_t y = 0; y < rows; y++)
    table[y] = raster_row(&band, y);
  for (size_t first = 0; first < shape->height; first += rows) {
    if (!source->format->read(source->reader, table, rows, error))
      goto free_table;
    for (size_t y = 0; y < rows; y++)
      sample_take(raster, sample, shape, table[y], first + y);
  }
  done = source->format->finish(source->reader, source->picture, error);
free_table:
  free(table);
free_band:
  raster_free(&band);
  return done;
}

bool sample_read(struct sample *sample, struct input *input, const struct settings *settings,
                 const struct chain *chain, struct error *error)
{
  struct picture picture = {0};
  struct source source = {.picture = &picture};
  bool done = source_open(&source, input, settings->max_pixels, error);

  if (done) {
    sample->picture = picture.shape;
    sample_measure(&sample->shape, &picture.shape, settings, chain);
    done = rows_read(&source, settings, &sample->shape, &sample->raster, error);
    sample->gamma = metadata_gamma(&picture.metadata);
  }
  if (source.reader)
    source.format->close(source.reader);
  picture_free(&picture);
  return done;
}
