/* Presets: computed ones by the table of filter_generator.c, others as text files.

   A file NAME.txt is looked for in $HALO_FILTERS, where that is set, and then in the folder that
   came with halo: beside the program in its build tree, below the prefix that it was moved to, or
   where it was installed.  Its first line, a comment, says what the filter does. */
#include "config.h"

#include "filter_preset.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter_file.h"
#include "filter_generator.h"
#include "filter_scan.h"
#include "filter_text.h"

#ifndef PKGDATADIR
#define PKGDATADIR "/usr/local/share/halo"
#endif

/* Names that other programs use, and the presets they mean. */
static const struct alias {
  const char *name, *preset;
} aliases[] = {
    {"binomial", "binomial3"}, {"blur", "gauss"},      {"comet", "motion"},
    {"freichen", "frei-chen"}, {"gaussian", "gauss"},  {"prewitt", "prewitt-x"},
    {"roberts", "roberts-x"},  {"scharr", "scharr-x"}, {"sobel", "sobel-x"},
    {"unity", "identity"},
};

/* The folder of the presets that came with halo, to be freed; NULL where memory is short. */
static char *folder_own(void)
{
  static const char *const relative[] = {"filters", "../share/halo/filters"};
  char program[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  char *slash, *folder = NULL, *file;

  program[length > 0 ? length : 0] = '\0';
  slash = strrchr(program, '/');
  for (size_t i = 0; slash && i < sizeof relative / sizeof *relative; i++) {
    bool there;

    if (asprintf(&folder, "%.*s/%s", (int)(slash - program), program, relative[i]) < 0)
      return NULL;
    if (asprintf(&file, "%s/identity.txt", folder) < 0)
      file = NULL;
    there = file && access(file, R_OK) == 0;
    free(file);
    if (there)
      return folder;
    free(folder);
  }
  return strdup(PKGDATADIR "/filters");
}

void folders_find(char *folders[FOLDERS])
{
  const char *chosen = getenv("HALO_FILTERS");

  folders[0] = chosen && *chosen ? strdup(chosen) : NULL;
  folders[1] = folder_own();
}

void folders_free(char *folders[FOLDERS])
{
  for (unsigned i = 0; i < FOLDERS; i++)
    free(folders[i]);
}

/* The preset's name at the start of the text, in lower case; false where the text begins with no possible
   name. */
static bool preset_name(const char *text, char name[PRESET_NAME_BYTES])
{
  size_t length = strcspn(text, ":");

  if (length == 0 || length >= PRESET_NAME_BYTES)
    return false;
  for (size_t i = 0; i < length; i++) {
    char byte = preset_lower(text[i]);

    if (!(byte >= 'a' && byte <= 'z') && (i == 0 || byte == '\0' || !strchr("0123456789-", byte)))
      return false;
    name[i] = byte;
  }
  name[length] = '\0';
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (strcmp(name, aliases[i].name) == 0)
      strcpy(name, aliases[i].preset);
  return true;
}

static const struct generator *generator_find(const char *name)
{
  for (const struct generator *generator = generators; generator->name; generator++)
    if (strcmp(name, generator->name) == 0)
      return generator;
  return NULL;
}

/* "SIGMA, from 0.1 to 1000" */
static void argument_describe(const struct generator *generator, unsigned i, char *what,
                              size_t size)
{
  const struct generator_argument *argument = &generator->argument[i];

  /* Bounds are written by integers and tenths, since %g takes the locale's decimal point. */
  snprintf(what, size, "%s, %s from %ld%s%.0ld to %ld", argument->name,
           generator->whole ? "a whole number" : "a number", (long)argument->lowest,
           argument->lowest != (double)(long)argument->lowest ? "." : "",
           lround(argument->lowest * 10) % 10, (long)argument->highest);
}

/* Reads the arguments; the scanner stands at the end of the name. */
static bool arguments_read(struct scanner *scanner, const struct generator *generator,
                           double arguments[GENERATOR_ARGUMENTS])
{
  char what[128], next[160];

  for (unsigned i = 0; i < generator->allowed; i++) {
    const struct generator_argument *argument = &generator->argument[i];
    struct scanner before;
    size_t count;

    argument_describe(generator, i, what, sizeof what);
    if (i >= generator->needed && scan_at_end(scanner)) {
      arguments[i] = arguments[i - 1];
      continue;
    }
    if (scan_at_end(scanner))
      return scan_fail(scanner, "%s:%s needs %s", generator->name, generator->arguments, what);
    if (!scan_take(scanner, i == 0 ? ':' : generator->separator)) {
      snprintf(next, sizeof next, "'%c' and %s", generator->separator, what);
      return scan_expected(scanner, next);
    }
    before = *scanner;
    if (!generator->whole && !scan_number(scanner, ",", what, &arguments[i]))
      return false;
    if (generator->whole && !scan_count(scanner, 0, what, &count))
      return false;
    if (generator->whole)
      arguments[i] = (double)count;
    if (!(arguments[i] >= argument->lowest && arguments[i] <= argument->highest))
      return scan_expected(&before, what);
  }
  snprintf(what, sizeof what, "nothing more behind %s:%s", generator->name, generator->arguments);
  return scan_at_end(scanner) || scan_expected(scanner, what);
}

static bool generator_read(const struct generator *generator, struct chain *chain, const char *text,
                           struct error *error)
{
  double arguments[GENERATOR_ARGUMENTS] = {0};
  struct scanner scanner;
  struct filter filter;
  bool made;

  if (!scanner_start(&scanner, "filter", text, strlen(text), error))
    return false;
  while (!scan_at_end(&scanner) && scan_peek(&scanner) != ':')
    scan_step(&scanner);
  made = arguments_read(&scanner, generator, arguments) &&
         generator->make(&filter, text, arguments, error);
  scanner_end(&scanner);
  if (!made)
    return false;
  if (chain_append(chain, &filter, error))
    return true;
  filter_free(&filter);
  return false;
}

/* Looks for NAME.txt and reads it; *path is its name then, to be freed. */
static bool preset_load(const char *name, char **path, char **text, size_t *size, bool *known,
                        struct error *error)
{
  enum filter_file found = FILTER_FILE_MISSING;
  char *folders[FOLDERS];

  *known = false;
  folders_find(folders);
  for (unsigned i = 0; i < FOLDERS && !*known; i++) {
    if (!folders[i] || asprintf(path, "%s/%s.txt", folders[i], name) < 0)
      continue;
    found = filter_file_read(*path, text, size, error);
    *known = found == FILTER_FILE_READ || found == FILTER_FILE_FAILED;
    if (found != FILTER_FILE_READ)
      free(*path);
  }
  folders_free(folders);
  return found == FILTER_FILE_READ;
}

bool filter_preset(struct chain *chain, const char *text, bool *known, struct error *error)
{
  char name[PRESET_NAME_BYTES];
  const struct generator *generator;
  const char *colon = strchr(text, ':');
  char *path, *content;
  size_t size;
  bool read;

  *known = false;
  if (!preset_name(text, name))
    return false;
  generator = generator_find(name);
  if (generator) {
    *known = true;
    return generator_read(generator, chain, text, error);
  }
  if (!preset_load(name, &path, &content, &size, known, error))
    return false;
  if (colon)
    read = error_set(error, STATUS_USAGE, "filter:1:%zu: %s takes no arguments",
                     (size_t)(colon - text) + 1, name);
  else
    read = filter_parse(chain, path, content, size, error);
  free(path);
  free(content);
  return read;
}
