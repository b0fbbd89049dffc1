/* What kernels do to memory, as a table and as CSV: see explain.h. */
#include "config.h"

#include "csv.h"
#include "explain_figures.h"
#include "kernel_text.h"

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
    printf("    %s:%d%s%s\n", kernel_text_file(line->file), line->line, line->text ? ":  " : "",
           line->text ? line->text : "");
  printf("      %-8s  %-5s  %5u %11llu %11.2f %-10s %6u", explained_memory_names[line->memory],
         line->write ? "write" : "read", line->bytes, (unsigned long long)line->requests,
         line_per_request(line), explained_served_names[line->memory], line->worst);
  if (ways)
    printf(" %5u\n", ways);
  else
    printf(" %5s\n", "-");
}

/* A counter's value, or a dash where it is not known. */
static void counter_print(double value)
{
  if (isnan(value))
    printf(" %12s", "-");
  else
    printf(" %12.0f", value);
}

/* What the emulator predicted beside what a GPU counted; without the counters of memory that no line
   accessed. */
static void counters_print(const struct explanation *explanation, const struct explained_path *path)
{
  printf("\n  counted on %s\n", explanation->counted_by);
  printf("    %-32s %12s %12s %9s\n", "", "predicted", "counted", "counted /");
  for (int c = 0; c < COUNTER_COUNT; c++) {
    double predicted = path->predicted.value[c], counted = path->counted.value[c];

    if (counted == 0 && !(predicted > 0))
      continue;
    printf("    %-32s", counter_table[c].title);
    counter_print(predicted);
    counter_print(counted);
    if (predicted > 0 && !isnan(counted))
      printf(" %9.4f", counted / predicted);
    putchar('\n');
  }
}

static void path_print(const struct explanation *explanation, const struct explained_path *path)
{
  struct explained_figure figure[EXPLAINED_FIGURES];

  printf("\n%s: %s\n\n", path->path->name, path->path->about);
  printf("      %-8s  %-5s  %5s %11s %11s %-10s %6s %5s\n", "memory", "", "bytes", "requests",
         "per request", "", "worst", "ways");
  for (size_t i = 0; i < path->lines.count; i++)
    line_print(&path->lines.line[i], i ? &path->lines.line[i - 1] : NULL);
  explained_figures(figure, explanation, path);
  printf("\n  per result\n");
  for (size_t i = 0; i < EXPLAINED_FIGURES; i++)
    if (figure[i].per_result > 0)
      printf("    %10.3f %s\n", figure[i].per_result, figure[i].title);
  if (path->was_counted)
    counters_print(explanation, path);
  printf("\n  lower bounds of the time, in microseconds per megapixel\n");
  printf("    %-9s %9s %11s %9s  bound by\n", "GPU", "memory", "arithmetic", "loads");
  for (size_t i = 0; i < roofline_gpu_count; i++) {
    struct roofline_floor floor = explained_floor(explanation, path, &roofline_gpus[i]);

    printf("    %-9s %9.3f %11.3f %9.3f  %s\n", roofline_gpus[i].name, floor.memory,
           floor.arithmetic, floor.loads, floor.bound);
  }
}

/* What the columns of all paths mean, and the GPUs behind the bounds. */
static void legend_print(void)
{
  printf("\nA request is one instruction of a warp (of textures: of a quad, 4 threads).  \"worst\" "
         "is the\n"
         "most wavefronts, sectors or addresses that one request took.  \"ways\" says how many "
         "times as\n"
         "long that request took as one without bank conflicts; of constant memory, how many "
         "addresses\n"
         "its threads read, which are served one after the other.  1 is best; - where there is no "
         "such\n"
         "conflict.\n"
         "\nThe lower bounds are the time that memory needs to read and write each sample once, "
         "that of\n"
         "float32 multiply-adds at full rate, and that of the loads and stores as the lines are "
         "written\n"
         "(a compiler may merge some): one word per lane, 4 sectors, 1 wavefront or 4 texels per "
         "cycle\n"
         "and multiprocessor.\n");
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
    printf("convolved: all of it");
  else
    printf("convolved: windows at its corners, edges and middle, together %zux%zu pixels",
           sample->width, sample->height);
  printf(", %llu results\n", (unsigned long long)explanation->results);
  for (size_t i = 0; i < explanation->count; i++)
    path_print(explanation, &explanation->path[i]);
  if (explanation->count)
    legend_print();
  if (explanation->left_out[0])
    printf("\nLeft out: %s.\n", explanation->left_out);
  if (explanation->uncounted[0])
    printf("\nNo counters of a GPU: %s.\n", explanation->uncounted);
}

/* --- CSV --- */

static void csv_line(const struct explained_path *path, const struct explained_line *line)
{
  struct csv csv = {0};
  unsigned ways = explained_ways(line);

  csv_text(&csv, "line");
  csv_text(&csv, path->path->name);
  csv_text(&csv, line->kernel);
  csv_text(&csv, kernel_text_file(line->file));
  csv_count(&csv, (uint64_t)line->line);
  csv_text(&csv, explained_memory_names[line->memory]);
  csv_text(&csv, line->write ? "write" : "read");
  csv_count(&csv, line->bytes);
  csv_count(&csv, line->accesses);
  csv_count(&csv, line->requests);
  csv_text(&csv, explained_served_names[line->memory]);
  csv_count(&csv, line->served);
  csv_count(&csv, line->worst);
  csv_number(&csv, ways ? ways : NAN);
  csv_text(&csv, line->text);
  csv_skip(&csv, 3);
  csv_end(&csv);
}

static void csv_value(const char *record, const struct explained_path *path, const char *gpu,
                      const char *quantity, double value)
{
  struct csv csv = {0};

  csv_text(&csv, record);
  csv_text(&csv, path->path->name);
  csv_skip(&csv, 13);
  csv_text(&csv, gpu);
  csv_text(&csv, quantity);
  csv_number(&csv, value);
  csv_end(&csv);
}

static void csv_floor(const struct explanation *explanation, const struct explained_path *path,
                      const struct gpu_rates *gpu)
{
  struct roofline_floor floor = explained_floor(explanation, path, gpu);

  csv_value("floor", path, gpu->name, "memory", floor.memory);
  csv_value("floor", path, gpu->name, "arithmetic", floor.arithmetic);
  csv_value("floor", path, gpu->name, "loads", floor.loads);
}

static void csv_counters(const char *record, const struct explained_path *path,
                         const struct counters *counters)
{
  for (int c = 0; c < COUNTER_COUNT; c++)
    csv_value(record, path, NULL, counter_table[c].name, counters->value[c]);
}

void explain_print_csv(const struct explanation *explanation)
{
  struct explained_figure figure[EXPLAINED_FIGURES];
  struct csv csv = {0};

  csv_names(&csv, "record,path,kernel,file,line,memory,access,bytes,accesses,requests,unit,served,"
                  "worst,ways,text,gpu,quantity,value");
  csv_end(&csv);
  for (size_t p = 0; p < explanation->count; p++) {
    const struct explained_path *path = &explanation->path[p];

    for (size_t i = 0; i < path->lines.count; i++)
      csv_line(path, &path->lines.line[i]);
    explained_figures(figure, explanation, path);
    for (size_t i = 0; i < EXPLAINED_FIGURES; i++)
      csv_value("result", path, NULL, figure[i].name, figure[i].per_result);
    csv_counters("predicted", path, &path->predicted);
    if (path->was_counted)
      csv_counters("counted", path, &path->counted);
    for (size_t i = 0; i < roofline_gpu_count; i++)
      csv_floor(explanation, path, &roofline_gpus[i]);
  }
}
