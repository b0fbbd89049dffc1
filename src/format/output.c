/* Writing bytes so that nothing is lost: see output.h. */
#include "config.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  BUFFER_BYTES = 1 << 18, /* what is gathered before a write */
  HELD_BYTES = 64 << 20,  /* what is held back at most; beyond it halo streams */
  LINKS_MAX = 40,         /* symbolic links on the way to a file, as Linux counts them */
};

/* An error of the output names the output, not the picture that is read. */
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

static bool folder_is(const char *folder, const struct stat *other)
{
  struct stat status;

  return stat(folder, &status) == 0 && status.st_dev == other->st_dev &&
         status.st_ino == other->st_ino;
}

/* The descriptor of halo that a name stands for, such as 3 for /dev/fd/3; −1 where it stands for none.
   What such a name leads to must not be opened anew, since the descriptor has a position in its file,
   and may append to it. */
static int name_descriptor(const char *name)
{
  const char *number = name + directory_bytes(name);
  char *folder, *end;
  struct stat status;
  long descriptor;
  bool ours;

  if (*number < '0' || *number > '9')
    return -1;
  descriptor = strtol(number, &end, 10);
  if (*end || descriptor > INT_MAX)
    return -1;
  folder = text_format("%.*s.", directory_bytes(name), name);
  ours = folder && stat(folder, &status) == 0 &&
         (folder_is("/proc/self/fd", &status) || folder_is("/proc/thread-self/fd", &status) ||
          folder_is("/dev/fd", &status));
  free(folder);
  return ours ? (int)descriptor : -1;
}

/* The file that a name leads to through symbolic links, whether it exists or not; NULL with errno
   where that can't be told.  *descriptor is that of name_descriptor() where the way leads through one,
   else −1. */
static char *link_follow(const char *name, int *descriptor)
{
  char *target = strdup(name);
  char link[PATH_MAX];
  struct stat status;

  *descriptor = target ? name_descriptor(target) : -1;
  for (int links = 0;
       target && *descriptor < 0 && lstat(target, &status) == 0 && S_ISLNK(status.st_mode);
       links++) {
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
    *descriptor = target ? name_descriptor(target) : -1;
  }
  return target;
}

/* Gives a new file the owner and the mode of the one that it will replace, as far as the user may.  As
   xz does it: where the group stays another, it gets no right that others don't have, since the old
   file's group was meant; set-id bits stay only with the owner and the group that they were set for. */
static void file_inherit(int descriptor, const struct stat *old)
{
  bool owner = fchown(descriptor, old->st_uid, (gid_t)-1) == 0;
  bool group = fchown(descriptor, (uid_t)-1, old->st_gid) == 0;
  mode_t mode = old->st_mode & 07777;

  if (!owner || !group)
    mode &= 0777;
  if (!group) {
    mode_t common = (mode >> 3) & mode & 0007; /* what group and others both may */

    mode = (mode & 0700) | common << 3 | common;
  }
  fchmod(descriptor, mode);
}

/* Makes the temporary file beside the target. */
static bool output_open_temporary(struct output *output, struct error *error)
{
  struct stat old;
  bool replaces = stat(output->target, &old) == 0;

  output->descriptor =
      temporary_open(&output->temporary, output->target, ".halo", "tmp", replaces ? 0600 : 0666);
  if (output->descriptor < 0)
    return output_fail(output, error, "can't be written", errno);
  if (replaces)
    file_inherit(output->descriptor, &old);
  return true;
}

static bool descriptor_check(int descriptor)
{
  int flags = fcntl(descriptor, F_GETFL);

  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
    errno = EBADF;
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* Writes through a descriptor that whoever started halo has opened.  It is closed with the output, so
   that a reader sees the end; but standard error is still needed for messages. */
static bool output_open_descriptor(struct output *output, int descriptor, struct error *error)
{
  output->held = true;
  if (descriptor_check(descriptor))
    output->descriptor =
        descriptor == STDERR_FILENO ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : descriptor;
  return output->descriptor >= 0 || output_fail(output, error, "can't be written", errno);
}

static bool output_open_name(struct output *output, struct error *error)
{
  struct stat status;
  int descriptor;

  output->target = link_follow(output->name, &descriptor);
  if (!output->target)
    return output_fail(output, error, "can't be written", errno);
  if (descriptor < 0 && (stat(output->name, &status) != 0 || S_ISREG(status.st_mode)))
    return output_open_temporary(output, error);
  free(output->target); /* nothing is replaced */
  output->target = NULL;
  if (descriptor >= 0)
    return output_open_descriptor(output, descriptor, error);
  output->held = true;
  output->descriptor = open(output->name, O_WRONLY | O_CLOEXEC);
  return output->descriptor >= 0 || output_fail(output, error, "can't be written", errno);
}

static bool name_is_standard(const char *name)
{
  return !name || strcmp(name, "-") == 0;
}

bool output_open(struct output *output, const char *name, struct error *error)
{
  bool standard = name_is_standard(name), done;

  *output = (struct output){.name = standard ? "standard output" : name, .descriptor = -1};
  done = standard ? output_open_descriptor(output, STDOUT_FILENO, error)
                  : output_open_name(output, error);
  if (!done)
    output_discard(output);
  return done;
}

bool output_check(const char *name, struct error *error)
{
  bool standard = name_is_standard(name);
  struct output output = {.name = standard ? "standard output" : name};
  int descriptor = STDOUT_FILENO;
  struct stat status;

  if (name && !*name)
    return output_fail(&output, error, "can't be written", ENOENT);
  if (!standard) {
    free(link_follow(name, &descriptor));
    if (descriptor < 0 && stat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
      error_set(error, STATUS_USAGE,
                "is a directory; use -d DIR to write results into it, each under its input's name");
      return error_name(error, name);
    }
  }
  return descriptor < 0 || descriptor_check(descriptor) ||
         output_fail(&output, error, "can't be written", errno);
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

static size_t held_most(const struct output *output)
{
  return output->held_most && output->held_most < HELD_BYTES ? output->held_most : HELD_BYTES;
}

size_t output_held_bytes(const struct output *output, size_t bytes)
{
  if (!output->held)
    return 0;
  return bytes < held_most(output) ? bytes : held_most(output);
}

bool output_write(struct output *output, const void *bytes, size_t count, struct error *error)
{
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
  if (output->size > held_most(output))
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
  if (done && output->temporary.name && !temporary_rename(&output->temporary, output->target))
    done = output_fail(output, error, "can't be put in its place", errno);
  output_discard(output);
  return done;
}

void output_discard(struct output *output)
{
  if (output->descriptor >= 0)
    close(output->descriptor);
  output->descriptor = -1;
  temporary_remove(&output->temporary);
  free(output->target);
  output->target = NULL;
  free(output->bytes);
  output->bytes = NULL;
  output->size = output->room = 0;
}
