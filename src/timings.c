/* The table of --timings: see timings.h. */
#include "timings.h"

#include <string.h>

void cost_add(struct cost *sum, const struct cost *cost)
{
  sum->decode += cost->decode;
  sum->encode += cost->encode;
  for (size_t i = 0; i < PATHS_MAX; i++) {
    sum->ran[i] = sum->ran[i] || cost->ran[i];
    sum->path[i].upload += cost->path[i].upload;
    sum->path[i].kernel += cost->path[i].kernel;
    sum->path[i].download += cost->path[i].download;
  }
}

/* A column: milliseconds, or nothing where the path has none. */
static void column_print(FILE *stream, bool shown, unsigned long long nanoseconds)
{
  if (shown)
    fprintf(stream, " %8.2f ms", (double)nanoseconds / 1e6);
  else
    fprintf(stream, " %11s", "");
}

void timings_print(FILE *stream, size_t threads, const struct cost *cost, size_t pictures)
{
  bool first = true;

  fprintf(stream, "%-10s %-9s %11s %11s %11s %11s %11s %11s\n", "path", "device", "decode",
          "upload", "kernel", "download", "encode", "total");
  for (size_t i = 0; paths[i]; i++) {
    bool copied = cost->path[i].upload + cost->path[i].download > 0;

    if (!cost->ran[i])
      continue;
    fprintf(stream, "%-10s %-9s", paths[i]->name, paths[i]->device->name);
    column_print(stream, first, cost->decode);
    column_print(stream, copied, cost->path[i].upload);
    column_print(stream, true, cost->path[i].kernel);
    column_print(stream, copied, cost->path[i].download);
    column_print(stream, first, cost->encode);
    column_print(stream, first, cost->total);
    fputc('\n', stream);
    first = false;
  }
  fprintf(stream, "%zu picture%s, %zu thread%s; all but the total add up over threads\n", pictures,
          pictures == 1 ? "" : "s", threads, threads == 1 ? "" : "s");
}
