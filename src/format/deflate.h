/* Deflate: compressing pieces of a stream independently, so that they can be made in parallel and
   written one after the other.  ISA-L does it for the levels where it is many times faster than zlib. */
#ifndef HALO_DEFLATE_H
#define HALO_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Working memory of a compressor, for one thread at a time; it can be used again. */
struct deflate;

enum { DEFLATE_BYTES_MAX = 1 << 26 }; /* the longest piece */

/* `level` is 0 (stored) … 9 (smallest). */
struct deflate *deflate_create(int level, struct error *error);
void deflate_free(struct deflate *deflate);

/* Bytes of that working memory, at most. */
size_t deflate_bytes(void);

/* Bytes that a piece of `count` bytes takes at most once it is compressed. */
size_t deflate_bound(size_t count);

/* Compresses `count` bytes to a raw deflate stream without reference to what came before.  It ends
   at a whole byte, and the stream with it if this is the `last` piece.  `capacity` is at least
   deflate_bound(count). */
bool deflate_raw(struct deflate *deflate, const unsigned char *bytes, size_t count, bool last,
                 unsigned char *deflated, size_t capacity, size_t *size, struct error *error);

/* The checksum of zlib streams, begun with 1; and the one of PNG chunks, begun with 0. */
uint32_t deflate_adler(uint32_t adler, const unsigned char *bytes, size_t count);
uint32_t deflate_crc(uint32_t crc, const unsigned char *bytes, size_t count);

#endif
