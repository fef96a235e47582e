/*
 * A few blocks that do not meet each other in M, as a contact by itself or balls on the ground:
 * each is its local problem, solved exactly, without what sweeps over many blocks prepare.
 */
#ifndef NSDS_SRC_FEW_BLOCKS_H
#define NSDS_SRC_FEW_BLOCKS_H

#include <nsds/problem.h>

enum { nsds_few_rows = 15 }; /* three contacts with rolling friction, five with friction */

/* Whether the problem is one of few rows whose blocks do not meet; then M is its dense form,
 * nsds_few_rows^2 entries. */
bool nsds_few_apart(const nsds_problem *problem, double *M);

/* Solves such a problem from the start in z. */
void nsds_few_solve(const nsds_problem *problem, const double *M, double *z);

#endif
