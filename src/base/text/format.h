/*
 * Numbers in messages and files have a decimal point in any locale. C has no way around: printf and
 * strtod follow the locale of the program.
 */
#ifndef NSDS_SRC_FORMAT_H
#define NSDS_SRC_FORMAT_H

#include "base/text/printf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* The text before the fraction in the present locale. */
typedef struct nsds_locale_point {
  char text[16];
  size_t size;
} nsds_locale_point;

nsds_locale_point nsds_locale_point_now(void);

static inline bool nsds_is_dot(const nsds_locale_point *point) {
  return point->size == 1 && point->text[0] == '.';
}

/* Replaces the point of the locale by a dot in a number. */
void nsds_put_dot(const nsds_locale_point *point, char *number);

/* Formats a message like vsnprintf. Conversions are %c %s %p %%, integers and %a %e %f %g. Either
 * the width or the precision may be '*'. */
void nsds_format_message(char *text, size_t size, const char *format, va_list arguments);

/* Does the same with the arguments themselves. */
void nsds_print(char *text, size_t size, const char *format, ...) NSDS_PRINTF(3, 4);

/* The same function for locales whose point is not a dot. */
void nsds_format_with(const nsds_locale_point *point, char *text, size_t size, const char *format,
                      va_list arguments);

#endif
