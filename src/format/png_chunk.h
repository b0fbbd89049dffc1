/* The chunks of a PNG that are kept as metadata, and what is wrong with one. */
#ifndef HALO_PNG_CHUNK_H
#define HALO_PNG_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

#include "metadata.h"

/* Whether chunks of this type are metadata. */
bool chunk_is_kept(const char type[5]);

/* What is wrong with a chunk of a type that is kept, by itself and beside the metadata that came
   before it; NULL if it is as the specification wants it. */
const char *chunk_fault(const struct metadata *metadata, const char type[5],
                        const unsigned char *data, size_t size, bool after_pixels);

#endif
