/* The picture that --bench is given: see bench_input.h. */
#include "config.h"

#include "bench_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"

enum { PIECE_BYTES = 1 << 16 };

static bool bytes_write(int descriptor, const char *bytes, size_t count)
{
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);

    if (written < 0 && errno != EINTR)
      return false;
    bytes += written > 0 ? written : 0;
    count -= written > 0 ? (size_t)written : 0;
  }
  return true;
}

/* Copies all bytes of one descriptor to the other. */
static bool bytes_copy(int from, int to, size_t *copied, struct error *error)
{
  char bytes[PIECE_BYTES];
  ssize_t count;

  *copied = 0;
  while ((count = read(from, bytes, sizeof bytes)) != 0) {
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EBADF)
      return true; /* it is closed: nothing comes */
    if (count < 0)
      return error_set(error, STATUS_FAILED, "can't be read: %s", strerror(errno));
    if (!bytes_write(to, bytes, (size_t)count))
      return error_set(error, STATUS_FAILED, "can't be copied to a temporary file: %s",
                       strerror(errno));
    *copied += (size_t)count;
  }
  return true;
}

/* A temporary file that has no name any more, and goes away with its descriptor; −1 with errno. */
static int file_nameless(void)
{
  const char *folder = getenv("TMPDIR");
  char name[4096];
  int descriptor;

  snprintf(name, sizeof name, "%s/halo-bench-XXXXXX", folder && *folder ? folder : "/tmp");
  descriptor = mkstemp(name);
  if (descriptor >= 0)
    unlink(name);
  return descriptor;
}

static bool input_copy(struct bench_input *input, int from, size_t *copied, struct error *error)
{
  bool done;

  input->descriptor = file_nameless();
  if (input->descriptor < 0)
    return error_set(error, STATUS_FAILED, "no temporary file for a copy: %s", strerror(errno));
  progress_show("halo: reading %s", input->shown);
  done = bytes_copy(from, input->descriptor, copied, error);
  progress_end();
  snprintf(input->copy, sizeof input->copy, "/dev/fd/%d", input->descriptor);
  input->name = input->copy;
  return done;
}

/* Standard input; empty is an error where it was named. */
static bool input_standard(struct bench_input *input, bool named, struct error *error)
{
  size_t bytes = 0;

  input->shown = "standard input";
  if (isatty(STDIN_FILENO))
    return !named ||
           error_set(error, STATUS_USAGE, "a picture can't be typed at a terminal; give a FILE");
  if (!input_copy(input, STDIN_FILENO, &bytes, error))
    return false;
  if (bytes == 0 && !named)
    input->name = NULL;
  return true;
}

/* A pipe, such as <(command) of the shell. */
static bool input_pipe(struct bench_input *input, struct error *error)
{
  int pipe = open(input->shown, O_RDONLY | O_CLOEXEC);
  size_t bytes;
  bool done;

  if (pipe < 0)
    return error_set(error, STATUS_FAILED, "can't be opened: %s", strerror(errno));
  done = input_copy(input, pipe, &bytes, error);
  close(pipe);
  return done;
}

bool bench_input_open(struct bench_input *input, const struct settings *settings,
                      struct error *error)
{
  struct stat status;
  bool done = true;

  *input = (struct bench_input){.descriptor = -1};
  if (settings->file_count == 0 || strcmp(settings->files[0], "-") == 0) {
    done = input_standard(input, settings->file_count > 0, error);
  } else {
    input->shown = input->name = settings->files[0];
    if (stat(input->shown, &status) == 0 && S_ISFIFO(status.st_mode))
      done = input_pipe(input, error);
  }
  return done || error_name(error, input->shown);
}

void bench_input_close(struct bench_input *input)
{
  if (input->descriptor >= 0)
    close(input->descriptor);
}
