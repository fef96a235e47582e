/*
 * Numbers as text. strtod and printf follow the locale of the program, files do not. Reading
 * rewrites a number without its point; writing exchanges the point.
 */
#include "io/number.h"

#include "base/format.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

/* No double needs more decimal digits; of later digits it matters only if all are zero. */
enum { most_digits = 780 };
/* Integers of so many digits, and powers of ten up to this one, are exact doubles. A product or
 * quotient of two of them is rounded once, like the result of strtod (Clinger, PLDI 1990). */
enum { exact_digits = 15, exact_power = 22 };

/* A decimal number as strtod takes it in every locale: digits without a point, and an exponent. */
typedef struct decimal {
  char text[most_digits + 32];
  size_t used, digits;
  uint64_t whole;     /* the first digits as an integer, if there are at most `exact_digits` */
  bool any, more;     /* any digit; a digit that is not zero was left out */
  long long exponent; /* of the last digit kept */
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void take_digit(decimal *d, char c, bool behind_point) {
  d->any = true;
  d->exponent -= behind_point;
  if (d->digits == 0 && c == '0') return;
  if (d->digits < most_digits) {
    d->text[d->used++] = c;
    if (d->digits++ < exact_digits) d->whole = 10 * d->whole + (uint64_t)(c - '0');
    return;
  }
  ++d->exponent;
  if (c != '0') d->more = true;
}

static const char *take_digits(decimal *d, const char *at, const char *end) {
  bool point = false;
  for (; at < end && (is_digit(*at) || (*at == '.' && !point)); ++at)
    if (*at == '.') point = true;
    else take_digit(d, *at, point);
  return at;
}

/* Takes "e", "E", or "d", "D" of Fortran, and an integer; NULL if there is something else. */
static const char *take_exponent(decimal *d, const char *at, const char *end) {
  if (at == end) return at;
  if (!memchr("eEdD", *at, 4) || ++at == end) return NULL;
  bool negative = *at == '-';
  if ((*at == '-' || *at == '+') && ++at == end) return NULL;
  long long exponent = 0;
  for (; at < end && is_digit(*at); ++at)
    if (exponent < 1000000000000) exponent = 10 * exponent + (*at - '0');
  d->exponent += negative ? -exponent : exponent;
  return at;
}

static bool is_word(const char *at, const char *end, const char *word) {
  for (; at < end && *word; ++at, ++word)
    if ((*at | 0x20) != *word) return false;
  return at == end && *word == '\0';
}

/* Returns true if the number is a product or a quotient of exact doubles. */
static bool parse_exact(const decimal *d, bool negative, double *value) {
  static const double power[exact_power + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#if FLT_EVAL_METHOD == 0
  long long exponent = d->exponent;
  if (d->digits > exact_digits || exponent > exact_power || exponent < -exact_power) return false;
  double whole = (double)d->whole;
  if (negative) whole = -whole;
  *value = exponent < 0 ? whole / power[-exponent] : whole * power[exponent];
  return true;
#else
  return false;
#endif
}

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

bool nsds_parse_real(const char *word, size_t size, double *value) {
  decimal d; /* large; the text is written as far as it is read */
  d.used = d.digits = 0;
  d.whole = 0;
  d.any = d.more = false;
  d.exponent = 0;
  const char *at = word, *end = word + size;
  if (at < end && (*at == '-' || *at == '+')) d.text[d.used++] = *at++;
  if (is_word(at, end, "inf") || is_word(at, end, "infinity")) {
    *value = d.used && d.text[0] == '-' ? -INFINITY : INFINITY;
    return true;
  }
  at = take_exponent(&d, take_digits(&d, at, end), end);
  if (at != end || !d.any) return false;
  if (parse_exact(&d, word[0] == '-', value)) return true;
  if (d.digits == 0) d.text[d.used++] = '0';
  if (d.more) {
    d.text[d.used++] = '1';
    --d.exponent;
  }
  if (d.exponent > 99999) d.exponent = 99999;
  if (d.exponent < -99999) d.exponent = -99999;
  d.text[d.used++] = 'e';
  nsds_write_int(d.text + d.used, d.exponent);
  *value = strtod(d.text, NULL);
  return true;
}

bool nsds_parse_int(const char *word, size_t size, int *value) {
  size_t k = 0;
  bool negative = size > 0 && word[0] == '-';
  if (size > 0 && (word[0] == '-' || word[0] == '+')) ++k;
  if (k == size) return false;
  long long number = 0;
  for (; k < size; ++k) {
    if (word[k] < '0' || word[k] > '9') return false;
    number = 10 * number + (word[k] - '0');
    if (number > INT_MAX) return false;
  }
  *value = (int)(negative ? -number : number);
  return true;
}

/* ---- writing ---- */

void nsds_format_real(const nsds_locale_point *point, double value, char text[nsds_number_size]) {
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, nsds_number_size, "%.*g", digits, value);
    if (digits == 17 || strtod(text, NULL) == value) break;
  }
  nsds_put_dot(point, text);
}
