/* A line on standard error that says what is being done. */
#ifndef HALO_PROGRESS_H
#define HALO_PROGRESS_H

#include <stdbool.h>

/* Nothing is shown before this allows it, and then only where standard error is a terminal. */
void progress_allow(bool allowed);

/* Replaces the line (printf). */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes the line away, before anything else is printed. */
void progress_end(void);

#endif
