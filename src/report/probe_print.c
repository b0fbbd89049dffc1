/* What probes found, for people and as CSV: see probe_print.h. */
#include "config.h"

#include "probe_print.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 78, INDENT = 2, UNIT = 24 };

const char *const probe_units[] = {
    [PROBE_WAVEFRONTS] = "wavefronts/request",
    [PROBE_SECTORS] = "sectors/request",
    [PROBE_SECTORS_MUCH] = "sectors/32 multiply-adds",
    [PROBE_ADDRESSES] = "addresses/request",
    [PROBE_NOTHING] = "",
};

/* --- the table --- */

/* Prints a word of its own and a text, in lines of WIDTH. */
static void print_wrapped(const char *title, const char *text)
{
  int column = printf("%*s%s:", INDENT, "", title);

  while (*text) {
    int length = (int)strcspn(text, " ");

    if (column + 1 + length > WIDTH)
      column = printf("\n%*s", 2 * INDENT - 1, "") - 1;
    column += printf(" %.*s", length, text);
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}

/* Columns of the longest name of a variant. */
static int names_width(const struct probe *probe)
{
  size_t most = 0;

  for (size_t i = 0; i < probe->count; i++)
    if (strlen(probe->variants[i].name) > most)
      most = strlen(probe->variants[i].name);
  return (int)most;
}

static void print_timed(const struct probe *probe, const struct probe_figure *figures)
{
  int width = names_width(probe);
  bool counted = probe->unit != PROBE_NOTHING;

  printf("%*s %10s %10s %8s %9s  %s\n", INDENT + width, "", "us", probe->rate, "x first",
         "predicted", probe_units[probe->unit]);
  for (size_t i = 0; i < probe->count; i++) {
    const struct probe_variant *variant = &probe->variants[i];
    const struct probe_figure *figure = &figures[i];

    printf("%*s%-*s ", INDENT, "", width, variant->name);
    if (figure->refused) {
      printf("%s\n", figure->refused);
      continue;
    }
    printf("%10.2f %10.1f %8.2f %9s", figure->microseconds, figure->rate,
           figure->microseconds / figures[0].microseconds, variant->slower);
    if (counted)
      printf("  %g", variant->served);
    putchar('\n');
  }
}

static void print_counted(const struct probe *probe, const struct probe_figure *figures)
{
  int width = names_width(probe);

  printf("%*s %*s  predicted\n", INDENT + width, "", UNIT, probe_units[probe->unit]);
  for (size_t i = 0; i < probe->count; i++) {
    const struct probe_variant *variant = &probe->variants[i];

    printf("%*s%-*s ", INDENT, "", width, variant->name);
    if (figures[i].refused)
      printf("%s\n", figures[i].refused);
    else
      printf("%*.2f %10.2f\n", UNIT, figures[i].served, variant->served);
  }
}

void probe_table_begin(struct probe_report *report)
{
  if (report->ceilings.fma_per_second > 0)
    printf("%s: copies within its memory reach %.1f GB/s, multiply-adds %.1f G/s\n\n",
           report->device->name, report->ceilings.copy_bytes_per_second * 1e-9,
           report->ceilings.fma_per_second * 1e-9);
}

void probe_table_add(struct probe_report *report, const struct probe *probe,
                     const struct probe_figure *figures)
{
  if (report->count > 0)
    putchar('\n');
  printf("%s: %s\n", probe->name, probe->title);
  if (report->timed)
    print_timed(probe, figures);
  else
    print_counted(probe, figures);
  print_wrapped("teaches", probe->teaches);
  print_wrapped("look for it", probe->seek);
  print_wrapped("no longer there", probe->gone);
}

/* --- RFC 4180 --- */

void probe_csv_begin(struct probe_report *report)
{
  (void)report;
  printf("probe,variant,device,unit,units,predicted_units,microseconds,rate,rate_unit,times_first,"
         "predicted_times,refused\r\n");
}

/* No name or text has a quotation mark; a text may have a comma. */
static void csv_number(bool there, double number)
{
  if (there)
    printf("%.6g,", number);
  else
    putchar(',');
}

void probe_csv_add(struct probe_report *report, const struct probe *probe,
                   const struct probe_figure *figures)
{
  for (size_t i = 0; i < probe->count; i++) {
    const struct probe_variant *variant = &probe->variants[i];
    const struct probe_figure *figure = &figures[i];
    bool counted = probe->unit != PROBE_NOTHING, timed = report->timed && !figure->refused;

    printf("%s,\"%s\",%s,%s,", probe->name, variant->name, report->device->name,
           probe_units[probe->unit]);
    csv_number(counted && !report->timed && !figure->refused, figure->served);
    csv_number(counted, variant->served);
    csv_number(timed, figure->microseconds);
    csv_number(timed, figure->rate);
    printf("%s,", probe->rate);
    csv_number(timed, figure->microseconds / figures[0].microseconds);
    printf("\"%s\",\"%s\"\r\n", variant->slower, figure->refused ? figure->refused : "");
  }
}
