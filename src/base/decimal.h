/* Recovering the decimal number that a double was read from.

   0.1 as typed is 1/10, but the double nearest to it is not.  What was typed is taken to be the shortest
   decimal that reads back as the same double; for up to 15 digits (DBL_DIG) that is always right. */
#ifndef HALO_DECIMAL_H
#define HALO_DECIMAL_H

#include <stdbool.h>

/* digits · 10^exponent; the digits don't end in 0, and 0 is 0 · 10^0. */
struct decimal {
  long long digits;
  int exponent;
};

/* A fraction, reduced; the denominator is above 0. */
struct ratio {
  long long numerator, denominator;
};

/* Holds products of 64-bit numbers: 128 bits. */
__extension__ typedef __int128 wide;

/* The decimal that a finite `value` was read from. */
struct decimal decimal_of(double value);

/* *value = digits · 10^(exponent − base); false where that is no integer, or is 10^18 or more
   in magnitude. */
bool decimal_scaled(struct decimal decimal, int base, long long *value);

/* The number as a fraction; false where it is not finite, or numerator or denominator would need more than
   18 digits. */
bool ratio_of(double value, struct ratio *ratio);

/* a / b as a fraction; false where b is 0 or the numbers don't fit. */
bool ratio_quotient(double a, double b, struct ratio *ratio);

/* The largest number that divides both; 0 for 0 and 0. */
wide wide_gcd(wide a, wide b);

#endif
