/*
 * Newton's method for a few rows and a good start, as the impulses of the step before are: the laws
 * as equations phi(z, M z + q) = 0 of set_map.h (Alart & Curnier, Comput. Methods Appl. Mech. Engrg.
 * 92, 1991), full steps, dense factors and nothing else. Other starts fail soon.
 */
#ifndef NSDS_SRC_FEW_NEWTON_H
#define NSDS_SRC_FEW_NEWTON_H

#include "numerics/linear/factor.h"

#include <nsds/problem.h>

/* z in C, of a problem of at most nsds_own_rows rows with a dense M, from the start in z; how many steps
 * that took, or -1 where it has not converged, or has met a matrix that is nearly singular: then
 * z means nothing. What comes of it is to be certified. */
int nsds_few_newton(const nsds_problem *problem, double *z);

#endif
