/* Texts that name what halo has, made from the tables of borders, alpha modes, formats and devices, so that
   neither --help nor a message lacks what was added there. */
#ifndef HALO_OPTION_TEXT_H
#define HALO_OPTION_TEXT_H

#include <stddef.h>

#include "border.h"
#include "settings.h"

/* The rows of the tables of border.h and settings.h.  The first of each is the default. */
struct border_row {
  const char *name;
  enum border border;
  const char *pattern, *about;
};
struct alpha_row {
  const char *name;
  enum alpha_mode mode;
  const char *about;
};

extern const struct border_row border_rows[];
extern const size_t border_count;
extern const struct alpha_row alpha_rows[];
extern const size_t alpha_count;

/* What may follow the name of a border, "[:V]" where it takes a level, else "". */
const char *border_argument(const struct border_row *row);

/* For --help, with what is the default. */
void text_of_borders(char *text, size_t size);
void text_of_alpha(char *text, size_t size);
void text_of_formats(char *text, size_t size);
void text_of_compression(char *text, size_t size);
void text_of_quality(char *text, size_t size);
void text_of_devices(char *text, size_t size);

/* For messages: names only. */
void names_of_borders(char *text, size_t size);
void names_of_alpha(char *text, size_t size);
void names_of_compression(char *text,
                          size_t size); /* of the formats that the option has an effect on */
void names_of_quality(char *text, size_t size);

#endif
