/*
 * The problem of one block while the others are held. Block methods solve it over and over. Find z
 * in C with -(M z + q) in the normal cone of C at z, with De Saxce's shift if the set has it. M is
 * the block's own m x m part, m at most NSDS_COUPLED_ROWS.
 */
#ifndef NSDS_SRC_LOCAL_H
#define NSDS_SRC_LOCAL_H

#include "numerics/sweeps/local_problem.h"

/* Prepares for `block` with the given M. */
void nsds_local_prepare(nsds_local *local, const nsds_block *block, const double *M);

/* Finds the new z from the start in z. The start is kept if the kind fails and finds nothing
 * better. */
void nsds_local_solve(const nsds_local *local, nsds_local_kind kind, const double *q, double *z);

#endif
