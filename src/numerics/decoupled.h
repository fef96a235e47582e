/*
 * Problems that fall apart, solved without a method. Rows of their own: bodies on the ground side
 * by side, no two contacts of which share a system. Each row lower <= z <= upper with M_ii > 0 has
 * the solution z_i = clip(-q_i / M_ii), found from the factored operator without forming M. A few
 * blocks that do not meet each other in M, as a contact by itself or balls on the ground: each is
 * its local problem, solved exactly, without what sweeps over many blocks prepare.
 */
#ifndef NSDS_SRC_APART_H
#define NSDS_SRC_APART_H

#include "numerics/store.h"

#include <nsds/problem.h>

typedef struct nsds_apart {
  uint64_t *seen;   /* a bit per column of the operator */
  double *diagonal; /* of M, where its rows are apart */
  uint64_t stamp;   /* of the last operator looked at */
  bool apart;       /* what was found: no row meets another, and the diagonal is positive */
} nsds_apart;

nsds_status nsds_apart_reserve(nsds_apart *a, nsds_store *store, const nsds_problem *problem);

/* Solves a problem, reserved for, whose sets are nsds_bound_sets; false where rows are coupled, an
 * M_ii is not positive, or z is not finite. */
bool nsds_apart_solve(nsds_apart *a, const nsds_problem *problem, double *z);

/* ---- a few blocks ---- */

enum { nsds_few_rows = 15 }; /* three contacts with rolling friction, five with friction */

/* Whether the problem is one of few rows whose blocks do not meet; then M is its dense form,
 * nsds_few_rows^2 entries. */
bool nsds_few_apart(const nsds_problem *problem, double *M);

/* Solves such a problem from the start in z. */
void nsds_few_solve(const nsds_problem *problem, const double *M, double *z);

#endif
