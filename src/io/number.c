/*
 * Numbers as text. strtod and printf follow the locale of the program, files do not: the point is
 * exchanged on the way in and out.
 */
#include "number.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

bool nsds_parse_real(const nsds_locale_point *point, const char *word, size_t size, double *value) {
  char copy[nsds_number_size];
  if (size == 0 || size + point->size >= sizeof copy) return false;
  if (memchr(word, 'x', size) || memchr(word, 'X', size)) return false; /* strtod would take 0x10 */
  const char *dot = memchr(word, '.', size);
  size_t length = size;
  if (!dot || nsds_is_dot(point)) {
    memcpy(copy, word, size);
  } else {
    size_t before = (size_t)(dot - word);
    memcpy(copy, word, before);
    memcpy(copy + before, point->text, point->size);
    memcpy(copy + before + point->size, dot + 1, size - before - 1);
    length += point->size - 1;
  }
  copy[length] = '\0';
  if (!dot && !nsds_is_dot(point) && strstr(copy, point->text)) return false;
  char *end;
  *value = strtod(copy, &end);
  return end == copy + length;
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

void nsds_format_real(const nsds_locale_point *point, double value, char text[nsds_number_size]) {
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, nsds_number_size, "%.*g", digits, value);
    if (digits == 17 || strtod(text, NULL) == value) break;
  }
  nsds_put_dot(point, text);
}
