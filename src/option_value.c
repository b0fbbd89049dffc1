/* Values of options: see option_value.h. */
#include "config.h"

#include "option_value.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool value_refuse(const char *option, const char *text, struct error *error, const char *format,
                  ...)
{
  char quoted[256], why[512];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  return error_set(error, STATUS_USAGE, "--%s=%s: %s", option,
                   *text ? quote_name(text, quoted, sizeof quoted) : "", why);
}

bool value_number(const char *text, double *number)
{
  char *end;

  errno = 0;
  *number = strtod(text, &end); /* halo never leaves the C locale */
  return end != text && *end == '\0' && errno == 0 && isfinite(*number) &&
         !strpbrk(text, "xX \t\n");
}

bool value_real(const char *option, const char *text, double *number, struct error *error)
{
  if (value_number(text, number))
    return true;
  return value_refuse(option, text, error, "a number is expected, such as 2 or -0.5");
}

bool value_int(const char *option, const char *text, int low, int high, int *number,
               struct error *error)
{
  double real;

  if (!value_number(text, &real) || real != floor(real) || real < low || real > high)
    return value_refuse(option, text, error, "a whole number from %d to %d is expected", low, high);
  *number = (int)real;
  return true;
}

bool value_size(const char *option, const char *text, size_t *size, struct error *error)
{
  static const char units[] = "KMG";
  char digits[32];
  size_t length = strspn(text, "0123456789");
  const char *unit = text[length] ? strchr(units, text[length] & ~32) : NULL;
  size_t shift = unit ? 10 * ((size_t)(unit - units) + 1) : 0;
  unsigned long long count;

  snprintf(digits, sizeof digits, "%.*s", (int)length, text);
  errno = 0;
  count = strtoull(digits, NULL, 10);
  if (length == 0 || length > 19 || (text[length] && (!unit || text[length + 1])) || errno ||
      count == 0 || count > (SIZE_MAX >> shift))
    return value_refuse(option, text, error,
                        "a whole number above 0 is expected, such as 500000 or 2G");
  *size = (size_t)count << shift;
  return true;
}

bool list_append(const char ***list, size_t *count, const char *text, struct error *error)
{
  const char **longer = realloc(*list, (*count + 1) * sizeof *longer);

  if (!longer)
    return error_set(error, STATUS_FAILED, "no memory for the command line");
  *list = longer;
  longer[(*count)++] = text;
  return true;
}
