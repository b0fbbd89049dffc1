/* Numbers of bytes as people write them. */
#ifndef HALO_BYTES_H
#define HALO_BYTES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BYTES_TEXT = 24 };

/* Writes a number of bytes as an option takes it: "512", "1K", "64M", "1500K", "7971M".  The unit is the
   largest in which the number is whole or at least 100; one that is not whole is rounded up.  Returns
   `text`. */
const char *bytes_text(size_t bytes, char text[BYTES_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
