/* The command line, by argp. */
#include "config.h"

#include "options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "option_value.h"

const char *argp_program_version = "halo " VERSION;

enum key {
  KEY_CONVOLVE = 256,
  KEY_ABSOLUTE,
  KEY_SCALE,
  KEY_OFFSET,
  KEY_NORMALIZE,
  KEY_ALPHA,
  KEY_LINEAR,
  KEY_FORMAT,
  KEY_DEPTH,
  KEY_QUALITY,
  KEY_BAND,
  KEY_MAX_PIXELS,
  KEY_MAX_MEMORY,
  KEY_BENCH,
  KEY_COUNTERS,
  KEY_EXPLAIN,
  KEY_PROBE,
  KEY_LIST_FILTERS,
  KEY_LIST_PATHS,
  KEY_LIST_DEVICES,
  KEY_LIST_FORMATS,
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What is computed:", 1},
    {"filter", 'f', "F", 0,
     "a preset (gauss:2), a file, or taps ('0 -1 0; -1 5 -1; 0 -1 0'); "
     "repeat it to chain filters",
     1},
    {"border", 'b', "B", 0,
     "beyond abcd: clamp aaa|abcd (default), mirror cba|abcd, reflect "
     "dcb|abcd, wrap bcd|abcd, constant[:V] VVV|abcd, crop",
     1},
    {"scale", KEY_SCALE, "S", 0, "divide sums by S", 1},
    {"offset", KEY_OFFSET, "O", 0, "add O at the end, in levels of 0-255", 1},
    {"normalize", KEY_NORMALIZE, NULL, 0, "divide by the sum of the taps, if it isn't 0", 1},
    {"convolve", KEY_CONVOLVE, NULL, 0, "turn the taps by 180 degrees", 1},
    {"absolute", KEY_ABSOLUTE, NULL, 0, "absolute value of the result", 1},
    {"alpha", KEY_ALPHA, "MODE", 0, "premultiply (default), straight or keep", 1},
    {"linear", KEY_LINEAR, NULL, 0, "work in linear light", 1},
    {NULL, 0, NULL, 0, "Where results go:", 2},
    {"output", 'o', "FILE", 0, "one result; standard output otherwise", 2},
    {"directory", 'd', "DIR", 0, "many results, each under its input's name", 2},
    {"format", KEY_FORMAT, "F", 0, "png, pgm, ppm, pam, pfm, jpeg, bmp, tga or hdr", 2},
    {"depth", KEY_DEPTH, "8|16", 0, "bits of a sample", 2},
    {"compression", 'z', "0-9", 0, "of PNG", 2},
    {"quality", KEY_QUALITY, "1-100", 0, "of JPEG (90)", 2},
    {NULL, 0, NULL, 0, "How it is computed:", 3},
    {"path", 'p', "P[,P]", 0, "auto, a name, several, or all", 3},
    {"device", 'D', "D", 0, "auto, cpu, cuda[:N] or emulated", 3},
    {"threads", 'j', "N", 0, "default: the cores that halo may use", 3},
    {"band", KEY_BAND, "ROWS", 0, "height of a band", 3},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "refuse larger pictures (2G)", 3},
    {"max-memory", KEY_MAX_MEMORY, "BYTES", 0, "refuse what needs more (half of the memory)", 3},
    {NULL, 0, NULL, 0, "What is told:", 4},
    {"timings", 't', NULL, 0, "what each path cost, on standard error", 4},
    {"quiet", 'q', NULL, 0, "no warnings", 4},
    {"verbose", 'v', NULL, 0, "what was chosen, and why", 4},
    {"bench", KEY_BENCH, NULL, 0, "compare the paths: checked, timed, beside measured ceilings", 4},
    {"counters", KEY_COUNTERS, NULL, 0,
     "with --bench or --explain: also what the GPU's own counters say", 4},
    {"explain", KEY_EXPLAIN, NULL, 0, "what the kernels do to memory, line by line", 4},
    {"probe", KEY_PROBE, "NAME[,NAME]", OPTION_ARG_OPTIONAL,
     "experiments that show what each kind of GPU memory does", 4},
    {"list-filters", KEY_LIST_FILTERS, NULL, 0, "the presets", 4},
    {"list-paths", KEY_LIST_PATHS, NULL, 0, "the paths", 4},
    {"list-devices", KEY_LIST_DEVICES, NULL, 0, "the devices", 4},
    {"list-formats", KEY_LIST_FORMATS, NULL, 0, "the formats", 4},
    {0},
};

/* What argp hands to each call. */
struct parse {
  struct options *options;
  struct error *error;
};

