/*
 * Numbers as text, with a point before the fraction whatever locale the program has set.
 */
#ifndef NSDS_SRC_NUMBER_H
#define NSDS_SRC_NUMBER_H

#include "base/format.h"

enum { nsds_number_size = 128 }; /* characters of a number written, with the final NUL */

/* The whole word [word, word + size) as a decimal number of any length; false when it is none. The
 * exponent begins with e, E, d or D. Infinities are numbers here, NaN and hexadecimal ones are not. */
bool nsds_parse_real(const char *word, size_t size, double *value);

/* The whole word as a decimal integer; false when it is none or does not fit. */
bool nsds_parse_int(const char *word, size_t size, int *value);

/* Writes the shortest of %.15g, %.16g and %.17g that reads back as the same bits. */
void nsds_format_real(const nsds_locale_point *point, double value, char text[nsds_number_size]);

#endif
