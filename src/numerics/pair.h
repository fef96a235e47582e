/*
 * Answers in twice the working precision: z + low, refined on the active set that z shows.
 */
#ifndef NSDS_SRC_PAIR_H
#define NSDS_SRC_PAIR_H

#include "numerics/certify/certify_answer.h"
#include "numerics/solver_internal.h"

enum { nsds_most_pair_rows = 256 }; /* larger problems are not refined */

/* Reserves memory for problems of this size that are refined. */
nsds_status nsds_pair_reserve(nsds_solver *solver, const nsds_problem *problem);

/*
 * Refines z + low, from z alone, until the violation is at most `tolerance`. Then z and the pair of
 * the toolbox hold the answer; otherwise z stays. *best is the least violation met, and that of z on
 * entry. The certifier's work then begins with w of the answer. Other sets than equalities, bounds
 * and Coulomb's law, and larger problems, stay as they are.
 */
nsds_status nsds_pair_refine(nsds_solver *solver, const nsds_problem *problem, double tolerance,
                             double *z, nsds_violation *best);

#endif
