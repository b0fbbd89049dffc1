/* One picture, from its file to its result: see convolve.h. */
#include "config.h"

#include "convolve.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "format.h"
#include "input.h"
#include "output.h"
#include "result.h"
#include "source.h"

static bool target_start(struct target *target, const struct plan *plan,
                         const struct settings *settings, struct picture *picture,
                         struct error *error)
{
  struct encoding encoding = {settings->compression, settings->quality};
  struct shape source = picture->shape;
  const char *reason;
  bool begun;

  picture->shape = plan->result; /* the picture that is written */
  reason = target->format->refuse(picture);
  if (reason)
    begun =
        error_set(error, STATUS_FAILED, "can't be written as %s: %s", target->format->name, reason);
  else
    begun = target->format->begin(target->output, picture, &encoding, &target->writer, error);
  picture->shape = source;
  return begun;
}

static void report_fill(struct report *report, const struct plan *plan, const struct choice *choice,
                        const struct picture *picture)
{
  const struct shape *shape = &plan->source;

  snprintf(report->about, sizeof report->about,
           "%zux%zu %s, %s; %s; bands of %zu rows, %zu convolution%s%s", shape->width,
           shape->height, channels_name(shape->channels), sample_name(shape->type), choice->why,
           plan->band_rows, plan->step_count, plan->step_count == 1 ? "" : "s",
           plan->colour.weigh ? ", colours weighted by alpha" : "");
  snprintf(report->warning, sizeof report->warning, "%s", picture->warning);
}

/* With source and target open: the plan, the pipeline, and the end of the output. */
static bool picture_pass(const struct settings *settings, const struct choice *choice,
                         const struct chain *chain, struct source *source, struct target *target,
                         struct report *report, struct error *error)
{
  struct picture *picture = source->picture;
  struct choice settled;
  enum sample_type type;
  struct plan plan;
  bool done;

  choice_settle(&settled, choice, chain, &picture->shape);
  if (!result_type(&type, settings, target->format, picture->shape.type, error) ||
      !plan_make(&plan, settings, &settled, chain, &picture->shape,
                 metadata_gamma(&picture->metadata), type, error))
    return false;
  plan_leave_out(&plan, &settled, settings->border);
  done = target_start(target, &plan, settings, picture, error) &&
         pipeline_run(&plan, settings, &settled, source, target, &report->cost, error) &&
         target->format->end(target->writer, picture, error);
  if (done)
    report_fill(report, &plan, &settled, picture);
  if (target->writer)
    target->format->discard(target->writer);
  plan_free(&plan);
  return done;
}

/* With the input open: everything up to the output in its place. */
static bool input_convolve(const struct settings *settings, const struct choice *choice,
                           const struct chain *chain, struct input *input, const char *name,
                           struct report *report, struct error *error)
{
  struct output output;
  struct picture picture = {0};
  struct source source = {.picture = &picture};
  struct target target = {.output = &output};
  bool done;

  done = source_open(&source, input, settings->max_pixels, error) &&
         result_format(&target.format, settings, source.format, error);
  done = done && output_open(&output, name, error);
  report->format = target.format;
  if (done) {
    done = picture_pass(settings, choice, chain, &source, &target, report, error) &&
           output_commit(&output, error);
    output_discard(&output);
  }
  if (source.reader)
    source.format->close(source.reader);
  picture_free(&picture);
  return done;
}

bool convolve_picture(const struct settings *settings, const struct choice *choice,
                      const struct chain *chain, const char *input, const char *output,
                      struct report *report, struct error *error)
{
  unsigned long long start = clock_nanoseconds();
  struct input source;
  bool done;

  memset(report, 0, sizeof *report);
  if (!input_open(&source, input, error))
    return error_name(error, strcmp(input, "-") ? input : "standard input");
  done = input_convolve(settings, choice, chain, &source, output, report, error);
  if (!done)
    error_name(error, source.name);
  input_close(&source);
  report->cost.total = clock_nanoseconds() - start;
  return done;
}
