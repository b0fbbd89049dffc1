/* The pixels of a PNG, from rows to chunks IDAT.

   A piece of about half a MiB of rows is filtered (png_row_filter.h) and deflated without reference to
   the deflated bytes before it, and becomes one chunk IDAT, complete with its checksum: so pieces can be
   encoded at the same time.  In front of the first piece are the two bytes that begin a zlib stream.  The
   Adler-32 checksum that ends the stream is not there: it is known when all pieces are. */
#ifndef HALO_PNG_ENCODE_H
#define HALO_PNG_ENCODE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "format.h"
#include "image.h"

struct png_encoder;

/* For a picture of this shape, of 8 or 16 bits a sample; `level` is that of deflate, 0 … 9. */
struct png_encoder *png_encoder_create(const struct shape *shape, int level, struct error *error);
void png_encoder_free(struct png_encoder *encoder);

/* Rows of a piece; depends on nothing but the shape. */
size_t png_encoder_rows(const struct png_encoder *encoder);

/* As in struct format. */
void png_encoder_memory(const struct png_encoder *encoder, size_t *encoded, size_t *working);

/* Encodes rows first … first + count − 1, a piece, as struct format's `encode` does.  encoded->raw_size
   and encoded->raw_checksum are those of the filtered rows.  Any number of threads may do this at the same
   time. */
bool png_encoder_encode(struct png_encoder *encoder, size_t first, const unsigned char *const *rows,
                        size_t count, struct encoded *encoded, struct error *error);

#endif
