/* Temporary files: see temporary.h.

   Their names stand in slots, which a signal handler walks through.  It may run at any moment and in any
   thread, while other threads make, rename and remove files; still it must find every file that exists,
   and no name that was freed.  A mutex would not do, since the handler may have interrupted the thread
   that holds it.  So a thread that changes files and slots first blocks all signals, which keeps the
   handler away from this thread, and counts itself in `changing`.  The handler sets `ending`, after which
   no change begins, and waits for those under way.  These are in other threads, and each is one system
   call long.  Then the slots stand still. */
#include "config.h"

#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Slots are never freed but used again, so that they can be walked through without a lock. */
struct temporary_slot {
  _Atomic(const char *)
      name; /* NULL: the slot is free; "": taken by a file that does not exist yet */
  struct temporary_slot *next;
};

static _Atomic(struct temporary_slot *) slots;
static atomic_int changing; /* threads that change files and slots now */
static atomic_bool ending;  /* the files are being removed, and halo ends */

/* Begins a change, unless halo is ending: then this thread stops here for good. */
static void change_begin(sigset_t *mask)
{
  sigset_t all;

  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, mask);
  atomic_fetch_add(&changing, 1);
  if (!atomic_load(&ending))
    return;
  atomic_fetch_sub(&changing, 1);
  for (;;)
    pause();
}

static void change_end(const sigset_t *mask)
{
  int kept = errno;

  atomic_fetch_sub(&changing, 1);
  pthread_sigmask(SIG_SETMASK, mask, NULL);
  errno = kept;
}

/* Calls nothing but what a signal handler may call. */
static void files_remove(void)
{
  static const struct timespec millisecond = {.tv_nsec = 1000000};

  atomic_store(&ending, true);
  while (atomic_load(&changing) > 0)
    nanosleep(&millisecond, NULL);
  for (struct temporary_slot *slot = atomic_load(&slots); slot; slot = slot->next) {
    const char *name = atomic_load(&slot->name);

    if (name && *name)
      unlink(name);
  }
}

static void signal_end(int number)
{
  sigset_t one;

  files_remove();
  signal(number, SIG_DFL);
  raise(number);
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL); /* here halo ends */
}

/* Whether a signal ends a process unless it is told otherwise, and can be caught. */
static bool signal_ends(int number)
{
  static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                               SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};

  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (number == others[i])
      return false;
  return true;
}

void temporary_guard(void)
{
  struct sigaction action = {.sa_handler = signal_end}, present;

  sigfillset(&action.sa_mask);
  for (int number = 1; number <= SIGRTMAX; number++)
    if (signal_ends(number) && sigaction(number, NULL, &present) == 0 &&
        !(present.sa_flags & SA_SIGINFO) && present.sa_handler == SIG_DFL)
      sigaction(number, &action, NULL);
  atexit(files_remove);
}

/* Takes a free slot, or makes one.  NULL where there is no memory. */
static struct temporary_slot *slot_take(void)
{
  struct temporary_slot *slot;

  for (slot = atomic_load(&slots); slot; slot = slot->next) {
    const char *nobody = NULL;

    if (atomic_compare_exchange_strong(&slot->name, &nobody, ""))
      return slot;
  }
  slot = malloc(sizeof *slot);
  if (!slot)
    return NULL;
  atomic_init(&slot->name, "");
  slot->next = atomic_load(&slots);
  while (!atomic_compare_exchange_strong(&slots, &slot->next, slot))
    continue;
  return slot;
}

/* Makes the file and puts its name into the slot, if no other file has that name. */
static int slot_open(struct temporary_slot *slot, const char *name, mode_t mode)
{
  sigset_t mask;
  int descriptor;

  change_begin(&mask);
  descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor >= 0)
    atomic_store(&slot->name, name);
  change_end(&mask);
  return descriptor;
}

/* PREFIX-PID-NUMBER.SUFFIX in the directory of `beside`, with a number that this process did not use
   before; NULL where there is no memory. */
static char *name_make(const char *beside, const char *prefix, const char *suffix)
{
  static atomic_uint count;
  const char *slash = strrchr(beside, '/');
  char *name;

  if (asprintf(&name, "%.*s%s-%ld-%u.%s", slash ? (int)(slash - beside) + 1 : 0, beside, prefix,
               (long)getpid(), atomic_fetch_add(&count, 1), suffix) < 0)
    return NULL;
  return name;
}

int temporary_open(struct temporary *temporary, const char *beside, const char *prefix,
                   const char *suffix, mode_t mode)
{
  struct temporary_slot *slot = slot_take();
  char *name = NULL;
  int descriptor = -1;

  *temporary = (struct temporary){0};
  if (!slot)
    return -1;
  do {
    free(name);
    name = name_make(beside, prefix, suffix);
    if (name)
      descriptor = slot_open(slot, name, mode);
  } while (name && descriptor < 0 && errno == EEXIST);
  if (descriptor >= 0) {
    *temporary = (struct temporary){name, slot};
    return descriptor;
  }
  atomic_store(&slot->name, NULL);
  free(name);
  return -1;
}

/* The file is no longer there under that name. */
static void temporary_forget(struct temporary *temporary)
{
  free(temporary->name);
  *temporary = (struct temporary){0};
}

bool temporary_rename(struct temporary *temporary, const char *target)
{
  sigset_t mask;
  bool done;

  change_begin(&mask);
  done = rename(temporary->name, target) == 0;
  if (done)
    atomic_store(&temporary->slot->name, NULL);
  change_end(&mask);
  if (done)
    temporary_forget(temporary);
  return done;
}

void temporary_remove(struct temporary *temporary)
{
  sigset_t mask;

  if (!temporary->name)
    return;
  change_begin(&mask);
  unlink(temporary->name);
  atomic_store(&temporary->slot->name, NULL);
  change_end(&mask);
  temporary_forget(temporary);
}
