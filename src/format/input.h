/* Input: the bytes of a file or of standard input, read in large pieces; the next few can be looked at
   before they are taken. */
#ifndef HALO_INPUT_H
#define HALO_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct input {
  const char *name; /* for messages: the file's, or "standard input" */
  int descriptor;
  bool owned; /* whether input_close() closes the descriptor */
  bool ended; /* end of file was seen */
  unsigned char *buffer;
  size_t begin, end, capacity; /* bytes begin … end − 1 of the buffer are not taken yet */
};

/* Opens the file, or standard input where `name` is "-".  A directory or a terminal is refused.  The
   name is kept, not copied. */
bool input_open(struct input *input, const char *name, struct error *error);
void input_close(struct input *input);

/* Points *bytes at the next bytes without taking them, until the next call.  *available is `count` (at
   most 4096), or less at the end of the file. */
bool input_peek(struct input *input, size_t count, const unsigned char **bytes, size_t *available,
                struct error *error);

/* Copies the next bytes to `bytes` and takes them.  *got is `count`, or less at the end of the file. */
bool input_take(struct input *input, void *bytes, size_t count, size_t *got, struct error *error);

/* The next byte, or −1 at the end of the file, or −2 after an error. */
int input_byte(struct input *input, struct error *error);

#endif
