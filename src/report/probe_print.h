/* What probes found, in the three forms of a report.  Each has a function that begins the report, one that
   adds a probe, and where it is needed one that ends it. */
#ifndef HALO_PROBE_PRINT_H
#define HALO_PROBE_PRINT_H

#include "device.h"
#include "error.h"
#include "probe.h"

struct probe_report {
  const struct device *device;
  struct ceilings ceilings; /* 0 where they were not measured, or time means nothing */
  bool timed;
  size_t count; /* probes added so far */
  void *more;   /* what the form keeps until the end */
};

extern const char *const probe_units[]; /* by enum probe_unit; empty where time alone counts */

void probe_table_begin(struct probe_report *report);
void probe_table_add(struct probe_report *report, const struct probe *probe,
                     const struct probe_figure *figures);

void probe_csv_begin(struct probe_report *report);
void probe_csv_add(struct probe_report *report, const struct probe *probe,
                   const struct probe_figure *figures);

/* Nothing is printed before the end, and then only if the report is `whole`: no probe failed. */
void probe_json_begin(struct probe_report *report);
void probe_json_add(struct probe_report *report, const struct probe *probe,
                    const struct probe_figure *figures);
bool probe_json_end(struct probe_report *report, bool whole, struct error *error);

#endif
