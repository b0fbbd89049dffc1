/* What probes found, for people and as CSV: see probe_print.h. */
#include "config.h"

#include "probe_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv.h"

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
    printf("%s: measured peaks: copies within its memory %.1f GB/s, multiply-adds %.1f G/s\n\n",
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

/* --- CSV --- */

void probe_csv_begin(struct probe_report *report)
{
  struct csv csv = {0};

  (void)report;
  csv_names(&csv, "probe,variant,device,unit,units,predicted_units,microseconds,rate,rate_unit,"
                  "times_first,predicted_times,refused");
  csv_end(&csv);
}

void probe_csv_add(struct probe_report *report, const struct probe *probe,
                   const struct probe_figure *figures)
{
  for (size_t i = 0; i < probe->count; i++) {
    const struct probe_variant *variant = &probe->variants[i];
    const struct probe_figure *figure = &figures[i];
    bool counted = probe->unit != PROBE_NOTHING, timed = report->timed && !figure->refused;
    struct csv csv = {0};

    csv_text(&csv, probe->name);
    csv_text(&csv, variant->name);
    csv_text(&csv, report->device->name);
    csv_text(&csv, probe_units[probe->unit]);
    csv_number(&csv, counted && !report->timed && !figure->refused ? figure->served : NAN);
    csv_number(&csv, counted ? variant->served : NAN);
    csv_number(&csv, timed ? figure->microseconds : NAN);
    csv_number(&csv, timed ? figure->rate : NAN);
    csv_text(&csv, probe->rate);
    csv_number(&csv, timed ? figure->microseconds / figures[0].microseconds : NAN);
    csv_text(&csv, variant->slower);
    csv_text(&csv, figure->refused);
    csv_end(&csv);
  }
}
