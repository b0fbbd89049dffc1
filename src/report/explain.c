/* What kernels do to memory, without a GPU: see explain.h.

   The sample of the picture (explain_sample.h) is convolved as any other picture, while the emulator
   records every access to memory; and once more on a GPU, where its counters are asked for. */
#include "config.h"

#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "explain_trial.h"
#include "kernel_text.h"
#include "report_format.h"
#include "result.h"

/* Cycles for which a line keeps the loads and stores of a multiprocessor busy: one word of each lane, four
   sectors of global memory, one wavefront of shared memory, or a fetch of one quad a cycle (four texture
   units a multiprocessor, since Maxwell). */
static uint64_t line_cycles(const struct explained_line *line)
{
  uint64_t words = line->requests * (line->bytes > 4 ? line->bytes / 4 : 1);

  switch (line->memory) {
  case EXPLAINED_GLOBAL:
    return line->served / 4 > words ? line->served / 4 : words;
  case EXPLAINED_SHARED:
    return line->served;
  case EXPLAINED_TEXTURE:
    return line->requests;
  default:
    return 0; /* an operand of the multiply-add */
  }
}

static void path_sum(struct explained_path *path)
{
  struct explained_sums *sums = &path->sums;

  for (size_t i = 0; i < path->lines.count; i++) {
    const struct explained_line *line = &path->lines.line[i];

    sums->load_cycles += line_cycles(line);
    if (line->memory == EXPLAINED_GLOBAL)
      *(line->write ? &sums->global_written : &sums->global_read) += line->served;
    else if (line->memory == EXPLAINED_SHARED)
      sums->shared_wavefronts += line->served;
    else if (line->memory == EXPLAINED_TEXTURE)
      sums->texture_read += line->served, sums->texture_fetches += line->accesses;
    else
      sums->constant_requests += line->requests;
  }
}

/* Counts on a GPU, where that is wanted and can be, what was predicted of the path. */
static bool path_count(struct explanation *explanation, const struct trial *trial,
                       struct explained_path *path, struct error *error)
{
  const struct device *gpu = device_find("cuda");
  const char *missing = gpu ? gpu->missing() : "halo was built without CUDA";

  if (!trial->settings->counters)
    return true;
  if (missing) {
    snprintf(explanation->uncounted, sizeof explanation->uncounted, "%s", missing);
    return true;
  }
  if (!trial_count(trial, path_find(path->path->name, gpu), &path->counted, error))
    return false;
  path->was_counted = !path->counted.unavailable[0];
  if (!path->was_counted)
    memcpy(explanation->uncounted, path->counted.unavailable, sizeof explanation->uncounted);
  else
    gpu->describe(explanation->counted_by, sizeof explanation->counted_by);
  return true;
}

static bool path_explain(struct explanation *explanation, struct trial *trial, struct error *error)
{
  struct explained_path *path = &explanation->path[explanation->count++];

  path->path = trial->path;
  if (!explain_record(trial_run, trial, &path->lines, error))
    return false;
  path_sum(path);
  counters_of_lines(&path->predicted, &path->lines);
  if (!path_count(explanation, trial, path, error))
    return false;
  for (size_t i = 0; i < path->lines.count; i++) {
    struct explained_line *line = &path->lines.line[i];

    line->text = kernel_text_line(line->file, line->line);
  }
  return true;
}

/* What does not depend on the path. */
static void explanation_fill(struct explanation *explanation, const struct plan *plan)
{
  const struct step *first = plan->steps, *last = &plan->steps[plan->step_count - 1];

  explanation->steps = plan->step_count;
  explanation->channels = plan->result.channels;
  explanation->results = (uint64_t)last->result.width * last->result.height * last->result.channels;
  explanation->bytes_per_pixel =
      plan->source.channels * (sample_bytes(first->from) + sample_bytes(last->to));
  for (size_t i = 0; i < plan->step_count; i++) {
    const struct step *step = &plan->steps[i];

    explanation->taps += step->pass->width * step->pass->height;
    explanation->taps += step->column ? step->column->height : 0;
  }
}

static void explanation_free(struct explanation *explanation)
{
  for (size_t p = 0; p < explanation->count; p++)
    free(explanation->path[p].lines.line);
  free(explanation->name);
}

