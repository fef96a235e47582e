/*
 * Newton's method for a few rows and a good start, such as the impulses of the last step. The laws
 * are equations phi(z, M z + q) = 0 of set_map.h (Alart & Curnier, Comput. Methods Appl. Mech.
 * Engrg. 92, 1991). Steps are full and factors dense. Other starts fail soon.
 */
#ifndef NSDS_SRC_FEW_NEWTON_H
#define NSDS_SRC_FEW_NEWTON_H

#include "numerics/linear/factor.h"

#include "numerics/store.h"

#include <nsds/problem.h>

/* Finds z in C from the start in z, for at most nsds_own_rows rows if M is dense. Returns the
 * number of steps, or -1 after no convergence or a nearly singular matrix: z is then useless. The
 * caller must certify z. */
int nsds_few_newton(const nsds_problem *problem, double *z);

/* The same for up to nsds_near_rows rows of a factored M, in blocks of up to nsds_own_rows. The
 * factors of a matrix stay as long as they bring problems of one structure to their solutions. */
enum { nsds_near_rows = 128 };
typedef struct nsds_near {
  double *M, *J;                        /* n x n: of the problem; factors of the derivative */
  double *rho, *unit, *w, *phi, *start; /* n each */
  double *work;                         /* of nsds_problem_multiply() */
  int *pivot, *place;                   /* n; by columns of the factors of M, all -1 */
  int n;                                /* of the factors in J; 0: there are none */
  uint64_t pattern;                     /* of their problem */
} nsds_near;
nsds_status nsds_near_reserve(nsds_near *near, nsds_store *store, const nsds_problem *problem);
int nsds_near_newton(nsds_near *near, const nsds_problem *problem, double *z);

#endif
