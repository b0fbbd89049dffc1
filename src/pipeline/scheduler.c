/* Threads that take bands: see scheduler.h. */
#include "scheduler.h"

#include <pthread.h>
#include <stdlib.h>

struct scheduler {
  const struct work_list *list;
  size_t threads, max_bytes;

  pthread_mutex_t lock; /* over all that follows, and over the state of graphs and stages */
  pthread_cond_t change;
  size_t idle;  /* threads that wait for `change` and were not signalled */
  size_t calls; /* threads that were signalled and have not woken up yet */
  pthread_t *helper;
  size_t helpers; /* threads started so far, without the first */

  size_t opened, begun, ended, closed; /* pictures so far; ended: of those begun */
  size_t reserved;                     /* bytes of memory */
  struct graph *running;               /* the oldest first */
  struct graph *waiting;               /* for memory; the oldest first */
};

/* What a thread can do next. */
enum task_kind { TASK_MAKE, TASK_BEGIN, TASK_OPEN };

struct task {
  enum task_kind kind;
  struct graph *graph;
  struct stage *stage;
  size_t band, count; /* bands to be made */
  size_t index;       /* picture to be opened */
  size_t share;       /* bands of it at a time, at most */
};

/* The stage of the graph whose next band is to be made first; NULL where none can be made. */
static struct stage *graph_choose(const struct scheduler *scheduler, const struct graph *graph)
{
  bool more = scheduler->idle > 0 || scheduler->helpers + 1 < scheduler->threads;

  if (graph->failed || graph->running >= graph->bands_at_once)
    return NULL;
  if (more && graph->running + 1 < graph->bands_at_once && stage_ready(graph->stages[0]))
    return graph->stages[0];
  for (size_t i = graph->count; i-- > 0;)
    if (stage_ready(graph->stages[i]))
      return graph->stages[i];
  return NULL;
}

/* Whether the picture that has waited longest fits in memory beside those that run; with none it always
   does, since none is opened that does not fit alone. */
static bool waiting_fits(const struct scheduler *scheduler)
{
  size_t others = scheduler->reserved - scheduler->list->open_bytes;

  return scheduler->waiting && (scheduler->begun == scheduler->ended ||
                                (others <= scheduler->max_bytes &&
                                 scheduler->waiting->bytes <= scheduler->max_bytes - others));
}

/* Every running picture has a band under way whenever no band can be started (stage.h), so pictures are
   never more than threads. */
static bool next_fits(const struct scheduler *scheduler)
{
  return scheduler->opened < scheduler->list->count && !scheduler->waiting &&
         (scheduler->reserved == 0 ||
          (scheduler->reserved <= scheduler->max_bytes &&
           scheduler->list->open_bytes <= scheduler->max_bytes - scheduler->reserved));
}

/* Finds what can be done next. */
static bool task_find(const struct scheduler *scheduler, struct task *task)
{
  for (struct graph *graph = scheduler->running; graph; graph = graph->next) {
    struct stage *stage = graph_choose(scheduler, graph);

    if (stage) {
      *task = (struct task){.kind = TASK_MAKE, .graph = graph, .stage = stage};
      return true;
    }
  }
  if (waiting_fits(scheduler)) {
    *task = (struct task){.kind = TASK_BEGIN, .graph = scheduler->waiting};
    return true;
  }
  *task = (struct task){.kind = TASK_OPEN, .index = scheduler->opened};
  return next_fits(scheduler);
}

/* The bands of a picture that may be under way at the same time: all threads share the pictures that are
   left, and one band more lets a thread that is done go on at once. */
static size_t picture_share(const struct scheduler *scheduler)
{
  size_t left = scheduler->list->count - scheduler->closed;

  if (left == 1 || scheduler->threads == 1)
    return scheduler->threads;
  return left < scheduler->threads ? (scheduler->threads - 1) / left + 2 : 2;
}

/* Takes the task, so that nobody else finds it. */
static void task_take(struct scheduler *scheduler, struct task *task)
{
  switch (task->kind) {
  case TASK_MAKE:
    task->band = task->stage->started;
    task->count = stage_start(task->stage);
    task->graph->running++;
    return;
  case TASK_BEGIN:
    scheduler->waiting = task->graph->next;
    scheduler->begun++;
    scheduler->reserved += task->graph->bytes - scheduler->list->open_bytes;
    return;
  case TASK_OPEN:
    task->share = picture_share(scheduler);
    scheduler->opened++;
    scheduler->reserved += scheduler->list->open_bytes;
    return;
  }
}

static void graph_insert(struct graph **list, struct graph *graph)
{
  while (*list && (*list)->index < graph->index)
    list = &(*list)->next;
  graph->next = *list;
  *list = graph;
}

static void graph_remove(struct graph **list, const struct graph *graph)
{
  while (*list != graph)
    list = &(*list)->next;
  *list = graph->next;
}

