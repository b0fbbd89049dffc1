/* Checks of the PNG chunks that are kept, so that no broken one gets into the result. */
#include "png_chunk.h"

#include <stdint.h>
#include <string.h>

enum { KEYWORD_MAX = 79 };

struct kind {
  char type[5];
  bool once;          /* a file has at most one */
  bool before;        /* it must precede the pixels */
  bool keyword;       /* it begins with a keyword: 1 … 79 bytes and a zero byte */
  size_t least, most; /* bytes */
};

static const struct kind kinds[] = {
    {"iCCP", true, true, true, 5, SIZE_MAX},   {"gAMA", true, true, false, 4, 4},
    {"cHRM", true, true, false, 32, 32},       {"sRGB", true, true, false, 1, 1},
    {"cICP", true, true, false, 4, 4},         {"mDCV", true, true, false, 24, 24},
    {"cLLI", true, true, false, 8, 8},         {"pHYs", true, true, false, 9, 9},
    {"eXIf", true, false, false, 4, SIZE_MAX}, {"tIME", true, false, false, 7, 7},
    {"tEXt", false, false, true, 2, SIZE_MAX}, {"zTXt", false, false, true, 3, SIZE_MAX},
    {"iTXt", false, false, true, 6, SIZE_MAX},
};

static const struct kind *kind_find(const char type[5])
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (memcmp(kinds[i].type, type, 4) == 0)
      return &kinds[i];
  return NULL;
}

bool chunk_is_kept(const char type[5])
{
  return kind_find(type) != NULL;
}

static bool keyword_is_right(const unsigned char *data, size_t size)
{
  const unsigned char *end = memchr(data, 0, size <= KEYWORD_MAX ? size : KEYWORD_MAX + 1);

  return end && end > data;
}

/* What is wrong with a chunk by itself; NULL for nothing. */
static const char *chunk_content_fault(const struct kind *kind, const unsigned char *data,
                                       size_t size)
{
  static const unsigned char zero[4];

  if (size < kind->least || size > kind->most)
    return "has the wrong length";
  if (kind->keyword && !keyword_is_right(data, size))
    return "begins with no keyword";
  if (memcmp(kind->type, "gAMA", 4) == 0 && memcmp(data, zero, 4) == 0)
    return "says that gamma is zero";
  if (memcmp(kind->type, "sRGB", 4) == 0 && data[0] > 3)
    return "names a rendering intent over 3, which PNG does not define,";
  return NULL;
}

const char *chunk_fault(struct chunk_tally *tally, const char type[5], const unsigned char *data,
                        size_t size, bool after_pixels)
{
  const struct kind *kind = kind_find(type);
  unsigned bit = 1u << (kind - kinds);
  const char *fault = chunk_content_fault(kind, data, size);

  if (fault)
    return fault;
  if (kind->before && after_pixels)
    return "stands behind the pixels";
  if (kind->once && (tally->accepted & bit))
    return "is there twice";
  tally->accepted |= bit;
  return NULL;
}
