/*
 * The certifier's sums over the rows of M.
 */
#ifndef NSDS_SRC_CERTIFY_SUMS_H
#define NSDS_SRC_CERTIFY_SUMS_H

#include "base/base.h"

#include <nsds/problem.h>

/* Arrays of n: w = M z + q, s = |M| |z| + |q|, d = |diagonal of M|. */
typedef struct nsds_sums {
  double *w, *s, *d;
} nsds_sums;

/* Computes the sums. Only the factored storage needs `scratch`, 2 ncolumn entries, and shares the
 * sums among the threads of the context. */
void nsds_compute_sums(const nsds_context *context, const nsds_problem *problem, const double *z,
                       nsds_sums t, double *scratch);

#endif
