/* Texts made from tables: see option_text.h. */
#include "config.h"

#include "option_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "format.h"

const struct border_row border_rows[] = {
#define X(name, constant, pattern, about) {name, constant, pattern, about},
    BORDERS(X)
#undef X
};
const size_t border_count = sizeof border_rows / sizeof *border_rows;

const struct alpha_row alpha_rows[] = {
#define X(name, constant, about) {name, constant, about},
    ALPHA_MODES(X)
#undef X
};
const size_t alpha_count = sizeof alpha_rows / sizeof *alpha_rows;

/* Adds the i-th of `count` entries to a text that becomes "a, b or c". */
static void entry_add(char *text, size_t size, size_t i, size_t count, const char *format, ...)
{
  size_t length = strlen(text);
  va_list arguments;

  length += (size_t)snprintf(text + length, size - length, "%s",
                             i == 0           ? ""
                             : i + 1 == count ? " or "
                                              : ", ");
  va_start(arguments, format);
  if (length < size)
    vsnprintf(text + length, size - length, format, arguments);
  va_end(arguments);
}

/* A pattern shows V where the level of the border stands. */
const char *border_argument(const struct border_row *row)
{
  return strchr(row->pattern, 'V') ? "[:V]" : "";
}

/* Of a pattern what stands left of the image is enough: "aaa|abcd". */
void text_of_borders(char *text, size_t size)
{
  snprintf(text, size, "what lies beyond pixels abcd: ");
  for (size_t i = 0; i < border_count; i++) {
    const struct border_row *row = &border_rows[i];
    bool shown =
        row->pattern[0] != ' '; /* where nothing is beyond the image there is nothing to show */

    entry_add(text, size, i, border_count, "%s%s%s%.*s%s", row->name, border_argument(row),
              shown ? " " : "", shown ? 8 : 0, row->pattern, i == 0 ? " (default)" : "");
  }
}

void names_of_borders(char *text, size_t size)
{
  *text = '\0';
  for (size_t i = 0; i < border_count; i++)
    entry_add(text, size, i, border_count, "%s%s", border_rows[i].name,
              border_argument(&border_rows[i]));
}

void text_of_alpha(char *text, size_t size)
{
  *text = '\0';
  for (size_t i = 0; i < alpha_count; i++)
    entry_add(text, size, i, alpha_count, "%s%s", alpha_rows[i].name, i == 0 ? " (default)" : "");
}

void names_of_alpha(char *text, size_t size)
{
  *text = '\0';
  for (size_t i = 0; i < alpha_count; i++)
    entry_add(text, size, i, alpha_count, "%s", alpha_rows[i].name);
}

void text_of_formats(char *text, size_t size)
{
  char names[256];

  snprintf(text, size,
           "of results: %s (default: as -o FILE ends, else as the input); of reports: csv or json",
           format_names(names, sizeof names, format_writes, " or "));
}

static bool format_compresses(const struct format *format)
{
  return format->compression;
}

static bool format_loses(const struct format *format)
{
  return format->quality;
}

void names_of_compression(char *text, size_t size)
{
  format_names(text, size, format_compresses, ", ");
}

void names_of_quality(char *text, size_t size)
{
  format_names(text, size, format_loses, ", ");
}

void text_of_compression(char *text, size_t size)
{
  char names[256];

  names_of_compression(names, sizeof names);
  snprintf(text, size, "of %s: from 0, none, to 9, smallest (%d)", names, ENCODING_COMPRESSION);
}

void text_of_quality(char *text, size_t size)
{
  char names[256];

  names_of_quality(names, sizeof names);
  snprintf(text, size, "of %s (%d)", names, ENCODING_QUALITY);
}

void text_of_devices(char *text, size_t size)
{
  size_t count = 0;

  while (devices[count])
    count++;
  snprintf(text, size, "auto (default), ");
  for (size_t i = 0; i < count; i++)
    entry_add(text, size, i, count, "%s%s", devices[i]->name, devices[i]->select ? "[:N]" : "");
}
