/* Numbers as text, with a decimal point in any locale. */
#ifndef NSDS_SRC_NUMBER_H
#define NSDS_SRC_NUMBER_H

#include "base/format.h"

enum { nsds_number_size = 128 }; /* characters of a number written, with the final NUL */

/* Parses the whole word [word, word + size) as a decimal number of any length; false if it is none.
 * The exponent begins with e, E, d or D. Infinities are numbers here, NaN and hexadecimal numbers
 * are not. */
bool nsds_parse_real(const char *word, size_t size, double *value);

/* Parses the whole word as a decimal integer; false if it is none or does not fit. */
bool nsds_parse_int(const char *word, size_t size, int *value);

/* Writes the shortest of %.15g, %.16g and %.17g that reads back as the same bits. */
void nsds_format_real(const nsds_locale_point *point, double value, char text[nsds_number_size]);

/* Writes an integer with its final zero to `text` (at least 24 bytes); returns its length. */
size_t nsds_write_int(char *text, long long value);

#endif
