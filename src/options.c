/* The command line, by argp: see options.h. */
#include "config.h"

#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "option_table.h"
#include "option_value.h"

const char *argp_program_bug_address = PACKAGE_BUGREPORT;

enum { KEY_FIRST = 256, TEXT_BYTES = 512 };

/* What argp hands to each call. */
struct parse {
  struct options *options;
  struct error *error;
};

static bool row_is_last(const struct option_row *row)
{
  return !row->about && !row->describe;
}

/* argp's key of the i-th row: the letter, or a number that is none. */
static int row_key(size_t i)
{
  return option_table[i].letter ? option_table[i].letter : KEY_FIRST + (int)i;
}

/* The row of a key; the last, empty one where there is none. */
static size_t row_find(int key)
{
  size_t i = 0;

  while (!row_is_last(&option_table[i]) && (!option_table[i].name || row_key(i) != key))
    i++;
  return i;
}

bool option_given(const struct options *options, const char *name)
{
  for (size_t i = 0; !row_is_last(&option_table[i]); i++)
    if (option_table[i].name && strcmp(option_table[i].name, name) == 0)
      return options->given[i];
  return false;
}

static bool option_take(struct options *options, size_t i, char *text, struct error *error)
{
  const struct option_row *row = &option_table[i];
  char *place = (char *)options + row->place;

  options->given[i] = true;
  switch (row->kind) {
  case OPTION_HEADING:
    break;
  case OPTION_TAKE:
    return row->take(options, text, error);
  case OPTION_FLAG:
    *(bool *)place = true;
    break;
  case OPTION_TEXT:
    *(const char **)place = text;
    break;
  case OPTION_REPORT:
    options->settings.task = (enum task)row->choice;
    return !row->take || row->take(options, text, error);
  case OPTION_LISTING:
    options->listing = (enum listing)row->choice;
    break;
  }
  return true;
}

static error_t parse_key(int key, char *text, struct argp_state *state)
{
  struct parse *parse = state->input;
  struct settings *settings = &parse->options->settings;
  size_t i = row_find(key);
  bool taken;

  if (key == ARGP_KEY_ARG)
    taken = list_append(&settings->files, &settings->file_count, text, parse->error);
  else if (row_is_last(&option_table[i]))
    return ARGP_ERR_UNKNOWN;
  else
    taken = option_take(parse->options, i, text, parse->error);
  return taken ? 0 : EINVAL;
}

/* The text of an option for --help. */
static char *help_text(int key, const char *text, void *input)
{
  size_t i = row_find(key);
  char made[TEXT_BYTES];

  (void)input;
  if (!option_table[i].describe)
    return (char *)text;
  option_table[i].describe(made, sizeof made);
  return strdup(made);
}

/* The table as argp wants it. */
static void argp_fill(struct argp *argp, struct argp_option rows[OPTIONS_MAX])
{
  int group = 0;

  memset(rows, 0, OPTIONS_MAX * sizeof *rows);
  for (size_t i = 0; !row_is_last(&option_table[i]); i++) {
    const struct option_row *row = &option_table[i];

    group += row->kind == OPTION_HEADING;
    rows[i] = (struct argp_option){
        .name = row->name,
        .key = row->name ? row_key(i) : 0,
        .arg = row->value,
        .flags = row->optional ? OPTION_ARG_OPTIONAL : 0,
        .doc = row->about,
        .group = group,
    };
  }
  *argp = (struct argp){
      .options = rows,
      .parser = parse_key,
      .args_doc = "[FILE]...",
      .doc = "Convolve pictures: halo -f gauss:2 < in.png > out.png"
             "\vEven sizes are allowed: the tap at (w/2, h/2), rounded down, lies over the pixel. "
             "Nothing is divided by a sum of 0. man halo has the rest.",
      .help_filter = help_text,
  };
}

void options_help(FILE *stream, bool usage)
{
  struct argp_option rows[OPTIONS_MAX];
  struct argp argp;
  char name[] = "halo";

  argp_fill(&argp, rows);
  argp_help(&argp, stream, usage ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK, name);
}

static size_t memory_half(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

  return pages > 0 && bytes > 0 ? (size_t)pages / 2 * (size_t)bytes : SIZE_MAX;
}

bool options_parse(struct options *options, int argc, char **argv, struct error *error)
{
  struct parse parse = {.options = options, .error = error};
  struct argp_option rows[OPTIONS_MAX];
  struct argp argp;
  error_t failed;

  *options = (struct options){
      .settings =
          {
              .border_level = -1,
              .paths = "auto",
              .device = "auto",
              .compression = -1,
              .quality = ENCODING_QUALITY,
              .max_pixels = (size_t)1 << 31,
              .max_memory = memory_half(),
          },
  };
  argp_fill(&argp, rows);
  error->status = STATUS_USAGE;
  error->text[0] = '\0';
  failed = argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &parse);
  if (failed == ENOMEM)
    return error_set(error, STATUS_FAILED, "no memory for the command line");
  return !failed && options_check(options, error);
}

void options_free(struct options *options)
{
  free(options->filters);
  free(options->settings.files);
}
