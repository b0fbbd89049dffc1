/* The headers of the Netpbm formats: P1 … P6 (PBM, PGM, PPM, plain and raw), P7 (PAM), Pf and PF
   (PFM). */
#ifndef HALO_PNM_HEADER_H
#define HALO_PNM_HEADER_H

#include "error.h"
#include "image.h"
#include "input.h"

struct pnm_header {
  char kind; /* the character after P: 1 … 7, f or F */
  struct shape shape;
  unsigned maximum; /* of a sample, where samples are integers */
  bool swap;        /* floats are not in this machine's byte order */
};

/* Reads a header, up to the first byte of the samples.  The input begins with P and one of these
   characters. */
bool pnm_header_read(struct input *input, struct pnm_header *header, struct error *error);

/* The next byte that is no part of a comment, or what input_byte() returns at the end or on failure. */
int pnm_byte(struct input *input, struct error *error);

/* Whether what pnm_byte() returned is white space; and whether it is no byte at all, since the file has ended
   or could not be read: then the error is set. */
bool pnm_is_space(int byte);
bool pnm_ended(int byte, struct error *error);

#endif
