#ifndef NSDS_SRC_FACTOR_COST_H
#define NSDS_SRC_FACTOR_COST_H

#include "numerics/linear/factor_state.h"

/* Whether a factorisation of so many operations and bytes may begin. Where not, it counts as
 * singular, and those who iterate find that they are interrupted. */
bool nsds_factor_may_begin(nsds_factor *factor, double operations, double bytes);
/* When it begins, 0 where nobody wants to know; and what it has taken. */
double nsds_factor_begins(const nsds_factor *factor, double operations);
void nsds_factor_ends(nsds_factor *factor, double operations, double begin);

#endif
