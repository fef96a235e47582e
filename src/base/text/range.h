/* Ranges of the catalogue: "> 0", ">= 0", "[0, 1]", "(0, 1]"; "(0, inf]" has inf too. */
#ifndef NSDS_SRC_RANGE_H
#define NSDS_SRC_RANGE_H

#include <stdbool.h>

/* Returns true if the number is in the range; NULL and other texts stand for all numbers. */
bool nsds_range_has(const char *range, double value);

/* Tells if inf is in the range. */
bool nsds_range_is_endless(const char *range);
/* Reads the two bounds of "[2, 3]"; false for other ranges. */
bool nsds_range_bounds(const char *range, double *least, double *most);
/* Reads the sizes that a text for people allows, such as "3", "1 or 2", "3 (plane: 2)". Returns
 * false for a text that begins with no number. */
bool nsds_size_read(const char *size, int dimension, int *least, int *most);

#endif
