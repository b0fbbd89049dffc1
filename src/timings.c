/* The table of --timings: see timings.h. */
#include "timings.h"

void cost_add(struct cost *sum, const struct cost *cost)
{
  sum->decode += cost->decode;
  sum->encode += cost->encode;
  for (size_t i = 0; i < PATHS_MAX; i++)
    sum->kernel[i] += cost->kernel[i];
}

static double milliseconds(unsigned long long nanoseconds)
{
  return (double)nanoseconds / 1e6;
}

void timings_print(FILE *stream, const struct choice *choice, const struct cost *cost,
                   size_t pictures)
{
  fprintf(stream, "%-10s %11s %11s %11s %11s\n", "path", "decode", "kernel", "encode", "total");
  for (size_t i = 0; i < choice->count; i++) {
    fprintf(stream, "%-10s ", choice->paths[i]->name);
    if (i == 0)
      fprintf(stream, "%8.2f ms %8.2f ms %8.2f ms %8.2f ms\n", milliseconds(cost->decode),
              milliseconds(cost->kernel[i]), milliseconds(cost->encode), milliseconds(cost->total));
    else
      fprintf(stream, "%11s %8.2f ms\n", "", milliseconds(cost->kernel[i]));
  }
  fprintf(stream, "%zu picture%s, %zu thread%s; decode, kernel and encode add up over threads\n",
          pictures, pictures == 1 ? "" : "s", choice->threads, choice->threads == 1 ? "" : "s");
}
