/* The report of --bench as JSON: see bench.h; its fields are explained in the manual. */
#include "config.h"

#include "bench.h"

#ifdef HAVE_JANSSON

#include <jansson.h>
#include <math.h>

#include "json_print.h"
#include "json_values.h"

/* A figure of samples; null where none count. */
static json_t *nanoseconds_json(const struct bench_samples *samples, double value)
{
  return json_number(samples->kept ? value : NAN);
}

/* The samples that count, in the order in which they were taken. */
static json_t *samples_json(const struct bench_samples *samples)
{
  json_t *array = json_array();

  for (size_t i = 0; i < samples->kept; i++)
    json_array_append_new(array, json_integer((json_int_t)samples->kept_nanoseconds[i]));
  return array;
}

static json_t *times_json(const struct bench_row *row)
{
  const struct bench_samples *samples = &row->rotated;

  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "path",
                   row->path->name, "device", row->path->device->name, "samples",
                   (json_int_t)samples->kept, "launches", (json_int_t)samples->launches, "thrown",
                   (json_int_t)bench_thrown(row), "median_ns",
                   nanoseconds_json(samples, samples->median), "iqr_ns",
                   nanoseconds_json(samples, samples->upper - samples->lower), "minimum_ns",
                   nanoseconds_json(samples, samples->minimum), "lower_quartile_ns",
                   nanoseconds_json(samples, samples->lower), "upper_quartile_ns",
                   nanoseconds_json(samples, samples->upper), "samples_ns", samples_json(samples),
                   "cold_ns", nanoseconds_json(&row->cold, row->cold.median), "hot_ns",
                   nanoseconds_json(&row->hot, row->hot.median));
}

static json_t *figures_json(const struct bench *bench, const struct bench_row *row)
{
  struct bench_figures figures = bench_figures(bench, row);
  bool timed = row->rotated.kept > 0;
  char doubt[BENCH_DOUBT_BYTES];

  return json_pack("{s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "mpx_per_s",
                   json_number(timed ? figures.mpx_per_second : NAN), "bytes", row->bytes, "fmas",
                   row->fmas, "gb_per_s", json_number(timed ? figures.gb_per_second : NAN),
                   "gfma_per_s", json_number(timed ? figures.gfma_per_second : NAN),
                   "share_of_copy", json_number(timed ? figures.copy : NAN), "share_of_fma",
                   json_number(timed ? figures.fma : NAN), "binds", json_text(figures.binds),
                   "speedup", json_number(*figures.against ? figures.speedup : NAN), "against",
                   json_text(figures.against), "largest_difference",
                   json_number(row->failed[0] && !row->wrong ? NAN : row->difference), "note",
                   json_text(figures.note), "doubt",
                   json_text(bench_doubt(bench, row, doubt, sizeof doubt)));
}

static json_t *row_json(const struct bench *bench, const struct bench_row *row)
{
  bool counted = row->counted && !row->counters.unavailable[0];
  json_t *object = times_json(row);
  json_t *more = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o}", "registers", json_count(row->registers, row->registers),
      "shared_bytes", json_count(row->registers, row->shared_bytes), "occupancy",
      json_number(row->registers ? row->occupancy : NAN), "failed", json_text(row->failed),
      "counters", json_counters(counted ? &row->counters : NULL), "counters_unavailable",
      json_text(row->counters.unavailable));

  json_object_update_new(object, figures_json(bench, row));
  json_object_update_new(object, more);
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
    json_object_set_new(object, counter_table[c].name, json_string(counter_table[c].metric));
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
  root = json_pack("{s:s, s:I, s:I, s:{s:I, s:I, s:i, s:s}, s:{s:o, s:I, s:I, s:I, s:I}, s:o, s:o, "
                   "s:o, s:{s:s, s:s, "
                   "s:I, s:I, s:I, s:I, s:I, s:I, s:I}}",
                   "halo", VERSION, "seed", (json_int_t)bench->seed, "threads",
                   (json_int_t)bench->threads, "image", "width", (json_int_t)bench->shape.width,
                   "height", (json_int_t)bench->shape.height, "channels",
                   (int)bench->shape.channels, "type", sample_name(bench->shape.type), "filter",
                   "name", json_text(bench->filter), "width", (json_int_t)bench->filter_width,
                   "height", (json_int_t)bench->filter_height, "passes", (json_int_t)bench->passes,
                   "taps", (json_int_t)bench->taps, "ceilings", ceilings, "counter_metrics",
                   metrics_json(), "rows", rows, "picture", "path", bench->through->name, "device",
                   bench->through->device->name, "decode_ns", (json_int_t)cost->decode, "upload_ns",
                   (json_int_t)band->upload, "kernel_ns", (json_int_t)band->kernel, "download_ns",
                   (json_int_t)band->download, "encode_ns", (json_int_t)cost->encode, "context_ns",
                   (json_int_t)bench->started, "total_ns", (json_int_t)cost->total);
  return json_print(root, error);
}

#else

bool bench_print_json(const struct bench *bench, struct error *error)
{
  (void)bench, (void)error;
  return false; /* report_format_read() has refused it */
}

#endif
