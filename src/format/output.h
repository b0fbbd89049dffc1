/* Output: a file that is the old one or the whole new one, or standard output that gets its first
   byte when the input is known to be whole. */
#ifndef HALO_OUTPUT_H
#define HALO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct output {
  const char *name; /* for messages */
  int descriptor;   /* −1 until opened */
  char *target;     /* the file that is to be replaced (after symbolic links); NULL for others */
  char *temporary;  /* where its bytes go until output_commit() */
  int slot;         /* its place among the files to remove when a signal ends halo */
  bool held;        /* bytes are held back until output_release() */
  unsigned char *bytes; /* those, and after that the buffer of what was not written yet */
  size_t size, room;
  size_t written; /* bytes that were handed in so far, for reports */
};

/* Opens a file by name, or standard output where `name` is "-" or NULL.  A file is written under a
   temporary name in the same directory, with the mode of the one that it replaces; what is no
   regular file (a device, a pipe) is written directly and held back like standard output. */
bool output_open(struct output *output, const char *name, struct error *error);

/* Hands in bytes. */
bool output_write(struct output *output, const void *bytes, size_t count, struct error *error);

/* The input is whole: bytes no longer need to be held back. */
bool output_release(struct output *output, struct error *error);

/* Writes what is left, closes with a check, and puts the file in its place.  On failure nothing is
   left behind.  */
bool output_commit(struct output *output, struct error *error);

/* Drops what was written. Does nothing after output_commit(). */
void output_discard(struct output *output);

/* From here on SIGINT, SIGTERM and SIGHUP remove what is half-written, and then end halo as ever;
   SIGPIPE ends it quietly. */
void output_guard_signals(void);

#endif
