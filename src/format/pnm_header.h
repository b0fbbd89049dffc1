/* The headers of the Netpbm formats: P1 … P6 (PBM, PGM, PPM, plain and raw), P7 (PAM), Pf and PF
   (PFM). */
#ifndef HALO_PNM_HEADER_H
#define HALO_PNM_HEADER_H

#include "error.h"
#include "image.h"
#include "input.h"

struct pnm_header {
  char kind; /* the letter behind P */
  struct shape shape;
  unsigned maximum; /* of a sample, where samples are integers */
  bool swap;        /* floats are not in this machine's byte order */
};

/* Reads a header, up to the first byte of the samples.  The input begins with P and one of the letters
   above. */
bool pnm_header_read(struct input *input, struct pnm_header *header, struct error *error);

/* The next byte that is no part of a comment, or what input_byte() returns at the end or on failure. */
int pnm_byte(struct input *input, struct error *error);

/* Whether a byte of pnm_byte() is white space; and whether it is none, since the file has ended or could
   not be read, with the error set. */
bool pnm_is_space(int byte);
bool pnm_ended(int byte, struct error *error);

#endif
