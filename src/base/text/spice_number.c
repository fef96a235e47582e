/*
 * A number is digits with a point and an exponent; in netlists a suffix and a unit that is not read may follow. The
 * suffix is part of the exponent, so that 4.7k is the double nearest to 4700. Short numbers are exact: digits below 2^53
 * times or over a power of ten up to 10^22 is one rounding. Others go through strtod() with an exponent and no point,
 * which every locale reads alike.
 */
#include "base/text/spice_number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nsds_to_small(char *word) {
  for (; *word; ++word)
    if (*word >= 'A' && *word <= 'Z') *word = (char)(*word - 'A' + 'a');
}

static bool number_digit(char c) { return c >= '0' && c <= '9'; }
/* Signs beyond ASCII, such as those of degrees and ohms, have bytes above 127 in every encoding. */
static bool unit_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '_' || c == '%' || (unsigned char)c > 127;
}

/* The exponent of a suffix; *size: its letters. */
static int suffix(const char *text, int *size) {
  static const struct {
    const char *name;
    int exponent;
  } table[] = {{"meg", 6},
               {"t", 12},
               {"g", 9},
               {"k", 3},
               {"m", -3},
               {"u", -6},
               {"n", -9},
               {"p", -12},
               {"f", -15},
               {"a", -18},
               /* the sign of micro, as U+00B5, as U+03BC and in Latin-1 */
               {"\xC2\xB5", -6},
               {"\xCE\xBC", -6},
               {"\xB5", -6}};
  *size = 0;
  if (!unit_letter(*text)) return 0;
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    size_t length = strlen(table[k].name);
    if (strncmp(text, table[k].name, length) == 0) {
      *size = (int)length;
      return table[k].exponent;
    }
  }
  return 0;
}

const char *nsds_point_hint(const char *text) {
  const char *at = text + (*text == '+' || *text == '-');
  size_t before = strspn(at, "0123456789");
  if (before == 0 || at[before] != ',' || !number_digit(at[before + 1])) return "";
  at += before + 1;
  at += strspn(at, "0123456789");
  bool exponent =
      (*at == 'e' || *at == 'E') && (number_digit(at[1]) || at[1] == '-' || at[1] == '+');
  if (exponent) at += 1 + strspn(at + 1, "+-0123456789");
  return strchr(at, ',') ? "" : "; a number has a decimal point, not a comma";
}

const char *nsds_number_letters(const char *text) {
  const char *at = text + (*text == '+' || *text == '-');
  at += strspn(at, "0123456789.");
  if (*at != 'e') return at;
  const char *exponent = at + 1 + (at[1] == '-' || at[1] == '+');
  size_t size = strspn(exponent, "0123456789");
  return size > 0 ? exponent + size : at;
}

static const char *const units[] = {"ohm",      "f",    "h",        "v",           "a",
                                    "s",        "hz",   "w",        "deg",         "c",
                                    "\xC2\xB0", "\xB0", "\xCE\xA9", "\xE2\x84\xA6"};

bool nsds_is_unit(const char *word) {
  int size;
  suffix(word, &size);
  if (size > 0 && !word[size]) return true;
  for (size_t k = 0; k < sizeof units / sizeof *units; ++k)
    if (strcmp(word, units[k]) == 0 || strcmp(word + size, units[k]) == 0) return true;
  return false;
}

bool nsds_letters_are_known(const char *letters) {
  int size;
  if (!unit_letter(*letters) || strncmp(letters, "mil", 3) == 0) return true;
  suffix(letters, &size);
  for (size_t k = 0; k < sizeof units / sizeof *units; ++k)
    if (strncmp(letters, units[k], strlen(units[k])) == 0) return true;
  return size > 0;
}

/* No double needs more decimal digits; of later digits it matters only if all are zero. */
enum { most_digits = 780 };

/* Digits without a point, of which the first is not zero, times 10^exponent. */
typedef struct decimal_number {
  char digits[most_digits + 16];
  int count, exponent;
  bool more; /* a digit that is not zero was left out */
} decimal_number;

static double decimal_value(decimal_number *d) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (d->count <= 15 && d->exponent >= -22 && d->exponent <= 22) {
    double x = 0.0;
    for (int k = 0; k < d->count; ++k) x = 10.0 * x + (d->digits[k] - '0');
    return d->exponent < 0 ? x / power[-d->exponent] : x * power[d->exponent];
  }
  if (d->more) {
    d->digits[d->count++] = '1';
    --d->exponent;
  }
  snprintf(d->digits + d->count, 14, "e%d", d->exponent);
  return strtod(d->digits, NULL);
}

/* Reads digits with a point and an exponent behind e or E; the text behind them, NULL where there are none. */
static const char *decimal_read(const char *at, decimal_number *d) {
  bool point = false, any = false;
  d->count = d->exponent = 0;
  d->more = false;
  for (; number_digit(*at) || (*at == '.' && !point); ++at) {
    if (*at == '.') {
      point = true;
      continue;
    }
    any = true;
    if (d->count == most_digits) d->exponent += !point, d->more = d->more || *at != '0';
    else if (d->count > 0 || *at != '0') d->digits[d->count++] = *at, d->exponent -= point;
    else d->exponent -= point;
  }
  if (!any) return NULL;
  bool signed_one = at[0] && (at[1] == '-' || at[1] == '+');
  if ((*at == 'e' || *at == 'E') && number_digit(at[signed_one ? 2 : 1])) {
    bool minus = at[1] == '-';
    int e = 0;
    for (at += signed_one ? 2 : 1; number_digit(*at); ++at)
      e = e < 10000 ? 10 * e + (*at - '0') : e;
    d->exponent += minus ? -e : e;
  }
  return at;
}

int nsds_decimal_begin(const char *text, double *value) {
  decimal_number d;
  const char *end = decimal_read(text, &d);
  if (!end) return 0;
  *value = d.count == 0 ? 0.0 : decimal_value(&d);
  return (int)(end - text);
}

int nsds_number_begin(const char *text, double *value) {
  decimal_number d;
  int size;
  bool negative = *text == '-';
  const char *at = decimal_read(text + (*text == '+' || negative), &d);
  if (!at) return 0;
  bool mil = strncmp(at, "mil", 3) == 0;
  d.exponent += mil ? 0 : suffix(at, &size);
  at += mil ? 3 : size;
  while (unit_letter(*at)) ++at;
  double x = d.count == 0 ? 0.0 : decimal_value(&d);
  *value = (negative ? -x : x) * (mil ? 25.4e-6 : 1.0);
  return (int)(at - text);
}

bool nsds_number_of(const char *word, double *value) {
  int size = nsds_number_begin(word, value);
  return size > 0 && word[size] == '\0' && isfinite(*value);
}
