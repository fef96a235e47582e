/* Numbers as SPICE writes them: 4.7k, 10uF, 1MEG. */
#ifndef NSDS_RUN_SPICE_NUMBER_H
#define NSDS_RUN_SPICE_NUMBER_H

#include <stdbool.h>

/* The value of a word in small letters; false where it is no number. */
bool nsds_number_of(const char *word, double *value);

/* The number that a text begins with, in any locale, with its suffix and unit: its length, 0 where there is none. */
int nsds_number_begin(const char *text, double *value);

void nsds_to_small(char *word);

#endif
