/* Writing bytes so that nothing is lost: see output.h. */
#include "config.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  BUFFER_BYTES = 1 << 18, /* what is gathered before a write */
  HELD_BYTES = 64 << 20,  /* what is held back at most; beyond it halo streams */
  GUARDED_FILES = 256,    /* half-written files at a time that a signal removes */
  LINKS_MAX = 40,         /* symbolic links on the way to a file, as Linux counts them */
};

/* The names of half-written files, for the signal handler. */
static _Atomic(const char *) guarded[GUARDED_FILES];

static void signal_remove(int number)
{
  for (int i = 0; i < GUARDED_FILES; i++) {
    const char *name = atomic_load(&guarded[i]);

    if (name)
      unlink(name);
  }
  signal(number, SIG_DFL);
  raise(number);
}

void output_guard_signals(void)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;

  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN)
      continue; /* nohup: whoever started us wants it ignored */
    memset(&action, 0, sizeof action);
    action.sa_handler = signal_remove;
    sigemptyset(&action.sa_mask);
    sigaction(numbers[i], &action, NULL);
  }
}

static int guard_add(const char *name)
{
  for (int i = 0; i < GUARDED_FILES; i++) {
    const char *nobody = NULL;

    if (atomic_compare_exchange_strong(&guarded[i], &nobody, name))
      return i;
  }
  return -1;
}

static void guard_remove(int slot)
{
  if (slot >= 0)
    atomic_store(&guarded[slot], NULL);
}

/* An error of the output names it, since the picture that is read has a name of its own. */
static bool output_fail(const struct output *output, struct error *error, const char *what,
                        int number)
{
  error_set(error, STATUS_FAILED, "%s: %s", what, strerror(number));
  return error_name(error, output->name);
}

static char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *text_format(const char *format, ...)
{
  char *text = NULL;
  va_list arguments;

  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    text = NULL;
  va_end(arguments);
  return text;
}

/* Bytes of the directory part of a name, with its slash. */
static int directory_bytes(const char *name)
{
  const char *slash = strrchr(name, '/');

  return slash ? (int)(slash - name) + 1 : 0;
}

/* The file that a name leads to through symbolic links, whether it exists or not; NULL with errno
   where that can't be told. */
static char *link_follow(const char *name)
{
  char *target = strdup(name);
  char link[PATH_MAX];
  struct stat status;

  for (int links = 0; target && lstat(target, &status) == 0 && S_ISLNK(status.st_mode); links++) {
    ssize_t bytes = readlink(target, link, sizeof link - 1);
    char *next = NULL;

    if (links == LINKS_MAX)
      errno = ELOOP;
    else if (bytes >= 0) {
      link[bytes] = '\0';
      next = *link == '/' ? strdup(link)
                          : text_format("%.*s%s", directory_bytes(target), target, link);
    }
    free(target);
    target = next;
  }
  return target;
}

/* Makes the temporary file beside the target, with the mode (and, where that is allowed, the owner)
   of the file that it will replace. */
static bool output_open_temporary(struct output *output, struct error *error)
{
  static atomic_uint count;
  struct stat old;

  do {
    guard_remove(output->slot);
    free(output->temporary);
    output->temporary = text_format("%.*s.halo-%ld-%u.tmp", directory_bytes(output->target),
                                    output->target, (long)getpid(), atomic_fetch_add(&count, 1));
    if (!output->temporary)
      return error_set(error, STATUS_FAILED, "no memory for a file name");
    output->slot = guard_add(output->temporary);
    output->descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (output->descriptor < 0 && errno == EEXIST);
  if (output->descriptor < 0)
    return output_fail(output, error, "can't be written", errno);
  if (stat(output->target, &old) == 0) {
    if (fchown(output->descriptor, old.st_uid, old.st_gid) != 0)
      errno = 0; /* only root may give files away */
    fchmod(output->descriptor, old.st_mode & 07777);
  }
  return true;
}

static bool output_open_file(struct output *output, struct error *error)
{
  struct stat status;

  output->target = link_follow(output->name);
  if (!output->target)
    return output_fail(output, error, "can't be written", errno);
  if (stat(output->target, &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode))
      return output_fail(output, error, "-d DIR puts results in a directory, -o FILE", EISDIR);
    free(output->target); /* a device or a pipe: nothing to replace */
    output->target = NULL;
    output->held = true;
    output->descriptor = open(output->name, O_WRONLY | O_CLOEXEC);
    if (output->descriptor < 0)
      return output_fail(output, error, "can't be written", errno);
    return true;
  }
  return output_open_temporary(output, error);
}

bool output_open(struct output *output, const char *name, struct error *error)
{
  memset(output, 0, sizeof *output);
  output->descriptor = -1;
  output->slot = -1;
  if (!name || strcmp(name, "-") == 0) {
    output->name = "standard output";
    output->descriptor = STDOUT_FILENO;
    output->held = true;
    return true;
  }
  output->name = name;
  if (!output_open_file(output, error)) {
    output_discard(output);
    return false;
  }
  return true;
}

static bool output_send(struct output *output, const unsigned char *bytes, size_t count,
                        struct error *error)
{
  while (count > 0) {
    ssize_t sent = write(output->descriptor, bytes, count);

    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0)
      return output_fail(output, error, "can't be written", errno);
    bytes += sent;
    count -= (size_t)sent;
  }
  return true;
}

static bool output_flush(struct output *output, struct error *error)
{
  size_t size = output->size;

  output->size = 0;
  return output_send(output, output->bytes, size, error);
}

bool output_write(struct output *output, const void *bytes, size_t count, struct error *error)
{
  output->written += count;
  if (!output->held && count >= BUFFER_BYTES)
    return output_flush(output, error) && output_send(output, bytes, count, error);
  if (output->size + count > output->room) {
    size_t room = output->size + count < BUFFER_BYTES ? BUFFER_BYTES : 2 * (output->size + count);
    unsigned char *larger = realloc(output->bytes, room);

    if (!larger)
      return error_set(error, STATUS_FAILED, "no memory for %zu bytes of output", room);
    output->bytes = larger;
    output->room = room;
  }
  memcpy(output->bytes + output->size, bytes, count);
  output->size += count;
  if (output->size > HELD_BYTES)
    return output_release(output, error);
  return output->held || output->size < BUFFER_BYTES || output_flush(output, error);
}

bool output_release(struct output *output, struct error *error)
{
  bool was_held = output->held;

  output->held = false;
  return !was_held || output_flush(output, error);
}

bool output_commit(struct output *output, struct error *error)
{
  bool done = output_release(output, error) && output_flush(output, error);
  int descriptor = output->descriptor;

  if (done) {
    output->descriptor = -1;
    if (close(descriptor) != 0)
      done = output_fail(output, error, "can't be written", errno);
  }
  if (done && output->temporary && rename(output->temporary, output->target) != 0)
    done = output_fail(output, error, "can't be put in its place", errno);
  if (done && output->temporary) {
    guard_remove(output->slot);
    free(output->temporary);
    output->temporary = NULL;
    output->slot = -1;
  }
  output_discard(output);
  return done;
}

void output_discard(struct output *output)
{
  if (output->descriptor >= 0)
    close(output->descriptor);
  output->descriptor = -1;
  if (output->temporary) {
    unlink(output->temporary);
    guard_remove(output->slot);
  }
  output->slot = -1;
  free(output->temporary);
  output->temporary = NULL;
  free(output->target);
  output->target = NULL;
  free(output->bytes);
  output->bytes = NULL;
  output->size = output->room = 0;
}
