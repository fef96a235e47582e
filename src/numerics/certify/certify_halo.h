/*
 * Distributed problems: what the certifier asks of the other parts (nsds_halo). A whole problem asks
 * nothing.
 */
#ifndef NSDS_SRC_CERTIFY_HALO_H
#define NSDS_SRC_CERTIFY_HALO_H

#include "base/base.h"

#include <nsds/problem.h>

/* Replaces x[0 .. count) by the largest over all parts. */
static inline void nsds_most_of_parts(const nsds_problem *problem, int count, double *x) {
  if (NSDS_UNLIKELY(problem->halo)) problem->halo->most(problem->halo->self, count, x);
}

/* Returns true if `here` is true in one part. */
static inline bool nsds_any_part(const nsds_problem *problem, bool here) {
  double x = here;
  nsds_most_of_parts(problem, 1, &x);
  return x > 0.0;
}

/* Returns the rows of the whole problem. */
static inline long long nsds_rows_of_whole(const nsds_problem *problem) {
  return problem->halo ? problem->halo->rows : problem->n;
}

/* Returns the Euclidean norm over all parts from that of this one. */
static inline double nsds_norm_of_parts(const nsds_problem *problem, double norm) {
  double most = norm;
  if (!problem->halo) return norm;
  nsds_most_of_parts(problem, 1, &most);
  if (!(most > 0.0 && most < INFINITY)) return most;
  double square = (norm / most) * (norm / most);
  problem->halo->total(problem->halo->self, 1, &square);
  return most * sqrt(square);
}

#endif
