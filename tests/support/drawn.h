/* Pictures in memory for the tests of PNG: made, written and read as the pipeline does it. */
#ifndef HALO_TESTS_DRAWN_H
#define HALO_TESTS_DRAWN_H

#include "format.h"

/* Bytes of a file. */
struct file {
  unsigned char *bytes;
  size_t size;
};

/* A picture with its pixels. */
struct drawn {
  struct picture picture;
  struct raster raster;
};

/* The path of something in corpus/; the next call overwrites it. */
const char *corpus_path(const char *rest);

/* Whether a folder of corpus/ is there; says that the test is skipped if not. */
bool corpus_is_there(const char *folder);

struct file file_load(const char *path);

/* Decodes a picture; whatever comes, drawn_free() is to follow. */
bool drawn_decode(struct drawn *drawn, const unsigned char *bytes, size_t size,
                  struct error *error);
void drawn_free(struct drawn *drawn);

/* Encodes a picture in the order of the bands, or of the bands last to first. */
struct file drawn_encode(const struct drawn *drawn, int compression, bool backwards);

/* A picture with something in it: steps, slopes and, in the lower half, noise. */
struct drawn drawn_make(size_t width, size_t height, unsigned channels, enum sample_type type);

/* Same shape and same pixels. */
bool drawn_equal(const struct drawn *a, const struct drawn *b);

/* Puts a chunk of this type with these bytes at `offset` of the file; `wrong` is added to its
   checksum. */
void chunk_insert(struct file *file, size_t offset, const char *type, const void *data, size_t size,
                  unsigned wrong);

/* Where the first chunk of this type begins. */
size_t chunk_find(const struct file *file, const char *type);

/* Makes the checksum right of the chunk that begins at `offset`. */
void chunk_repair(struct file *file, size_t offset);

#endif
