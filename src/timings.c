/* The table of --timings: see timings.h. */
#include "timings.h"

#include <string.h>

void cost_add(struct cost *sum, const struct cost *cost)
{
  sum->decode += cost->decode;
  sum->encode += cost->encode;
  sum->colour += cost->colour;
  for (size_t i = 0; i < PATHS_MAX; i++) {
    sum->ran[i] = sum->ran[i] || cost->ran[i];
    sum->path[i].upload += cost->path[i].upload;
    sum->path[i].kernel += cost->path[i].kernel;
    sum->path[i].download += cost->path[i].download;
  }
}

/* A cell of a row: milliseconds, or nothing where there is nothing to say. */
static void cell_print(FILE *stream, int width, bool shown, unsigned long long nanoseconds)
{
  if (shown)
    fprintf(stream, "%*.2f", width, (double)nanoseconds / 1e6);
  else
    fprintf(stream, "%*s", width, "");
}

static void row_print(FILE *stream, const struct path *path, const struct band_cost *band,
                      const struct cost *cost, bool first)
{
  bool copied = band->upload + band->download > 0;

  fprintf(stream, "%-9s %-8s", path->name, path->device->name);
  cell_print(stream, 8, first, cost->decode);
  cell_print(stream, 9, first && cost->colour, cost->colour);
  cell_print(stream, 9, copied, band->upload);
  cell_print(stream, 9, true, band->kernel);
  cell_print(stream, 9, copied, band->download);
  cell_print(stream, 9, first, cost->encode);
  cell_print(stream, 9, first, cost->total);
  fputc('\n', stream);
}

void timings_print(FILE *stream, size_t threads, const struct cost *cost, size_t pictures)
{
  bool first = true;

  fprintf(stream, "%-9s %-8s%8s%9s%9s%9s%9s%9s%9s\n", "path", "device", "decode", "colour",
          "upload", "kernel", "download", "encode", "total");
  for (size_t i = 0; paths[i]; i++) {
    if (!cost->ran[i])
      continue;
    row_print(stream, paths[i], &cost->path[i], cost, first);
    first = false;
  }
  fprintf(stream,
          "%zu picture%s, %zu thread%s; milliseconds, all but the total added up over threads\n",
          pictures, pictures == 1 ? "" : "s", threads, threads == 1 ? "" : "s");
}