static bool parse_border(struct options *options, const char *text, struct error *error)
{
  static const struct {
    const char *name;
    enum border border;
  } names[] = {
#define X(name, constant, pattern, about) {name, constant},
      BORDERS(X)
#undef X
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i].name);

    if (strncmp(text, names[i].name, length) != 0)
      continue;
    options->settings.border = names[i].border;
    options->settings.border_level = -1;
    if (!text[length])
      return true;
    if (text[length] == ':' && names[i].border == BORDER_CONSTANT) {
      if (value_number(text + length + 1, &options->settings.border_level) && options->settings.border_level >= 0 &&
          options->settings.border_level <= 255)
        return true;
      return error_set(error, STATUS_USAGE, "--border=%s: a level from 0 to 255 is expected", text);
    }
  }
  return error_set(error, STATUS_USAGE,
                   "--border=%s: not one of clamp, mirror, reflect, wrap, constant[:V], crop",
                   text);
}

static bool parse_alpha(struct options *options, const char *text, struct error *error)
{
  static const char *const names[] = {"premultiply", "straight", "keep"};

  for (int i = 0; i < 3; i++) {
    if (strcmp(text, names[i]) == 0) {
      options->settings.alpha = (enum alpha_mode)i;
      return true;
    }
  }
  return error_set(error, STATUS_USAGE, "--alpha=%s: not one of premultiply, straight, keep", text);
}

static bool parse_depth(struct options *options, const char *text, struct error *error)
{
  if (strcmp(text, "8") != 0 && strcmp(text, "16") != 0)
    return error_set(error, STATUS_USAGE, "--depth=%s: 8 or 16 is expected", text);
  options->settings.depth = *text == '8' ? 8 : 16;
  return true;
}

static bool parse_filter(struct options *options, const char *text, struct error *error)
{
  const char **longer =
      realloc(options->filters, (options->filter_count + 1) * sizeof *options->filters);

  if (!longer)
    return error_set(error, STATUS_FAILED, "no memory for the command line");
  options->filters = longer;
  options->filters[options->filter_count++] = text;
  return true;
}

static bool parse_file(struct options *options, const char *name, struct error *error)
{
  const char **longer = realloc(options->settings.files, (options->settings.file_count + 1) * sizeof *options->settings.files);

  if (!longer)
    return error_set(error, STATUS_FAILED, "no memory for the command line");
  options->settings.files = longer;
  options->settings.files[options->settings.file_count++] = name;
  return true;
}

static bool parse_band(struct options *options, const char *text, struct error *error)
{
  return value_size("band", text, &options->settings.band_rows, error);
}

/* One option; `true` too for keys that are none of ours, with *ours false. */
static bool parse_option(struct options *options, int key, char *text, bool *ours,
                         struct error *error)
{
  switch (key) {
  case 'f':
    return parse_filter(options, text, error);
  case 'b':
    return parse_border(options, text, error);
  case KEY_CONVOLVE:
    return options->convolve = true;
  case KEY_ABSOLUTE:
    return options->settings.absolute = true;
  case KEY_NORMALIZE:
    return options->normalize = true;
  case KEY_LINEAR:
    return options->settings.linear = true;
  case KEY_SCALE:
    options->scale_given = true;
    return value_real("scale", text, &options->scale, error);
  case KEY_OFFSET:
    options->offset_given = true;
    return value_real("offset", text, &options->offset, error);
  case KEY_ALPHA:
    return parse_alpha(options, text, error);
  case 'p':
    options->settings.paths = text;
    return true;
  case 'D':
    options->settings.device = text;
    return true;
  case 'o':
    options->settings.output = text;
    return true;
  case 'd':
    options->settings.directory = text;
    return true;
  case KEY_FORMAT:
    options->settings.format = text;
    return true;
  case KEY_DEPTH:
    return parse_depth(options, text, error);
  case 'z':
    return value_int("compression", text, 0, 9, &options->settings.compression, error);
  case KEY_QUALITY:
    return value_int("quality", text, 1, 100, &options->settings.quality, error);
  case 'j':
    return value_int("threads", text, 1, 1024, &options->settings.threads, error);
  case KEY_BAND:
    return parse_band(options, text, error);
  case KEY_MAX_PIXELS:
    return value_size("max-pixels", text, &options->settings.max_pixels, error);
  case KEY_MAX_MEMORY:
    return value_size("max-memory", text, &options->settings.max_memory, error);
  case 't':
    return options->timings = true;
  case 'q':
    return options->quiet = true;
  case 'v':
    return options->verbose = true;
  case KEY_BENCH:
    options->settings.task = TASK_BENCH;
    return true;
  case KEY_COUNTERS:
    return options->settings.counters = true;
  case KEY_EXPLAIN:
    options->settings.task = TASK_EXPLAIN;
    return true;
  case KEY_PROBE:
    options->settings.task = TASK_PROBE;
    options->probes = text;
    return true;
  case KEY_LIST_FILTERS:
  case KEY_LIST_PATHS:
  case KEY_LIST_DEVICES:
  case KEY_LIST_FORMATS:
    options->listing = LIST_FILTERS + (enum listing)(key - KEY_LIST_FILTERS);
    return true;
  case ARGP_KEY_ARG:
    return parse_file(options, text, error);
  }
  *ours = false;
  return true;
}

