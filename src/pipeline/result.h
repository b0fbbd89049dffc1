/* What a result is written as: its format and its sample type, as the options, the name of the output and
   the input say. */
#ifndef HALO_RESULT_H
#define HALO_RESULT_H

#include "error.h"
#include "format.h"
#include "settings.h"

/* Whether results can be written as the options ask for, as far as that can be told before any input is
   read; what is wrong then is wrong for every picture. */
bool result_check(const struct settings *settings, struct error *error);

/* The format: that of --format, else that of the ending of -o FILE, else that of the input. */
bool result_format(const struct format **format, const struct settings *settings,
                   const struct format *of_input, struct error *error);

/* The sample type that is asked for: that of --depth, else that of the input. */
enum sample_type result_type_wanted(const struct settings *settings, enum sample_type of_input);

/* The sample type that a format gives that: the nearest that it has, but --depth is kept or refused. */
bool result_type(enum sample_type *type, const struct settings *settings,
                 const struct format *format, enum sample_type of_input, struct error *error);

#endif
