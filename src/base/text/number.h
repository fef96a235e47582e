/* Numbers as text, with a decimal point in any locale. */
#ifndef NSDS_SRC_NUMBER_H
#define NSDS_SRC_NUMBER_H

#include "base/text/format.h"

#include <stdint.h>

enum {
  nsds_number_size = 128, /* characters of a number written, with the final NUL */
  nsds_most_digits = 780  /* no double needs more decimal digits */
};

/* A decimal number without sign, digits times 10^exponent. A suffix may change the exponent. */
typedef struct nsds_decimal {
  size_t digits;      /* kept, without zeros in front */
  uint64_t whole;     /* the first 19 digits as an integer */
  bool more;          /* a digit that is not zero was left out */
  long long exponent; /* of the last digit kept */
  char text[nsds_most_digits + 32];
} nsds_decimal;

/* Reads digits with a point, and an exponent of at least one digit behind e or E, or behind d or D
 * as Fortran writes it. Ends before `end`, or at NUL if `end` is NULL. Returns the text behind the
 * number, NULL if there is no digit. */
const char *nsds_decimal_read(nsds_decimal *d, const char *at, const char *end, bool fortran);

/* Returns the nearest double; *d is used up. */
double nsds_decimal_value(nsds_decimal *d);

/* Reads the decimal number without sign that a text begins with. Returns its length, 0 if there is
 * none. */
int nsds_decimal_begin(const char *text, double *value);

/* Parses the whole word [word, word + size) as a decimal number of any length; false if it is none.
 * The exponent begins with e, E, d or D. Infinities are numbers here, NaN and hexadecimal numbers
 * are not. */
bool nsds_parse_real(const char *word, size_t size, double *value);

/* Parses the whole word as a decimal integer; false if it is none or does not fit. */
bool nsds_parse_int(const char *word, size_t size, int *value);

/* Parses the place of an entry, as in "q[11]" or, from 1 on, "q12": 11. Returns -1 for any other
 * text. */
int nsds_parse_place(const char *text);

/* Writes the shortest of %.15g, %.16g and %.17g that reads back as the same bits. */
void nsds_format_real(const nsds_locale_point *point, double value, char text[nsds_number_size]);

/* Writes an integer with its final zero to `text` (at least 24 bytes); returns its length. */
size_t nsds_write_int(char *text, long long value);

#endif
