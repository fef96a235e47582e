#ifndef NSDS_SRC_FACTOR_COST_H
#define NSDS_SRC_FACTOR_COST_H

#include "numerics/linear/factor_state.h"

/* Returns true if a factorization with these operations and bytes may begin. Otherwise it counts as
 * singular, and iterations find that they are interrupted. */
bool nsds_factor_may_begin(nsds_factor *factor, double operations, double bytes);
/* Returns the time at the begin of a factorization; 0 if nobody needs it. */
double nsds_factor_begins(const nsds_factor *factor, double operations);
void nsds_factor_ends(nsds_factor *factor, double operations, double begin);

#endif
