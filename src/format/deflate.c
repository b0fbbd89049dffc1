/* Deflate by ISA-L where it was found and the level is fast, by zlib otherwise.

   Measured on filtered rows of photographs, one core, 28 MB in pieces of 512 KiB, bytes against
   zlib level 6 with its strategy for filtered rows (what libpng does when nobody says otherwise):
   ISA-L level 3 takes 0.11 s for 1.002 of the size; zlib level 1 takes 0.56 s for 0.980, level 6 1.9 s
   for 0.979.  Hence level 1 is the default, by either. */
#include "config.h"

#include "deflate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif

struct deflate {
  int level;
  z_stream zlib; /* its state is NULL until it is first needed */
#ifdef HAVE_ISAL
  struct isal_zstream isal;
  unsigned char tables[ISAL_DEF_LVL3_DEFAULT];
#endif
};

struct deflate *deflate_create(int level, struct error *error)
{
  struct deflate *deflate = malloc(sizeof *deflate);

  if (!deflate) {
    error_set(error, STATUS_FAILED, "no memory for a compressor");
    return NULL;
  }
  deflate->level = level;
  memset(&deflate->zlib, 0, sizeof deflate->zlib);
  return deflate;
}

void deflate_free(struct deflate *deflate)
{
  if (deflate && deflate->zlib.state)
    deflateEnd(&deflate->zlib);
  free(deflate);
}

size_t deflate_bytes(void)
{
  return sizeof(struct deflate) + (1 << 18) + (1 << 14); /* 256 KiB and some are zlib's own */
}

size_t deflate_bound(size_t count)
{
  return count + count / 512 + 1024; /* stored blocks cost 5 bytes for each 16 KiB at most */
}

#ifdef HAVE_ISAL
static bool level_is_isal(int level)
{
  return level >= 1 && level <= 3;
}

/* A piece that is not the last is ended at a whole byte by FULL_FLUSH.

   Always its level 3: what levels 1 and 2 of version 2.30 make depends on the address of the stream (one
   of some 600 short pieces came out differently at another address, on AVX2 and on AVX-512; tests/
   unit/test_deflate.c sees it), and the same bytes in must give the same bytes out. */
static bool piece_isal(struct deflate *deflate, const unsigned char *bytes, size_t count, bool last,
                       unsigned char *deflated, size_t capacity, size_t *size, struct error *error)
{
  int result;
  struct isal_zstream *stream = &deflate->isal;

  /* ISA-L looks for matches at the places that its tables name, from their first byte on: what was left
     in them would change the result. */
  memset(stream, 0, sizeof *stream);
  memset(deflate->tables, 0, sizeof deflate->tables);
  isal_deflate_stateless_init(stream);
  stream->level = 3;
  stream->level_buf = deflate->tables;
  stream->level_buf_size = sizeof deflate->tables;
  stream->next_in = (uint8_t *)bytes; /* not written to, though the type does not say so */
  stream->avail_in = (uint32_t)count;
  stream->next_out = deflated;
  stream->avail_out = (uint32_t)capacity;
  stream->end_of_stream = last;
  stream->flush = last ? NO_FLUSH : FULL_FLUSH;
  result = isal_deflate_stateless(stream);
  if (result != COMP_OK || stream->avail_in != 0)
    return error_set(error, STATUS_FAILED, "%zu bytes can't be compressed (ISA-L returns %d)",
                     count, result);
  *size = stream->total_out;
  return true;
}

uint32_t deflate_adler(uint32_t adler, const unsigned char *bytes, size_t count)
{
  return isal_adler32(adler, bytes, count);
}

uint32_t deflate_crc(uint32_t crc, const unsigned char *bytes, size_t count)
{
  return crc32_gzip_refl(crc, bytes, count);
}
#else
static bool level_is_isal(int level)
{
  (void)level;
  return false;
}

static bool piece_isal(struct deflate *deflate, const unsigned char *bytes, size_t count, bool last,
                       unsigned char *deflated, size_t capacity, size_t *size, struct error *error)
{
  (void)bytes, (void)count, (void)last, (void)deflated, (void)capacity, (void)size;
  return error_set(error, STATUS_FAILED, "level %d: built without ISA-L", deflate->level);
}

uint32_t deflate_adler(uint32_t adler, const unsigned char *bytes, size_t count)
{
  return (uint32_t)adler32_z(adler, bytes, count);
}

uint32_t deflate_crc(uint32_t crc, const unsigned char *bytes, size_t count)
{
  return (uint32_t)crc32_z(crc, bytes, count);
}
#endif

/* Begins a stream, with what memory the one before it had. */
static bool zlib_begin(z_stream *stream, int level, struct error *error)
{
  int result = stream->state
                   ? deflateReset(stream)
                   : deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);

  if (result == Z_MEM_ERROR)
    return error_set(error, STATUS_FAILED, "no memory for a compressor");
  return result == Z_OK ||
         error_set(error, STATUS_FAILED, "zlib's compressor does not start: it returns %d", result);
}

static bool piece_zlib(struct deflate *work, const unsigned char *bytes, size_t count, bool last,
                       unsigned char *deflated, size_t capacity, size_t *size, struct error *error)
{
  z_stream *stream = &work->zlib;
  int result;

  if (!zlib_begin(stream, work->level, error))
    return false;
  stream->next_in = (Bytef *)bytes; /* not written to, though the type does not say so */
  stream->avail_in = (uInt)count;
  stream->next_out = deflated;
  stream->avail_out = (uInt)capacity;
  result = deflate(stream, last ? Z_FINISH : Z_SYNC_FLUSH);
  if (result != (last ? Z_STREAM_END : Z_OK) || stream->avail_in != 0 || stream->avail_out == 0)
    return error_set(error, STATUS_FAILED, "%zu bytes can't be compressed (zlib returns %d)", count,
                     result);
  *size = capacity - stream->avail_out;
  return true;
}

bool deflate_raw(struct deflate *deflate, const unsigned char *bytes, size_t count, bool last,
                 unsigned char *deflated, size_t capacity, size_t *size, struct error *error)
{
  return level_is_isal(deflate->level)
             ? piece_isal(deflate, bytes, count, last, deflated, capacity, size, error)
             : piece_zlib(deflate, bytes, count, last, deflated, capacity, size, error);
}
