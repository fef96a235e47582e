/*
 * The certifier's residual without the figures that only reports need, see nsds_certificate.
 */
#ifndef NSDS_SRC_CERTIFY_H
#define NSDS_SRC_CERTIFY_H

#include "base.h"

#include <nsds/problem.h>

/* Scale-free residual; on return work[0..n) holds w. */
double nsds_certified_residual(const nsds_problem *problem, const double *z, double *work,
                               int *worst_block);

/* One equality or nonnegative row, stored densely or factored: a body on the ground, the most
 * frequent problem of all. */
static inline bool nsds_is_one_row(const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  return problem->n == 1 && problem->nblock == 1 && problem->block[0].set <= NSDS_SET_NONNEGATIVE &&
         (M->storage == NSDS_DENSE ||
          (M->storage == NSDS_FACTORED && M->factored->nrow_block == 1));
}

/* The same residual for such a problem; *w receives w. */
double nsds_certified_residual_of_one(const nsds_problem *problem, double z, double *w,
                                      int *worst_block);

#endif
