/* The table of formats, and the small things that all of them share. */
#include "format.h"

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

void picture_free(struct picture *picture)
{
  metadata_free(&picture->metadata);
  free(picture->warning);
  memset(picture, 0, sizeof *picture);
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
