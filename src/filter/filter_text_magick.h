/* ImageMagick's syntax for filters. */
#ifndef HALO_FILTER_TEXT_MAGICK_H
#define HALO_FILTER_TEXT_MAGICK_H

#include <stdbool.h>

#include "filter.h"
#include "filter_scan.h"

/* Reads the text to its end and appends its filters; some may be appended where it returns false. */
bool text_read_magick(struct scanner *scanner, struct chain *chain);

#endif
