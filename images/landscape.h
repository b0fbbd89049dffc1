/* A made photograph: a mountain lake with clouds, forest and grass. */
#ifndef HALO_LANDSCAPE_H
#define HALO_LANDSCAPE_H

#include <stdbool.h>
#include <stddef.h>

/* Renders it into width · height · 3 samples of 8 bits.  False where memory runs out. */
bool landscape_render(size_t width, size_t height, unsigned char *rgb);

#endif
