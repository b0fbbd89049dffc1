/* Presets: what filter_preset.c, filter_list.c and filter_read.c share. */
#ifndef HALO_FILTER_PRESET_H
#define HALO_FILTER_PRESET_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

enum {
  PRESET_NAME_BYTES = 64, /* with the NUL */
  FOLDERS = 2
};

/* Fills in where presets are looked for, in order: $HALO_FILTERS, and halo's own folder.  Each is
   to be freed, and may be NULL. */
void folders_find(char *folders[FOLDERS]);
void folders_free(char *folders[FOLDERS]);

/* The lower case of an ASCII letter, whatever the locale. */
static inline char preset_lower(char byte)
{
  return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* The whole of a filter file; *text is the caller's to free. *missing tells whether there is no
   such file (a directory is none); the error then stays unset. */
bool filter_load(const char *name, char **text, size_t *size, bool *missing, struct error *error);

/* The preset with the name nearest to this one, into `buffer`; false where none is near. */
bool preset_nearest(const char *name, char *buffer, size_t size);

#endif
