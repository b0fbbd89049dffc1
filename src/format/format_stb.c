/* JPEG, BMP, TGA and HDR, written by stb_image_write; none of them is read.

   Its functions take the whole picture, never report that a write failed, and truncate sizes that their
   formats can't hold.  So such sizes are refused here before, and what the functions write goes to memory
   through a callback, which remembers whether memory ran out. */
#include "config.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"

#ifdef HAVE_STB
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#ifdef __clang__
/* Its bit writer for JPEG shifts into the sign bit; gcc has no pragma to say that it may. */
#pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#endif
#include <stb/stb_image_write.h>
#ifdef __clang__
#pragma clang attribute pop
#endif
#pragma GCC diagnostic pop
#endif

enum {
  SIDE_MAX = 65535, /* of JPEG and TGA: 16 bits in their headers */
};

struct stb_writer {
  struct output *output;
  struct shape shape;
  size_t row_bytes;
  int quality;
  /* One of stb's functions; what it writes goes to `encoded`. */
  bool (*put)(const struct stb_writer *writer, const void *samples, struct encoded *encoded,
              struct error *error);
};

#ifdef HAVE_STB

/* Where stb's bytes go. */
struct sink {
  struct encoded *encoded;
  struct error *error;
  bool failed;
};

static void sink_put(void *context, void *bytes, int count)
{
  struct sink *sink = context;
  struct encoded *encoded = sink->encoded;
  size_t size = encoded->size + (size_t)count;

  if (!sink->failed && size > encoded->capacity)
    sink->failed = !encoded_reserve(encoded, size + size / 2, sink->error);
  if (sink->failed)
    return;
  memcpy(encoded->bytes + encoded->size, bytes, (size_t)count);
  encoded->size = size;
}

static bool sink_end(const struct sink *sink, int done, struct error *error)
{
  if (!done && !sink->failed)
    return error_set(error, STATUS_FAILED, "the picture can't be encoded; memory may be short");
  return !sink->failed;
}

static bool put_jpeg(const struct stb_writer *writer, const void *samples, struct encoded *encoded,
                     struct error *error)
{
  struct sink sink = {encoded, error, false};

  return sink_end(&sink,
                  stbi_write_jpg_to_func(sink_put, &sink, (int)writer->shape.width,
                                         (int)writer->shape.height, (int)writer->shape.channels,
                                         samples, writer->quality),
                  error);
}

static bool put_bmp(const struct stb_writer *writer, const void *samples, struct encoded *encoded,
                    struct error *error)
{
  struct sink sink = {encoded, error, false};

  return sink_end(&sink,
                  stbi_write_bmp_to_func(sink_put, &sink, (int)writer->shape.width,
                                         (int)writer->shape.height, (int)writer->shape.channels,
                                         samples),
                  error);
}

static bool put_tga(const struct stb_writer *writer, const void *samples, struct encoded *encoded,
                    struct error *error)
{
  struct sink sink = {encoded, error, false};

  return sink_end(&sink,
                  stbi_write_tga_to_func(sink_put, &sink, (int)writer->shape.width,
                                         (int)writer->shape.height, (int)writer->shape.channels,
                                         samples),
                  error);
}

static bool put_hdr(const struct stb_writer *writer, const void *samples, struct encoded *encoded,
                    struct error *error)
{
  struct sink sink = {encoded, error, false};

  return sink_end(&sink,
                  stbi_write_hdr_to_func(sink_put, &sink, (int)writer->shape.width,
                                         (int)writer->shape.height, (int)writer->shape.channels,
                                         samples),
                  error);
}

static const char *const missing = NULL;
#else
#define put_jpeg NULL
#define put_bmp NULL
#define put_tga NULL
#define put_hdr NULL
static const char *const missing = "this halo was built without stb_image_write";
#endif

/* Why the picture can't be written: its sides are too long, or its size overflows the `int` in which stb
   counts bytes of up to four channels; else `channels`, the caller's reason or NULL. */
static const char *refuse(const struct shape *shape, size_t side_most, const char *channels)
{
  size_t samples;

  if (missing)
    return missing;
  if (shape->width > side_most || shape->height > side_most)
    return "its sides are limited to 65,535 pixels; png holds more";
  if (__builtin_mul_overflow(shape->width, shape->height, &samples) ||
      __builtin_mul_overflow(samples, CHANNELS_MAX, &samples) || samples > INT_MAX / 2)
    return "it holds at most 268,435,455 pixels here; png holds more";
  return channels;
}

static const char *refuse_alpha(const struct shape *shape)
{
  return shape_has_alpha(shape) ? "it holds no alpha; png does" : NULL;
}

static const char *jpeg_refuse(const struct picture *picture)
{
  return refuse(&picture->shape, SIDE_MAX, refuse_alpha(&picture->shape));
}

static const char *tga_refuse(const struct picture *picture)
{
  return refuse(&picture->shape, SIDE_MAX, NULL);
}

static const char *bmp_refuse(const struct picture *picture)
{
  return refuse(&picture->shape, SIZE_MAX,
                picture->shape.channels == 2 ? "it holds no grey with alpha; png does" : NULL);
}

