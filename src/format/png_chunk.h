/* The chunks of a PNG that are kept as metadata, and what is wrong with one. */
#ifndef HALO_PNG_CHUNK_H
#define HALO_PNG_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether chunks of this type are metadata. */
bool chunk_is_kept(const char type[5]);

/* The types of the chunks of one file that were accepted so far, of those that stand once in a file:
   a bit each.  Begins as zeros. */
struct chunk_tally {
  unsigned accepted;
};

/* What is wrong with a chunk of a type that is kept, by itself or beside those accepted before it; NULL
   if it is as the specification wants it, and accepted with that.  A type that is there twice and must
   not be is kept from its first chunk. */
const char *chunk_fault(struct chunk_tally *tally, const char type[5], const unsigned char *data,
                        size_t size, bool after_pixels);

#endif
