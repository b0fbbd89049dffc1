/* halo: convolve pictures from the shell. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "listing.h"
#include "output.h"
#include "clock.h"
#include "timings.h"

/* What is told while pictures go by, and summed up for the end. */
struct telling {
  const struct options *options;
  struct cost cost;
  size_t done;
  enum status status;
};

static void tell(void *context, const char *name, const struct report *report,
                 const struct error *error)
{
  struct telling *telling = context;
  char quoted[512];

  if (error) {
    fprintf(stderr, "halo: %s\n", error->text);
    telling->status = telling->options->file_count > 1 ? STATUS_FAILED : error->status;
    return;
  }
  telling->done++;
  cost_add(&telling->cost, &report->cost);
  quote_name(strcmp(name, "-") ? name : "standard input", quoted, sizeof quoted);
  if (report->warning[0] && !telling->options->quiet)
    fprintf(stderr, "halo: %s: warning: %s\n", quoted, report->warning);
  if (telling->options->verbose)
    fprintf(stderr, "halo: %s: %s\n", quoted, report->about);
}

/* A closed standard stream must not become the next file that is opened. */
static void streams_open(void)
{
  for (int descriptor = 0; descriptor < 3; descriptor++)
    if (fcntl(descriptor, F_GETFD) == -1)
      open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/* Reads the filters that -f names, and does to them what the other options say. */
static bool chain_read(struct chain *chain, const struct options *options, struct error *error)
{
  struct filter *last;

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
  if (options->output || options->directory || !isatty(STDOUT_FILENO))
    return true;
  return error_set(error, STATUS_USAGE,
                   "a picture is nothing for a terminal; say > FILE or -o FILE (or -o - if it is "
                   "meant)");
}

static enum status pictures_run(const struct options *options, const struct choice *choice,
                                const struct chain *chain)
{
  struct telling telling = {.options = options};
  unsigned long long start = clock_nanoseconds();
  size_t failed;

  output_guard_signals();
  failed = batch_run(options, choice, chain, tell, &telling);
  telling.cost.total = clock_nanoseconds() - start;
  if (failed && options->file_count > 1)
    fprintf(stderr, "halo: %zu of %zu pictures failed\n", failed, options->file_count);
  if (telling.done && !options->quiet && (options->timings || isatty(STDERR_FILENO)))
    timings_print(stderr, choice->threads, &telling.cost, telling.done);
  return telling.status;
}

int main(int argc, char **argv)
{
  struct options options = {0};
  struct choice choice;
  struct chain chain = {0};
  struct error error;
  enum status status;

  error.text[0] = '\0';
  streams_open();
  if (!options_parse(&options, argc, argv, &error))
    status = error.status;
  else if (options.listing != LIST_NOTHING)
    status = listing_print(options.listing, &error) ? STATUS_DONE : error.status;
  else if (!chain_read(&chain, &options, &error) || !choice_make(&choice, &options, &error) ||
           !terminal_refuse(&options, &error))
    status = error.status;
  else
    status = pictures_run(&options, &choice, &chain);
  if (error.text[0])
    fprintf(stderr, "halo: %s\n", error.text);
  chain_free(&chain);
  options_free(&options);
  return (int)status;
}
