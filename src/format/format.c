/* The table of formats, and the small things that all of them share. */
#include "format.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define X(name) &format_##name,
const struct format *const formats[] = {FORMATS(X) NULL};
#undef X

const struct format *format_find(const char *name)
{
  for (size_t i = 0; formats[i]; i++)
    if (strcasecmp(formats[i]->name, name) == 0)
      return formats[i];
  return NULL;
}

const struct format *format_for_name(const char *file_name)
{
  const char *slash = strrchr(file_name, '/');
  const char *dot = strrchr(slash ? slash : file_name, '.');

  for (size_t i = 0; dot && formats[i]; i++)
    for (const char *const *extension = formats[i]->extensions; *extension; extension++)
      if (strcasecmp(*extension, dot + 1) == 0)
        return formats[i];
  return NULL;
}

const struct format *format_for_head(const unsigned char *head, size_t bytes)
{
  for (size_t i = 0; formats[i]; i++)
    if (formats[i]->matches && formats[i]->matches(head, bytes))
      return formats[i];
  return NULL;
}

bool format_reads(const struct format *format)
{
  return format->matches != NULL;
}

bool format_writes(const struct format *format)
{
  return format->refuse != NULL;
}

enum sample_type format_type(const struct format *format, enum sample_type wanted)
{
  static const enum sample_type widest_first[] = {SAMPLE_F32, SAMPLE_U16, SAMPLE_U8};

  if (format->types & SAMPLE_SET(wanted))
    return wanted;
  for (size_t i = 0; i < sizeof widest_first / sizeof *widest_first; i++)
    if (format->types & SAMPLE_SET(widest_first[i]))
      return widest_first[i];
  return wanted; /* a format that is only read */
}

char *format_names(char *text, size_t bytes, bool (*which)(const struct format *), const char *last)
{
  size_t used = 0, left = 0;

  for (size_t i = 0; formats[i]; i++)
    left += !which || which(formats[i]);
  *text = '\0';
  for (size_t i = 0; formats[i] && used < bytes; i++) {
    if (which && !which(formats[i]))
      continue;
    left--;
    used += (size_t)snprintf(text + used, bytes - used, "%s%s", formats[i]->name,
                             left > 1    ? ", "
                             : left == 1 ? last
                                         : "");
  }
  return text;
}

void picture_free(struct picture *picture)
{
  metadata_free(&picture->metadata);
  memset(picture, 0, sizeof *picture);
}

void picture_warn(struct picture *picture, const char *text, ...)
{
  const size_t most = sizeof picture->warning - sizeof "; more warnings: 18446744073709551615";
  va_list arguments;

  if (picture->warnings++ > 0) {
    snprintf(picture->warning + picture->first_warning,
             sizeof picture->warning - picture->first_warning, "; more warnings: %zu",
             picture->warnings - 1);
    return;
  }
  va_start(arguments, text);
  vsnprintf(picture->warning, most, text, arguments);
  va_end(arguments);
  picture->first_warning = strlen(picture->warning);
}

bool picture_end(struct picture *picture, struct input *input, struct error *error)
{
  const unsigned char *next;
  size_t bytes;

  if (!input_peek(input, 16, &next, &bytes, error))
    return false;
  if (format_for_head(next, bytes))
    picture_warn(picture, "another picture follows in the file; only the first one is read");
  else if (bytes > 0)
    picture_warn(picture, "the file goes on behind the picture; what follows is ignored");
  return true;
}

void encoded_free(struct encoded *encoded)
{
  free(encoded->bytes);
  memset(encoded, 0, sizeof *encoded);
}

bool encoded_reserve(struct encoded *encoded, size_t capacity, struct error *error)
{
  unsigned char *bytes;

  if (capacity <= encoded->capacity)
    return true;
  bytes = realloc(encoded->bytes, capacity);
  if (!bytes)
    return error_set(error, STATUS_FAILED, "no memory for %zu encoded bytes", capacity);
  encoded->bytes = bytes;
  encoded->capacity = capacity;
  return true;
}
