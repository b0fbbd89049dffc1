/* What probes found, as JSON: see probe_print.h. */
#include "config.h"

#include "probe_print.h"

#ifdef HAVE_JANSSON

#include <math.h>

#include "json_print.h"
#include "json_values.h"

void probe_json_begin(struct probe_report *report)
{
  const struct ceilings *ceilings = &report->ceilings;
  bool measured = ceilings->fma_per_second > 0;
  char about[256];

  report->device->describe(about, sizeof about);
  report->more = json_pack(
      "{s:s, s:s, s:s, s:o, s:o, s:[]}", "halo", VERSION, "device", report->device->name, "about",
      about, "copy_bytes_per_second", json_number(measured ? ceilings->copy_bytes_per_second : NAN),
      "fma_per_second", json_number(measured ? ceilings->fma_per_second : NAN), "probes");
}

static json_t *variant_json(const struct probe_report *report, const struct probe *probe,
                            const struct probe_variant *variant, const struct probe_figure *figure,
                            double first)
{
  bool counted = probe->unit != PROBE_NOTHING, timed = report->timed && !figure->refused;

  return json_pack(
      "{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "name", variant->name, "units",
      json_number(counted && !report->timed && !figure->refused ? figure->served : NAN),
      "predicted_units", json_number(counted ? variant->served : NAN), "microseconds",
      json_number(timed ? figure->microseconds : NAN), "rate",
      json_number(timed ? figure->rate : NAN), "times_first",
      json_number(timed ? figure->microseconds / first : NAN), "predicted_times", variant->slower,
      "refused", json_text(figure->refused));
}

void probe_json_add(struct probe_report *report, const struct probe *probe,
                    const struct probe_figure *figures)
{
  json_t *variants = json_array();

  for (size_t i = 0; i < probe->count; i++)
    json_array_append_new(variants, variant_json(report, probe, &probe->variants[i], &figures[i],
                                                 figures[0].microseconds));
  json_array_append_new(json_object_get(report->more, "probes"),
                        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "name", probe->name,
                                  "title", probe->title, "teaches", probe->teaches, "look_for_it",
                                  probe->seek, "no_longer_there", probe->gone, "unit",
                                  probe_units[probe->unit], "rate_unit", probe->rate, "variants",
                                  variants));
}

bool probe_json_end(struct probe_report *report, bool whole, struct error *error)
{
  if (whole)
    return json_print(report->more, error);
  json_decref(report->more);
  return false;
}

#else

void probe_json_begin(struct probe_report *report)
{
  (void)report;
}

void probe_json_add(struct probe_report *report, const struct probe *probe,
                    const struct probe_figure *figures)
{
  (void)report, (void)probe, (void)figures;
}

bool probe_json_end(struct probe_report *report, bool whole, struct error *error)
{
  (void)report, (void)whole, (void)error;
  return false; /* report_format_read() has refused it */
}

#endif
