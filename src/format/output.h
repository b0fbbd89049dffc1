/* Output.  A file is replaced atomically: under its name there is the old one or the complete new one.  A
   descriptor, such as standard output, gets its first byte when the input is known to be whole. */
#ifndef HALO_OUTPUT_H
#define HALO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "temporary.h"

struct output {
  const char *name; /* for messages */
  int descriptor;   /* −1 until opened */
  char *target;     /* the file that is to be replaced (after symbolic links); NULL for others */
  struct temporary temporary; /* where its bytes go until output_commit() */
  bool held;                  /* bytes are held back until output_release() */
  unsigned char *bytes;       /* those, and after that the buffer of what was not written yet */
  size_t size, room;          /* bytes that are in it, and its capacity */
  size_t held_most; /* bytes that are held back at most, after which they are released; 0: 64 MiB */
};

/* Whether an output of that name could be opened, as far as can be told without touching it: a directory
   can't, nor a descriptor that is not open for writing. */
bool output_check(const char *name, struct error *error);

/* Opens a file by name, or standard output where `name` is "-" or NULL.
   A regular file is written under a temporary name in the same directory, with the mode of the one that
   it replaces.  A name that stands for an open descriptor (/dev/stdout, /dev/fd/N, /proc/self/fd/N, and
   symbolic links to these) is written through that descriptor, where it stands, as standard output is.
   Other things (a device, a named pipe) are opened.  All but regular files are held back. */
bool output_open(struct output *output, const char *name, struct error *error);

/* Writes bytes, or keeps them in memory: while output is held back, and to gather small writes. */
bool output_write(struct output *output, const void *bytes, size_t count, struct error *error);

/* How much memory an output of `bytes` bytes takes at most while it is held back. */
size_t output_held_bytes(const struct output *output, size_t bytes);

/* The input is whole: bytes no longer need to be held back. */
bool output_release(struct output *output, struct error *error);

/* Writes what is left, closes with a check, and puts the file in its place.  On failure nothing is
   left behind.  */
bool output_commit(struct output *output, struct error *error);

/* Drops what was written. Does nothing after output_commit(). */
void output_discard(struct output *output);

#endif
