/* PNG's entry in the table of formats: format_png_read.c reads, format_png_write.c writes. */
#include "format_png.h"

#include <string.h>

static bool format_png_matches(const unsigned char *head, size_t bytes)
{
  /* the other four bytes of the signature are there to show what a conversion of text did to a file:
     libpng checks them, and says so */
  return bytes >= 4 && memcmp(head, "\x89PNG", 4) == 0;
}

static const char *const extensions[] = {"png", NULL};

const struct format format_png = {
    .name = "png",
    .about = "Portable Network Graphics, 8 and 16 bit, with metadata",
    .extensions = extensions,
    .types = SAMPLE_SET(SAMPLE_U8) | SAMPLE_SET(SAMPLE_U16),
    .compression = true,
    .matches = format_png_matches,
    .open = format_png_open,
    .read = format_png_read,
    .finish = format_png_finish,
    .close = format_png_close,
    .refuse = format_png_refuse,
    .begin = format_png_begin,
    .rows_at_once = format_png_rows_at_once,
    .rows_above = 1, /* for the row filters */
    .encode_memory = format_png_encode_memory,
    .encode = format_png_encode,
    .write = format_png_write,
    .end = format_png_end,
    .discard = format_png_discard,
};
