/* Plans: splitting of filters, height of bands, and how alpha is treated. */
#include "config.h"

#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum {
  BAND_ROWS_LEAST = 8,
  BANDS_PER_THREAD = 4,        /* so that the last band does not keep all waiting */
  SAMPLE_NANOSECONDS = 10,     /* reading and writing a sample, … */
  SAMPLE_TAPS = 8,             /* … and multiply-adds of a nanosecond: roughly, on a processor */
  THREAD_NANOSECONDS = 500000, /* of work that pays for waking a thread */
  SPLIT_GAIN = 3, /* multiply-adds that a split filter saves, before its second pass pays */
};

/* Whether splitting saves enough; see SPLIT_GAIN. */
static bool split_pays(const struct filter *filter)
{
  size_t width = filter->pass[0].width, height = filter->pass[0].height;

  return filter->passes == 1 && width * height >= SPLIT_GAIN * (width + height);
}

/* Copies the chain: each picture may need its own fit. */
static bool plan_copy_chain(struct plan *plan, const struct chain *chain, struct error *error)
{
  for (size_t i = 0; i < chain->count; i++) {
    struct filter copy;

    if (!filter_copy(&copy, &chain->filters[i], error))
      return false;
    if (!chain_append(&plan->chain, &copy, error)) {
      filter_free(&copy);
      return false;
    }
  }
  return true;
}

static bool chain_is_pointwise(const struct chain *chain)
{
  for (size_t i = 0; i < chain->count; i++)
    if (!filter_is_pointwise(&chain->filters[i]))
      return false;
  return true;
}

/* What the filters together do to a flat picture, and the sum of their offsets as it comes out. */
static void chain_response(const struct chain *chain, double *gain, double *offset)
{
  *gain = 1;
  *offset = 0;
  for (size_t i = 0; i < chain->count; i++) {
    double own = filter_gain(&chain->filters[i]);

    *gain *= own;
    *offset = *offset * own + chain->filters[i].offset;
  }
}

static bool chain_finds_edges(const struct chain *chain)
{
  for (size_t i = 0; i < chain->count; i++)
    if (fabs(filter_sum(&chain->filters[i])) <= ldexp(filter_sum_absolute(&chain->filters[i]), -20))
      return true;
  return false;
}

/* Decides between convolving samples as they stand and converting them first; see colour.h. */
static bool plan_colour(struct plan *plan, const struct settings *settings, double gamma,
                        enum sample_type to, struct error *error)
{
  struct colour *colour = &plan->colour;
  bool alpha = shape_has_alpha(&plan->source);
  bool edges = chain_finds_edges(&plan->chain);
  double gain, offset;

  chain_response(&plan->chain, &gain, &offset);
  colour->from = plan->source;
  colour->to = to;
  colour->linear = settings->linear;
  colour->gamma = gamma;
  colour->weigh =
      alpha && settings->alpha == ALPHA_PREMULTIPLY && !chain_is_pointwise(&plan->chain);
  colour->divide = colour->weigh && !edges;
  colour->keep = alpha && (settings->alpha == ALPHA_KEEP || (colour->weigh && edges));
  colour->gain = (float)gain;
  colour->offset = (float)(offset * sample_white(plan->source.type) / 255);
  colour->absolute = settings->absolute;
  plan->restore_alpha =
      colour->keep && !colour->weigh && !colour->linear && to == plan->source.type;
  plan->convert = colour->weigh || colour->linear || (colour->keep && !plan->restore_alpha) ||
                  (alpha && !colour->keep && (offset != 0 || settings->absolute));
  return !plan->convert || colour_start(colour, error);
}

/* Fits the filters to the samples that they will see, and splits those where it pays. */
static bool plan_fit(struct plan *plan, const struct choice *choice, enum sample_type to,
                     struct error *error)
{
  enum sample_type from = plan->convert ? SAMPLE_F32 : plan->source.type;

  for (size_t i = 0; i < plan->chain.count; i++) {
    struct filter *filter = &plan->chain.filters[i];
    bool last = i + 1 == plan->chain.count;
    struct filter split;

    if (plan->convert)
      filter->offset = 0; /* comes at the very end */
    if (!filter_fit(filter, from, last && !plan->convert ? to : from, error))
      return false;
    if (choice->automatic && split_pays(filter) &&
        filter_split(filter, i == 0 ? from : SAMPLE_F32, &split)) {
      filter_free(filter);
      *filter = split;
    }
  }
  return true;
}

