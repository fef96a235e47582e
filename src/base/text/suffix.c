/*
 * Numbers of netlists: a decimal number, then a suffix and a unit. Units are not read. The suffix
 * is part of the exponent, so that 4.7k is the double nearest to 4700. One table has all suffixes.
 */
#include "base/text/suffix.h"

#include "base/text/number.h"

#include <math.h>
#include <string.h>

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

int nsds_number_begin(const char *text, double *value) {
  nsds_decimal d;
  int size;
  bool negative = *text == '-';
  const char *at = nsds_decimal_read(&d, text + (*text == '+' || negative), NULL, false);
  if (!at) return 0;
  bool mil = strncmp(at, "mil", 3) == 0;
  d.exponent += mil ? 0 : suffix(at, &size);
  at += mil ? 3 : size;
  while (unit_letter(*at)) ++at;
  double x = nsds_decimal_value(&d);
  *value = (negative ? -x : x) * (mil ? 25.4e-6 : 1.0);
  return (int)(at - text);
}

bool nsds_number_of(const char *word, double *value) {
  int size = nsds_number_begin(word, value);
  return size > 0 && word[size] == '\0' && isfinite(*value);
}
