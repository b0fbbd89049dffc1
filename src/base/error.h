/* Errors travel up: a function that can fail returns false after it has written here what went
   wrong, where the facts are known.  Only main prints and exits. */
#ifndef HALO_ERROR_H
#define HALO_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The exit status that an error asks for. */
enum status {
  STATUS_DONE = 0,
  STATUS_FAILED = 1, /* an input could not be read or an output not be written */
  STATUS_USAGE = 2,  /* wrong options or a wrong filter */
  STATUS_DEVICE = 3, /* the device asked for can't be used */
};

struct error {
  enum status status;
  bool named;      /* the text begins with the name of what went wrong */
  char text[1024]; /* one line, without the program's name and without a newline */
};

/* Writes status and message (printf); always returns false, so that a caller can return it. */
bool error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "NAME: " before the text, where NAME is quoted as quote_name() does, unless the text begins
   with a name already: the first to name it was nearest to the cause.  Returns false. */
bool error_name(struct error *error, const char *name);

/* A name as it may stand in a message: as it is when every byte is harmless, else in the quotes
   of the shell ($'new\nline').  What is written is ASCII without control characters, since a name
   need not be text in anybody's encoding.  Writes at most `size` bytes into `buffer`, and returns it. */
const char *quote_name(const char *name, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