/* The pixel beyond a constant border, as the first filter sees it. */
static void plan_beyond(const struct plan *plan, const struct settings *settings, float *beyond)
{
  double white = sample_white(plan->source.type);
  bool given = settings->border_level >= 0;
  double level = given ? settings->border_level * white / 255 : 0;
  float filtered[CHANNELS_MAX] = {0};
  unsigned channels = plan->source.channels;

  if (plan->source.type != SAMPLE_F32)
    level = nearbyint(level);
  for (unsigned c = 0; c < channels; c++)
    filtered[c] = (float)level;
  if (shape_has_alpha(&plan->source))
    filtered[channels - 1] = given ? (float)white : 0;
  memcpy(beyond, filtered, sizeof filtered);
  if (plan->convert) {
    union {
      float floats[CHANNELS_MAX];
      uint16_t words[CHANNELS_MAX];
      uint8_t bytes[CHANNELS_MAX];
    } pixel;

    for (unsigned c = 0; c < channels; c++)
      sample_store(&pixel, c, plan->source.type, filtered[c]);
    colour_prepare(&plan->colour, &pixel, beyond, 1);
  }
}

/* Cuts off what a filter under --border=crop has no pixels for. */
static bool step_crop(struct step *step, size_t width, size_t height, struct error *error)
{
  if (width > step->source.width || height > step->source.height)
    return error_set(error, STATUS_FAILED,
                     "the picture (%zux%zu) is smaller than the filter (%zux%zu), which leaves "
                     "nothing; another --border does not crop",
                     step->source.width, step->source.height, width, height);
  step->result.width = step->source.width - (width - 1);
  step->result.height = step->source.height - (height - 1);
  return true;
}

/* Adds the step of a filter: its one pass, or its two at once. */
static bool plan_add_step(struct plan *plan, const struct filter *filter,
                          const struct settings *settings, const float *beyond, struct error *error)
{
  struct step *step = &plan->steps[plan->step_count];
  const struct pass *pass = &filter->pass[0];
  const struct pass *column = filter->passes == 2 ? &filter->pass[1] : NULL;
  size_t height = column ? column->height : pass->height;

  step->pass = pass;
  step->column = column;
  step->source = plan->step_count ? step[-1].result : plan->source;
  if (plan->convert)
    step->source.type = SAMPLE_F32;
  step->from = step->source.type;
  step->to = SAMPLE_F32;
  step->result = step->source;
  step->result.type = SAMPLE_F32;
  memcpy(step->beyond, beyond, sizeof step->beyond);
  plan->step_count++;
  if (settings->border != BORDER_CROP)
    return true;
  plan->crop_left += pass->anchor_x;
  plan->crop_top += column ? column->anchor_y : pass->anchor_y;
  return step_crop(step, pass->width, height, error);
}

static bool plan_steps(struct plan *plan, const struct settings *settings, enum sample_type to,
                       struct error *error)
{
  float beyond[CHANNELS_MAX] = {0};
  struct step *last;

  plan->steps = calloc(plan->chain.count, sizeof *plan->steps);
  if (!plan->steps)
    return error_set(error, STATUS_FAILED, "no memory for %zu filters", plan->chain.count);
  plan_beyond(plan, settings, beyond);
  for (size_t i = 0; i < plan->chain.count; i++)
    if (!plan_add_step(plan, &plan->chain.filters[i], settings, beyond, error))
      return false;
  last = &plan->steps[plan->step_count - 1];
  plan->result = last->result;
  plan->result.type = to;
  if (!plan->convert) {
    last->to = last->result.type = to;
    last->absolute = settings->absolute;
  }
  return true;
}

/* Threads for the picture: small ones are done before others would have woken up. */
static size_t plan_threads(const struct plan *plan, const struct choice *choice)
{
  const struct shape *shape = &plan->source;
  double samples = (double)shape->width * (double)shape->height * shape->channels;
  size_t taps = 0;
  double useful;

  for (size_t i = 0; i < plan->chain.count; i++)
    taps += filter_taps(&plan->chain.filters[i]);
  useful = samples * (SAMPLE_NANOSECONDS + (double)taps / SAMPLE_TAPS) / THREAD_NANOSECONDS;
  return useful < (double)choice->threads ? (size_t)useful + 1 : choice->threads;
}

