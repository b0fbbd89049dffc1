/* What the user gives with -f: a preset, else a file of that name, else taps typed in place. */
#include "config.h"

#include "filter_read.h"

#include <stdlib.h>
#include <string.h>

#include "filter_file.h"
#include "filter_list.h"
#include "filter_preset.h"
#include "filter_text.h"

/* Whether the text is meant as a name: it begins with a letter or as a path does, and is one word. */
static bool text_is_name(const char *text)
{
  size_t word = strcspn(text, " \t\r\n;,#");
  char first = *text;

  if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '/' ||
      first == '~' || first == '_' || (first == '.' && (text[1] == '/' || text[1] == '.')))
    return text[word] == '\0' || (memchr(text, ':', word) && strcspn(text, ";\n") == strlen(text));
  return false;
}

static bool name_unknown(const char *text, struct error *error)
{
  char name[256], near[256], quoted[512];
  size_t length = strcspn(text, ":");

  if (length >= sizeof name)
    length = sizeof name - 1;
  memcpy(name, text, length);
  name[length] = '\0';
  if (preset_nearest(name, near, sizeof near))
    return error_set(error, STATUS_USAGE,
                     "filter:1:1: no preset and no file of the name %s; the nearest is %s",
                     quote_name(name, quoted, sizeof quoted), near);
  return error_set(error, STATUS_USAGE,
                   "filter:1:1: no preset and no file of the name %s; --list-filters lists them",
                   quote_name(name, quoted, sizeof quoted));
}

/* Gives the filters from `first` on the name that the user typed. */
static bool chain_name(struct chain *chain, size_t first, const char *name, struct error *error)
{
  for (size_t i = first; i < chain->count; i++) {
    char *copy = strdup(name);

    if (!copy)
      return error_set(error, STATUS_FAILED, "no memory for the name of a filter");
    free(chain->filters[i].name);
    chain->filters[i].name = copy;
  }
  return true;
}

/* Reads taps typed in place.  Where that fails and the text names a directory, the error says so; but a
   directory named `3` does not hide the tap 3. */
static bool text_read(struct chain *chain, const char *text, bool directory, struct error *error)
{
  if (filter_parse(chain, "filter", text, strlen(text), error))
    return true;
  if (directory) {
    error_set(error, STATUS_USAGE, "is a directory; a filter is a preset, a file or taps");
    error_name(error, text);
  }
  return false;
}

/* Reads a text that is not the name of a preset: a file's name, or taps. */
static bool file_or_text_read(struct chain *chain, const char *text, struct error *error)
{
  char *content;
  size_t size;
  enum filter_file found = filter_file_read(text, &content, &size, error);
  bool read;

  if (found == FILTER_FILE_FAILED)
    return false;
  if (found == FILTER_FILE_MISSING && text_is_name(text))
    return name_unknown(text, error);
  if (found != FILTER_FILE_READ)
    return text_read(chain, text, found == FILTER_FILE_DIRECTORY, error);
  read = filter_parse(chain, text, content, size, error);
  free(content);
  return read;
}

bool filter_read(struct chain *chain, const char *text, struct error *error)
{
  size_t before = chain->count;
  bool known, read;

  read = filter_preset(chain, text, &known, error);
  if (!known)
    read = file_or_text_read(chain, text, error);
  if (!read)
    return false;
  if (chain_name(chain, before, text, error))
    return true;
  while (chain->count > before)
    filter_free(&chain->filters[--chain->count]);
  return false;
}
