/* halo: convolve pictures from the shell. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "explain.h"
#include "filter_fit.h"
#include "filter_read.h"
#include "listing.h"
#include "pictures.h"
#include "probe.h"
#include "progress.h"
#include "result.h"
#include "streams.h"
#include "temporary.h"

/* What reports look at where no filter is given: 7 × 7 taps, as the literature does. */
#define FILTER_USUAL "disk:3"

/* Does to the filters what options say of all of them, and to the last one what they say of the end. */
static bool chain_change(struct chain *chain, const struct options *options, struct error *error)
{
  struct filter *last = &chain->filters[chain->count - 1];
  bool scale_given = option_given(options, "scale");

  if (scale_given && options->normalize && chain->count == 1)
    return error_set(error, STATUS_USAGE,
                     "--scale and --normalize can't be combined: both say what to divide by");
  for (size_t i = 0; i < chain->count; i++) {
    if (options->convolve)
      filter_turn(&chain->filters[i]);
    if (options->normalize)
      filter_normalize(&chain->filters[i]);
  }
  if (option_given(options, "offset"))
    last->offset = options->offset;
  return !scale_given || filter_set_scale(last, options->scale, error);
}

/* Reads the filters that -f names; only a report may do without. */
static bool chain_read(struct chain *chain, const struct options *options, struct error *error)
{
  if (options->filter_count == 0 && !filter_read(chain, FILTER_USUAL, error))
    return false;
  for (size_t i = 0; i < options->filter_count; i++)
    if (!filter_read(chain, options->filters[i], error))
      return false;
  return chain_change(chain, options, error);
}

/* Bytes of a picture would only garble a terminal. */
static bool terminal_check(const struct options *options, struct error *error)
{
  if (options->settings.output || options->settings.directory || !isatty(STDOUT_FILENO))
    return true;
  return error_set(error, STATUS_USAGE,
                   "standard output is a terminal; use -o FILE, or -o - to write to it anyway");
}

/* Runs the probes on the device that was asked for, else on a GPU, else on the emulated one. */
static bool probes_run(const struct options *options, struct error *error)
{
  const struct device *device;

  if (!choice_device(&device, options->settings.device, error))
    return false;
  if (!device)
    device = device_find("cuda");
  if (!device || device->missing())
    device = &device_emulated;
  return probe_run(options->probes, options->settings.format, device, error);
}

/* Everything that needs the filters read. */
static enum status task_run(const struct options *options, struct chain *chain, struct error *error)
{
  struct choice choice;
  bool done;

  if (options->settings.task == TASK_CONVOLVE && !result_check(&options->settings, error))
    return error->status;
  if (!chain_read(chain, options, error) || !choice_make(&choice, &options->settings, error))
    return error->status;
  switch (options->settings.task) {
  case TASK_BENCH:
    progress_allow(!options->quiet);
    done = bench_run(&options->settings, &choice, chain, error);
    break;
  case TASK_EXPLAIN:
    done = explain_run(&options->settings, &choice, chain, error);
    break;
  default:
    return terminal_check(options, error) ? pictures_run(options, &choice, chain) : error->status;
  }
  return done ? STATUS_DONE : error->status;
}

/* Warns of options that change nothing. */
static void idle_warn(const struct options *options)
{
  char text[256];
  size_t at = 0;

  while (!options->quiet && options_idle(options, &at, text, sizeof text))
    fprintf(stderr, "halo: warning: %s\n", text);
}

/* Does what the command line asks for. */
static enum status options_run(const struct options *options, struct chain *chain,
                               struct error *error)
{
  bool done;

  idle_warn(options);
  if (options->listing != LIST_NOTHING)
    done = listing_print(options->listing, error);
  else if (options->settings.task == TASK_PROBE)
    done = probes_run(options, error);
  else
    return task_run(options, chain, error);
  return done ? STATUS_DONE : error->status;
}

int main(int argc, char **argv)
{
  struct options options = {0};
  struct chain chain = {0};
  struct error error;
  enum status status;

  error.text[0] = '\0';
  streams_open();
  temporary_guard();
  status = options_parse(&options, argc, argv, &error) ? options_run(&options, &chain, &error)
                                                       : error.status;
  if (error.text[0])
    fprintf(stderr, "halo: %s\n", error.text);
  chain_free(&chain);
  options_free(&options);
  if (!streams_finish(&error)) {
    fprintf(stderr, "halo: %s\n", error.text);
    status = STATUS_FAILED;
  }
  return (int)status;
}
