/* Presets: filters by their names. */
#ifndef HALO_FILTER_PRESET_H
#define HALO_FILTER_PRESET_H

#include <stdbool.h>

#include "error.h"
#include "filter.h"

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

/* Appends the preset that the text names, with its arguments: a computed one, or the file NAME.txt in
   one of the folders.  *known tells whether there is a preset of that name at all; where there is none,
   it returns false and sets no error. */
bool filter_preset(struct chain *chain, const char *text, bool *known, struct error *error);

#endif
