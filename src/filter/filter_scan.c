/* The scanner of filter texts: see filter_scan.h. */
#include "config.h"

#include "filter_scan.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 24 /* of a wrong word, in a message */ };

bool scanner_start(struct scanner *scanner, const char *origin, const char *text, size_t size,
                   struct error *error)
{
  char *copy = size < SIZE_MAX ? malloc(size + 1) : NULL;

  *scanner =
      (struct scanner){.origin = origin, .size = size, .line = 1, .column = 1, .error = error};
  scanner->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  scanner->text = copy;
  if (!copy || scanner->locale == (locale_t)0) {
    scanner_end(scanner);
    return error_set(error, STATUS_FAILED, "no memory for the text of a filter");
  }
  memcpy(copy, text, size);
  copy[size] = '\0';
  if (size >= 3 && memcmp(copy, "\xEF\xBB\xBF", 3) == 0)
    scanner->at = 3;
  return true;
}

void scanner_end(struct scanner *scanner)
{
  free((char *)scanner->text);
  scanner->text = NULL;
  if (scanner->locale != (locale_t)0)
    freelocale(scanner->locale);
  scanner->locale = (locale_t)0;
}

char scan_peek(const struct scanner *scanner)
{
  return scanner->text[scanner->at];
}

bool scan_at_end(const struct scanner *scanner)
{
  return scanner->at == scanner->size;
}

bool scan_at_line_end(const struct scanner *scanner)
{
  return scan_at_end(scanner) || scan_peek(scanner) == '\n' || scan_peek(scanner) == '\r';
}

void scan_step(struct scanner *scanner)
{
  char byte = scan_peek(scanner);

  scanner->at++;
  if (byte == '\n' || (byte == '\r' && scan_peek(scanner) != '\n')) {
    scanner->line++;
    scanner->column = 1;
  } else if (((unsigned char)scan_peek(scanner) & 0xC0) != 0x80) {
    scanner->column++; /* the next byte begins a character */
  }
}

bool scan_space(struct scanner *scanner, bool lines)
{
  size_t begin = scanner->at;

  while (!scan_at_end(scanner)) {
    char byte = scan_peek(scanner);

    if (byte == '#') {
      while (!scan_at_line_end(scanner))
        scan_step(scanner);
    } else if (byte == ' ' || byte == '\t' || (lines && scan_at_line_end(scanner))) {
      scan_step(scanner);
    } else {
      break;
    }
  }
  return scanner->at != begin;
}

bool scan_take(struct scanner *scanner, char byte)
{
  if (scan_at_end(scanner) || scan_peek(scanner) != byte)
    return false;
  scan_step(scanner);
  return true;
}

bool scan_blame(struct scanner *scanner, size_t line, size_t column)
{
  char text[sizeof scanner->error->text];
  char name[256];

  memcpy(text, scanner->error->text, sizeof text);
  snprintf(scanner->error->text, sizeof scanner->error->text, "%s:%zu:%zu: %.700s",
           quote_name(scanner->origin, name, sizeof name), line, column, text);
  return false;
}

bool scan_fail(struct scanner *scanner, const char *format, ...)
{
  va_list arguments;

  scanner->error->status = STATUS_USAGE;
  va_start(arguments, format);
  vsnprintf(scanner->error->text, sizeof scanner->error->text, format, arguments);
  va_end(arguments);
  return scan_blame(scanner, scanner->line, scanner->column);
}

/* The word that the scanner stands at, quoted and shortened for a message. */
static const char *scan_word(const struct scanner *scanner, char *buffer, size_t size)
{
  const char *word = scanner->text + scanner->at;
  size_t length = strcspn(word, " \t\r\n;#");
  char plain[SHOWN_BYTES + 4], quoted[8 * sizeof plain];
  bool cut = length > SHOWN_BYTES, harmless = true;

  if (scan_at_end(scanner))
    return "the end of the text";
  if (scan_at_line_end(scanner))
    return "the end of the line";
  if (*word == '\0')
    return "a NUL byte";
  if (length == 0)
    length = 1;
  if (cut)
    for (length = SHOWN_BYTES; length > 1 && ((unsigned char)word[length] & 0xC0) == 0x80;)
      length--;
  snprintf(plain, sizeof plain, "%.*s", (int)length, word);
  for (const char *byte = plain; *byte && harmless; byte++)
    harmless = (unsigned char)*byte >= ' ' && *byte != 127 && *byte != '\'';
  if (harmless)
    snprintf(quoted, sizeof quoted, "'%s'", plain);
  else
    quote_name(plain, quoted, sizeof quoted);
  snprintf(buffer, size, "%s%s", quoted, cut ? "…" : "");
  return buffer;
}

