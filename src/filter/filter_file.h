/* The text of a filter file. */
#ifndef HALO_FILTER_FILE_H
#define HALO_FILTER_FILE_H

#include <stddef.h>

#include "error.h"

enum filter_file {
  FILTER_FILE_READ,      /* the text is there */
  FILTER_FILE_MISSING,   /* there is no file of that name */
  FILTER_FILE_DIRECTORY, /* the name is that of a directory */
  FILTER_FILE_FAILED     /* it can't be read: the error says why */
};

/* Reads the whole of a file into *text, of *size bytes; the caller frees it. */
enum filter_file filter_file_read(const char *name, char **text, size_t *size, struct error *error);

#endif
