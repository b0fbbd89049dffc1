/* CSV as RFC 4180 has it: fields between commas, quoted where they must be, records that end in CR and LF.
   What is not known is an empty field.  Everything goes to standard output. */
#ifndef HALO_CSV_H
#define HALO_CSV_H

#include <stddef.h>
#include <stdint.h>

/* The record that is being written; { 0 } before the first. */
struct csv {
  size_t fields; /* of it so far */
};

/* Fields whose text stands between commas in `names`: the beginning of a header. */
void csv_names(struct csv *csv, const char *names);

/* A field; empty for NULL. */
void csv_text(struct csv *csv, const char *text);
void csv_count(struct csv *csv, uint64_t count);

/* Empty where the value is NaN.  With so many decimals, or with up to nine digits. */
void csv_fixed(struct csv *csv, int decimals, double value);
void csv_number(struct csv *csv, double value);

/* So many empty fields. */
void csv_skip(struct csv *csv, size_t fields);

/* Ends the record. */
void csv_end(struct csv *csv);

#endif
