/* Relative degrees for the drivers; see relative_degree.c. */
#ifndef NSDS_SRC_RELATIVE_DEGREE_H
#define NSDS_SRC_RELATIVE_DEGREE_H

#include "kernel/modeling/modeling.h"

/* Returns the degree of a row, or most + 1 if lambda_row does not appear up to derivative `most`.
 * Returns -1 for a failure and records an error. With `any` a lambda of another row in D also gives
 * 0. */
int nsds_search_degree(const nsds_interaction *interaction, int row, int most, double tolerance,
                       bool any);

/* Returns true if degrees of this interaction need no factor of a mass matrix. */
bool nsds_degree_is_defined(const nsds_interaction *interaction);

#endif
