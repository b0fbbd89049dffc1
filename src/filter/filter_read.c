/* What the user gave with -f: a preset, else a file of that name, else taps typed in place. */
#include "config.h"

#include "filter_preset.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter.h"

enum { FILE_BYTES_MAX = 1 << 28, FILE_BYTES_AT_ONCE = 1 << 16 };

/* Reads the file to its end, into memory that grows. */
static bool load_all(int descriptor, char **text, size_t *size, struct error *error)
{
  size_t room = FILE_BYTES_AT_ONCE;
  char *bytes = malloc(room), *more;
  ssize_t got;

  for (*size = 0; bytes; *size += (size_t)got) {
    if (*size == room) {
      more = realloc(bytes, room *= 2);
      if (!more)
        break;
      bytes = more;
    }
    do
      got = read(descriptor, bytes + *size, room - *size);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
      error_set(error, STATUS_USAGE, "the filter can't be read: %s", strerror(errno));
      goto free_bytes;
    }
    if (got == 0) {
      *text = bytes;
      return true;
    }
    if (*size > FILE_BYTES_MAX) {
      error_set(error, STATUS_USAGE, "a filter file of more than %d MiB is refused",
                FILE_BYTES_MAX >> 20);
      goto free_bytes;
    }
  }
  error_set(error, STATUS_USAGE, "no memory for the text of a filter");

free_bytes:
  free(bytes);
  return false;
}

bool filter_load(const char *name, char **text, size_t *size, bool *missing, struct error *error)
{
  int descriptor = open(name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool loaded;

  *missing = descriptor < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG);
  if (*missing)
    return false;
  if (descriptor < 0) {
    error_set(error, STATUS_USAGE, "the filter can't be read: %s", strerror(errno));
    return error_name(error, name);
  }
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    *missing = true;
    return false;
  }
  loaded = load_all(descriptor, text, size, error);
  close(descriptor);
  return loaded || error_name(error, name);
}

/* Whether the text is meant as a name: it begins like one, and is but one word. */
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

bool filter_read(struct chain *chain, const char *text, struct error *error)
{
  size_t before = chain->count, size;
  bool known, missing, read;
  char *content;

  read = filter_preset(chain, text, &known, error);
  if (!known) {
    if (filter_load(text, &content, &size, &missing, error)) {
      read = filter_parse(chain, text, content, size, error);
      free(content);
    } else if (missing && text_is_name(text)) {
      read = name_unknown(text, error);
    } else if (missing) {
      read = filter_parse(chain, "filter", text, strlen(text), error);
    }
  }
  if (!read)
    return false;
  if (chain_name(chain, before, text, error))
    return true;
  while (chain->count > before)
    filter_free(&chain->filters[--chain->count]);
  return false;
}
