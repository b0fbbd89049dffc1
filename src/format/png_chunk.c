/* Checks of the PNG chunks that are kept: a broken one would be broken again in the result. */
#include "png_chunk.h"

#include <stdint.h>
#include <string.h>

enum { KEYWORD_MAX = 79 };

struct kind {
  char type[5];
  bool once;    /* a file has one of them at most */
  bool before;  /* it stands before the pixels */
  bool keyword; /* begins with 1 … 79 bytes and a zero byte */
  size_t least, most;
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

static bool metadata_has(const struct metadata *metadata, const char type[5])
{
  for (size_t i = 0; i < metadata->count; i++)
    if (memcmp(metadata->items[i].type, type, 4) == 0)
      return true;
  return false;
}

static bool keyword_is_right(const unsigned char *data, size_t size)
{
  const unsigned char *end = memchr(data, 0, size <= KEYWORD_MAX ? size : KEYWORD_MAX + 1);

  return end && end > data;
}

const char *chunk_fault(const struct metadata *metadata, const char type[5],
                        const unsigned char *data, size_t size, bool after_pixels)
{
  static const unsigned char zero[4];
  const struct kind *kind = kind_find(type);

  if (size < kind->least || size > kind->most)
    return "has the wrong length";
  if (kind->keyword && !keyword_is_right(data, size))
    return "begins with no keyword";
  if (memcmp(type, "gAMA", 4) == 0 && memcmp(data, zero, 4) == 0)
    return "says that gamma is zero";
  if (memcmp(type, "sRGB", 4) == 0 && data[0] > 3)
    return "has a rendering intent that there is not";
  if (kind->before && after_pixels)
    return "stands behind the pixels";
  if (kind->once && metadata_has(metadata, type))
    return "is there twice";
  return NULL;
}
