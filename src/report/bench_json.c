/* What --bench found, as JSON: see bench.h; the fields are explained in the manual. */
#include "config.h"

#include "bench.h"

#ifdef HAVE_JANSSON

#include <jansson.h>

#include "counters_json.h"
#include "json_print.h"

static json_t *row_json(const struct bench *bench, const struct bench_row *row)
{
  struct bench_figures figures = bench_figures(bench, row);
  json_t *object = json_pack(
      "{s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:f, "
      "s:s, "
      "s:f, s:s}",
      "path", row->path->name, "device", row->path->device->name, "samples",
      (json_int_t)row->rotated.kept, "launches", (json_int_t)row->rotated.launches, "thrown",
      (json_int_t)bench_thrown(row), "median_ns", row->rotated.median, "iqr_ns", row->rotated.range,
      "cold_ns", row->cold.median, "hot_ns", row->hot.median, "mpx_per_s", figures.mpx_per_second,
      "bytes", row->bytes, "fmas", row->fmas, "gb_per_s", figures.gb_per_second, "gfma_per_s",
      figures.gfma_per_second, "share_of_copy", figures.copy, "share_of_fma", figures.fma, "binds",
      figures.binds, "speedup", figures.speedup, "against", figures.against, "largest_difference",
      row->difference, "note", figures.note);

  json_object_set_new(object, "registers",
                      row->registers ? json_integer((json_int_t)row->registers) : json_null());
  json_object_set_new(object, "shared_bytes",
                      row->registers ? json_integer((json_int_t)row->shared_bytes) : json_null());
  json_object_set_new(object, "occupancy",
                      row->registers ? json_real(row->occupancy) : json_null());
  json_object_set_new(object, "failed", row->failed[0] ? json_string(row->failed) : json_null());
  json_object_set_new(
      object, "counters",
      counters_json(row->counted && !row->counters.unavailable[0] ? &row->counters : NULL));
  json_object_set_new(object, "counters_unavailable",
                      row->counters.unavailable[0] ? json_string(row->counters.unavailable)
                                                   : json_null());
  return object;
}

static json_t *device_json(const struct bench_device *device)
{
  return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "device", device->device->name, "about",
                   device->about, "copy_bytes_per_second", device->ceilings.copy_bytes_per_second,
                   "fma_per_second", device->ceilings.fma_per_second, "clock_mhz",
                   device->clock_most, "clock_lower_mhz", device->clock_lower, "clock_upper_mhz",
                   device->clock_upper);
}

/* The metrics behind the counters, as CUPTI and Nsight Compute call them. */
static json_t *metrics_json(void)
{
  json_t *object = json_object();

  for (int c = 0; c < COUNTER_COUNT; c++)
    json_object_set_new(object, counter_names[c], json_string(counter_metrics[c]));
  return object;
}

bool bench_print_json(const struct bench *bench, struct error *error)
{
  const struct cost *cost = &bench->picture;
  const struct band_cost *band = &cost->path[path_index(bench->through)];
  json_t *rows = json_array(), *ceilings = json_array(), *root;

  for (size_t i = 0; i < bench->rows; i++)
    json_array_append_new(rows, row_json(bench, &bench->row[i]));
  for (size_t i = 0; i < bench->devices; i++)
    json_array_append_new(ceilings, device_json(&bench->device[i]));
  root = json_pack("{s:s, s:I, s:I, s:{s:I, s:I, s:i, s:s}, s:{s:s, s:I, s:I, s:I, s:I}, s:o, s:o, "
                   "s:o, s:{s:s, s:s, "
                   "s:I, s:I, s:I, s:I, s:I, s:I, s:I}}",
                   "halo", VERSION, "seed", (json_int_t)bench->seed, "threads",
                   (json_int_t)bench->threads, "image", "width", (json_int_t)bench->shape.width,
                   "height", (json_int_t)bench->shape.height, "channels",
                   (int)bench->shape.channels, "type", sample_name(bench->shape.type), "filter",
                   "name", bench->filter, "width", (json_int_t)bench->filter_width, "height",
                   (json_int_t)bench->filter_height, "passes", (json_int_t)bench->passes, "taps",
                   (json_int_t)bench->taps, "ceilings", ceilings, "counter_metrics", metrics_json(),
                   "rows", rows, "picture", "path", bench->through->name, "device",
                   bench->through->device->name, "decode_ns", (json_int_t)cost->decode, "upload_ns",
                   (json_int_t)band->upload, "kernel_ns", (json_int_t)band->kernel, "download_ns",
                   (json_int_t)band->download, "encode_ns", (json_int_t)cost->encode, "context_ns",
                   (json_int_t)bench->started, "total_ns", (json_int_t)cost->total);
  return json_print(root, error);
}

#else

bool bench_print_json(const struct bench *bench, struct error *error)
{
  (void)bench;
  return error_set(error, STATUS_USAGE,
                   "--format=json: this halo was built without jansson; csv is there");
}

#endif
