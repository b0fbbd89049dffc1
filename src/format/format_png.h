/* The functions of PNG's entry in the table of formats; format.h says what each does. */
#ifndef HALO_FORMAT_PNG_H
#define HALO_FORMAT_PNG_H

#include "format.h"

/* format_png_read.c */
bool format_png_open(struct input *input, struct picture *picture, void **reader,
                     struct error *error);
bool format_png_read(void *reader, unsigned char *const *rows, size_t count, struct error *error);
bool format_png_finish(void *reader, struct picture *picture, struct error *error);
void format_png_close(void *reader);

/* format_png_write.c */
const char *format_png_refuse(const struct picture *picture);
bool format_png_begin(struct output *output, const struct picture *picture,
                      const struct encoding *encoding, void **writer, struct error *error);
size_t format_png_rows_at_once(const void *writer);
void format_png_encode_memory(const void *writer, size_t *encoded, size_t *working);
bool format_png_encode(const void *writer, size_t first, const unsigned char *const *rows,
                       size_t count, struct encoded *encoded, struct error *error);
bool format_png_write(void *writer, const struct encoded *encoded, struct error *error);
bool format_png_end(void *writer, const struct picture *picture, struct error *error);
void format_png_discard(void *writer);

#endif
