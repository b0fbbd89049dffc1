/* What kernels do to memory, for people and for machines: see explain.h. */
#include "config.h"

#include "explain_figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double line_per_request(const struct explained_line *line)
{
  return (double)line->served / (double)line->requests;
}

static bool line_follows(const struct explained_line *line, const struct explained_line *before)
{
  return before && strcmp(line->kernel, before->kernel) == 0 &&
         strcmp(line->file, before->file) == 0 && line->line == before->line;
}

static void line_print(const struct explained_line *line, const struct explained_line *before)
{
  unsigned ways = explained_ways(line);

  if (!before || strcmp(line->kernel, before->kernel) != 0)
    printf("  kernel %s\n", line->kernel);
  if (!line_follows(line, before))
    printf("    %s:%d%s%s\n", explained_file(line->file), line->line, line->text ? ":  " : "",
           line->text ? line->text : "");
  printf("      %-8s  %-5s  %5u %11llu %11.2f %-10s %6u", explained_memory_names[line->memory],
         line->write ? "write" : "read", line->bytes, (unsigned long long)line->requests,
         line_per_request(line), explained_served_names[line->memory], line->worst);
  if (ways)
    printf(" %5u\n", ways);
  else
    printf(" %5s\n", "-");
}

/* What the emulator predicted beside what a GPU counted. */
static void counters_print(const struct explanation *explanation, const struct explained_path *path)
{
  printf("\n  counted on %s\n", explanation->counted_by);
  printf("    %-32s %12s %12s %9s\n", "", "predicted", "counted", "counted /");
  for (int c = 0; c < COUNTER_COUNT; c++) {
    double predicted = path->predicted.value[c], counted = path->counted.value[c];

    if (isnan(predicted) || isnan(counted) || predicted + counted == 0)
      continue;
    printf("    %-32s %12.0f %12.0f", counter_titles[c], predicted, counted);
    if (predicted > 0)
      printf(" %9.4f", counted / predicted);
    putchar('\n');
  }
}

static void path_print(const struct explanation *explanation, const struct explained_path *path)
{
  struct explained_figure figure[EXPLAINED_FIGURES];

  printf("\n%s: %s\n\n", path->path->name, path->path->about);
  printf("      %-8s  %-5s  %5s %11s %11s %-10s %6s %5s\n", "memory", "", "bytes", "requests",
         "a request", "", "worst", "ways");
  for (size_t i = 0; i < path->lines.count; i++)
    line_print(&path->lines.line[i], i ? &path->lines.line[i - 1] : NULL);
  explained_figures(figure, explanation, path);
  printf("\n  a result takes\n");
  for (size_t i = 0; i < EXPLAINED_FIGURES; i++)
    if (figure[i].per_result > 0)
      printf("    %10.3f %s\n", figure[i].per_result, figure[i].name);
  if (path->was_counted)
    counters_print(explanation, path);
  printf("\n  no less than, in microseconds a megapixel\n");
  printf("    %-9s %9s %11s %9s  bound by\n", "GPU", "memory", "arithmetic", "loads");
  for (size_t i = 0; i < roofline_gpu_count; i++) {
    struct roofline_floor floor = explained_floor(explanation, path, &roofline_gpus[i]);

    printf("    %-9s %9.3f %11.3f %9.3f  %s\n", roofline_gpus[i].name, floor.memory,
           floor.arithmetic, floor.loads, floor.bound);
  }
}

static void rates_print(void)
{
  printf(
      "\nThe floors are for memory that gives and takes each sample once, for float32\n"
      "multiply-adds at full rate, and for loads and stores as the lines are written (a compiler\n"
      "may merge some): of one word a lane, 4 sectors, 1 wavefront or 4 texels a cycle and\n"
      "multiprocessor.\n");
  for (size_t i = 0; i < roofline_gpu_count; i++) {
    const struct gpu_rates *gpu = &roofline_gpus[i];

    printf("  %-9s %6.3f TB/s, %6.2f T multiply-adds/s: %s\n", gpu->name,
           gpu->bytes_per_second / 1e12, gpu->fma_per_second / 1e12,
           gpu->measured ? "measured" : "quoted from the data sheet");
  }
}

