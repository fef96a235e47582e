/*
 * Stands in for expression.cpp in a build without muParser: numbers are read, expressions are refused.
 */
#include "run/expression.h"

#include <stdio.h>

nsds_expression *nsds_expression_create(const char *text, const nsds_expression_names *names,
                                        nsds_expression_error *error) {
  (void)text, (void)names;
  error->at = 0;
  snprintf(error->text, sizeof error->text,
           "this library was built without muParser and reads numbers alone, no expressions");
  return NULL;
}

double nsds_expression_value(nsds_expression *expression) {
  (void)expression;
  return 0.0;
}

void nsds_expression_destroy(nsds_expression *expression) { (void)expression; }

const char *nsds_expression_functions(void) { return "none"; }
