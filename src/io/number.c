/*
 * Numbers as text. strtod and printf follow the locale of the program, files do not. Reading
 * rewrites a number without its point; writing exchanges the point.
 */
#include "io/number.h"

#include "base/format.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

/* No double needs more decimal digits; of later digits it matters only if all are zero. */
enum { most_digits = 780 };

/* A decimal number as strtod takes it in every locale: digits without a point, and an exponent. */
typedef struct decimal {
  char text[most_digits + 32];
  size_t used, digits;
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
    ++d->digits;
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

bool nsds_parse_real(const char *word, size_t size, double *value) {
  decimal d = {.used = 0};
  const char *at = word, *end = word + size;
  if (at < end && (*at == '-' || *at == '+')) d.text[d.used++] = *at++;
  if (is_word(at, end, "inf") || is_word(at, end, "infinity")) {
    *value = d.used && d.text[0] == '-' ? -INFINITY : INFINITY;
    return true;
  }
  at = take_exponent(&d, take_digits(&d, at, end), end);
  if (at != end || !d.any) return false;
  if (d.digits == 0) d.text[d.used++] = '0';
  if (d.more) {
    d.text[d.used++] = '1';
    --d.exponent;
  }
  if (d.exponent > 99999) d.exponent = 99999;
  if (d.exponent < -99999) d.exponent = -99999;
  snprintf(d.text + d.used, 16, "e%lld", d.exponent);
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
