/*
 * Errors that rounding explains: rows whose terms are rounding themselves.
 */
#ifndef NSDS_SRC_CERTIFY_ROUNDING_H
#define NSDS_SRC_CERTIFY_ROUNDING_H

#include "numerics/certify/certify_sums.h"

/* What rounding in z does to w, by rows, 0 where nothing is excused. `t` as a check of all blocks
 * has left it; the result lies in `work`, of 5 n numbers and the scratch of the sums. */
const double *nsds_rounding_of_w(const nsds_problem *problem, const double *z, nsds_sums t,
                                 double *work);

/* Whether rows of the worst block, which begins or errs in `row`, may be excused; else the verdict
 * stands without a look at what rounding does. */
bool nsds_may_be_excused(const nsds_problem *problem, nsds_sums t, int worst_block, int row);

#endif
