/*
 * A number is digits with a point, an exponent, a suffix and a unit that is not read. The suffix is part of the
 * exponent, so that 4.7k is the double nearest to 4700. Short numbers are exact: digits below 2^53 times or over a
 * power of ten up to 10^22 is one rounding. Others go through strtod() with an exponent and no point, which every
 * locale reads alike.
 */
#include "run/spice_number.h"

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
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    size_t length = strlen(table[k].name);
    if (strncmp(text, table[k].name, length) == 0) {
      *size = (int)length;
      return table[k].exponent;
    }
  }
  *size = 0;
  return 0;
}

const char *nsds_number_letters(const char *text) {
  const char *at = text + (*text == '+' || *text == '-');
  at += strspn(at, "0123456789.");
  if (*at != 'e') return at;
  const char *exponent = at + 1 + (at[1] == '-' || at[1] == '+');
  size_t size = strspn(exponent, "0123456789");
  return size > 0 ? exponent + size : at;
}

bool nsds_letters_are_known(const char *letters) {
  static const char *const units[] = {"ohm",      "f",    "h",        "v",           "a",
                                      "s",        "hz",   "w",        "deg",         "c",
                                      "\xC2\xB0", "\xB0", "\xCE\xA9", "\xE2\x84\xA6"};
  int size;
  if (!unit_letter(*letters) || strncmp(letters, "mil", 3) == 0) return true;
  suffix(letters, &size);
  for (size_t k = 0; k < sizeof units / sizeof *units; ++k)
    if (strncmp(letters, units[k], strlen(units[k])) == 0) return true;
  return size > 0;
}

/* digits times 10^exponent. */
static double scaled(const char *digits, int exponent) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  size_t count = strlen(digits);
  if (count <= 15 && exponent >= -22 && exponent <= 22) {
    double x = 0.0;
    for (size_t k = 0; k < count; ++k) x = 10.0 * x + (digits[k] - '0');
    return exponent < 0 ? x / power[-exponent] : x * power[exponent];
  }
  char text[64];
  snprintf(text, sizeof text, "%.40se%d", digits, exponent);
  return strtod(text, NULL);
}

int nsds_number_begin(const char *text, double *value) {
  enum { most = 40 }; /* digits that count */
  char digits[most + 1];
  const char *at = text;
  int count = 0, exponent = 0, seen = 0, size;
  bool negative = *at == '-', point = false;
  if (*at == '+' || *at == '-') ++at;
  for (; number_digit(*at) || (*at == '.' && !point); ++at) {
    if (*at == '.') {
      point = true;
      continue;
    }
    ++seen;
    if (count == most) exponent += !point;
    else if (count > 0 || *at != '0') digits[count++] = *at, exponent -= point;
    else exponent -= point;
  }
  if (!seen) return 0;
  digits[count] = '\0';
  if (*at == 'e' &&
      (number_digit(at[1]) || ((at[1] == '-' || at[1] == '+') && number_digit(at[2])))) {
    bool minus = at[1] == '-';
    int e = 0;
    for (at += number_digit(at[1]) ? 1 : 2; number_digit(*at); ++at)
      e = e < 10000 ? 10 * e + (*at - '0') : e;
    exponent += minus ? -e : e;
  }
  bool mil = strncmp(at, "mil", 3) == 0;
  int power = mil ? 0 : suffix(at, &size);
  at += mil ? 3 : size;
  while (unit_letter(*at)) ++at;
  double x = count == 0 ? 0.0 : scaled(digits, exponent + power);
  *value = (negative ? -x : x) * (mil ? 25.4e-6 : 1.0);
  return (int)(at - text);
}

bool nsds_number_of(const char *word, double *value) {
  int size = nsds_number_begin(word, value);
  return size > 0 && word[size] == '\0' && isfinite(*value);
}
