/* The choice: by which paths, on which device, the steps of a plan are done.

   It is made twice.  choice_make() takes what the user asked for, before any picture is read.
   choice_settle() makes of that the choice for one picture, once its plan is there. */
#ifndef HALO_CHOICE_H
#define HALO_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "path.h"
#include "plan.h"
#include "settings.h"

struct choice {
  const struct path *paths[PATHS_MAX];
  size_t count;
  bool automatic;  /* halo chose the path; the plan may then split filters, too */
  bool every;      /* all paths were asked for: those that can't do a picture are left out */
  bool open;       /* the device is chosen for each picture */
  size_t threads;  /* that halo may use; of a settled choice, those that can help this picture */
  size_t pictures; /* that were asked for; they share the time that a device takes to start */
  char why[512];   /* for --verbose */

  /* Of a settled choice. */
  size_t band_rows; /* height of a band */
};

/* The device that --device=NAME or NAME:WHICH means; NULL for auto.  One that is unknown, or can't be
   used here, is an error. */
bool choice_device(const struct device **device, const char *text, struct error *error);

/* Chooses device and paths; an unknown name is an error that lists the known ones. */
bool choice_make(struct choice *choice, const struct settings *settings, struct error *error);

/* Makes the choice for the picture of a plan.  Where the device is open, it is the one on which the steps
   should be done sooner; a device that turns out to be missing is passed over.  Paths that can't do a step
   are left out where all were asked for, and are an error, with their reason, where they were named. */
bool choice_settle(struct choice *settled, const struct choice *choice, const struct plan *plan,
                   const struct settings *settings, struct error *error);

/* The path that is fastest on a device. */
const struct path *choice_best(const struct device *device);

#endif
