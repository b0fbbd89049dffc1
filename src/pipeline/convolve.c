/* One picture, from its file to its result: see convolve.h. */
#include "config.h"

#include "convolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "format.h"
#include "input.h"
#include "output.h"
#include "result.h"
#include "source.h"

/* Of --max-memory, standard output may hold back a quarter. */
enum { HELD_SHARE = 4 };

struct convolution {
  const struct settings *settings;
  struct input input;
  struct picture picture;
  struct source source;
  struct output output;
  struct target target;
  struct choice choice; /* settled for this picture */
  struct plan plan;
  struct pipeline *pipeline;
  unsigned long long start; /* by the clock */
};

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
           choice->band_rows, plan->step_count, plan->step_count == 1 ? "" : "s",
           plan->colour.weigh ? ", colours weighted by alpha" : "");
  snprintf(report->warning, sizeof report->warning, "%s", picture->warning);
}

/* With source and output open: the plan, the choice, the writer and the pipeline. */
static bool convolution_plan(struct convolution *convolution, const struct choice *choice,
                             const struct chain *chain, size_t threads, struct error *error)
{
  const struct settings *settings = convolution->settings;
  struct picture *picture = &convolution->picture;
  struct plan *plan = &convolution->plan;
  enum sample_type type;

  if (!result_type(&type, settings, convolution->target.format, picture->shape.type, error) ||
      !plan_make(plan, settings, choice->automatic, chain, &picture->shape,
                 metadata_gamma(&picture->metadata), type, error) ||
      !choice_settle(&convolution->choice, choice, plan, settings, error))
    return false;
  if (!target_start(&convolution->target, plan, settings, picture, error))
    return false;
  convolution->pipeline = pipeline_make(plan, settings, &convolution->choice, &convolution->source,
                                        &convolution->target, threads, error);
  return convolution->pipeline != NULL;
}

/* With the input open: everything up to the pipeline. */
static bool convolution_start(struct convolution *convolution, const struct choice *choice,
                              const struct chain *chain, const char *output, size_t threads,
                              struct error *error)
{
  const struct settings *settings = convolution->settings;

  if (!source_open(&convolution->source, &convolution->input, settings->max_pixels, error) ||
      !result_format(&convolution->target.format, settings, convolution->source.format, error) ||
      !output_open(&convolution->output, output, error))
    return false;
  convolution->target.output = &convolution->output;
  convolution->output.held_most = settings->max_memory / HELD_SHARE;
  return convolution_plan(convolution, choice, chain, threads, error);
}

/* Releases everything; what is half-written is dropped. */
static void convolution_free(struct convolution *convolution)
{
  pipeline_free(convolution->pipeline);
  if (convolution->target.writer)
    convolution->target.format->discard(convolution->target.writer);
  plan_free(&convolution->plan);
  if (convolution->target.output)
    output_discard(&convolution->output);
  if (convolution->source.reader)
    convolution->source.format->close(convolution->source.reader);
  picture_free(&convolution->picture);
  input_close(&convolution->input);
  free(convolution);
}

struct convolution *convolution_open(const struct settings *settings, const struct choice *choice,
                                     const struct chain *chain, const char *input,
                                     const char *output, size_t threads, struct error *error)
{
  struct convolution *convolution = calloc(1, sizeof *convolution);

  if (!convolution) {
    error_set(error, STATUS_FAILED, "no memory for a picture");
    error_name(error, input);
    return NULL;
  }
  convolution->start = clock_nanoseconds();
  convolution->settings = settings;
  convolution->source.picture = &convolution->picture;
  if (!input_open(&convolution->input, input, error)) {
    error_name(error, strcmp(input, "-") ? input : "standard input");
    free(convolution);
    return NULL;
  }
  if (convolution_start(convolution, choice, chain, output, threads, error))
    return convolution;
  error_name(error, convolution->input.name);
  convolution_free(convolution);
  return NULL;
}

struct graph *convolution_graph(struct convolution *convolution)
{
  return pipeline_graph(convolution->pipeline);
}

bool convolution_close(struct convolution *convolution, bool done, struct report *report,
                       struct error *error)
{
  struct target *target = &convolution->target;

  memset(report, 0, sizeof *report);
  done = done && target->format->end(target->writer, &convolution->picture, error) &&
         output_commit(&convolution->output, error);
  if (done) {
    report_fill(report, &convolution->plan, &convolution->choice, &convolution->picture);
    pipeline_cost(convolution->pipeline, &report->cost);
    report->format = target->format;
    report->cost.total = clock_nanoseconds() - convolution->start;
  } else {
    error_name(error, convolution->input.name);
  }
  convolution_free(convolution);
  return done;
}
