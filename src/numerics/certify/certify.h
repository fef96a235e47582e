/*
 * The certifier's residual without the figures that only reports need, see nsds_certificate.
 */
#ifndef NSDS_SRC_CERTIFY_H
#define NSDS_SRC_CERTIFY_H

#include "numerics/certify/certify_sums.h"
#include "base/base.h"

#include <float.h>

#include <nsds/problem.h>

/* Scale-free residual, an upper bound where rounding in z explains errors: what iterations look at.
 * On return the first entries of work, of nsds_problem_work(), hold w, s and d, n each. The threads
 * of the context share the work; NULL: one. */
double nsds_certified_residual(const nsds_context *context, const nsds_problem *problem,
                               const double *z, double *work, int *worst_block);

/* The row that fails most, the first of its block where that is judged as a whole. */
typedef struct nsds_fault {
  int block, row;
  double error, scale; /* e and s; 0 where all errors are explained */
  bool diverged;
} nsds_fault;

/* Part of its terms that an entry of z is uncertain by, and w through it. Below it a residual is
 * not looked at any closer. */
static const double nsds_certified_rounding = 16 * DBL_EPSILON;

/* The residual of an answer, less the errors that rounding in z explains, and with those that show
 * beside the load (nsds_visible); `work` as left by nsds_certified_residual() of this z. */
double nsds_certified_verdict(const nsds_context *context, const nsds_problem *problem,
                              const double *z, double *work, nsds_fault *fault);

/* The same residual, with rows that stand alone measured against the load too where their terms are
 * out of all proportion to it: what a method that creeps towards infinity has to look at. `work` as
 * left by nsds_certified_residual() of this z. */
double nsds_certified_answer(const nsds_context *context, const nsds_problem *problem,
                             const double *z, double *work);

/* One equality or nonnegative row, stored densely or factored: a body on the ground, the most
 * frequent problem of all. */
static inline bool nsds_is_one_row(const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  return problem->n == 1 && problem->nblock == 1 && problem->block[0].set <= NSDS_SET_NONNEGATIVE &&
         (M->storage == NSDS_DENSE ||
          (M->storage == NSDS_FACTORED && M->factored->nrow_block == 1));
}

/* The same residual for such a problem; work[0 .. 2] receives w, s and d. */
double nsds_certified_residual_of_one(const nsds_problem *problem, double z, double *work,
                                      int *worst_block);

/* The law alone: the largest e_i / s_i for these sums, whose d do not vanish in a whole group of
 * rows (certify_sets.h); not a number where one is not finite. */
double nsds_certified_law(const nsds_problem *law, const double *z, const nsds_sums *t,
                          int *worst_block);

#endif
