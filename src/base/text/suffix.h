/* Numbers of texts: decimal, and as SPICE writes them: 4.7k, 10uF, 1MEG. */
#ifndef NSDS_SRC_SUFFIX_H
#define NSDS_SRC_SUFFIX_H

#include <stdbool.h>

/* Reads a word in small letters; false if it is no number. */
bool nsds_number_of(const char *word, double *value);

/* Reads the number that a text begins with, with suffix and unit. Returns its length, 0 if there is
 * none. */
int nsds_number_begin(const char *text, double *value);

/* The letters behind the digits and the exponent of a text that is a number. */
const char *nsds_number_letters(const char *text);

/* Tells if these letters are a suffix, or begin with a suffix or a unit. */
bool nsds_letters_are_known(const char *letters);

/* Tells if a word is a suffix, a unit or both, and no more: "k", "kohm". */
bool nsds_is_unit(const char *word);

/* Returns a hint if a text is a number with a decimal comma, such as "0,25" or "4,7k", else "". */
const char *nsds_point_hint(const char *text);

#endif
