/* Numbers in messages and files, see format.h: conversions one by one, numbers with a dot. */
#include "base/text/format.h"

#include <stdio.h>
#include <string.h>

nsds_locale_point nsds_locale_point_now(void) {
  char half[32];
  nsds_locale_point point = {.text = ".", .size = 1};
  int size = snprintf(half, sizeof half, "%.1f", 0.5); /* "0", the point, "5" */
  if (size < 3 || (size_t)size - 2 >= sizeof point.text) return point;
  point.size = (size_t)size - 2;
  memcpy(point.text, half + 1, point.size);
  point.text[point.size] = '\0';
  return point;
}

void nsds_put_dot(const nsds_locale_point *point, char *number) {
  if (nsds_is_dot(point)) return;
  char *found = strstr(number, point->text);
  if (!found) return;
  *found = '.';
  memmove(found + 1, found + point->size, strlen(found + point->size) + 1);
}

enum { longest_conversion = 32 };

/* Copies a conversion, with a number in place of its '*'. Returns the rest of the format. */
static const char *next_conversion(const char *format, char *conversion, va_list *arguments) {
  size_t used = 0;
  conversion[used++] = *format++;
  while (*format && strchr("-+ #0123456789.*hlzjt", *format)) {
    bool star = *format++ == '*';
    if (used > longest_conversion / 2) continue;
    if (star) used += (size_t)snprintf(conversion + used, 12, "%d", va_arg(*arguments, int));
    else conversion[used++] = format[-1];
  }
  conversion[used++] = *format ? *format++ : '%';
  conversion[used] = '\0';
  return format;
}

static void put_integer(char *text, size_t size, const char *conversion, va_list *a) {
  size_t wide = strspn(conversion, "%-+ #0123456789.");
  const char *length = conversion + wide;
  if (strncmp(length, "ll", 2) == 0) snprintf(text, size, conversion, va_arg(*a, long long));
  else if (*length == 'l') snprintf(text, size, conversion, va_arg(*a, long));
  else if (*length == 'z') snprintf(text, size, conversion, va_arg(*a, size_t));
  else snprintf(text, size, conversion, va_arg(*a, int));
}

static void format_put(const nsds_locale_point *point, char *text, size_t size,
                       const char *conversion, va_list *a) {
  switch (conversion[strlen(conversion) - 1]) {
  case '%': snprintf(text, size, "%%"); break;
  case 's': snprintf(text, size, conversion, va_arg(*a, const char *)); break;
  case 'p': snprintf(text, size, conversion, va_arg(*a, void *)); break;
  case 'a':
  case 'e':
  case 'f':
  case 'g':
    snprintf(text, size, conversion, va_arg(*a, double));
    nsds_put_dot(point, text);
    break;
  default: put_integer(text, size, conversion, a);
  }
}

void nsds_format_with(const nsds_locale_point *point, char *text, size_t size, const char *format,
                      va_list arguments) {
  va_list rest;
  size_t used = 0;
  va_copy(rest, arguments);
  while (*format && used + 1 < size) {
    if (*format != '%') {
      text[used++] = *format++;
      continue;
    }
    char conversion[longest_conversion];
    format = next_conversion(format, conversion, &rest);
    format_put(point, text + used, size - used, conversion, &rest);
    used += strlen(text + used);
  }
  text[used] = '\0';
  va_end(rest);
}

/* Flags, widths and sizes between "%" and the letter of a conversion. */
static bool leads_conversion(char c) {
  return (c >= ' ' && c <= '9' && c != '%') || c == 'l' || c == 'z' || c == 'h' || c == 'j' ||
         c == 't';
}

/* Tells if a format prints numbers with a fraction. */
static bool prints_fractions(const char *format) {
  for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
    for (++at; leads_conversion(*at);) ++at;
    if (*at == 'g' || *at == 'e' || *at == 'f' || *at == 'a') return true;
    at += *at == '%';
  }
  return false;
}

void nsds_format_message(char *text, size_t size, const char *format, va_list arguments) {
  nsds_locale_point point = {.text = ".", .size = 1};
  if (prints_fractions(format)) point = nsds_locale_point_now();
  if (nsds_is_dot(&point)) vsnprintf(text, size, format, arguments);
  else nsds_format_with(&point, text, size, format, arguments);
}

void nsds_print(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  nsds_format_message(text, size, format, arguments);
  va_end(arguments);
}
