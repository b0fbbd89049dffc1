/* The run over all pictures: see pictures.h. */
#include "config.h"

#include "pictures.h"

#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "clock.h"
#include "format.h"
#include "option_text.h"
#include "timings.h"

/* What is told while pictures go by, and summed up for the end. */
struct telling {
  const struct options *options;
  struct cost cost;
  size_t done;
  bool compression, quality; /* whether a result was of a format that the option has an effect on */
  enum status status;
};

static void tell(void *context, const char *name, const struct report *report,
                 const struct error *error)
{
  struct telling *telling = context;
  char quoted[512];

  if (error) {
    fprintf(stderr, "halo: %s\n", error->text);
    telling->status = telling->options->settings.file_count > 1 ? STATUS_FAILED : error->status;
    return;
  }
  telling->done++;
  telling->compression = telling->compression || report->format->compression;
  telling->quality = telling->quality || report->format->quality;
  cost_add(&telling->cost, &report->cost);
  quote_name(strcmp(name, "-") ? name : "standard input", quoted, sizeof quoted);
  if (report->warning[0] && !telling->options->quiet)
    fprintf(stderr, "halo: %s: warning: %s\n", quoted, report->warning);
  if (telling->options->verbose)
    fprintf(stderr, "halo: %s: %s\n", quoted, report->about);
}

/* Warns of options of formats that no result had; only now are all formats known. */
static void idle_warn(const struct telling *telling)
{
  const struct options *options = telling->options;
  char names[256];

  if (option_given(options, "compression") && !telling->compression) {
    names_of_compression(names, sizeof names);
    fprintf(stderr, "halo: warning: --compression has no effect; it is for %s\n", names);
  }
  if (option_given(options, "quality") && !telling->quality) {
    names_of_quality(names, sizeof names);
    fprintf(stderr, "halo: warning: --quality has no effect; it is for %s\n", names);
  }
}

enum status pictures_run(const struct options *options, const struct choice *choice,
                         const struct chain *chain)
{
  struct telling telling = {.options = options};
  unsigned long long start = clock_nanoseconds();
  size_t failed;

  failed = batch_run(&options->settings, choice, chain, tell, &telling);
  telling.cost.total = clock_nanoseconds() - start;
  if (failed && options->settings.file_count > 1)
    fprintf(stderr, "halo: %zu of %zu pictures failed\n", failed, options->settings.file_count);
  if (telling.done && !options->quiet)
    idle_warn(&telling);
  if (telling.done && options->timings)
    timings_print(stderr, choice->threads, &telling.cost, telling.done);
  return telling.status;
}
