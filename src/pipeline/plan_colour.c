/* Colour of a plan: alpha, and linear light.  See plan_colour.h, and colour.h for what is then done.

   Samples are convolved as they stand wherever that gives the right answer.  They are converted to floats
   first where colours have to be weighted by alpha, where light has to be linear, and where alpha must not
   get what colours get: an offset, or an absolute value. */
#include "plan_colour.h"

#include <math.h>
#include <string.h>

/* Whether no filter mixes pixels, so that colours need no weights. */
static bool chain_is_pointwise(const struct chain *chain)
{
  for (size_t i = 0; i < chain->count; i++)
    if (!filter_is_pointwise(&chain->filters[i]))
      return false;
  return true;
}

/* What the filters together multiply a flat picture by, and what they add to it. */
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

/* Whether a filter finds edges: it would find none in an opaque alpha. */
static bool chain_finds_edges(const struct chain *chain)
{
  for (size_t i = 0; i < chain->count; i++)
    if (filter_finds_edges(&chain->filters[i]))
      return true;
  return false;
}

bool plan_colour(struct plan *plan, const struct settings *settings, double gamma,
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

void plan_beyond(const struct plan *plan, const struct settings *settings, float *beyond)
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
