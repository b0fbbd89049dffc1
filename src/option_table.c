/* The table of options, and the reading of values that are more than a flag or a text: see
   option_table.h. */
#include "config.h"

#include "option_table.h"

#include <stdlib.h>
#include <string.h>

#include "option_text.h"
#include "option_value.h"

enum { TEXT_BYTES = 512 };

/* A border's name, or NAME:LEVEL where the border takes a level. */
static bool take_border(struct options *options, const char *text, struct error *error)
{
  struct settings *settings = &options->settings;
  size_t length = strcspn(text, ":");
  char names[TEXT_BYTES];

  for (size_t i = 0; i < border_count; i++) {
    const struct border_row *row = &border_rows[i];

    if (strlen(row->name) != length || strncmp(text, row->name, length) != 0)
      continue;
    settings->border = row->border;
    settings->border_level = -1;
    if (!text[length])
      return true;
    if (!*border_argument(row))
      return value_refuse("border", text, error, "%s takes no level", row->name);
    if (value_number(text + length + 1, &settings->border_level) && settings->border_level >= 0 &&
        settings->border_level <= 255)
      return true;
    return value_refuse("border", text, error, "a level from 0 to 255 is expected");
  }
  names_of_borders(names, sizeof names);
  return value_refuse("border", text, error, "there is no such border; there are %s", names);
}

static bool take_alpha(struct options *options, const char *text, struct error *error)
{
  char names[TEXT_BYTES];

  for (size_t i = 0; i < alpha_count; i++) {
    if (strcmp(text, alpha_rows[i].name) == 0) {
      options->settings.alpha = alpha_rows[i].mode;
      return true;
    }
  }
  names_of_alpha(names, sizeof names);
  return value_refuse("alpha", text, error, "there is no such mode; there are %s", names);
}

static bool take_depth(struct options *options, const char *text, struct error *error)
{
  if (strcmp(text, "8") != 0 && strcmp(text, "16") != 0)
    return value_refuse("depth", text, error, "8 or 16 is expected");
  options->settings.depth = *text == '8' ? 8 : 16;
  return true;
}

static bool take_filter(struct options *options, const char *text, struct error *error)
{
  return list_append(&options->filters, &options->filter_count, text, error);
}

static bool take_scale(struct options *options, const char *text, struct error *error)
{
  return value_real("scale", text, &options->scale, error);
}

static bool take_offset(struct options *options, const char *text, struct error *error)
{
  return value_real("offset", text, &options->offset, error);
}

static bool take_compression(struct options *options, const char *text, struct error *error)
{
  return value_int("compression", text, 0, 9, &options->settings.compression, error);
}

static bool take_quality(struct options *options, const char *text, struct error *error)
{
  return value_int("quality", text, 1, 100, &options->settings.quality, error);
}

static bool take_threads(struct options *options, const char *text, struct error *error)
{
  return value_int("threads", text, 1, 1024, &options->settings.threads, error);
}

static bool take_band(struct options *options, const char *text, struct error *error)
{
  return value_size("band", text, &options->settings.band_rows, error);
}

static bool take_max_pixels(struct options *options, const char *text, struct error *error)
{
  return value_size("max-pixels", text, &options->settings.max_pixels, error);
}

static bool take_max_memory(struct options *options, const char *text, struct error *error)
{
  return value_size("max-memory", text, &options->settings.max_memory, error);
}

static bool take_probe(struct options *options, const char *text, struct error *error)
{
  (void)error;
  options->settings.task = TASK_PROBE;
  options->probes = text;
  return true;
}

/* What most rows end with. */
#define FLAG(member) .kind = OPTION_FLAG, .place = offsetof(struct options, member)
#define TEXT(member) .kind = OPTION_TEXT, .place = offsetof(struct options, member)
#define REPORT(task) .uses = USE_ALL, .kind = OPTION_REPORT, .choice = task
#define LISTING(what) .uses = USE_ALL, .kind = OPTION_LISTING, .choice = what
#define HEADING(text)                                                                              \
  {                                                                                                \
    .about = text, .kind = OPTION_HEADING                                                          \
  }

