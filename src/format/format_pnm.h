/* The Netpbm formats, between reading (format_pnm.c) and writing (format_pnm_write.c). */
#ifndef HALO_FORMAT_PNM_H
#define HALO_FORMAT_PNM_H

#include "format.h"

/* Reading: the same for all of them, but for the magic numbers. */
bool pnm_open(struct input *input, struct picture *picture, void **reader, struct error *error);
bool pnm_read(void *reader, unsigned char *const *rows, size_t count, struct error *error);
bool pnm_finish(void *reader, struct picture *picture, struct error *error);
void pnm_close(void *reader);

#endif