static const char *hdr_refuse(const struct picture *picture)
{
  return refuse(&picture->shape, SIZE_MAX, refuse_alpha(&picture->shape));
}

static bool begin(struct output *output, const struct picture *picture,
                  const struct encoding *encoding, void **made, struct error *error)
{
  struct stb_writer *writer = calloc(1, sizeof *writer);

  if (!writer)
    return error_set(error, STATUS_FAILED, "no memory for a writer");
  *made = writer;
  writer->output = output;
  writer->shape = picture->shape;
  writer->quality = encoding->quality;
  return shape_row_bytes(&picture->shape, &writer->row_bytes, error);
}

static size_t rows_at_once(const void *writer)
{
  return ((const struct stb_writer *)writer)->shape.height;
}

/* The file in memory, which grows by half at a time, and a copy of the rows. */
static void encode_memory(const void *opaque, size_t *encoded, size_t *working)
{
  const struct stb_writer *writer = opaque;

  *working = writer->row_bytes * writer->shape.height;
  *encoded = *working + *working / 2;
}

/* Copies the rows into one block, as stb wants them.  For HDR, samples are clamped to the range of its
   pixels (RGBE: three mantissas with a common exponent): stb would write a negative sample as a large
   one, and infinity as black. */
static void *rows_gather(const struct stb_writer *writer, const unsigned char *const *rows)
{
  static const float most = 0x1.fffffep126f;
  unsigned char *samples = NULL;
  size_t bytes;

  if (!__builtin_mul_overflow(writer->row_bytes, writer->shape.height, &bytes))
    samples = malloc(bytes);

  for (size_t y = 0; samples && y < writer->shape.height; y++) {
    memcpy(samples + y * writer->row_bytes, rows[y], writer->row_bytes);
    if (writer->shape.type != SAMPLE_F32)
      continue;
    for (size_t i = 0; i < writer->shape.width * writer->shape.channels; i++) {
      float *sample = (float *)(void *)(samples + y * writer->row_bytes) + i;

      *sample = *sample > most ? most : *sample > 0 ? *sample : 0; /* NaN becomes 0 too */
    }
  }
  return samples;
}

static bool encode(const void *opaque, size_t first, const unsigned char *const *rows, size_t count,
                   struct encoded *encoded, struct error *error)
{
  const struct stb_writer *writer = opaque;
  void *samples = rows_gather(writer, rows);
  bool done;

  (void)first, (void)count;
  if (!samples)
    return error_set(error, STATUS_FAILED, "no memory for the whole picture");
  encoded->size = 0;
  done = writer->put(writer, samples, encoded, error);
  free(samples);
  return done;
}

static bool write_encoded(void *opaque, const struct encoded *encoded, struct error *error)
{
  return output_write(((struct stb_writer *)opaque)->output, encoded->bytes, encoded->size, error);
}

static bool end(void *writer, const struct picture *picture, struct error *error)
{
  (void)writer, (void)picture, (void)error;
  return true;
}

/* Begins a writer for one of stb's functions. */
#define BEGIN(name)                                                                                \
  static bool begin_##name(struct output *output, const struct picture *picture,                   \
                           const struct encoding *encoding, void **made, struct error *error)      \
  {                                                                                                \
    bool begun = begin(output, picture, encoding, made, error);                                    \
                                                                                                   \
    if (begun)                                                                                     \
      ((struct stb_writer *)*made)->put = put_##name;                                              \
    return begun;                                                                                  \
  }

BEGIN(jpeg)
BEGIN(bmp)
BEGIN(tga)
BEGIN(hdr)

static const char *const jpeg_extensions[] = {"jpg", "jpeg", NULL};
static const char *const bmp_extensions[] = {"bmp", NULL};
static const char *const tga_extensions[] = {"tga", NULL};
static const char *const hdr_extensions[] = {"hdr", NULL};

/* What all of them have in common. */
#define STB                                                                                        \
  .rows_at_once = rows_at_once, .encode_memory = encode_memory, .encode = encode,                  \
  .write = write_encoded, .end = end, .discard = free

const struct format format_jpeg = {
    .name = "jpeg",
    .about = "for photographs, with loss (--quality)",
    .extensions = jpeg_extensions,
    .quality = true,
    .refuse = jpeg_refuse,
    .types = SAMPLE_SET(SAMPLE_U8),
    .begin = begin_jpeg,
    STB,
};

const struct format format_bmp = {
    .name = "bmp",
    .about = "Windows bitmap",
    .extensions = bmp_extensions,
    .refuse = bmp_refuse,
    .types = SAMPLE_SET(SAMPLE_U8),
    .begin = begin_bmp,
    STB,
};

const struct format format_tga = {
    .name = "tga",
    .about = "Truevision",
    .extensions = tga_extensions,
    .refuse = tga_refuse,
    .types = SAMPLE_SET(SAMPLE_U8),
    .begin = begin_tga,
    STB,
};

const struct format format_hdr = {
    .name = "hdr",
    .about = "Radiance, float samples",
    .extensions = hdr_extensions,
    .refuse = hdr_refuse,
    .types = SAMPLE_SET(SAMPLE_F32),
    .begin = begin_hdr,
    STB,
};
