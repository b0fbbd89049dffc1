/* What kernels do to memory, as JSON: see explain.h. */
#include "config.h"

#include "explain_figures.h"

#ifdef HAVE_JANSSON

#include <jansson.h>

#include "json_print.h"
#include "json_values.h"
#include "kernel_text.h"

static json_t *line_json(const struct explained_line *line)
{
  unsigned ways = explained_ways(line);
  json_t *object = json_pack(
      "{s:s, s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:s, s:I, s:I}", "kernel", line->kernel, "file",
      kernel_text_file(line->file), "line", line->line, "memory",
      explained_memory_names[line->memory], "access", line->write ? "write" : "read", "bytes",
      (json_int_t)line->bytes, "accesses", (json_int_t)line->accesses, "requests",
      (json_int_t)line->requests, "unit", explained_served_names[line->memory], "served",
      (json_int_t)line->served, "worst", (json_int_t)line->worst);

  json_object_set_new(object, "ways", json_count(ways > 0, ways));
  json_object_set_new(object, "text", json_text(line->text));
  return object;
}

static json_t *floor_json(const struct explanation *explanation, const struct explained_path *path,
                          const struct gpu_rates *gpu)
{
  struct roofline_floor floor = explained_floor(explanation, path, gpu);

  return json_pack("{s:s, s:f, s:f, s:f, s:s}", "gpu", gpu->name, "memory_us", floor.memory,
                   "arithmetic_us", floor.arithmetic, "loads_us", floor.loads, "bound",
                   floor.bound);
}

static json_t *path_json(const struct explanation *explanation, const struct explained_path *path)
{
  json_t *lines = json_array(), *result = json_object(), *floors = json_array();
  struct explained_figure figure[EXPLAINED_FIGURES];

  for (size_t i = 0; i < path->lines.count; i++)
    json_array_append_new(lines, line_json(&path->lines.line[i]));
  explained_figures(figure, explanation, path);
  for (size_t i = 0; i < EXPLAINED_FIGURES; i++)
    json_object_set_new(result, figure[i].name, json_real(figure[i].per_result));
  for (size_t i = 0; i < roofline_gpu_count; i++)
    json_array_append_new(floors, floor_json(explanation, path, &roofline_gpus[i]));
  return json_pack(
      "{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "path", path->path->name, "about", path->path->about,
      "lines", lines, "per_result", result, "predicted", json_counters(&path->predicted), "counted",
      json_counters(path->was_counted ? &path->counted : NULL), "floors_per_megapixel", floors);
}

static json_t *shape_json(const struct shape *shape)
{
  return json_pack("{s:I, s:I, s:i, s:s}", "width", (json_int_t)shape->width, "height",
                   (json_int_t)shape->height, "channels", (int)shape->channels, "samples",
                   sample_name(shape->type));
}

static json_t *gpu_json(const struct gpu_rates *gpu)
{
  return json_pack("{s:s, s:b, s:f, s:f}", "name", gpu->name, "measured", gpu->measured,
                   "bytes_per_second", gpu->bytes_per_second, "fma_per_second",
                   gpu->fma_per_second);
}

bool explain_print_json(const struct explanation *explanation, const struct chain *chain,
                        struct error *error)
{
  json_t *filters = json_array(), *paths_told = json_array(), *gpus = json_array(), *root;

  for (size_t i = 0; i < chain->count; i++)
    json_array_append_new(filters, json_text(chain->filters[i].name));
  for (size_t i = 0; i < explanation->count; i++)
    json_array_append_new(paths_told, path_json(explanation, &explanation->path[i]));
  for (size_t i = 0; i < roofline_gpu_count; i++)
    json_array_append_new(gpus, gpu_json(&roofline_gpus[i]));
  root = json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "halo",
                   VERSION, "picture", json_text(explanation->name), "shape",
                   shape_json(&explanation->picture), "looked_at", shape_json(&explanation->sample),
                   "filters", filters, "steps", (json_int_t)explanation->steps, "taps",
                   (json_int_t)explanation->taps, "results", (json_int_t)explanation->results,
                   "left_out", json_text(explanation->left_out), "counted_by",
                   json_text(explanation->counted_by), "uncounted",
                   json_text(explanation->uncounted), "gpus", gpus, "paths", paths_told);
  return json_print(root, error);
}

#else

bool explain_print_json(const struct explanation *explanation, const struct chain *chain,
                        struct error *error)
{
  (void)explanation, (void)chain, (void)error;
  return false; /* report_format_read() has refused it */
}

#endif
