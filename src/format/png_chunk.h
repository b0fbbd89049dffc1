/* The chunks of a PNG that are kept as metadata, and what is wrong with one. */
#ifndef HALO_PNG_CHUNK_H
#define HALO_PNG_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether chunks of this type are metadata. */
bool chunk_is_kept(const char type[5]);

/* Which types of chunks have been accepted from one file so far: one bit each.  Begins as zeros. */
struct chunk_tally {
  unsigned accepted;
};

/* What is wrong with a chunk of a type that is kept, by itself or beside those accepted before it; NULL
   if it conforms to the specification, and then it counts as accepted.  Where a type that may stand only
   once is there twice, the first chunk is kept. */
const char *chunk_fault(struct chunk_tally *tally, const char type[5], const unsigned char *data,
                        size_t size, bool after_pixels);

#endif
