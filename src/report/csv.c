/* Records of CSV: see csv.h. */
#include "config.h"

#include "csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void field_begin(struct csv *csv)
{
  if (csv->fields++ > 0)
    putchar(',');
}

void csv_names(struct csv *csv, const char *names)
{
  field_begin(csv);
  fputs(names, stdout);
}

void csv_text(struct csv *csv, const char *text)
{
  field_begin(csv);
  if (!text || !strpbrk(text, ",\"\r\n")) {
    fputs(text ? text : "", stdout);
    return;
  }
  putchar('"');
  for (; *text; text++) {
    if (*text == '"')
      putchar('"');
    putchar(*text);
  }
  putchar('"');
}

void csv_count(struct csv *csv, uint64_t count)
{
  field_begin(csv);
  printf("%" PRIu64, count);
}

void csv_fixed(struct csv *csv, int decimals, double value)
{
  field_begin(csv);
  if (!isnan(value))
    printf("%.*f", decimals, value);
}

void csv_number(struct csv *csv, double value)
{
  field_begin(csv);
  if (!isnan(value))
    printf("%.9g", value);
}

void csv_skip(struct csv *csv, size_t fields)
{
  while (fields-- > 0)
    field_begin(csv);
}

void csv_end(struct csv *csv)
{
  fputs("\r\n", stdout);
  csv->fields = 0;
}
