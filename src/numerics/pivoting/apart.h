/*
 * Problems that fall into rows of their own: bodies on the ground side by side, no two contacts of
 * which share a system. Each row lower <= z <= upper with M_ii > 0 has the solution
 *   z_i = clip(-q_i / M_ii),
 * found from the factored operator without forming M.
 */
#ifndef NSDS_SRC_APART_H
#define NSDS_SRC_APART_H

#include "base.h"

#include <nsds/problem.h>

typedef struct nsds_apart {
  uint64_t *seen; /* a bit per column of the operator */
  size_t capacity;
  double *diagonal; /* of M, where its rows are apart */
  size_t diagonal_capacity;
  uint64_t stamp; /* of the last operator looked at */
  bool apart;     /* what was found: no row meets another, and the diagonal is positive */
} nsds_apart;

nsds_status nsds_apart_reserve(nsds_context *context, nsds_apart *a, const nsds_problem *problem);
void nsds_apart_release(nsds_context *context, nsds_apart *a);

/* Solves a problem whose sets are nsds_bound_sets; false where rows are coupled, an M_ii is not
 * positive, or z is not finite. */
bool nsds_apart_solve(nsds_apart *a, const nsds_problem *problem, double *z);

#endif