/* Ends a picture, and releases what it had reserved.  Called with the lock, which it gives up meanwhile. */
static void picture_close(struct scheduler *scheduler, size_t index, struct error *failure,
                          size_t bytes)
{
  pthread_mutex_unlock(&scheduler->lock);
  scheduler->list->close(scheduler->list->context, index, failure);
  pthread_mutex_lock(&scheduler->lock);
  scheduler->reserved -= bytes;
  scheduler->closed++;
  if (scheduler->closed == scheduler->list->count)
    pthread_cond_broadcast(&scheduler->change);
}

/* These do a task.  Called with the lock, which they give up meanwhile. */

static void task_open(struct scheduler *scheduler, const struct task *task)
{
  struct graph *graph;
  struct error error;

  pthread_mutex_unlock(&scheduler->lock);
  graph = scheduler->list->open(scheduler->list->context, task->index, task->share, &error);
  pthread_mutex_lock(&scheduler->lock);
  if (!graph) {
    picture_close(scheduler, task->index, &error, scheduler->list->open_bytes);
    return;
  }
  graph->index = task->index;
  graph_insert(&scheduler->waiting, graph);
}

static void task_begin(struct scheduler *scheduler, struct graph *graph)
{
  bool begun;

  pthread_mutex_unlock(&scheduler->lock);
  begun = graph_start(graph, &graph->error);
  pthread_mutex_lock(&scheduler->lock);
  if (begun) {
    graph_insert(&scheduler->running, graph);
    return;
  }
  picture_close(scheduler, graph->index, &graph->error, graph->bytes);
  scheduler->ended++;
}

static void task_make(struct scheduler *scheduler, const struct task *task)
{
  struct graph *graph = task->graph;
  struct error error;
  bool done;

  pthread_mutex_unlock(&scheduler->lock);
  done = stage_make(task->stage, task->band, task->count, &error);
  pthread_mutex_lock(&scheduler->lock);
  graph->running--;
  if (done)
    stage_finish(task->stage, task->band, task->count);
  else if (!graph->failed)
    graph->error = error;
  graph->failed = graph->failed || !done;
  if (graph->running > 0 || !(graph->failed || graph_done(graph)))
    return;
  graph_remove(&scheduler->running, graph);
  picture_close(scheduler, graph->index, graph->failed ? &graph->error : NULL, graph->bytes);
  scheduler->ended++;
}

static void *worker_run(void *context);

/* Where there is more to do, wakes a thread that sleeps, or starts one.  That one does the same when it
   has taken its task. */
static void scheduler_call(struct scheduler *scheduler)
{
  struct task more;

  if (scheduler->idle == 0 && scheduler->helpers + 1 >= scheduler->threads)
    return;
  if (!task_find(scheduler, &more))
    return;
  if (scheduler->idle > 0) {
    scheduler->idle--;
    scheduler->calls++;
    pthread_cond_signal(&scheduler->change);
  } else if (pthread_create(&scheduler->helper[scheduler->helpers], NULL, worker_run, scheduler) ==
             0) {
    scheduler->helpers++;
  } else {
    scheduler->threads = scheduler->helpers + 1; /* the system has no more */
  }
}

static void worker_sleep(struct scheduler *scheduler)
{
  scheduler->idle++;
  while (scheduler->calls == 0 && scheduler->closed < scheduler->list->count)
    pthread_cond_wait(&scheduler->change, &scheduler->lock);
  if (scheduler->calls > 0)
    scheduler->calls--;
}

static void *worker_run(void *context)
{
  struct scheduler *scheduler = context;
  struct task task;

  pthread_mutex_lock(&scheduler->lock);
  while (scheduler->closed < scheduler->list->count) {
    if (!task_find(scheduler, &task)) {
      worker_sleep(scheduler);
      continue;
    }
    task_take(scheduler, &task);
    scheduler_call(scheduler);
    switch (task.kind) {
    case TASK_MAKE:
      task_make(scheduler, &task);
      break;
    case TASK_BEGIN:
      task_begin(scheduler, task.graph);
      break;
    case TASK_OPEN:
      task_open(scheduler, &task);
      break;
    }
  }
  pthread_mutex_unlock(&scheduler->lock);
  return NULL;
}

void scheduler_run(const struct work_list *list, size_t threads, size_t max_bytes)
{
  struct scheduler scheduler = {
      .list = list,
      .threads = threads,
      .max_bytes = max_bytes,
      .helper = calloc(threads, sizeof(pthread_t)),
  };

  if (!scheduler.helper)
    scheduler.threads = 1;
  pthread_mutex_init(&scheduler.lock, NULL);
  pthread_cond_init(&scheduler.change, NULL);
  worker_run(&scheduler);
  for (size_t i = 0; i < scheduler.helpers; i++)
    pthread_join(scheduler.helper[i], NULL);
  pthread_mutex_destroy(&scheduler.lock);
  pthread_cond_destroy(&scheduler.change);
  free(scheduler.helper);
}
