/* Values of options, read from the command line. */
#ifndef HALO_OPTION_VALUE_H
#define HALO_OPTION_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* Writes the error "--OPTION=TEXT: WHY", and returns false. */
bool value_refuse(const char *option, const char *text, struct error *error, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));

/* A finite decimal number, and nothing else. */
bool value_number(const char *text, double *number);

/* The same, and a whole number from `low` to `high`; errors name the option. */
bool value_real(const char *option, const char *text, double *number, struct error *error);
bool value_int(const char *option, const char *text, int low, int high, int *number,
               struct error *error);

/* A count above 0 with an optional K, M or G (of 1024). */
bool value_size(const char *option, const char *text, size_t *size, struct error *error);

/* Appends to an owned list of strings that stay the command line's. */
bool list_append(const char ***list, size_t *count, const char *text, struct error *error);

#endif
