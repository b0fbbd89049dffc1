/* The functions of the Netpbm formats' entries in the table; format.h says what each does. */
#ifndef HALO_FORMAT_PNM_H
#define HALO_FORMAT_PNM_H

#include "format.h"

/* format_pnm_read.c: the same for all of them, but for the character after P. */
bool pnm_open(struct input *input, struct picture *picture, void **reader, struct error *error);
bool pnm_read(void *reader, unsigned char *const *rows, size_t count, struct error *error);
bool pnm_finish(void *reader, struct picture *picture, struct error *error);
void pnm_close(void *reader);

/* format_pnm_write.c: all but PAM begin as pnm_begin() does.  free() discards the writer. */
bool pnm_begin(struct output *output, const struct picture *picture,
               const struct encoding *encoding, void **writer, struct error *error);
bool pam_begin(struct output *output, const struct picture *picture,
               const struct encoding *encoding, void **writer, struct error *error);
size_t pnm_rows_at_once(const void *writer);
void pnm_encode_memory(const void *writer, size_t *encoded, size_t *working);
bool pnm_encode(const void *writer, size_t first, const unsigned char *const *rows, size_t count,
                struct encoded *encoded, struct error *error);
bool pnm_write(void *writer, const struct encoded *encoded, struct error *error);
bool pnm_end(void *writer, const struct picture *picture, struct error *error);

#endif
