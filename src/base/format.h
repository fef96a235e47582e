/*
 * Numbers in messages and files: with a point before the fraction whatever locale the program has
 * set. printf and strtod follow it, and there is no way around in C.
 */
#ifndef NSDS_SRC_FORMAT_H
#define NSDS_SRC_FORMAT_H

#include "base/base.h"

#include <stdarg.h>

/* What the present locale puts before the fraction. */
typedef struct nsds_locale_point {
  char text[16];
  size_t size;
} nsds_locale_point;

nsds_locale_point nsds_locale_point_now(void);

static inline bool nsds_is_dot(const nsds_locale_point *point) {
  return point->size == 1 && point->text[0] == '.';
}

/* Puts a dot in the place of the point in a number. */
void nsds_put_dot(const nsds_locale_point *point, char *number);

/* vsnprintf of messages, whose conversions are %c %s %p %%, integers and %a %e %f %g, with a width
 * or precision that may be one '*'. */
void nsds_format_message(char *text, size_t size, const char *format, va_list arguments);

/* The same with the arguments themselves. */
void nsds_print(char *text, size_t size, const char *format, ...) NSDS_PRINTF(3, 4);

/* What it does where the point is another than a dot. */
void nsds_format_with(const nsds_locale_point *point, char *text, size_t size, const char *format,
                      va_list arguments);

#endif
