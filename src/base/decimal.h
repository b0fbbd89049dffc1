/* Decimals: what a double was typed as.

   A number that was typed with decimals is not what the double nearest to it is worth: 0.1 is 1/10,
   and its double is not.  The shortest decimal that reads back as the same double is what was typed
   (for up to 15 digits, always). */
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

/* Products of two or three numbers of 64 bits. */
__extension__ typedef __int128 wide;

struct decimal decimal_of(double value);

/* digits · 10^(exponent − base), where that fits: under 10^18. */
bool decimal_scaled(struct decimal decimal, int base, long long *value);

/* The number as a fraction; false where 18 digits above or below the line don't hold it. */
bool ratio_of(double value, struct ratio *ratio);

/* a / b as a fraction; false where b is 0 or the numbers don't fit. */
bool ratio_quotient(double a, double b, struct ratio *ratio);

/* The largest number that divides both; 0 for 0 and 0. */
wide wide_gcd(wide a, wide b);

#endif
