/* Temporary files, which are removed however halo ends: by a signal, by exit() in a library, or because
   an error was found.  Only SIGKILL leaves them. */
#ifndef HALO_TEMPORARY_H
#define HALO_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

struct temporary_slot;

struct temporary {
  char *name; /* owned; NULL where there is no file */
  struct temporary_slot *slot;
};

/* From here on a signal that ends halo, and exit(), first remove all temporary files.  The signal then
   ends halo as it would have without that.  Signals that are ignored or handled when this is called are
   left alone.  Called once, by main. */
void temporary_guard(void);

/* Makes a file that did not exist, in the directory of the file `beside`, and opens it for writing.  Its
   name is PREFIX-PID-NUMBER.SUFFIX.  Returns its descriptor, or −1 with errno. */
int temporary_open(struct temporary *temporary, const char *beside, const char *prefix,
                   const char *suffix, mode_t mode);

/* Gives the file its final name, replacing a file of that name; from then on it is temporary no longer.
   False with errno on failure: the file is still there and is still temporary. */
bool temporary_rename(struct temporary *temporary, const char *target);

/* Removes the file, if there is one. */
void temporary_remove(struct temporary *temporary);

#endif
