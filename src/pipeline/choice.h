/* The choice: which paths compute the pictures, and on which device. */
#ifndef HALO_CHOICE_H
#define HALO_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "filter.h"
#include "image.h"
#include "settings.h"
#include "path.h"

struct choice {
  const struct path *paths[PATHS_MAX];
  size_t count;
  bool automatic; /* halo chose the path; it may then also split filters */
  bool every;     /* all paths were asked for: those that can't do a picture are left out */
  bool open;      /* the device is settled for each picture: choice_settle() */
  size_t threads;
  size_t pictures; /* that are to come */
  char why[512];   /* for --verbose */
};

/* The device that --device=NAME or NAME:WHICH means; NULL for auto.  One that is unknown, or can't be
   used here, is an error. */
bool choice_device(const struct device **device, const char *text, struct error *error);

/* Chooses device and paths; an unknown name is an error that lists the known ones. */
bool choice_make(struct choice *choice, const struct settings *settings, struct error *error);

/* Makes of the choice that of one picture: where the device is open, the one on which the filters
   should be done sooner.  A device that turns out to be missing is passed over. */
void choice_settle(struct choice *settled, const struct choice *choice, const struct chain *chain,
                   const struct shape *shape);

#endif
