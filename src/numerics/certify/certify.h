/*
 * The certifier's residual without the figures that only reports need, see nsds_certificate.
 */
#ifndef NSDS_SRC_CERTIFY_H
#define NSDS_SRC_CERTIFY_H

#include "numerics/certify/certify_sums.h"
#include "base/base.h"

#include <float.h>

#include <nsds/problem.h>

/* Returns the scale-free residual, for iterations: an upper bound if rounding in z explains errors.
 * On return `work`, of nsds_problem_work(), begins with w, s and d, n entries each. The threads of
 * the context share the work; NULL: one thread. */
double nsds_certified_residual(const nsds_context *context, const nsds_problem *problem,
                               const double *z, double *work, int *worst_block);

/* The row that fails most; the first row of a block that is judged as a whole. */
typedef struct nsds_fault {
  int block, row;
  double error, scale; /* e and s; 0 if all errors are explained */
  bool diverged;
} nsds_fault;

/* Uncertainty of an entry of z relative to its terms, and so of w. A smaller residual is not
 * examined further. */
static const double nsds_certified_rounding = 16 * DBL_EPSILON;

/* Returns the residual of an answer. Errors that rounding in z explains do not count; errors that
 * are large beside the load do (nsds_visible). `work` comes from nsds_certified_residual() of this
 * z. */
double nsds_certified_verdict(const nsds_context *context, const nsds_problem *problem,
                              const double *z, double *work, nsds_fault *fault);

/* Returns the same residual, but compares separate rows with the load too. Methods that creep
 * towards infinity need this. `work` comes from nsds_certified_residual() of this z. */
double nsds_certified_answer(const nsds_context *context, const nsds_problem *problem,
                             const double *z, double *work);

/* Least reach of a proof that counts: reactions that are larger answer rounding. */
static const double nsds_least_reach = 1e12;

/* Returns true for one equality or nonnegative row, stored densely or factored: a body on the
 * ground, the most frequent problem. */
static inline bool nsds_is_one_row(const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  return problem->n == 1 && problem->nblock == 1 && !problem->halo &&
         problem->block[0].set <= NSDS_SET_NONNEGATIVE &&
         (M->storage == NSDS_DENSE ||
          (M->storage == NSDS_FACTORED && M->factored->nrow_block == 1));
}

/* Returns the residual of such a problem; writes w, s and d to work[0 .. 2]. */
double nsds_certified_residual_of_one(const nsds_problem *problem, double z, double *work,
                                      int *worst_block);

/* Writes d to work + 2 n, as the certifier shares it in blocks; rows that stand alone without a
 * diagonal have d = 0. `work`, of nsds_problem_work(), is overwritten. */
void nsds_certify_diagonal(const nsds_problem *problem, double *work);

/* Returns the residual of the law alone: the largest e_i / s_i for these sums, NaN if one is not
 * finite. No group of rows (certify_sets.h) may have d = 0 throughout. */
double nsds_certified_law(const nsds_problem *law, const double *z, const nsds_sums *t,
                          int *worst_block);

#endif
