/* The lists that tell what this halo has: see listing.h. */
#include "config.h"

#include "listing.h"

#include <stdio.h>

#include "device.h"
#include "filter_list.h"
#include "format.h"
#include "option_text.h"
#include "path.h"
#include "version.h"

/* Ends a line: what it is about, and the reason where it can't be used here. */
static void about_print(const char *about, const char *reason)
{
  printf("%s%s%s\n", about, reason ? "; not here: " : "", reason ? reason : "");
}

static bool list_paths(struct error *error)
{
  (void)error;
  for (size_t i = 0; paths[i]; i++) {
    printf("%-12s %-10s ", paths[i]->name, paths[i]->device->name);
    about_print(paths[i]->about, path_missing(paths[i]));
  }
  return true;
}

static bool list_devices(struct error *error)
{
  (void)error;
  for (size_t i = 0; devices[i]; i++) {
    printf("%-12s ", devices[i]->name);
    about_print(devices[i]->about, devices[i]->missing());
  }
  return true;
}

static bool list_formats(struct error *error)
{
  (void)error;
  for (size_t i = 0; formats[i]; i++) {
    bool reads = format_reads(formats[i]), writes = format_writes(formats[i]);

    printf("%-12s %-12s %s\n", formats[i]->name,
           reads && writes ? "read, write"
           : reads         ? "read"
                           : "write",
           formats[i]->about);
  }
  return true;
}

static bool list_borders(struct error *error)
{
  char name[32];

  (void)error;
  for (size_t i = 0; i < border_count; i++) {
    const struct border_row *row = &border_rows[i];

    snprintf(name, sizeof name, "%s%s", row->name, border_argument(row));
    printf("%-13s %-13s %s\n", name, row->pattern, row->about);
  }
  return true;
}

static bool list_alpha_modes(struct error *error)
{
  (void)error;
  for (size_t i = 0; i < alpha_count; i++)
    printf("%-12s %s\n", alpha_rows[i].name, alpha_rows[i].about);
  return true;
}

static bool list_help(struct error *error)
{
  (void)error;
  options_help(stdout, false);
  return true;
}

static bool list_usage(struct error *error)
{
  (void)error;
  options_help(stdout, true);
  return true;
}

static bool list_version(struct error *error)
{
  (void)error;
  version_print(stdout);
  return true;
}

static bool (*const lists[])(struct error *) = {
    [LIST_FILTERS] = filter_list,  [LIST_PATHS] = list_paths,
    [LIST_DEVICES] = list_devices, [LIST_FORMATS] = list_formats,
    [LIST_BORDERS] = list_borders, [LIST_ALPHA_MODES] = list_alpha_modes,
    [LIST_HELP] = list_help,       [LIST_USAGE] = list_usage,
    [LIST_VERSION] = list_version,
};

bool listing_print(enum listing listing, struct error *error)
{
  return lists[listing](error);
}
