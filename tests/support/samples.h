/* Pictures as plain samples, for the tests of formats: encoded to the bytes of a file, and decoded
   again.  Samples lie row after row, with nothing in between. */
#ifndef HALO_TESTS_SAMPLES_H
#define HALO_TESTS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "format.h"

/* A text and how many bytes it has, which may be NUL as well. */
#define BYTES(text) text, sizeof text - 1

/* Writes a picture of these samples, and fails the test where that fails; `quality` counts for JPEG
   alone.  Returns how many of the `room` bytes the file takes. */
size_t samples_encode(const struct format *format, const struct shape *shape, int quality,
                      const void *samples, unsigned char *bytes, size_t room);

/* Reads the picture in these bytes, whose format is the one that they begin like; `room` bytes are
   there for its samples. */
bool samples_decode(const void *bytes, size_t count, struct shape *shape, void *samples,
                    size_t room, struct error *error);

#endif
