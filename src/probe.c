/* The probes as the command shows them: see probe.h. */
#include "config.h"

#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 78, INDENT = 2, NAMES = 256, UNIT = 24 };

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

static const char *const units[] = {
    [PROBE_WAVEFRONTS] = "wavefronts/request",
    [PROBE_SECTORS] = "sectors/request",
    [PROBE_SECTORS_MUCH] = "sectors/32 multiply-adds",
    [PROBE_ADDRESSES] = "addresses/request",
    [PROBE_NOTHING] = "",
};

/* Prints a word of its own and a text, in lines of WIDTH. */
static void print_wrapped(const char *title, const char *text)
{
  int column = printf("%*s%s:", INDENT, "", title);

  while (*text) {
    int length = (int)strcspn(text, " ");

    if (column + 1 + length > WIDTH)
      column = printf("\n%*s", 2 * INDENT - 1, "") - 1;
    column += printf(" %.*s", length, text);
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}

/* Columns of the longest name of a variant. */
static int names_width(const struct probe *probe)
{
  size_t most = 0;

  for (size_t i = 0; i < probe->count; i++)
    if (strlen(probe->variants[i].name) > most)
      most = strlen(probe->variants[i].name);
  return (int)most;
}

static void print_timed(const struct probe *probe, const struct probe_figure *figures)
{
  int width = names_width(probe);
  bool counted = probe->unit != PROBE_NOTHING;

  printf("%*s %10s %10s %8s %9s  %s\n", INDENT + width, "", "us", probe->rate, "x first",
         "predicted", units[probe->unit]);
  for (size_t i = 0; i < probe->count; i++) {
    const struct probe_variant *variant = &probe->variants[i];
    const struct probe_figure *figure = &figures[i];

    printf("%*s%-*s ", INDENT, "", width, variant->name);
    if (figure->refused) {
      printf("%s\n", figure->refused);
      continue;
    }
    printf("%10.2f %10.1f %8.2f %9s", figure->microseconds, figure->rate,
           figure->microseconds / figures[0].microseconds, variant->slower);
    if (counted)
      printf("  %g", variant->served);
    putchar('\n');
  }
}

static void print_counted(const struct probe *probe, const struct probe_figure *figures)
{
  int width = names_width(probe);

  printf("%*s %*s  predicted\n", INDENT + width, "", UNIT, units[probe->unit]);
  for (size_t i = 0; i < probe->count; i++) {
    const struct probe_variant *variant = &probe->variants[i];

    printf("%*s%-*s ", INDENT, "", width, variant->name);
    if (figures[i].refused)
      printf("%s\n", figures[i].refused);
    else
      printf("%*.2f %10.2f\n", UNIT, figures[i].served, variant->served);
  }
}

static void probe_print(const struct probe *probe, bool timed, const struct probe_figure *figures)
{
  printf("%s: %s\n", probe->name, probe->title);
  if (timed)
    print_timed(probe, figures);
  else
    print_counted(probe, figures);
  print_wrapped("teaches", probe->teaches);
  print_wrapped("look for it", probe->seek);
  print_wrapped("no longer there", probe->gone);
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

static bool probe_show(const struct probe_machine *machine, size_t i, bool first,
                       struct error *error)
{
  struct probe_figure figures[PROBE_VARIANTS_MAX];

  if (!machine->measure(i, figures, error))
    return false;
  if (!first)
    putchar('\n');
  probe_print(machine->probe(i), machine->timed, figures);
  return true;
}

static bool probes_show(const struct probe_machine *machine, const char *names, struct error *error)
{
  size_t length = 0;

  if (!names)
    for (size_t i = 0; machine->probe(i); i++)
      if (!probe_show(machine, i, i == 0, error))
        return false;
  for (const char *at = names; at; at = at[length] ? at + length + 1 : NULL) {
    length = strcspn(at, ",");
    if (!probe_show(machine, (size_t)probe_find(machine, at, length), at == names, error))
      return false;
  }
  return true;
}

/* What the device reaches at most; nothing where time means nothing. */
static bool ceilings_show(const struct device *device, struct error *error)
{
  struct ceilings ceilings = {0};

  if (!device->measure(&ceilings, 1, error))
    return false;
  if (ceilings.fma_per_second > 0)
    printf("%s: copies within its memory reach %.1f GB/s, multiply-adds %.1f G/s\n\n", device->name,
           ceilings.copy_bytes_per_second * 1e-9, ceilings.fma_per_second * 1e-9);
  return true;
}

bool probe_run(const char *names, const struct device *device, struct error *error)
{
  const struct probe_machine *machine = machine_of(device);
  const char *reason;

  if (!machine)
    return error_set(error, STATUS_USAGE,
                     "--probe: the device %s runs no kernels; --device=emulated does everywhere",
                     device->name);
  if (!names_check(machine, names, error))
    return false;
  reason = device->missing();
  if (reason)
    return error_set(error, STATUS_DEVICE, "--probe: the device %s can't be used: %s", device->name,
                     reason);
  if ((!names && !ceilings_show(device, error)) || !probes_show(machine, names, error))
    return false;
  if (fflush(stdout) != 0 || ferror(stdout))
    return error_set(error, STATUS_FAILED, "standard output: can't be written: %s",
                     strerror(errno));
  return true;
}
