/*
 * Numbers as text. strtod and printf follow the locale of the program, files do not. Reading
 * collects digits and an exponent without the point; writing exchanges the point.
 *
 * Integers of at most 15 digits and powers of ten up to 10^22 are exact doubles. A product or
 * quotient of two is rounded once, like the result of strtod. Up to 19 digits and 10^27 the same
 * holds in integers of 128 bits. The digits behind do not count if the next larger integer gives the
 * same double. All other numbers go through strtod.
 * Source: W. D. Clinger, How to read floating point numbers accurately, PLDI 1990.
 */
#include "base/text/number.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

enum { exact_digits = 15, exact_power = 22, whole_digits = 19, whole_power = 27 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Takes the digits that a text begins with; returns the text behind them. */
static const char *take_digits(nsds_decimal *d, const char *at, const char *end,
                               bool behind_point) {
  const char *begin = at, *kept;
  size_t count = d->digits;
  uint64_t whole = d->whole;
  if (count == 0)
    while (at != end && *at == '0') ++at;
  for (; at != end && is_digit(*at) && count < nsds_most_digits; ++at) {
    d->text[count] = *at;
    if (count++ < whole_digits) whole = 10 * whole + (uint64_t)(*at - '0');
  }
  d->digits = count;
  d->whole = whole;
  for (kept = at; at != end && is_digit(*at); ++at) d->more = d->more || *at != '0';
  d->exponent += behind_point ? begin - kept : at - kept;
  return at;
}

/* Reads an exponent; returns `at` if there is none. */
static const char *take_exponent(nsds_decimal *d, const char *at, const char *end, bool fortran) {
  const char *digit = at;
  if (at == end) return at;
  bool mark = *at == 'e' || *at == 'E' || (fortran && (*at == 'd' || *at == 'D'));
  if (!mark || ++digit == end) return at;
  bool negative = *digit == '-';
  if ((*digit == '-' || *digit == '+') && ++digit == end) return at;
  if (!is_digit(*digit)) return at;
  long long exponent = 0;
  for (at = digit; at != end && is_digit(*at); ++at)
    if (exponent < 1000000000000) exponent = 10 * exponent + (*at - '0');
  d->exponent += negative ? -exponent : exponent;
  return at;
}

const char *nsds_decimal_read(nsds_decimal *d, const char *at, const char *end, bool fortran) {
  const char *begin = at;
  d->digits = 0;
  d->whole = 0;
  d->more = false;
  d->exponent = 0;
  at = take_digits(d, at, end, false);
  bool some = at != begin;
  if (at != end && *at == '.') {
    begin = ++at;
    at = take_digits(d, at, end, true);
    some = some || at != begin;
  }
  return some ? take_exponent(d, at, end, fortran) : NULL;
}

/* Returns true if the number is a product or a quotient of exact doubles. */
static bool parse_exact(const nsds_decimal *d, double *value) {
  static const double power[exact_power + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#if FLT_EVAL_METHOD == 0
  long long exponent = d->exponent;
  if (d->digits > exact_digits || exponent > exact_power || exponent < -exact_power) return false;
  double whole = (double)d->whole;
  *value = exponent < 0 ? whole / power[-exponent] : whole * power[exponent];
  return true;
#else
  return false;
#endif
}

#if defined(__SIZEOF_INT128__) && FLT_EVAL_METHOD == 0
__extension__ typedef unsigned __int128 number_wide;

static int leading_zeros(uint64_t x) { return __builtin_clzll(x); }

/* Returns the double nearest to whole times 10^exponent, |exponent| <= whole_power. */
static double scale_whole(uint64_t whole, int exponent) {
  uint64_t five = 1, bits;
  for (int k = abs(exponent); k > 0; --k) five *= 5;
  int shift = leading_zeros(whole);
  whole <<= shift;
  if (exponent < 0) {
    int more = leading_zeros(five);
    number_wide dividend = (number_wide)whole << 62; /* so that the quotient has 62 or 63 bits */
    five <<= more;
    bits = (uint64_t)(dividend / five);
    bits |= (number_wide)bits * five != dividend;
    shift += 62 - more;
  } else {
    number_wide product = (number_wide)whole * five;
    int more = (uint64_t)(product >> 64) ? 64 - leading_zeros((uint64_t)(product >> 64)) : 0;
    bits = (uint64_t)(product >> more);
    bits |= (number_wide)bits << more != product;
    shift -= more;
  }
  return ldexp((double)bits, exponent - shift); /* bits beyond 64 are in the last one */
}

#endif

/* Returns true if the first digits decide. */
static bool parse_whole(const nsds_decimal *d, double *value) {
#if defined(__SIZEOF_INT128__) && FLT_EVAL_METHOD == 0
  bool rest = d->digits > whole_digits;
  long long exponent = d->exponent + (rest ? (long long)d->digits - whole_digits : 0);
  if (exponent > whole_power || exponent < -whole_power) return false;
  *value = scale_whole(d->whole, (int)exponent);
  return !rest || *value == scale_whole(d->whole + 1, (int)exponent);
#else
  (void)d, (void)value;
  return false;
#endif
}

double nsds_decimal_value(nsds_decimal *d) {
  double value;
  if (d->digits == 0) return 0.0;
  if (parse_exact(d, &value) || parse_whole(d, &value)) return value;
  if (d->more) {
    d->text[d->digits++] = '1';
    --d->exponent;
  }
  if (d->exponent > 99999) d->exponent = 99999;
  if (d->exponent < -99999) d->exponent = -99999;
  d->text[d->digits] = 'e';
  nsds_write_int(d->text + d->digits + 1, d->exponent);
  return strtod(d->text, NULL);
}

int nsds_decimal_begin(const char *text, double *value) {
  nsds_decimal d;
  const char *end = nsds_decimal_read(&d, text, NULL, false);
  if (!end) return 0;
  *value = nsds_decimal_value(&d);
  return (int)(end - text);
}

static bool is_word(const char *at, const char *end, const char *word) {
  for (; at < end && *word; ++at, ++word)
    if ((*at | 0x20) != *word) return false;
  return at == end && *word == '\0';
}

bool nsds_parse_real(const char *word, size_t size, double *value) {
  nsds_decimal d; /* large; the text is written as far as it is read */
  const char *at = word, *end = word + size;
  bool negative = size > 0 && *word == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  if (is_word(at, end, "inf") || is_word(at, end, "infinity")) {
    *value = negative ? -INFINITY : INFINITY;
    return true;
  }
  if (at == end || nsds_decimal_read(&d, at, end, true) != end) return false;
  *value = nsds_decimal_value(&d);
  if (negative) *value = -*value;
  return true;
}

bool nsds_parse_int(const char *word, size_t size, int *value) {
  size_t k = 0;
  bool negative = size > 0 && word[0] == '-';
  if (size > 0 && (word[0] == '-' || word[0] == '+')) ++k;
  if (k == size) return false;
  long long number = 0;
  for (; k < size; ++k) {
    if (!is_digit(word[k])) return false;
    number = 10 * number + (word[k] - '0');
    if (number > INT_MAX) return false;
  }
  *value = (int)(negative ? -number : number);
  return true;
}

int nsds_parse_place(const char *text) {
  enum { most = 6 };
  bool bracket = text[0] == '[';
  const char *digits = bracket ? text + 1 : text;
  size_t size = strspn(digits, "0123456789");
  int value;
  if (strcmp(digits + size, bracket ? "]" : "") != 0 || size == 0 || size > most) return -1;
  if (digits[0] == '0' && (size > 1 || !bracket)) return -1;
  if (!nsds_parse_int(digits, size, &value)) return -1;
  return bracket ? value : value - 1;
}

/* ---- writing ---- */

size_t nsds_write_int(char *text, long long value) {
  char digits[24];
  size_t count = 0, used = 0;
  unsigned long long rest =
      value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
  do digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) text[used++] = '-';
  while (count > 0) text[used++] = digits[--count];
  text[used] = '\0';
  return used;
}

void nsds_format_real(const nsds_locale_point *point, double value, char text[nsds_number_size]) {
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, nsds_number_size, "%.*g", digits, value);
    if (digits == 17 || strtod(text, NULL) == value) break;
  }
  nsds_put_dot(point, text);
}
