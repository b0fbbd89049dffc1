/* Messages of errors, and names as they stand in them. */
#include "error.h"

#include <stdio.h>
#include <string.h>

bool error_set(struct error *error, enum status status, const char *format, ...)
{
  va_list arguments;

  error->status = status;
  error->named = false;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return false;
}

bool error_name(struct error *error, const char *name)
{
  char quoted[512];
  char text[sizeof error->text];

  if (error->named)
    return false;
  error->named = true;
  memcpy(text, error->text, sizeof text);
  snprintf(error->text, sizeof error->text, "%s: %.*s", quote_name(name, quoted, sizeof quoted),
           (int)(sizeof text - sizeof quoted - 3), text);
  return false;
}

/* Whether a byte of a name can be shown as it is; any other puts the whole name in quotes. */
static bool byte_is_plain(unsigned char byte)
{
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z') || (byte && strchr("-_./+,:@%=^~ []()", byte));
}

const char *quote_name(const char *name, char *buffer, size_t size)
{
  const unsigned char *byte = (const unsigned char *)name;
  char *end = buffer;
  char *limit = buffer + size - 6; /* room for one escaped byte, the quote and the end */

  while (*byte && byte_is_plain(*byte))
    byte++;
  if (!*byte && *name && *name != ' ' && byte[-1] != ' ') {
    snprintf(buffer, size, "%s", name);
    return buffer;
  }
  end += snprintf(buffer, size, *byte ? "$'" : "'");
  for (byte = (const unsigned char *)name; *byte && end < limit; byte++) {
    if (*byte == '\n')
      end += snprintf(end, 3, "\\n");
    else if (*byte == '\'' || *byte == '\\')
      end += snprintf(end, 3, "\\%c", *byte);
    else if (*byte < 32 || *byte >= 127)
      end += snprintf(end, 5, "\\%03o", (unsigned)*byte);
    else
      *end++ = (char)*byte;
  }
  *end++ = '\'';
  *end = '\0';
  return buffer;
}