/* The emulated paths of the choice: all, or those of the same names. */
static bool choice_emulate(struct choice *emulated, const struct choice *choice,
                           struct error *error)
{
  *emulated = *choice;
  emulated->count = 0;
  emulated->every = choice->automatic || choice->every;
  emulated->why[0] = '\0';
  for (size_t i = 0; emulated->every && paths[i]; i++)
    if (paths[i]->device == &device_emulated)
      emulated->paths[emulated->count++] = paths[i];
  for (size_t i = 0; !emulated->every && i < choice->count; i++) {
    const struct path *path = path_find(choice->paths[i]->name, &device_emulated);

    if (!path)
      return error_set(error, STATUS_USAGE,
                       "--explain: the path %s is no kernel of a GPU; see --list-paths",
                       choice->paths[i]->name);
    emulated->paths[emulated->count++] = path;
  }
  return true;
}

static bool paths_explain(struct explanation *explanation, struct trial *trial,
                          const struct choice *choice, struct error *error)
{
  size_t length = 0;

  for (size_t i = 0; i < choice->count; i++) {
    const char *reason = plan_refuse(&trial->plan, choice->paths[i], trial->settings->border);

    trial->path = choice->paths[i];
    if (!reason) {
      if (!path_explain(explanation, trial, error))
        return false;
    } else if (!choice->every) {
      return error_set(error, STATUS_DEVICE, "the path %s can't do this: %s", trial->path->name,
                       reason);
    } else {
      length +=
          (size_t)snprintf(explanation->left_out + length, sizeof explanation->left_out - length,
                           "%s%s: %s", length ? "; " : "", trial->path->name, reason);
      length = length < sizeof explanation->left_out ? length : sizeof explanation->left_out - 1;
    }
  }
  return true;
}

/* With the sample read: the plan, and what each path does. */
static bool sample_explain(struct sample *sample, const struct settings *settings,
                           const struct choice *choice, const struct chain *chain,
                           struct explanation *explanation, struct error *error)
{
  enum sample_type to = result_type_wanted(settings, sample->picture.type);
  struct trial trial = {.settings = settings};
  bool done;

  if (!plan_make(&trial.plan, settings, choice->automatic, chain, &sample->shape, sample->gamma, to,
                 error))
    return false;
  explanation->picture = sample->picture;
  explanation->sample = sample->shape;
  explanation_fill(explanation, &trial.plan);
  done = trial_make(&trial, &sample->raster, error) &&
         paths_explain(explanation, &trial, choice, error);
  trial_free(&trial);
  return done;
}

static bool explanation_print(const struct explanation *explanation, enum report_format format,
                              const struct chain *chain, struct error *error)
{
  if (format == REPORT_JSON && !explain_print_json(explanation, chain, error))
    return false;
  if (format == REPORT_CSV)
    explain_print_csv(explanation);
  if (format == REPORT_TABLE)
    explain_print_table(explanation, chain);
  return true;
}

/* The kernels of a GPU are those of `emulated`; the cpu has none. */
static bool device_check(const struct settings *settings, struct error *error)
{
  if (device_find(settings->device) != &device_cpu)
    return true;
  return error_set(error, STATUS_USAGE,
                   "--explain: the cpu runs no kernels; leave out --device=cpu");
}

bool explain_run(const struct settings *settings, const struct choice *choice,
                 const struct chain *chain, struct error *error)
{
  const char *name = settings->file_count ? settings->files[0] : "-";
  struct explanation explanation = {0};
  struct sample sample = {0};
  enum report_format format;
  struct choice emulated;
  struct input input;
  char quoted[512];
  bool done;

  if (!report_format_read(&format, settings->format, error) || !device_check(settings, error) ||
      !choice_emulate(&emulated, choice, error))
    return false;
  if (!input_open(&input, name, error))
    return error_name(error, strcmp(name, "-") ? name : "standard input");
  explanation.name = strdup(quote_name(input.name, quoted, sizeof quoted));
  done = explanation.name || error_set(error, STATUS_FAILED, "no memory for a name");
  done = done && sample_read(&sample, &input, settings, chain, error) &&
         sample_explain(&sample, settings, &emulated, chain, &explanation, error);
  if (!done)
    error_name(error, input.name);
  input_close(&input);
  raster_free(&sample.raster);
  done = done && explanation_print(&explanation, format, chain, error);
  explanation_free(&explanation);
  return done;
}
