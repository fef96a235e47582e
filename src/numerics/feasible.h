/*
 * Feasible points, which rule out proofs that there is no solution.
 */
#ifndef NSDS_SRC_FEASIBLE_H
#define NSDS_SRC_FEASIBLE_H

#include <nsds/problem.h>

#include <stdbool.h>

enum { nsds_feasible_work = 7 }; /* doubles per row */

/* Returns true if a feasible point was found near z. M is dense, by columns. */
bool nsds_feasible_near(const nsds_problem *problem, const double *M, const double *z,
                        double *work);

#endif