/* Rows of a band: the work of a task, so that halos cost little and threads have enough of them. */
static size_t plan_band_rows(const struct plan *plan, const struct choice *choice)
{
  size_t halo = 0, rows, share, bytes = SIZE_MAX;
  size_t row_bytes = plan->source.width * plan->source.channels * sizeof(float);

  for (size_t i = 0; i < plan->step_count; i++) {
    const struct step *step = &plan->steps[i];
    size_t high = step->column ? step->column->height : 0;

    halo = high > halo ? high : halo; /* a row pass done again for each band's halo */
  }
  for (size_t i = 0; i < choice->count; i++)
    if (choice->paths[i]->device->band_bytes < bytes)
      bytes = choice->paths[i]->device->band_bytes;
  share = plan->result.height / (BANDS_PER_THREAD * plan->threads) + 1;
  rows = bytes / row_bytes;
  rows = rows < share ? rows : share;
  rows = rows > 2 * halo ? rows : 2 * halo;
  rows = rows > BAND_ROWS_LEAST ? rows : BAND_ROWS_LEAST;
  return rows < plan->source.height ? rows : plan->source.height;
}

bool plan_make(struct plan *plan, const struct settings *settings, const struct choice *choice,
               const struct chain *chain, const struct shape *shape, double gamma,
               enum sample_type to, struct error *error)
{
  memset(plan, 0, sizeof *plan);
  plan->source = *shape;
  if (!plan_copy_chain(plan, chain, error) || !plan_colour(plan, settings, gamma, to, error) ||
      !plan_fit(plan, choice, to, error) || !plan_steps(plan, settings, to, error)) {
    plan_free(plan);
    return false;
  }
  plan->threads = plan_threads(plan, choice);
  plan->band_rows = settings->band_rows ? settings->band_rows : plan_band_rows(plan, choice);
  if (plan->band_rows > shape->height)
    plan->band_rows = shape->height;
  return true;
}

struct job step_job(const struct step *step, enum border border)
{
  struct job job = {
      .pass = step->pass,
      .column = step->column,
      .border = border,
      .channels = step->source.channels,
      .from = step->from,
      .to = step->to,
      .absolute = step->absolute,
      .width = step->source.width,
      .result_width = step->result.width,
      .left = border == BORDER_CROP ? 0 : step->pass->anchor_x,
  };

  memcpy(job.beyond, step->beyond, sizeof job.beyond);
  return job;
}

void *step_row_beyond(const struct step *step)
{
  size_t samples = step->source.width * step->source.channels;
  void *row = malloc(samples * sample_bytes(step->from));

  for (size_t i = 0; row && i < samples; i++)
    sample_store(row, i, step->from, step->beyond[i % step->source.channels]);
  return row;
}

const void **step_rows(const struct step *step, enum border border, const struct raster *raster,
                       const void *beyond)
{
  const struct pass *high = step->column ? step->column : step->pass;
  size_t above = border == BORDER_CROP ? 0 : high->anchor_y;
  size_t count = step->result.height + high->height - 1;
  const void **rows = malloc(count * sizeof *rows);

  for (size_t i = 0; rows && i < count; i++) {
    ptrdiff_t at =
        border_index((ptrdiff_t)i - (ptrdiff_t)above, (ptrdiff_t)step->source.height, border);

    rows[i] = at < 0 ? beyond : raster_row(raster, (size_t)at);
  }
  return rows;
}

const char *plan_refuse(const struct plan *plan, const struct path *path, enum border border)
{
  const char *reason = NULL;

  for (size_t i = 0; !reason && i < plan->step_count; i++) {
    struct job job = step_job(&plan->steps[i], border);

    reason = path->refuse(&job);
  }
  return reason;
}

void plan_leave_out(const struct plan *plan, struct choice *choice, enum border border)
{
  size_t kept = 0;

  for (size_t i = 0; choice->every && i < choice->count; i++) {
    const char *reason = plan_refuse(plan, choice->paths[i], border);

    if (!reason)
      choice->paths[kept++] = choice->paths[i];
    else
      snprintf(choice->why + strlen(choice->why), sizeof choice->why - strlen(choice->why),
               "; without %s: %s", choice->paths[i]->name, reason);
  }
  if (choice->every && kept)
    choice->count = kept;
}

void plan_free(struct plan *plan)
{
  colour_free(&plan->colour);
  chain_free(&plan->chain);
  free(plan->steps);
  plan->steps = NULL;
}
