/* Formulas of parameters: arithmetic with names and functions. */
#ifndef NSDS_RUN_FORMULA_H
#define NSDS_RUN_FORMULA_H

#include <nsds/base.h>

/* The value of a name; false where there is none, or it cannot be evaluated. */
typedef bool (*nsds_name_value)(void *user, const char *name, double *value);

/* Evaluates a text in small letters. NULL: done; else the reason, and *at is the place in the text. */
const char *nsds_formula_value(const char *text, nsds_name_value name, void *user, double *value,
                               size_t *at);

#endif
