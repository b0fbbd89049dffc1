/* The scanner of filter texts, which knows line and column, and the numbers that it reads. */
#ifndef HALO_FILTER_SCAN_H
#define HALO_FILTER_SCAN_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct scanner {
  const char *origin; /* names the text in messages */
  const char *text;   /* `size` bytes and a NUL */
  size_t size, at;
  size_t line, column; /* of text[at], from 1; a column is a character of UTF-8 */
  locale_t locale;     /* "C" */
  struct error *error;
};

/* A list of numbers that grows. */
struct numbers {
  double *values; /* the caller's to free */
  size_t count, capacity;
};

/* Makes a scanner of a copy of the text, at its first byte, or behind a byte order mark (UTF-8's). */
bool scanner_start(struct scanner *scanner, const char *origin, const char *text, size_t size,
                   struct error *error);
void scanner_end(struct scanner *scanner);

/* The byte that the scanner stands at, or NUL at the end of the text; whether it stands at the end of the
   text, or of a line. */
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

/* Puts "ORIGIN:LINE:COLUMN: " before an error that was set without a place; returns false. */
bool scan_blame(struct scanner *scanner, size_t line, size_t column);

/* Reads a number: sign, digits with one point, exponent.  After it must come white space, a comment, the
   end, or one of the bytes in `stops`.  Otherwise the error is "expected WHAT". */
bool scan_number(struct scanner *scanner, const char *stops, const char *what, double *number);

/* Reads digits, as a number that must be `lowest` or more; what comes after is left to the caller. */
bool scan_count(struct scanner *scanner, size_t lowest, const char *what, size_t *count);

/* Appends a number to the list. */
bool numbers_add(struct numbers *numbers, double value, struct error *error);

#endif
