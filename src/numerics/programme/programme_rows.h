/*
 * A convex quadratic programme as rows with bounds,
 *
 *     w = M z + q,   lower <= z <= upper,   -w in the normal cone of the bounds,
 *
 * where signs S make M symmetric and each of its two sides is semidefinite:
 *
 *     M = [ H  -C^T ]     M^T = S M S.
 *         [ C   D   ],
 *
 * Variables and multipliers are rows alike, so each rule for rows also serves the dual programme.
 */
#ifndef NSDS_SRC_PROGRAMME_ROWS_H
#define NSDS_SRC_PROGRAMME_ROWS_H

#include "numerics/solver_internal.h"

typedef struct nsds_programme_rows {
  int n;
  const int *p, *i; /* M by columns, rows increasing */
  const double *x;
  const double *q, *lower, *upper; /* n each; infinite: no bound */
  const signed char *sign;         /* n */
} nsds_programme_rows;

/* Finds the signs of M with `side`, 2 n of scratch. Returns false if M is not of this kind, or
 * already symmetric. */
bool nsds_programme_signs(int n, const int *p, const int *i, const double *x, signed char *sign,
                          int *side);

/* Computes w = M z, or with `curved` the symmetric part of M z alone. */
void nsds_programme_multiply(const nsds_programme_rows *rows, bool curved, const double *z,
                             double *w);

#endif
