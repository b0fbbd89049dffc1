/* Input: the bytes of a file or of standard input, with a look at the first ones. */
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
  size_t begin, end, room; /* what lies unread in the buffer */
};

/* Opens the file, or standard input where `name` is "-".  A directory or a terminal is refused. */
bool input_open(struct input *input, const char *name, struct error *error);
void input_close(struct input *input);

/* Shows up to `count` (at most 4096) of the next bytes without taking them; fewer at the end of the
   file.  Returns how many there are at *bytes. */
bool input_peek(struct input *input, size_t count, const unsigned char **bytes, size_t *available,
                struct error *error);

/* Takes up to `count` bytes; *got is less only at the end of the file. */
bool input_take(struct input *input, void *bytes, size_t count, size_t *got, struct error *error);

/* The next byte, or −1 at the end of the file, or −2 after an error. */
int input_byte(struct input *input, struct error *error);

#endif
