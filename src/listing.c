/* The lists that tell what this halo has: see listing.h. */
#include "listing.h"

#include <stdio.h>

#include "device.h"
#include "filter.h"
#include "format.h"
#include "path.h"

static void list_paths(void)
{
  for (size_t i = 0; paths[i]; i++) {
    const char *reason = path_missing(paths[i]);

    printf("%-12s %-10s %s%s%s\n", paths[i]->name, paths[i]->device->name, paths[i]->about,
           reason ? "; not here: " : "", reason ? reason : "");
  }
}

static void list_devices(void)
{
  for (size_t i = 0; devices[i]; i++) {
    const char *reason = devices[i]->missing();

    printf("%-12s %s%s%s\n", devices[i]->name, devices[i]->about, reason ? "; not here: " : "",
           reason ? reason : "");
  }
}

static void list_formats(void)
{
  for (size_t i = 0; formats[i]; i++)
    printf("%-12s %-12s %s\n", formats[i]->name,
           !formats[i]->refuse   ? "read"
           : formats[i]->matches ? "read, write"
                                 : "write",
           formats[i]->about);
}

bool listing_print(enum listing listing, struct error *error)
{
  switch (listing) {
  case LIST_FILTERS:
    if (!filter_list(error))
      return false;
    break;
  case LIST_PATHS:
    list_paths();
    break;
  case LIST_DEVICES:
    list_devices();
    break;
  case LIST_FORMATS:
    list_formats();
    break;
  case LIST_NOTHING:
    break;
  }
  return true;
}