const struct option_row option_table[] = {
    HEADING("What is computed:"),
    {"filter", 'f', "F",
     .about = "a preset (gauss:2), a file, or taps ('0 -1 0; -1 5 -1; 0 -1 0'); repeat it to "
              "chain filters (reports: disk:3)",
     .uses = USE_PICTURE, .take = take_filter},
    {"border", 'b', "B", .describe = text_of_borders, .uses = USE_PICTURE, .take = take_border},
    {"scale", 0, "S", .about = "divide sums by S (default: as the filter says)",
     .uses = USE_PICTURE, .take = take_scale},
    {"offset", 0, "O",
     .about = "add O at the end, in levels of 0-255 (default: as the filter says)",
     .uses = USE_PICTURE, .take = take_offset},
    {"normalize", 0, NULL, .about = "divide by the sum of the taps, if it isn't 0",
     .uses = USE_PICTURE, FLAG(normalize)},
    {"convolve", 0, NULL, .about = "turn the taps by 180 degrees", .uses = USE_PICTURE,
     FLAG(convolve)},
    {"absolute", 0, NULL, .about = "absolute value of the result", .uses = USE_PICTURE,
     FLAG(settings.absolute)},
    {"alpha", 0, "MODE", .describe = text_of_alpha, .uses = USE_PICTURE, .take = take_alpha},
    {"linear", 0, NULL, .about = "work in linear light", .uses = USE_PICTURE,
     FLAG(settings.linear)},

    HEADING("Where results go:"),
    {"output", 'o', "FILE", .about = "one result (default: standard output)", .uses = USE_CONVOLVE,
     .needed = "reports and lists go to standard output; > FILE keeps them", TEXT(settings.output)},
    {"directory", 'd', "DIR", .about = "many results, each under its input's name",
     .uses = USE_CONVOLVE, .needed = "reports and lists go to standard output; > FILE keeps them",
     TEXT(settings.directory)},
    {"format", 0, "F", .describe = text_of_formats, .uses = USE_PICTURE | USE_PROBE,
     TEXT(settings.format)},
    {"depth", 0, "8|16", .about = "bits of a sample (default: those of the input)",
     .uses = USE_PICTURE, .take = take_depth},
    {"compression", 'z', "0-9", .describe = text_of_compression, .uses = USE_CONVOLVE | USE_BENCH,
     .take = take_compression},
    {"quality", 0, "1-100", .describe = text_of_quality, .uses = USE_CONVOLVE,
     .take = take_quality},

    HEADING("How it is computed:"),
    {"path", 'p', "P[,P]", .about = "auto (default), a name, several, or all; see --list-paths",
     .uses = USE_PICTURE, TEXT(settings.paths)},
    {"device", 'D', "D", .describe = text_of_devices, .uses = USE_PICTURE | USE_PROBE,
     TEXT(settings.device)},
    {"threads", 'j', "N", .about = "how many to use (default: the cores that halo may use)",
     .uses = USE_PICTURE, .take = take_threads},
    {"band", 0, "ROWS", .about = "height of a band (default: by the picture)",
     .uses = USE_CONVOLVE | USE_BENCH, .take = take_band},
    {"max-pixels", 0, "N", .about = "refuse larger pictures (2G)", .uses = USE_PICTURE,
     .take = take_max_pixels},
    {"max-memory", 0, "BYTES", .about = "bound for all pictures (half of the memory)",
     .uses = USE_PICTURE, .take = take_max_memory},

    HEADING("Messages and reports:"),
    {"timings", 't', NULL, .about = "what each path cost, on standard error", .uses = USE_CONVOLVE,
     FLAG(timings)},
    {"quiet", 'q', NULL, .about = "no warnings", .uses = USE_ALL, FLAG(quiet)},
    {"verbose", 'v', NULL, .about = "what was chosen, and why", .uses = USE_CONVOLVE,
     FLAG(verbose)},
    {"bench", 0, NULL,
     .about = "compare the paths: each checked, timed, and set beside measured peaks",
     REPORT(TASK_BENCH)},
    {"explain", 0, NULL, .about = "what the kernels do to memory, line by line",
     REPORT(TASK_EXPLAIN)},
    {"counters", 0, NULL,
     .about = "with --bench or --explain: also what the GPU's own counters say",
     .uses = USE_BENCH | USE_EXPLAIN, .needed = "it belongs to --bench or --explain",
     FLAG(settings.counters)},
    {"probe", 0, "NAME[,NAME]",
     .about = "experiments that show what each kind of GPU memory does (all)", .optional = true,
     .uses = USE_ALL, .kind = OPTION_REPORT, .choice = TASK_PROBE, .take = take_probe},
    {"list-filters", 0, NULL, .about = "the presets", LISTING(LIST_FILTERS)},
    {"list-paths", 0, NULL, .about = "the paths", LISTING(LIST_PATHS)},
    {"list-devices", 0, NULL, .about = "the devices", LISTING(LIST_DEVICES)},
    {"list-formats", 0, NULL, .about = "the formats", LISTING(LIST_FORMATS)},
    {"list-borders", 0, NULL, .about = "the borders", LISTING(LIST_BORDERS)},
    {"list-alpha", 0, NULL, .about = "the modes of --alpha", LISTING(LIST_ALPHA_MODES)},
    {"help", '?', NULL, .about = "this list of options", LISTING(LIST_HELP)},
    {"usage", 0, NULL, .about = "the options in short", LISTING(LIST_USAGE)},
    {"version", 'V', NULL, .about = "the version, and what is built in", LISTING(LIST_VERSION)},
    {0},
};
