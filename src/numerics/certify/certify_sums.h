/*
 * What the certifier sums up over the rows of M.
 */
#ifndef NSDS_SRC_CERTIFY_SUMS_H
#define NSDS_SRC_CERTIFY_SUMS_H

#include "base/base.h"

#include <nsds/problem.h>

/* Arrays of n: w = M z + q, s = |M| |z| + |q|, d = |diagonal of M|. */
typedef struct nsds_sums {
  double *w, *s, *d;
} nsds_sums;

/* The law alone: the largest e_i / s_i for these sums, whose d do not vanish in a whole group of
 * rows (certify_sets.h); not a number where one is not finite. */
double nsds_certified_law(const nsds_problem *law, const double *z, const nsds_sums *t,
                          int *worst_block);

/* Scratch, for the factored storage alone, whose sums threads of the context share: 2 ncolumn
 * entries. */
void nsds_compute_sums(const nsds_context *context, const nsds_problem *problem, const double *z,
                       nsds_sums t, double *scratch);

/*
 * d of row i, whose diagonal vanishes, in the unit of w_i / z_i (certify_units.c):
 * max_j |M_ij M_ji| / |M_jj|, the diagonal of its Schur complement on row j. Where it meets no row
 * with a diagonal, max_j sqrt(|M_ij M_ji|), else max_j |M_ij|, else 1.
 */
double nsds_unit_without_diagonal(const nsds_matrix *M, int row);

#endif
