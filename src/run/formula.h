/* Formulas of parameters: arithmetic with names and functions. */
#ifndef NSDS_RUN_FORMULA_H
#define NSDS_RUN_FORMULA_H

#include <nsds/base.h>

/* Functions by which a formula asks its owner. */
typedef struct nsds_formula_names {
  /* The value of a name; false where there is none, or it cannot be evaluated. */
  bool (*value)(void *user, const char *name, double *value);
  /* Told of each number with the letters behind it; NULL: nobody asks. */
  void (*number)(void *user, const char *text, int size);
  void *user;
} nsds_formula_names;

/* Reasons behind which the name stands at *at. */
extern const char nsds_no_such_parameter[], nsds_no_such_function[];

/* Evaluates a text in small letters. NULL: done; else the reason, and *at is the place in the text. */
const char *nsds_formula_value(const char *text, const nsds_formula_names *names, double *value,
                               size_t *at);

/* Letters, digits, "_" and "." that a text begins with: the size of a name. */
size_t nsds_formula_name_size(const char *text);

/* The k-th function; NULL behind the last. */
const char *nsds_formula_function(int k);

#endif