bool scan_expected(struct scanner *scanner, const char *what)
{
  char word[512];

  return scan_fail(scanner, "expected %s, found %s", what, scan_word(scanner, word, sizeof word));
}

static const char *skip_digits(const char *byte)
{
  while (*byte >= '0' && *byte <= '9')
    byte++;
  return byte;
}

/* The end of the number that begins at `byte`, or NULL where none does; *zero tells whether all its digits
   are 0. */
static const char *number_end(const char *byte, bool *zero)
{
  const char *begin, *exponent;
  bool digits;

  byte += *byte == '+' || *byte == '-';
  begin = byte;
  byte = skip_digits(byte);
  digits = byte != begin;
  if (*byte == '.') {
    const char *decimals = byte + 1;

    byte = skip_digits(decimals);
    digits |= byte != decimals;
  }
  if (!digits)
    return NULL;
  *zero = strspn(begin, "0.") >= (size_t)(byte - begin);
  if (*byte != 'e' && *byte != 'E')
    return byte;
  exponent = byte + 1;
  exponent += *exponent == '+' || *exponent == '-';
  byte = skip_digits(exponent);
  return byte != exponent ? byte : NULL;
}

/* Whether the byte may come after a number. */
static bool number_ends(const struct scanner *scanner, const char *byte, const char *stops)
{
  if (byte == scanner->text + scanner->size)
    return true;
  return *byte != '\0' && (strchr(" \t\r\n#", *byte) || strchr(stops, *byte));
}

bool scan_number(struct scanner *scanner, const char *stops, const char *what, double *number)
{
  const char *begin = scanner->text + scanner->at;
  bool zero = false;
  const char *end = number_end(begin, &zero);
  char word[512];

  if (!end || !number_ends(scanner, end, stops)) {
    if (end && *end == ',')
      return scan_fail(scanner, "expected %s with '.' as the decimal point, found %s", what,
                       scan_word(scanner, word, sizeof word));
    return scan_expected(scanner, what);
  }
  *number = strtod_l(begin, NULL, scanner->locale);
  if (fabs(*number) > FLT_MAX || (*number == 0 && !zero))
    return scan_fail(scanner, "%s is too %s for a float: at %s 10^%d",
                     scan_word(scanner, word, sizeof word), *number == 0 ? "small" : "large",
                     *number == 0 ? "least" : "most", *number == 0 ? -307 : 38);
  while (scanner->text + scanner->at < end)
    scan_step(scanner);
  return true;
}

bool scan_count(struct scanner *scanner, size_t lowest, const char *what, size_t *count)
{
  const char *begin = scanner->text + scanner->at;
  const char *end = skip_digits(begin);
  size_t value = 0;

  if (end == begin)
    return scan_expected(scanner, what);
  for (const char *byte = begin; byte < end; byte++)
    if (__builtin_mul_overflow(value, (size_t)10, &value) ||
        __builtin_add_overflow(value, (size_t)(*byte - '0'), &value))
      value = SIZE_MAX;
  if (value < lowest || value > PTRDIFF_MAX)
    return scan_expected(scanner, what);
  *count = value;
  while (scanner->text + scanner->at < end)
    scan_step(scanner);
  return true;
}

bool numbers_add(struct numbers *numbers, double value, struct error *error)
{
  if (numbers->count == numbers->capacity) {
    size_t capacity = numbers->capacity ? 2 * numbers->capacity : 64;
    double *values = NULL;

    if (capacity <= SIZE_MAX / 2 / sizeof *values)
      values = realloc(numbers->values, capacity * sizeof *values);
    if (!values)
      return error_set(error, STATUS_FAILED, "no memory for a filter of %zu taps", capacity);
    numbers->values = values;
    numbers->capacity = capacity;
  }
  numbers->values[numbers->count++] = value;
  return true;
}
