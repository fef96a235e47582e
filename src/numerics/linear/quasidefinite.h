/*
 * Matrices A that signs make symmetric: S A = (S A)^T, S diagonal of 1 and -1, with the rows of
 * either sign semidefinite by themselves, as in the conditions of optimality of quadratic programmes,
 *
 *     A = [ H  -C^T ]     S A = [ H  -C^T ]
 *         [ C   D   ],          [ -C  -D  ].
 *
 * Equilibrated and moved off singular ones by a small multiple of S, S A is quasidefinite: it has
 * factors L D L^T in every order of its rows, without pivoting (Vanderbei: SIAM J. Optim. 5, 1995).
 * Solutions are refined with A itself. The order and the supernodes are CHOLMOD's.
 */
#ifndef NSDS_SRC_QUASIDEFINITE_H
#define NSDS_SRC_QUASIDEFINITE_H

#include "numerics/linear/factor_state.h"

/* As nsds_factor_csc(), of a matrix with all entries of its diagonal; but p, i, x and sign are read
 * until the last solve. NSDS_ERROR_SINGULAR also where A is not like that, where there are neither time
 * nor memory, and without CHOLMOD. */
nsds_status nsds_quasidefinite_csc(nsds_factor *factor, int n, const int *p, const int *i,
                                   const double *x, const signed char *sign, uint64_t pattern);

void nsds_quasidefinite_drop(nsds_factor *factor);

#endif
