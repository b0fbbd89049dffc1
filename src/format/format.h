/* Formats of picture files: one const struct each, in one table.

   A struct holds all that the program knows of its format: how to read and write it, and what --help,
   --list-formats, -o and the messages say of it.  A new format is a file format_NAME.c with its
   `const struct format format_NAME`, its line in FORMATS below, and its line in Makefile.inc. */
#ifndef HALO_FORMAT_H
#define HALO_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "image.h"
#include "input.h"
#include "metadata.h"
#include "output.h"

/* What a picture is, apart from its pixels. */
struct picture {
  struct shape shape;
  struct metadata metadata;
  bool whole; /* its rows can only be had all at once: interlaced (Adam7) or stored bottom-up */

  /* What was wrong in the file and did not keep it from being read: one line without a newline, ""
     where nothing was. */
  char warning[256];
  size_t warnings;      /* how many there were */
  size_t first_warning; /* bytes of the first one, which `warning` begins with */
};

void picture_free(struct picture *picture);

/* Adds a warning.  picture->warning keeps the first, and counts those that follow. */
void picture_warn(struct picture *picture, const char *text, ...)
    __attribute__((format(printf, 2, 3)));

/* For the end of `finish`: warns where the file goes on behind the picture. */
bool picture_end(struct picture *picture, struct input *input, struct error *error);

/* What the user may ask of the result's encoding. */
struct encoding {
  int compression; /* 0 (none) … 9 (smallest), or −1 for ENCODING_COMPRESSION */
  int quality;     /* 1 … 100 */
};

/* Their defaults. */
enum { ENCODING_COMPRESSION = 1, ENCODING_QUALITY = 90 };

/* Encoded rows, ready to be written: what `encode` makes and `write` takes. */
struct encoded {
  unsigned char *bytes;  /* owned; grows as needed and is used again */
  size_t size, capacity; /* bytes that are there, and that fit */
  size_t raw_size;       /* before compression; with the checksum, for formats whose file ends */
  uint32_t raw_checksum; /* with a checksum over all rows */
};

void encoded_free(struct encoded *encoded);

/* Makes sure that `capacity` bytes fit; keeps those that are there. */
bool encoded_reserve(struct encoded *encoded, size_t capacity, struct error *error);

/* A set of sample types: the sum of their bits. */
#define SAMPLE_SET(type) (1u << (type))

struct format {
  const char *name;  /* for --format */
  const char *about; /* one line */
  const char *const
      *extensions;           /* ended by NULL, lower case, without the dot; the first is for -d */
  unsigned types;            /* a set: the sample types that it is written with */
  bool compression, quality; /* whether --compression and --quality take effect */

  /* Reading; matches is NULL where the format can't be read. */

  /* Whether a file that begins with these bytes (16, or fewer where the file is shorter) is one. */
  bool (*matches)(const unsigned char *head, size_t bytes);

  /* Reads all that precedes the pixels; fills *picture and makes *reader.  Nothing of the size of the
     picture is allocated, so that a header that claims a huge size costs nothing.  The reader may keep both
     pointers: input and picture stay where they are until it is closed. */
  bool (*open)(struct input *input, struct picture *picture, void **reader, struct error *error);

  /* Reads the next `count` rows (for a `whole` picture: all) into rows[0] … rows[count − 1]. */
  bool (*read)(void *reader, unsigned char *const *rows, size_t count, struct error *error);

  /* Reads what follows the pixels, to the end, and adds to the metadata.  A file that ends early is an
     error here at the latest. */
  bool (*finish)(void *reader, struct picture *picture, struct error *error);

  /* Releases the reader, whatever came before. */
  void (*close)(void *reader);

  /* Writing; refuse is NULL where the format can't be written. */

  /* Why this picture can't be written in this format (its limits of size, of channels, …), or NULL.
     `type` and `channels` of the shape are those of the result. */
  const char *(*refuse)(const struct picture *picture);

  /* Makes *writer, and writes all that precedes the pixels. */
  bool (*begin)(struct output *output, const struct picture *picture,
                const struct encoding *encoding, void **writer, struct error *error);

  /* Rows that `encode` takes at a time; depends on nothing but the picture, since the bytes of a
     compressed file depend on it.  The height of the picture for formats that need all. */
  size_t (*rows_at_once)(const void *writer);

  size_t rows_above; /* that `encode` reads above the rows that it encodes */

  /* How much memory encoding a piece takes: *encoded bytes (or not many more) until it is written, and
     *working bytes that are kept for other pieces, once for each that is encoded at the same time. */
  void (*encode_memory)(const void *writer, size_t *encoded, size_t *working);

  /* Encodes rows first … first + count − 1; rows[0] is row `first`, and rows[-1] to rows[-rows_above] are
     those above, as far as there are any.  Any number of threads may do this at the same time, for
     different rows. */
  bool (*encode)(const void *writer, size_t first, const unsigned char *const *rows, size_t count,
                 struct encoded *encoded, struct error *error);

  /* Writes what `encode` made; in order. */
  bool (*write)(void *writer, const struct encoded *encoded, struct error *error);

  /* Writes what follows the pixels; the picture's metadata is now complete.  The writer stays. */
  bool (*end)(void *writer, const struct picture *picture, struct error *error);

  /* Releases the writer, whatever came before. */
  void (*discard)(void *writer);
};

/* One line a format: an object `format_NAME`. */
#define FORMATS(X)                                                                                 \
  X(png)                                                                                           \
  X(pgm)                                                                                           \
  X(ppm)                                                                                           \
  X(pam)                                                                                           \
  X(pfm)                                                                                           \
  X(jpeg)                                                                                          \
  X(bmp)                                                                                           \
  X(tga)                                                                                           \
  X(hdr)

#define X(name) extern const struct format format_##name;
FORMATS(X)
#undef X

/* All formats, ended by NULL. */
extern const struct format *const formats[];

/* Whether pictures of this format are read; and whether they are written. */
bool format_reads(const struct format *format);
bool format_writes(const struct format *format);

/* The sample type that a result of type `wanted` is written with: that type if the format has it, else
   the widest one that it has. */
enum sample_type format_type(const struct format *format, enum sample_type wanted);

/* Writes the names of the formats for which `which` is true (of all, where it is NULL) to `text`, as a
   list that ends in `last`: "png, pgm" + " or " + "ppm".  Returns `text`. */
char *format_names(char *text, size_t bytes, bool (*which)(const struct format *),
                   const char *last);

/* The format of that name (--format); by the extension of a file's name, in any case; by the first
   bytes of a file.  NULL where there is none. */
const struct format *format_find(const char *name);
const struct format *format_for_name(const char *file_name);
const struct format *format_for_head(const unsigned char *head, size_t bytes);

#endif
