/*
 * Newton's method for a few rows and a good start, such as the impulses of the last step. The laws
 * are equations phi(z, M z + q) = 0 of set_map.h (Alart & Curnier, Comput. Methods Appl. Mech.
 * Engrg. 92, 1991). Steps are full and factors dense. Other starts fail soon.
 */
#ifndef NSDS_SRC_FEW_NEWTON_H
#define NSDS_SRC_FEW_NEWTON_H

#include "numerics/linear/factor.h"

#include <nsds/problem.h>

/* Finds z in C from the start in z, for at most nsds_own_rows rows if M is dense. Returns the
 * number of steps, or -1 after no convergence or a nearly singular matrix: z is then useless. The
 * caller must certify z. */
int nsds_few_newton(const nsds_problem *problem, double *z);

#endif
