/*
 * Decoupled problems, solved without a method.
 *
 * Separate rows belong to bodies side by side on the ground, without a system in common. Each row
 * lower <= z <= upper with M_ii > 0 has the solution z_i = clip(-q_i / M_ii). The factored operator
 * gives the diagonal; M is not formed.
 *
 * A few blocks may not meet in M, such as a single contact or balls on the ground. Each block is
 * then solved exactly as a local problem, without the preparations of sweeps.
 */
#ifndef NSDS_SRC_APART_H
#define NSDS_SRC_APART_H

#include "numerics/store.h"

#include <nsds/problem.h>

typedef struct nsds_apart {
  uint64_t *seen;   /* a bit per column of the operator */
  double *diagonal; /* diagonal of M, if its rows are separate */
  uint64_t stamp;   /* stamp of the last operator examined */
  bool apart;       /* rows of that operator are separate, with positive diagonal */
} nsds_apart;

nsds_status nsds_apart_reserve(nsds_apart *a, nsds_store *store, const nsds_problem *problem);

/* Solves a problem with sets in nsds_bound_sets; call nsds_apart_reserve() first. Returns false if
 * rows are coupled, an M_ii is not positive, or z is not finite. */
bool nsds_apart_solve(nsds_apart *a, const nsds_problem *problem, double *z);

/* ---- a few blocks ---- */

enum { nsds_few_rows = 15 }; /* three contacts with rolling friction, five with friction */

/* Returns true if the problem has few rows and its blocks do not meet. Then M receives its dense
 * form, nsds_few_rows^2 entries. */
bool nsds_few_apart(const nsds_problem *problem, double *M);

/* Solves such a problem from the start in z. */
void nsds_few_solve(const nsds_problem *problem, const double *M, double *z);

#endif
