/* Reading bytes: see input.h. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 18 };

static bool input_check(struct input *input, struct error *error)
{
  struct stat status;

  if (fstat(input->descriptor, &status) != 0)
    return error_set(error, STATUS_FAILED, "can't be read: %s", strerror(errno));
  if (S_ISDIR(status.st_mode))
    return error_set(error, STATUS_FAILED, "is a directory; name the pictures in it");
  if (isatty(input->descriptor))
    return error_set(
        error, STATUS_USAGE,
        "a picture can't be typed at a terminal; name a FILE, or redirect one with < FILE");
  return true;
}

bool input_open(struct input *input, const char *name, struct error *error)
{
  bool standard = strcmp(name, "-") == 0;

  memset(input, 0, sizeof *input);
  input->name = standard ? "standard input" : name;
  input->owned = !standard;
  input->descriptor = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
  if (input->descriptor < 0)
    return error_set(error, STATUS_FAILED, "can't be opened: %s", strerror(errno));
  input->capacity = BUFFER_BYTES;
  input->buffer = malloc(input->capacity);
  if (!input->buffer)
    error_set(error, STATUS_FAILED, "no memory for a buffer");
  if (!input->buffer || !input_check(input, error)) {
    input_close(input);
    return false;
  }
  return true;
}

void input_close(struct input *input)
{
  if (input->owned && input->descriptor >= 0)
    close(input->descriptor);
  input->descriptor = -1;
  free(input->buffer);
  input->buffer = NULL;
}

/* One read() into the `capacity` bytes at `bytes`; *got is 0 at the end of the file. */
static bool input_receive(struct input *input, void *bytes, size_t capacity, size_t *got,
                          struct error *error)
{
  ssize_t count;

  do
    count = read(input->descriptor, bytes, capacity);
  while (count < 0 && errno == EINTR);
  if (count < 0)
    return error_set(error, STATUS_FAILED, "can't be read: %s", strerror(errno));
  input->ended = count == 0;
  *got = (size_t)count;
  return true;
}

/* Fills the buffer until `count` bytes lie in it, or the file ends. */
static bool input_fill(struct input *input, size_t count, struct error *error)
{
  size_t got = 0;

  if (input->begin > 0) {
    memmove(input->buffer, input->buffer + input->begin, input->end - input->begin);
    input->end -= input->begin;
    input->begin = 0;
  }
  while (input->end < count && !input->ended) {
    if (!input_receive(input, input->buffer + input->end, input->capacity - input->end, &got,
                       error))
      return false;
    input->end += got;
  }
  return true;
}

bool input_peek(struct input *input, size_t count, const unsigned char **bytes, size_t *available,
                struct error *error)
{
  if (input->end - input->begin < count && !input_fill(input, count, error))
    return false;
  *bytes = input->buffer + input->begin;
  *available = input->end - input->begin < count ? input->end - input->begin : count;
  return true;
}

bool input_take(struct input *input, void *bytes, size_t count, size_t *got, struct error *error)
{
  size_t piece;

  *got = 0;
  while (*got < count) {
    if (input->begin == input->end && !input->ended && !input_fill(input, 1, error))
      return false;
    piece = input->end - input->begin;
    if (piece == 0)
      break;
    if (piece > count - *got)
      piece = count - *got;
    memcpy((unsigned char *)bytes + *got, input->buffer + input->begin, piece);
    input->begin += piece;
    *got += piece;
  }
  return true;
}

int input_byte(struct input *input, struct error *error)
{
  if (input->begin == input->end && !input_fill(input, 1, error))
    return -2;
  return input->begin < input->end ? input->buffer[input->begin++] : -1;
}
