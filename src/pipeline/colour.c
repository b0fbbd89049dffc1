/* Alpha and linear light: see colour.h.

   Colour weighted by alpha.  With p = colour · alpha / white and the filter F, the result is
   F(p) / coverage, where coverage = F(alpha) / (gain · white) is 1 wherever everything is opaque; so
   an opaque picture gets the very results of one without alpha, transparent pixels lend no colour to
   their neighbours, and alpha itself becomes white · coverage.  Filters whose taps sum to 0 find
   edges: they would make flat opaque areas transparent, so alpha stays as it was, and F(p) is the
   result. */
#include "colour.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

enum { STARTS = 4096 }; /* places where the search among thresholds begins */

/* These loops need a fused multiply-add, which the compiler only has beyond the oldest x86-64. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ &&                                \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define CLONED __attribute__((target_clones("default", "arch=haswell", "arch=skylake-avx512")))
#else
#define CLONED
#endif

/* The light that an encoded value in 0 … 1 stands for, and back.  For a negative value it is minus that of
   its absolute value, so that negative results of a filter stay negative. */
static double light_of(double value, double gamma)
{
  double size = fabs(value);

  if (gamma != 0)
    size = pow(size, 1 / gamma);
  else
    size = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4);
  return copysign(size, value);
}

static double value_of(double light, double gamma)
{
  double size = fabs(light);

  if (gamma != 0)
    size = pow(size, gamma);
  else
    size = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055;
  return copysign(size, light);
}

static bool light_tables(struct colour *colour, struct error *error)
{
  size_t levels = colour->from.type == SAMPLE_U8 ? 256 : 65536;
  float white = sample_white(colour->from.type);

  colour->light = malloc(levels * sizeof *colour->light);
  if (!colour->light)
    return error_set(error, STATUS_FAILED, "no memory for the table of linear light");
  for (size_t i = 0; i < levels; i++)
    colour->light[i] = (float)(light_of((double)i / white, colour->gamma) * white);
  return true;
}

static bool threshold_tables(struct colour *colour, struct error *error)
{
  size_t levels = colour->to == SAMPLE_U8 ? 256 : 65536;
  unsigned level = 0;

  colour->thresholds = malloc((levels + 1) * sizeof *colour->thresholds);
  colour->starts = malloc((STARTS + 1) * sizeof *colour->starts);
  if (!colour->thresholds || !colour->starts)
    return error_set(error, STATUS_FAILED, "no memory for the table of linear light");
  for (size_t i = 0; i < levels; i++)
    colour->thresholds[i] =
        (float)light_of(((double)i - 0.5) / (double)(levels - 1), colour->gamma);
  colour->thresholds[levels] = INFINITY;
  for (unsigned start = 0; start <= STARTS; start++) {
    while (colour->thresholds[level + 1] <= (float)start / STARTS)
      level++;
    colour->starts[start] = level;
  }
  return true;
}

bool colour_start(struct colour *colour, struct error *error)
{
  if (!colour->linear || colour->from.type == SAMPLE_F32)
    return true; /* float samples are linear as they come */
  return light_tables(colour, error) &&
         (colour->to == SAMPLE_F32 || threshold_tables(colour, error));
}

void colour_free(struct colour *colour)
{
  free(colour->light);
  free(colour->thresholds);
  free(colour->starts);
  colour->light = colour->thresholds = NULL;
  colour->starts = NULL;
}

static inline float load_light(const struct colour *colour, const void *source, size_t index)
{
  switch (colour->from.type) {
  case SAMPLE_U8:
    return colour->light[((const uint8_t *)source)[index]];
  case SAMPLE_U16:
    return colour->light[((const uint16_t *)source)[index]];
  case SAMPLE_F32:
    break;
  }
  return ((const float *)source)[index];
}

CLONED
void colour_prepare(const struct colour *colour, const void *source, float *prepared, size_t pixels)
{
  enum sample_type type = colour->from.type;
  unsigned channels = colour->from.channels;
  unsigned colours = shape_has_alpha(&colour->from) ? channels - 1 : channels;
  float white = sample_white(type), inverse = 1 / white;
  bool linear = colour->light != NULL;

  for (size_t i = 0; i < pixels * channels; i += channels) {
    float alpha = colours < channels ? sample_load(source, i + colours, type) : white;

    for (unsigned c = 0; c < colours; c++) {
      float value = linear ? load_light(colour, source, i + c) : sample_load(source, i + c, type);

      prepared[i + c] = colour->weigh ? sample_quotient(value * alpha, white, inverse) : value;
    }
    if (colours < channels)
      prepared[i + colours] = alpha;
  }
}

/* Rounds and clamps a value, in levels of the result, as sample_end() does. */
static inline float value_end(float value, float white, bool clamped)
{
  if (!clamped)
    return value;
  value = value > 0 ? value : 0;
  value = value < white ? value : white;
  return sample_round(value);
}

/* The sample for light in 0 … 1. */
static float value_encode(const struct colour *colour, float light)
{
  unsigned level;

  if (colour->to == SAMPLE_F32)
    return (float)value_of(light, colour->gamma);
  light = light > 0 ? light : 0;
  light = light < 1 ? light : 1;
  level = colour->starts[(unsigned)(light * STARTS)];
  while (colour->thresholds[level + 1] <= light)
    level++;
  return (float)level;
}

CLONED
void colour_finish(const struct colour *colour, const float *filtered, const void *original,
                   void *result, size_t pixels)
{
  unsigned channels = colour->from.channels;
  unsigned colours = shape_has_alpha(&colour->from) ? channels - 1 : channels;
  float white_from = sample_white(colour->from.type), white = sample_white(colour->to);
  float opaque = colour->gain * white_from, factor = white / white_from;
  float inverse = 1 / white_from;
  bool clamped = colour->to != SAMPLE_F32, linear = colour->light != NULL;

  for (size_t i = 0; i < pixels * channels; i += channels) {
    float coverage = colour->divide ? filtered[i + colours] / opaque : 1;
    bool empty = !(coverage > 0);

    for (unsigned c = 0; c < colours; c++) {
      float value = colour->divide ? filtered[i + c] / coverage : filtered[i + c];

      value += colour->offset;
      value = colour->absolute ? fabsf(value) : value;
      value = empty ? 0 : value;
      if (linear)
        value = value_encode(colour, sample_quotient(value, white_from, inverse));
      else
        value = value_end(factor == 1 ? value : value * factor, white, clamped);
      sample_store(result, i + c, colour->to, value);
    }
    if (colours < channels) {
      float alpha = colour->keep     ? sample_load(original, i + colours, colour->from.type)
                    : colour->divide ? (empty ? 0 : coverage * white_from)
                                     : filtered[i + colours];

      sample_store(result, i + colours, colour->to,
                   value_end(factor == 1 ? alpha : alpha * factor, white, clamped));
    }
  }
}

void colour_restore_alpha(const struct shape *shape, const void *original, void *result,
                          size_t pixels)
{
  size_t bytes = sample_bytes(shape->type);
  size_t step = shape->channels * bytes;
  const unsigned char *from = (const unsigned char *)original + step - bytes;
  unsigned char *to = (unsigned char *)result + step - bytes;

  for (size_t i = 0; i < pixels; i++)
    memcpy(to + i * step, from + i * step, bytes);
}
