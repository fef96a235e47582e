/* Relative degrees as the drivers ask for them; see relative_degree.c. */
#ifndef NSDS_SRC_RELATIVE_DEGREE_H
#define NSDS_SRC_RELATIVE_DEGREE_H

#include "kernel/modeling/modeling.h"

/* Degree of a row, or most + 1 where lambda_row does not appear up to derivative `most`; -1 with an
 * error recorded. With `any` it is 0 also where D has a lambda of another row in it. */
int nsds_search_degree(const nsds_interaction *interaction, int row, int most, double tolerance,
                       bool any);

/* Whether degrees of this interaction can be told without factoring a mass matrix. */
bool nsds_degree_is_defined(const nsds_interaction *interaction);

#endif
