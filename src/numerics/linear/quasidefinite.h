/*
 * Matrices A that signs make symmetric: S A = (S A)^T, S diagonal of 1 and -1. The rows of either
 * sign are semidefinite by themselves, as in the conditions of optimality of quadratic programs,
 *
 *     A = [ H  -C^T ]     S A = [ H  -C^T ]
 *         [ C   D   ],          [ -C  -D  ].
 *
 * After equilibration, a small multiple of S moves S A off singular matrices. The result is
 * quasidefinite: factors L D L^T exist in every order of rows, without pivoting (Vanderbei: SIAM J.
 * Optim. 5, 1995). Solutions are refined with A itself. Order and supernodes come from CHOLMOD.
 */
#ifndef NSDS_SRC_QUASIDEFINITE_H
#define NSDS_SRC_QUASIDEFINITE_H

#include "numerics/linear/factor_state.h"

/* Factors like nsds_factor_csc(), for a matrix with all diagonal entries. The arrays p, i, x and
 * sign are read until the last solve. Also returns NSDS_ERROR_SINGULAR for other matrices, for lack
 * of time or memory, and without CHOLMOD. */
nsds_status nsds_quasidefinite_csc(nsds_factor *factor, int n, const int *p, const int *i,
                                   const double *x, const signed char *sign, uint64_t pattern);

/* Returns the largest error of the solutions with these factors, relative to their right-hand sides
 * after equilibration. 0 if the factors are of another kind. */
double nsds_quasidefinite_rest(const nsds_factor *factor);

/* Returns the operations of these factors, or of the last ones with this pattern. */
double nsds_quasidefinite_operations(const nsds_factor *factor);

void nsds_quasidefinite_drop(nsds_factor *factor);

#endif
