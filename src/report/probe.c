/* The probes as the command shows them: see probe.h. */
#include "config.h"

#include "probe_print.h"

#include <stdio.h>
#include <string.h>

#include "report_format.h"

enum { NAMES = 256 };

/* The devices whose kernels have probes. */
#define PROBES_OF_cpu NULL
#define PROBES_OF_cuda &probes_cuda
#define PROBES_OF_emulated &probes_emulated
#define X(name) {&device_##name, PROBES_OF_##name},
static const struct {
  const struct device *device;
  const struct probe_machine *machine;
} machines[] = {DEVICES(X)};
#undef X

static const struct probe_machine *machine_of(const struct device *device)
{
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    if (machines[i].device == device)
      return machines[i].machine;
  return NULL;
}

/* The place of a probe of that name, `length` bytes long, or −1. */
static ptrdiff_t probe_find(const struct probe_machine *machine, const char *name, size_t length)
{
  const struct probe *probe;

  for (size_t i = 0; (probe = machine->probe(i)); i++)
    if (strlen(probe->name) == length && strncmp(probe->name, name, length) == 0)
      return (ptrdiff_t)i;
  return -1;
}

/* Whether all names are known, before anything is run. */
static bool names_check(const struct probe_machine *machine, const char *names, struct error *error)
{
  char known[NAMES] = "", name[NAMES], quoted[NAMES];
  const struct probe *probe;
  size_t length = 0;

  for (const char *at = names; at; at = at[length] ? at + length + 1 : NULL) {
    length = strcspn(at, ",");
    if (probe_find(machine, at, length) >= 0)
      continue;
    for (size_t i = 0; (probe = machine->probe(i)); i++)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
               probe->name);
    snprintf(name, sizeof name, "%.*s", (int)(length < NAMES ? length : NAMES - 1), at);
    return error_set(error, STATUS_USAGE, "--probe: there is no probe \"%s\"; there are %s",
                     quote_name(name, quoted, sizeof quoted), known);
  }
  return true;
}

/* How a report is printed, by its form. */
static const struct printer {
  void (*begin)(struct probe_report *report);
  void (*add)(struct probe_report *report, const struct probe *probe,
              const struct probe_figure *figures);
  bool (*end)(struct probe_report *report, bool whole, struct error *error); /* or NULL */
} printers[] = {
    [REPORT_TABLE] = {probe_table_begin, probe_table_add, NULL},
    [REPORT_CSV] = {probe_csv_begin, probe_csv_add, NULL},
    [REPORT_JSON] = {probe_json_begin, probe_json_add, probe_json_end},
};

static bool probe_show(const struct probe_machine *machine, size_t i, struct probe_report *report,
                       const struct printer *printer, struct error *error)
{
  struct probe_figure figures[PROBE_VARIANTS_MAX];

  if (!machine->measure(i, figures, error))
    return false;
  printer->add(report, machine->probe(i), figures);
  report->count++;
  return true;
}

static bool probes_show(const struct probe_machine *machine, const char *names,
                        struct probe_report *report, const struct printer *printer,
                        struct error *error)
{
  size_t length = 0;

  if (!names)
    for (size_t i = 0; machine->probe(i); i++)
      if (!probe_show(machine, i, report, printer, error))
        return false;
  for (const char *at = names; at; at = at[length] ? at + length + 1 : NULL) {
    length = strcspn(at, ",");
    if (!probe_show(machine, (size_t)probe_find(machine, at, length), report, printer, error))
      return false;
  }
  return true;
}

bool probe_run(const char *names, const char *format, const struct device *device,
               struct error *error)
{
  const struct probe_machine *machine = machine_of(device);
  struct probe_report report = {.device = device};
  const struct printer *printer;
  enum report_format form;
  const char *reason;
  bool done;

  if (!machine)
    return error_set(error, STATUS_USAGE,
                     "--probe: the device %s runs no kernels; --device=emulated does everywhere",
                     device->name);
  if (!report_format_read(&form, format, error) || !names_check(machine, names, error))
    return false;
  reason = device->missing();
  if (reason)
    return error_set(error, STATUS_DEVICE, "--probe: the device %s can't be used: %s", device->name,
                     reason);
  report.timed = machine->timed;
  if (!names && !device->measure(&report.ceilings, 1, error))
    return false;
  printer = &printers[form];
  printer->begin(&report);
  done = probes_show(machine, names, &report, printer, error);
  if (printer->end)
    done = printer->end(&report, done, error);
  return done;
}
