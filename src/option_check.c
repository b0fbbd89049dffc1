/* What no single option can tell: contradictions, and options without effect.

   The rule: options that contradict one another are an error, and so is one without effect whose result the
   user would look for in vain (`needed` in the table); any other without effect is a warning. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "option_table.h"
#include "option_value.h"

enum use options_use(const struct options *options)
{
  return options->listing != LIST_NOTHING ? USE_LISTING : (enum use)(1 << options->settings.task);
}

/* --help, --usage and --version are answered whatever else there is. */
static bool options_ask(const struct options *options)
{
  return options->listing >= LIST_HELP;
}

static bool row_is_report(const struct option_row *row)
{
  return row->kind == OPTION_REPORT || row->kind == OPTION_LISTING;
}

/* The report or list that was asked for; NULL where pictures are. */
static const struct option_row *report_asked(const struct options *options)
{
  for (size_t i = 0; option_table[i].about || option_table[i].describe; i++)
    if (options->given[i] && row_is_report(&option_table[i]))
      return &option_table[i];
  return NULL;
}

/* One report at a time. */
static bool reports_check(const struct options *options, struct error *error)
{
  const struct option_row *first = report_asked(options);

  for (size_t i = 0; option_table[i].about || option_table[i].describe; i++)
    if (options->given[i] && row_is_report(&option_table[i]) && &option_table[i] != first)
      return error_set(error, STATUS_USAGE,
                       "--%s and --%s can't be combined; ask for one after the other", first->name,
                       option_table[i].name);
  return true;
}

/* Options without effect that are more than a warning. */
static bool needs_check(const struct options *options, struct error *error)
{
  enum use use = options_use(options);

  for (size_t i = 0; option_table[i].about || option_table[i].describe; i++)
    if (options->given[i] && option_table[i].needed && !(option_table[i].uses & use))
      return error_set(error, STATUS_USAGE, "--%s: %s", option_table[i].name,
                       option_table[i].needed);
  return true;
}

bool options_idle(const struct options *options, size_t *at, char *text, size_t size)
{
  enum use use = options_use(options);
  const struct option_row *report = report_asked(options);

  while (!options_ask(options) && (option_table[*at].about || option_table[*at].describe)) {
    size_t i = (*at)++;

    if (!options->given[i] || option_table[i].uses & use)
      continue;
    snprintf(text, size, "--%s has no effect with --%s", option_table[i].name, report->name);
    return true;
  }
  return false;
}

/* --bench and --explain look at one picture at most, --probe and lists at none. */
static bool report_check(const struct options *options, const struct option_row *report,
                         struct error *error)
{
  size_t most = options_use(options) & (USE_BENCH | USE_EXPLAIN) ? 1 : 0;
  const char *format = options->settings.format;

  if (options->settings.file_count > most)
    return error_set(error, STATUS_USAGE, "--%s looks at %s, not at %zu", report->name,
                     most ? "one picture" : "no picture", options->settings.file_count);
  if (format && options->listing == LIST_NOTHING && strcmp(format, "json") != 0 &&
      strcmp(format, "csv") != 0)
    return value_refuse("format", format, error, "a report is written as json or csv");
  return true;
}

/* One result goes to a file, many go to a folder. */
static bool results_check(const struct options *options, struct error *error)
{
  const struct settings *settings = &options->settings;

  if (options->filter_count == 0)
    return error_set(error, STATUS_USAGE,
                     "no filter; give one with -f, such as -f gauss:2 (--list-filters names more, "
                     "--help explains)");
  if (settings->output && settings->directory)
    return error_set(error, STATUS_USAGE,
                     "-o FILE and -d DIR can't be combined: -o is for one picture, -d for many");
  if (settings->file_count > 1 && !settings->directory)
    return error_set(error, STATUS_USAGE, "%zu pictures need -d DIR for their results",
                     settings->file_count);
  if (settings->directory && settings->file_count == 0)
    return error_set(error, STATUS_USAGE, "-d DIR needs the names of pictures");
  return true;
}

bool options_check(const struct options *options, struct error *error)
{
  const struct option_row *report = report_asked(options);

  if (options_ask(options))
    return true;
  if (!reports_check(options, error) || !needs_check(options, error))
    return false;
  return report ? report_check(options, report, error) : results_check(options, error);
}
