/* All presets there are: for --list-filters, and to find the one that was meant. */
#include "config.h"

#include "filter_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter_generator.h"
#include "filter_preset.h"

/* One line of --list-filters. */
struct entry {
  char *name;  /* with its arguments; owned */
  char *about; /* owned */
};

struct entries {
  struct entry *list;
  size_t count;
};

static void entries_free(struct entries *entries)
{
  for (size_t i = 0; i < entries->count; i++) {
    free(entries->list[i].name);
    free(entries->list[i].about);
  }
  free(entries->list);
}

static int entry_compare(const void *left, const void *right)
{
  return strcmp(((const struct entry *)left)->name, ((const struct entry *)right)->name);
}

/* Adds a line, unless there is one of that name. */
static bool entries_add(struct entries *entries, const char *name, const char *about,
                        struct error *error)
{
  struct entry entry, *list;

  for (size_t i = 0; i < entries->count; i++)
    if (strcmp(entries->list[i].name, name) == 0)
      return true;
  list = realloc(entries->list, (entries->count + 1) * sizeof *list);
  if (list)
    entries->list = list;
  entry = (struct entry){strdup(name), strdup(about)};
  if (!list || !entry.name || !entry.about) {
    free(entry.name);
    free(entry.about);
    return error_set(error, STATUS_FAILED, "no memory for the list of filters");
  }
  entries->list[entries->count++] = entry;
  return true;
}

static bool entries_add_generators(struct entries *entries, struct error *error)
{
  char name[2 * PRESET_NAME_BYTES];

  for (const struct generator *generator = generators; generator->name; generator++) {
    snprintf(name, sizeof name, "%s:%s", generator->name, generator->arguments);
    if (!entries_add(entries, name, generator->about, error))
      return false;
  }
  return true;
}

/* The description in a file's first line: what stands behind its `#`. */
static void file_describe(const char *folder, const char *file, char *about, size_t size)
{
  char *path = NULL;
  FILE *stream = NULL;
  char line[256] = "";
  const char *begin = line;

  if (asprintf(&path, "%s/%s", folder, file) >= 0) {
    stream = fopen(path, "re");
    free(path);
  }
  if (!stream) {
    snprintf(about, size, "(can't be read)");
    return;
  }
  if (!fgets(line, sizeof line, stream) || *line != '#')
    strcpy(line, "(no description)");
  fclose(stream);
  line[strcspn(line, "\r\n")] = '\0';
  begin += strspn(begin, "# \t");
  snprintf(about, size, "%s", begin);
}

/* Adds the presets of a folder; false where it can't be read. */
static bool entries_add_folder(struct entries *entries, const char *folder, struct error *error)
{
  char name[PRESET_NAME_BYTES], about[256], quoted[512];
  DIR *directory = opendir(folder);
  struct dirent *file;
  bool added = true;

  if (!directory)
    return error_set(error, STATUS_FAILED, "%s: the folder of filters can't be read: %s",
                     quote_name(folder, quoted, sizeof quoted), strerror(errno));
  while (added && (file = readdir(directory))) {
    size_t length = strlen(file->d_name);

    if (length < 5 || length - 4 >= sizeof name || strcmp(file->d_name + length - 4, ".txt") != 0)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)length - 4, file->d_name);
    file_describe(folder, file->d_name, about, sizeof about);
    added = entries_add(entries, name, about, error);
  }
  closedir(directory);
  return added;
}

/* All presets there are, sorted. */
static bool entries_find(struct entries *entries, struct error *error)
{
  char *folders[FOLDERS];
  bool found = entries_add_generators(entries, error);

  folders_find(folders);
  for (unsigned i = 0; i < FOLDERS && found; i++) {
    /* With $HALO_FILTERS set, halo's own folder may be missing. */
    bool needed = i == 0 || !folders[0];

    if (folders[i] && (needed || access(folders[i], F_OK) == 0))
      found = entries_add_folder(entries, folders[i], error);
  }
  folders_free(folders);
  if (found)
    qsort(entries->list, entries->count, sizeof *entries->list, entry_compare);
  return found;
}

bool filter_list(struct error *error)
{
  struct entries entries = {NULL, 0};
  bool found = entries_find(&entries, error);
  size_t width = 0;

  for (size_t i = 0; i < entries.count; i++)
    if (strlen(entries.list[i].name) > width)
      width = strlen(entries.list[i].name);
  for (size_t i = 0; found && i < entries.count; i++)
    printf("%-*s  %s\n", (int)width, entries.list[i].name, entries.list[i].about);
  entries_free(&entries);
  return found;
}

/* The edit distance (Levenshtein): how many bytes must be added, dropped or changed to make one name the
   other. */
static size_t name_distance(const char *from, const char *to)
{
  size_t row[PRESET_NAME_BYTES + 1], length = strlen(to);

  for (size_t j = 0; j <= length; j++)
    row[j] = j;
  for (size_t i = 0; from[i]; i++) {
    size_t corner = row[0];

    row[0] = i + 1;
    for (size_t j = 0; j < length; j++) {
      size_t best = corner + (preset_lower(from[i]) != to[j]);

      corner = row[j + 1];
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (corner + 1 < best)
        best = corner + 1;
      row[j + 1] = best;
    }
  }
  return row[length];
}

bool preset_nearest(const char *name, char *buffer, size_t size)
{
  struct entries entries = {NULL, 0};
  size_t best = strlen(name) < 6 ? 1 : strlen(name) / 3; /* what still counts as near */
  bool near = false;
  struct error ignored;

  entries_find(&entries, &ignored);
  for (size_t i = 0; i < entries.count && strlen(name) < PRESET_NAME_BYTES; i++) {
    char *preset = entries.list[i].name;
    size_t length = strcspn(preset, ":"), distance;
    char plain[PRESET_NAME_BYTES];

    snprintf(plain, sizeof plain, "%.*s", (int)length, preset);
    distance = name_distance(name, plain);
    if (distance < best || (!near && distance == best)) {
      best = distance;
      near = true;
      snprintf(buffer, size, "%s", preset);
    }
  }
  entries_free(&entries);
  return near;
}
