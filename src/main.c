/* halo: convolve pictures from the shell. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "explain.h"
#include "listing.h"
#include "pictures.h"
#include "probe.h"
#include "result.h"
#include "streams.h"
#include "temporary.h"

/* What reports look at where no filter is given: 7 × 7 taps, as the literature does. */
#define FILTER_USUAL "disk:3"

/* However halo ends, by --help too: a report that could not be written is an error. */
static void streams_close(void)
{
  struct error error;

  if (streams_finish(&error))
    return;
  fprintf(stderr, "halo: %s\n", error.text);
  _exit(STATUS_FAILED);
}

/* Reads the filters that -f names, and does to them what the other options say. */
static bool chain_read(struct chain *chain, const struct options *options, struct error *error)
{
  struct filter *last;

  if (options->filter_count == 0) /* of a report */
    return filter_read(chain, FILTER_USUAL, error);
  for (size_t i = 0; i < options->filter_count; i++)
    if (!filter_read(chain, options->filters[i], error))
      return false;
  last = &chain->filters[chain->count - 1];
  for (size_t i = 0; i < chain->count; i++) {
    if (options->convolve)
      filter_turn(&chain->filters[i]);
    if (options->normalize)
      filter_normalize(&chain->filters[i]);
  }
  if (options->offset_given)
    last->offset = options->offset;
  return !options->scale_given || filter_set_scale(last, options->scale, error);
}

static bool terminal_refuse(const struct options *options, struct error *error)
{
  if (options->settings.output || options->settings.directory || !isatty(STDOUT_FILENO))
    return true;
  return error_set(error, STATUS_USAGE,
                   "a picture is nothing for a terminal; say > FILE or -o FILE (or -o - if it is "
                   "meant)");
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
    done = bench_run(&options->settings, &choice, chain, error);
    break;
  case TASK_EXPLAIN:
    done = explain_run(&options->settings, &choice, chain, error);
    break;
  default:
    return terminal_refuse(options, error) ? pictures_run(options, &choice, chain) : error->status;
  }
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
  atexit(streams_close);
  temporary_guard();
  if (!options_parse(&options, argc, argv, &error))
    status = error.status;
  else if (options.listing != LIST_NOTHING)
    status = listing_print(options.listing, &error) ? STATUS_DONE : error.status;
  else if (options.settings.task == TASK_PROBE)
    status = probes_run(&options, &error) ? STATUS_DONE : error.status;
  else
    status = task_run(&options, &chain, &error);
  if (error.text[0])
    fprintf(stderr, "halo: %s\n", error.text);
  chain_free(&chain);
  options_free(&options);
  return (int)status;
}
