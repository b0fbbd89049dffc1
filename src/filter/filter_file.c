/* The text of a filter file: see filter_file.h. */
#include "config.h"

#include "filter_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1 << 28, FILE_BYTES_FIRST = 1 << 16 };

/* Reads to the end of the file, into memory that is doubled where it is full. */
static bool descriptor_read(int descriptor, char **text, size_t *size, struct error *error)
{
  size_t capacity = FILE_BYTES_FIRST;
  char *bytes = malloc(capacity), *more;
  ssize_t got;

  for (*size = 0; bytes; *size += (size_t)got) {
    if (*size == capacity) {
      more = realloc(bytes, capacity *= 2);
      if (!more)
        break;
      bytes = more;
    }
    do
      got = read(descriptor, bytes + *size, capacity - *size);
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
  error_set(error, STATUS_FAILED, "no memory for the text of a filter");

free_bytes:
  free(bytes);
  return false;
}

enum filter_file filter_file_read(const char *name, char **text, size_t *size, struct error *error)
{
  int descriptor = open(name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool read;

  if (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
    return FILTER_FILE_MISSING;
  if (descriptor < 0) {
    error_set(error, STATUS_USAGE, "the filter can't be read: %s", strerror(errno));
    error_name(error, name);
    return FILTER_FILE_FAILED;
  }
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    return FILTER_FILE_DIRECTORY;
  }
  read = descriptor_read(descriptor, text, size, error);
  close(descriptor);
  if (!read)
    error_name(error, name);
  return read ? FILTER_FILE_READ : FILTER_FILE_FAILED;
}
