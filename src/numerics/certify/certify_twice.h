/*
 * w = M (z + low) + q in twice the working precision, for every storage.
 */
#ifndef NSDS_SRC_CERTIFY_TWICE_H
#define NSDS_SRC_CERTIFY_TWICE_H

#include <nsds/problem.h>

/* Writes w as the sum high + low_of_w, n entries each. `low` NULL: zeros. Only the factored storage
 * needs `scratch`, 2 ncolumn entries. */
void nsds_compute_twice(const nsds_problem *problem, const double *z, const double *low,
                        double *high, double *low_of_w, double *scratch);

#endif
