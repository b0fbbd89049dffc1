/* Many pictures, or one: see batch.h. */
#include "config.h"

#include "batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format.h"

/* One picture of the batch. */
struct item {
  const char *input;
  char *output;         /* owned; NULL for standard output */
  struct error refused; /* why it is not even tried; empty text if it is */
};

/* Where the result of `input` goes under -d: the same name in the directory, with the extension of
   --format if one is asked for. */
static char *output_name(const struct settings *settings, const char *input)
{
  const struct format *format = settings->format ? format_find(settings->format) : NULL;
  const char *slash = strrchr(input, '/');
  const char *base = slash ? slash + 1 : input;
  const char *dot = strrchr(base, '.');
  size_t stem = dot && dot > base ? (size_t)(dot - base) : strlen(base);
  size_t length = strlen(settings->directory);
  const char *join = length && settings->directory[length - 1] == '/' ? "" : "/";
  const char *ending = "";
  char *name = NULL;
  int bytes;

  if (format && format != format_for_name(base))
    ending = format->extensions[0];
  else
    stem = strlen(base);
  bytes = asprintf(&name, "%s%s%.*s%s%s", settings->directory, join, (int)stem, base,
                   *ending ? "." : "", ending);
  return bytes < 0 ? NULL : name;
}

static int item_compare(const void *a, const void *b)
{
  const struct item *one = *(struct item *const *)a, *other = *(struct item *const *)b;
  int order = strcmp(one->output, other->output);

  return order ? order : one < other ? -1 : one > other;
}

/* Two pictures must not become one file: the second is refused. */
static bool items_check(struct item *items, size_t count)
{
  struct item **sorted = malloc(count * sizeof *sorted);
  char quoted[512];

  if (!sorted)
    return false;
  for (size_t i = 0; i < count; i++)
    sorted[i] = &items[i];
  qsort(sorted, count, sizeof *sorted, item_compare);
  for (size_t i = 1; i < count; i++)
    if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0)
      error_set(&sorted[i]->refused, STATUS_FAILED,
                "%s is the result of another picture already; rename one",
                quote_name(sorted[i]->output, quoted, sizeof quoted));
  free(sorted);
  return true;
}

static bool items_name(struct item *items, size_t count, const struct settings *settings)
{
  for (size_t i = 0; i < count; i++) {
    items[i].input = settings->file_count ? settings->files[i] : "-";
    if (settings->directory)
      items[i].output = output_name(settings, items[i].input);
    else if (settings->output)
      items[i].output = strdup(settings->output);
    if (!items[i].output && (settings->directory || settings->output))
      return false;
    if (settings->directory && strcmp(items[i].input, "-") == 0)
      error_set(&items[i].refused, STATUS_USAGE,
                "standard input has no name for a result in -d DIR; use -o FILE");
  }
  return !settings->directory || items_check(items, count);
}

static void item_run(struct item *item, const struct settings *settings,
                     const struct choice *choice, const struct chain *chain, batch_tell *tell,
                     void *context, size_t *failures)
{
  struct report report;
  struct error error;
  bool done;

  if (item->refused.text[0]) {
    error = item->refused;
    done = error_name(&error, item->input);
  } else {
    done = convolve_picture(settings, choice, chain, item->input, item->output, &report, &error);
  }
#pragma omp critical(halo_batch_tell)
  {
    *failures += !done;
    tell(context, item->input, done ? &report : NULL, done ? NULL : &error);
  }
}

/* Tells of a failure that is no single picture's. */
static size_t batch_fail(const struct error *error, batch_tell *tell, void *context)
{
  tell(context, "", NULL, error);
  return 1;
}

size_t batch_run(const struct settings *settings, const struct choice *choice,
                 const struct chain *chain, batch_tell *tell, void *context)
{
  size_t count = settings->file_count ? settings->file_count : 1;
  size_t failures = 0;
  struct error error;
  struct item *items;

  if (settings->directory && mkdir(settings->directory, 0777) != 0 && errno != EEXIST) {
    error_set(&error, STATUS_FAILED, "can't be made: %s", strerror(errno));
    error_name(&error, settings->directory);
    return batch_fail(&error, tell, context);
  }
  items = calloc(count, sizeof *items);
  if (!items || !items_name(items, count, settings)) {
    error_set(&error, STATUS_FAILED, "no memory for %zu names", count);
    failures = batch_fail(&error, tell, context);
    goto free_items;
  }
#pragma omp parallel num_threads((int)choice->threads)
#pragma omp single
  for (size_t i = 0; i < count; i++) {
#pragma omp task firstprivate(i) shared(items, failures)
    item_run(&items[i], settings, choice, chain, tell, context, &failures);
  }
free_items:
  for (size_t i = 0; items && i < count; i++)
    free(items[i].output);
  free(items);
  return failures;
}