void explain_print_table(const struct explanation *explanation, const struct chain *chain)
{
  const struct shape *picture = &explanation->picture, *sample = &explanation->sample;

  printf("%s: %zux%zu %s, %s; ", explanation->name, picture->width, picture->height,
         channels_name(picture->channels), sample_name(picture->type));
  for (size_t i = 0; i < chain->count; i++)
    printf("%s%s", i ? ", " : "", chain->filters[i].name);
  printf("; %zu step%s\n", explanation->steps, explanation->steps == 1 ? "" : "s");
  if (sample->width == picture->width && sample->height == picture->height)
    printf("looked at: all of it");
  else
    printf("looked at: windows at its corners, edges and middle, together %zux%zu pixels",
           sample->width, sample->height);
  printf(", %llu results\n", (unsigned long long)explanation->results);
  for (size_t i = 0; i < explanation->count; i++)
    path_print(explanation, &explanation->path[i]);
  if (explanation->count)
    rates_print();
  if (explanation->left_out[0])
    printf("\nLeft out: %s.\n", explanation->left_out);
  if (explanation->uncounted[0])
    printf("\nNo counters of a GPU: %s.\n", explanation->uncounted);
  if (explanation->unfound)
    printf("\nThe source isn't here (%s), so its lines are left out.\n", explanation->unfound);
}

/* --- RFC 4180 --- */

static void csv_text(const char *text)
{
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, stdout);
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

static void csv_line(const struct explained_path *path, const struct explained_line *line)
{
  unsigned ways = explained_ways(line);

  printf("line,%s,%s,", path->path->name, line->kernel);
  csv_text(explained_file(line->file));
  printf(",%d,%s,%s,%u,%llu,%llu,%s,%llu,%u,", line->line, explained_memory_names[line->memory],
         line->write ? "write" : "read", line->bytes, (unsigned long long)line->accesses,
         (unsigned long long)line->requests, explained_served_names[line->memory],
         (unsigned long long)line->served, line->worst);
  if (ways)
    printf("%u", ways);
  putchar(',');
  csv_text(line->text ? line->text : "");
  fputs(",,,\r\n", stdout);
}

static void csv_value(const char *record, const char *path, const char *gpu, const char *quantity,
                      double value)
{
  printf("%s,%s,,,,,,,,,,,,,,%s,%s,%.9g\r\n", record, path, gpu, quantity, value);
}

static void csv_floor(const struct explanation *explanation, const struct explained_path *path,
                      const struct gpu_rates *gpu)
{
  struct roofline_floor floor = explained_floor(explanation, path, gpu);

  csv_value("floor", path->path->name, gpu->name, "memory", floor.memory);
  csv_value("floor", path->path->name, gpu->name, "arithmetic", floor.arithmetic);
  csv_value("floor", path->path->name, gpu->name, "loads", floor.loads);
}

static void csv_counters(const char *record, const struct explained_path *path,
                         const struct counters *counters)
{
  for (int c = 0; c < COUNTER_COUNT; c++)
    if (!isnan(counters->value[c]))
      csv_value(record, path->path->name, "", counter_names[c], counters->value[c]);
}

void explain_print_csv(const struct explanation *explanation)
{
  struct explained_figure figure[EXPLAINED_FIGURES];

  fputs("record,path,kernel,file,line,memory,access,bytes,accesses,requests,unit,served,worst,ways,"
        "text,gpu,quantity,value\r\n",
        stdout);
  for (size_t p = 0; p < explanation->count; p++) {
    const struct explained_path *path = &explanation->path[p];

    for (size_t i = 0; i < path->lines.count; i++)
      csv_line(path, &path->lines.line[i]);
    explained_figures(figure, explanation, path);
    for (size_t i = 0; i < EXPLAINED_FIGURES; i++)
      csv_value("result", path->path->name, "", figure[i].name, figure[i].per_result);
    csv_counters("predicted", path, &path->predicted);
    if (path->was_counted)
      csv_counters("counted", path, &path->counted);
    for (size_t i = 0; i < roofline_gpu_count; i++)
      csv_floor(explanation, path, &roofline_gpus[i]);
  }
}