static error_t parse_key(int key, char *text, struct argp_state *state)
{
  struct parse *parse = state->input;
  bool ours = true;

  if (!parse_option(parse->options, key, text, &ours, parse->error))
    return EINVAL;
  return ours ? 0 : ARGP_ERR_UNKNOWN;
}

/* --bench, --explain and --probe write a report, not pictures. */
static bool report_check(const struct options *options, struct error *error)
{
  size_t most = options->settings.task == TASK_PROBE ? 0 : 1;

  if (options->settings.output || options->settings.directory)
    return error_set(error, STATUS_USAGE,
                     "a report goes to standard output; -o and -d have no meaning there");
  if (options->settings.file_count > most)
    return error_set(error, STATUS_USAGE, "%s, not at %zu",
                     most ? "--bench and --explain look at one picture"
                          : "--probe looks at no picture",
                     options->settings.file_count);
  if (options->settings.format && strcmp(options->settings.format, "json") != 0 &&
      strcmp(options->settings.format, "csv") != 0)
    return error_set(error, STATUS_USAGE, "--format=%s: a report is written as json or csv",
                     options->settings.format);
  return true;
}

/* What no single option can tell. */
static bool options_check(const struct options *options, struct error *error)
{
  if (options->listing != LIST_NOTHING)
    return true;
  if (options->settings.counters && options->settings.task != TASK_BENCH && options->settings.task != TASK_EXPLAIN)
    return error_set(error, STATUS_USAGE, "--counters belongs to --bench or --explain");
  if (options->settings.task != TASK_CONVOLVE)
    return report_check(options, error);
  if (options->filter_count == 0)
    return error_set(error, STATUS_USAGE,
                     "no filter; give one with -f, such as -f gauss:2 (--list-filters names more, "
                     "--help explains)");
  if (options->settings.output && options->settings.directory)
    return error_set(error, STATUS_USAGE, "-o FILE and -d DIR exclude each other");
  if (options->settings.file_count > 1 && !options->settings.directory)
    return error_set(error, STATUS_USAGE, "%zu pictures need -d DIR for their results",
                     options->settings.file_count);
  if (options->settings.directory && options->settings.file_count == 0)
    return error_set(error, STATUS_USAGE, "-d DIR needs the names of pictures");
  return true;
}

static size_t memory_half(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

  return pages > 0 && bytes > 0 ? (size_t)pages / 2 * (size_t)bytes : SIZE_MAX;
}

bool options_parse(struct options *options, int argc, char **argv, struct error *error)
{
  static const struct argp argp = {
      .options = table,
      .parser = parse_key,
      .args_doc = "[FILE]...",
      .doc = "Convolve pictures: halo -f gauss:2 < in.png > out.png"
             "\vEven sizes are allowed: the tap at (w/2, h/2), rounded down, lies over the pixel. "
             "Nothing is divided by a sum of 0. man halo has the rest.",
  };
  struct parse parse = {.options = options, .error = error};
  error_t failed;

  *options = (struct options){
      .settings =
          {
              .border = BORDER_CLAMP,
              .border_level = -1,
              .paths = "auto",
              .device = "auto",
              .compression = -1,
              .quality = 90,
              .max_pixels = (size_t)1 << 31,
              .max_memory = memory_half(),
          },
  };
  argp_err_exit_status = STATUS_USAGE;
  error->text[0] = '\0';
  failed = argp_parse(&argp, argc, argv, 0, NULL, &parse);
  if (failed == ENOMEM)
    return error_set(error, STATUS_FAILED, "no memory for the command line");
  if (failed && !error->text[0])
    return error_set(error, STATUS_USAGE, "wrong options; see halo --help");
  return !failed && options_check(options, error);
}

void options_free(struct options *options)
{
  free(options->filters);
  free(options->settings.files);
}
