/* Finding the decimal that was typed: see decimal.h. */
#include "decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const long long DECIMAL_LIMIT = 1000000000000000000; /* 10^18 */

/* Reads "-d.dddde-xx", whose decimal point is that of the locale. */
static struct decimal decimal_read(const char *text)
{
  struct decimal decimal = {0, 0};
  bool negative = *text == '-', point = false;
  int decimals = 0;

  for (text += negative; *text != 'e'; text++) {
    if (*text < '0' || *text > '9') {
      point = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + (*text - '0');
    decimals += point;
  }
  decimal.exponent = (int)strtol(text + 1, NULL, 10) - decimals;
  if (negative)
    decimal.digits = -decimal.digits;
  return decimal;
}

/* Moves zeros at the end of the digits to the exponent. */
static struct decimal decimal_settle(struct decimal decimal)
{
  while (decimal.digits != 0 && decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    decimal.exponent++;
  }
  if (decimal.digits == 0)
    decimal.exponent = 0;
  return decimal;
}

struct decimal decimal_of(double value)
{
  char text[64];
  int digits;

  if (fabs(value) < 1e15 && rint(value) == value)
    return decimal_settle((struct decimal){(long long)value, 0});
  for (digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    if (strtod(text, NULL) == value) /* printf and strtod share the locale's point */
      break;
  }
  return decimal_settle(decimal_read(text));
}

bool decimal_scaled(struct decimal decimal, int base, long long *value)
{
  int power = decimal.exponent - base;

  *value = decimal.digits;
  if (decimal.digits == 0)
    return true;
  if (power < 0)
    return false;
  for (; power > 0; power--) {
    if (llabs(*value) >= DECIMAL_LIMIT / 10)
      return false;
    *value *= 10;
  }
  return llabs(*value) < DECIMAL_LIMIT;
}

wide wide_gcd(wide a, wide b)
{
  while (b != 0) {
    wide rest = a % b;

    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static bool ratio_reduce(wide numerator, wide denominator, struct ratio *ratio)
{
  wide common = wide_gcd(numerator, denominator);

  if (denominator == 0)
    return false;
  if (denominator < 0)
    common = -common;
  numerator /= common;
  denominator /= common;
  if (numerator >= DECIMAL_LIMIT || numerator <= -DECIMAL_LIMIT || denominator >= DECIMAL_LIMIT)
    return false;
  ratio->numerator = (long long)numerator;
  ratio->denominator = (long long)denominator;
  return true;
}

bool ratio_of(double value, struct ratio *ratio)
{
  return isfinite(value) && ratio_quotient(value, 1, ratio);
}

bool ratio_quotient(double a, double b, struct ratio *ratio)
{
  struct decimal above, below;
  long long numerator, denominator;
  int base;

  if (!isfinite(a) || !isfinite(b))
    return false;
  above = decimal_of(a);
  below = decimal_of(b);
  base = above.exponent < below.exponent ? above.exponent : below.exponent;
  return decimal_scaled(above, base, &numerator) && decimal_scaled(below, base, &denominator) &&
         ratio_reduce(numerator, denominator, ratio);
}
