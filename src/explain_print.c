/* What kernels do to memory, for people and for machines: see explain.h. */
#include "config.h"

#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "roofline.h"

static const char *const memory_names[EXPLAINED_MEMORIES] = {
    [EXPLAINED_GLOBAL] = "global",
    [EXPLAINED_SHARED] = "shared",
    [EXPLAINED_CONSTANT] = "constant",
    [EXPLAINED_TEXTURE] = "texture",
};

/* What a request is served in. */
static const char *const served_names[EXPLAINED_MEMORIES] = {
    [EXPLAINED_GLOBAL] = "sectors",
    [EXPLAINED_SHARED] = "wavefronts",
    [EXPLAINED_CONSTANT] = "addresses",
    [EXPLAINED_TEXTURE] = "sectors",
};

/* The file's name within the source: what follows the last "kernels/" or "src/", with it. */
static const char *file_short(const char *file)
{
  const char *found = file;

  for (const char *at = file; *at; at++)
    if ((at == file || at[-1] == '/') &&
        (strncmp(at, "kernels/", 8) == 0 || strncmp(at, "src/", 4) == 0))
      found = at;
  return found;
}

static double line_per_request(const struct explained_line *line)
{
  return (double)line->served / (double)line->requests;
}

/* Ways of conflict of the worst request: how many times as long as without.  0 where the memory knows no
   conflicts. */
static unsigned line_ways(const struct explained_line *line)
{
  unsigned words = line->bytes > 4 ? line->bytes / 4 : 1; /* served one after the other anyway */

  if (line->memory == EXPLAINED_SHARED)
    return (line->worst + words - 1) / words;
  return line->memory == EXPLAINED_CONSTANT ? line->worst : 0;
}

static bool line_follows(const struct explained_line *line, const struct explained_line *before)
{
  return before && strcmp(line->kernel, before->kernel) == 0 &&
         strcmp(line->file, before->file) == 0 && line->line == before->line;
}

static void line_print(const struct explained_line *line, const struct explained_line *before)
{
  unsigned ways = line_ways(line);

  if (!before || strcmp(line->kernel, before->kernel) != 0)
    printf("  kernel %s\n", line->kernel);
  if (!line_follows(line, before))
    printf("    %s:%d%s%s\n", file_short(line->file), line->line, line->text ? ":  " : "",
           line->text ? line->text : "");
  printf("      %-8s  %-5s  %5u %11llu %11.2f %-10s %6u", memory_names[line->memory],
         line->write ? "write" : "read", line->bytes, (unsigned long long)line->requests,
         line_per_request(line), served_names[line->memory], line->worst);
  if (ways)
    printf(" %5u\n", ways);
  else
    printf(" %5s\n", "-");
}

/* What is told of a path in numbers a result. */
enum { SUMS = 7 };

struct sum {
  const char *name;
  double per_result;
};

static void sums_fill(struct sum *sum, const struct explanation *explanation,
                      const struct explained_path *path)
{
  const struct explained_sums *sums = &path->sums;
  double results = (double)explanation->results;
  const struct sum filled[SUMS] = {
      {"bytes read from global memory", 32 * (double)sums->global_read / results},
      {"bytes written to global memory", 32 * (double)sums->global_written / results},
      {"wavefronts of shared memory", (double)sums->shared_wavefronts / results},
      {"texture fetches", (double)sums->texture_fetches / results},
      {"requests to constant memory", (double)sums->constant_requests / results},
      {"cycles of loads", (double)sums->load_cycles / results},
      {"multiply-adds", (double)explanation->taps},
  };

  memcpy(sum, filled, sizeof filled);
}

static struct roofline_floor path_floor(const struct explanation *explanation,
                                        const struct explained_path *path,
                                        const struct gpu_rates *gpu)
{
  double results = 1e6 * explanation->channels;
  struct roofline_work work = {
      .bytes = 1e6 * (double)explanation->bytes_per_pixel,
      .fma = results * (double)explanation->taps,
      .load_cycles = results * (double)path->sums.load_cycles / (double)explanation->results,
  };

  return roofline(gpu, &work);
}

static void path_print(const struct explanation *explanation, const struct explained_path *path)
{
  struct sum sum[SUMS];

  printf("\n%s: %s\n\n", path->path->name, path->path->about);
  printf("      %-8s  %-5s  %5s %11s %11s %-10s %6s %5s\n", "memory", "", "bytes", "requests",
         "a request", "", "worst", "ways");
  for (size_t i = 0; i < path->lines.count; i++)
    line_print(&path->lines.line[i], i ? &path->lines.line[i - 1] : NULL);
  sums_fill(sum, explanation, path);
  printf("\n  a result takes\n");
  for (size_t i = 0; i < SUMS; i++)
    if (sum[i].per_result > 0)
      printf("    %10.3f %s\n", sum[i].per_result, sum[i].name);
  printf("\n  no less than, in microseconds a megapixel\n");
  printf("    %-9s %9s %11s %9s  bound by\n", "GPU", "memory", "arithmetic", "loads");
  for (size_t i = 0; i < roofline_gpu_count; i++) {
    struct roofline_floor floor = path_floor(explanation, path, &roofline_gpus[i]);

    printf("    %-9s %9.3f %11.3f %9.3f  %s\n", roofline_gpus[i].name, floor.memory,
           floor.arithmetic, floor.loads, floor.bound);
  }
}

static void rates_print(void)
{
  printf("\nThe floors are for memory that gives and takes each sample once, for float32\n"
         "multiply-adds at full rate, and for loads and stores of one word a lane, 4 sectors or 1\n"
         "wavefront a cycle and multiprocessor, a quarter of that for fetches.\n");
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
  unsigned ways = line_ways(line);

  printf("line,%s,%s,", path->path->name, line->kernel);
  csv_text(file_short(line->file));
  printf(",%d,%s,%s,%u,%llu,%llu,%s,%llu,%u,", line->line, memory_names[line->memory],
         line->write ? "write" : "read", line->bytes, (unsigned long long)line->accesses,
         (unsigned long long)line->requests, served_names[line->memory],
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
  struct roofline_floor floor = path_floor(explanation, path, gpu);

  csv_value("floor", path->path->name, gpu->name, "memory", floor.memory);
  csv_value("floor", path->path->name, gpu->name, "arithmetic", floor.arithmetic);
  csv_value("floor", path->path->name, gpu->name, "loads", floor.loads);
}

void explain_print_csv(const struct explanation *explanation)
{
  struct sum sum[SUMS];

  fputs("record,path,kernel,file,line,memory,access,bytes,accesses,requests,unit,served,worst,ways,"
        "text,gpu,quantity,value\r\n",
        stdout);
  for (size_t p = 0; p < explanation->count; p++) {
    const struct explained_path *path = &explanation->path[p];

    for (size_t i = 0; i < path->lines.count; i++)
      csv_line(path, &path->lines.line[i]);
    sums_fill(sum, explanation, path);
    for (size_t i = 0; i < SUMS; i++)
      csv_value("result", path->path->name, "", sum[i].name, sum[i].per_result);
    for (size_t i = 0; i < roofline_gpu_count; i++)
      csv_floor(explanation, path, &roofline_gpus[i]);
  }
}
