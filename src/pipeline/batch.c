/* Many pictures, or one: see batch.h. */
#include "config.h"

#include "batch.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format.h"
#include "scheduler.h"

/* What an opened picture takes at once, beside its filters: buffers of its input and of its output. */
enum { OPEN_BYTES = 1 << 19 };

/* One picture of the batch. */
struct item {
  const char *input;
  char *output;         /* owned; NULL for standard output */
  struct error refused; /* why it is not even tried; empty text if it is */
  struct convolution *convolution;
};

/* What the threads share that run the pictures. */
struct batch {
  const struct settings *settings;
  const struct choice *choice;
  const struct chain *chain;
  struct item *items;
  pthread_mutex_t lock; /* over `tell` and `failures` */
  batch_tell *tell;
  void *context;
  size_t failures;
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

static struct graph *item_open(void *context, size_t index, size_t threads, struct error *error)
{
  struct batch *batch = context;
  struct item *item = &batch->items[index];

  if (item->refused.text[0]) {
    *error = item->refused;
    error_name(error, item->input);
    return NULL;
  }
  item->convolution = convolution_open(batch->settings, batch->choice, batch->chain, item->input,
                                       item->output, threads, error);
  return item->convolution ? convolution_graph(item->convolution) : NULL;
}

static void item_close(void *context, size_t index, struct error *failure)
{
  struct batch *batch = context;
  struct item *item = &batch->items[index];
  bool done = !failure;
  struct report report;
  struct error error;

  if (failure)
    error = *failure; /* the graph's own goes with it */
  if (item->convolution)
    done = convolution_close(item->convolution, done, &report, &error);
  pthread_mutex_lock(&batch->lock);
  batch->failures += !done;
  batch->tell(batch->context, item->input, done ? &report : NULL, done ? NULL : &error);
  pthread_mutex_unlock(&batch->lock);
}

static void batch_schedule(struct batch *batch, size_t count)
{
  struct work_list list = {
      .context = batch,
      .count = count,
      .open_bytes = OPEN_BYTES + chain_bytes(batch->chain),
      .open = item_open,
      .close = item_close,
  };

  pthread_mutex_init(&batch->lock, NULL);
  scheduler_run(&list, batch->choice->threads, batch->settings->max_memory);
  pthread_mutex_destroy(&batch->lock);
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
  struct batch batch = {
      .settings = settings, .choice = choice, .chain = chain, .tell = tell, .context = context};
  struct error error;

  if (settings->directory && mkdir(settings->directory, 0777) != 0 && errno != EEXIST) {
    error_set(&error, STATUS_FAILED, "can't be made: %s", strerror(errno));
    error_name(&error, settings->directory);
    return batch_fail(&error, tell, context);
  }
  batch.items = calloc(count, sizeof *batch.items);
  if (batch.items && items_name(batch.items, count, settings)) {
    batch_schedule(&batch, count);
  } else {
    error_set(&error, STATUS_FAILED, "no memory for %zu names", count);
    batch.failures = batch_fail(&error, tell, context);
  }
  for (size_t i = 0; batch.items && i < count; i++)
    free(batch.items[i].output);
  free(batch.items);
  return batch.failures;
}
