/*
 * What the certifier sums up over the rows of M.
 */
#ifndef NSDS_SRC_CERTIFY_SUMS_H
#define NSDS_SRC_CERTIFY_SUMS_H

#include "base.h"

#include <nsds/problem.h>

/* Arrays of n: w = M z + q, s = |M| |z| + |q|, d = |diagonal of M|; for the factored storage 2
 * ncolumn entries of scratch follow d. */
typedef struct nsds_sums {
  double *w, *s, *d;
} nsds_sums;

void nsds_compute_sums(const nsds_problem *problem, const double *z, nsds_sums t);

/* Largest |entry| of a row; of the factored storage, within the row's own block. */
double nsds_row_maximum(const nsds_matrix *M, int row);

#endif
