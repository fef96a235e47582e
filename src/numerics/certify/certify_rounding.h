/*
 * Errors that rounding explains: rows whose terms are rounding themselves.
 */
#ifndef NSDS_SRC_CERTIFY_ROUNDING_H
#define NSDS_SRC_CERTIFY_ROUNDING_H

#include "numerics/certify/certify_sums.h"

/* Returns the effect on w of rounding in z, by rows; 0 in rows that are not excused. `t` comes from
 * a check of all blocks. The result lies in `work`, of 4 n numbers and the scratch of the sums. */
const double *nsds_rounding_of_w(const nsds_problem *problem, const double *z, nsds_sums t,
                                 double *work);

/* Returns true if rows of the worst block may be excused; `row` is its first or its worst row. A
 * block of -1 belongs to another part of a distributed problem. If false, the verdict stands without a look at rounding. */
bool nsds_may_be_excused(const nsds_problem *problem, nsds_sums t, int worst_block, int row);

#endif
