/* Reading the text of a filter: a scanner that knows where it stands, and the reader of each
   syntax.  Private to filter_text*.c and the presets. */
#ifndef HALO_FILTER_TEXT_H
#define HALO_FILTER_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "filter.h"

struct scanner {
  const char *origin; /* names the text in messages */
  const char *text;   /* `size` bytes and a NUL */
  size_t size, at;
  size_t line, column; /* of text[at], from 1; a column is a character of UTF-8 */
  locale_t locale;     /* "C" */
  struct error *error;
};

/* Numbers as they come. */
struct numbers {
  double *values;
  size_t count, room;
};

/* Starts at the first byte behind a byte order mark; the copy of the text is the scanner's. */
bool scanner_start(struct scanner *scanner, const char *origin, const char *text, size_t size,
                   struct error *error);
void scanner_end(struct scanner *scanner);

/* The byte at hand, or NUL at the end; whether it is the end of the text, or of the line. */
char scan_peek(const struct scanner *scanner);
bool scan_at_end(const struct scanner *scanner);
bool scan_at_line_end(const struct scanner *scanner);

/* Steps over one byte. */
void scan_step(struct scanner *scanner);

/* Steps over spaces and tabs (with `lines`: over ends of lines too) and comments; tells whether
   there were any. */
bool scan_space(struct scanner *scanner, bool lines);

/* Steps over one byte if it is this one. */
bool scan_take(struct scanner *scanner, char byte);

/* "ORIGIN:LINE:COLUMN: message", status STATUS_USAGE; returns false. */
bool scan_fail(struct scanner *scanner, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same: "expected WHAT, found …". */
bool scan_expected(struct scanner *scanner, const char *what);

/* Puts "ORIGIN:LINE:COLUMN: " of this place before an error that has none. */
bool scan_blame(struct scanner *scanner, size_t line, size_t column);

/* Reads a number: sign, digits with one point, exponent; behind it must stand white space, a
   comment, the end, or one of the bytes in `stops`. `what` is named where there is none. */
bool scan_number(struct scanner *scanner, const char *stops, const char *what, double *number);

/* Reads digits, a number from `lowest` up; what follows is left to the caller. */
bool scan_count(struct scanner *scanner, size_t lowest, const char *what, size_t *count);

bool numbers_add(struct numbers *numbers, double value, struct error *error);

/* The syntaxes. */
bool text_read_magick(struct scanner *scanner, struct chain *chain);
bool text_read_matrix(struct scanner *scanner, struct chain *chain);
bool text_read_rows(struct scanner *scanner, struct chain *chain);

#endif
