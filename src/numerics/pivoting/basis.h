/*
 * Complementary bases of problems with equality, nonnegative and box rows: each row has z_i at its
 * lower bound, at its upper bound, or w_i = 0 with z_i unknown; an equality row is always unknown.
 * The unknowns solve
 *
 *     M_BB z_B = -(q_B + M_BN z_N),
 *
 * and a basis whose z lies within the bounds and whose w has the right signs is a solution. A
 * singular one stands for a face of points: all z_B that do so.
 */
#ifndef NSDS_SRC_BASIS_H
#define NSDS_SRC_BASIS_H

#include "numerics/linear/factor_state.h"
#include "numerics/sets/bounds.h"
#include "numerics/linear/factor.h"

#include <nsds/solver.h>

typedef enum nsds_row_state { NSDS_ROW_LOWER, NSDS_ROW_UNKNOWN, NSDS_ROW_UPPER } nsds_row_state;

typedef struct nsds_basis {
  int n;
  const double *M, *q;   /* dense, column-major */
  double *lower, *upper; /* n */
  double *d;             /* n: brings z to the unit of w, as in nsds_certificate */
  double *z;             /* n: the point of the basis after solving */
  unsigned char *state;  /* n: nsds_row_state */
  int unknowns;          /* number of unknown rows of the last solve */
  int *list;             /* these rows */
  int reserved, bounds;  /* rows, finite bounds of rows that may move */
  /* the linear system: dense, square; where units hide its condition, in units of its own, powers
   * of two by row and column */
  double *a, *b, *x, *correction;
  nsds_factor *factor;
  int *row_power, *column_power, *matching;
  double *matching_work;
  bool settled; /* its equations hold up to rounding, or it was found singular */
  /* the face G t >= g, most x unknowns, of which the first `facets` rows count */
  int most, facets, *facet;
  double *G, *g, *constant; /* constant: size of the terms of g */
  double *scale, *work;
} nsds_basis;

/* Memory for problems of up to n rows with so many finite bounds of rows that may move. */
nsds_status nsds_basis_reserve(nsds_basis *basis, nsds_store *store, int n, int bounds);

/* The problem, and as states those that the point z shows. M: its dense matrix. */
void nsds_basis_start(nsds_basis *basis, const nsds_problem *problem, const double *M,
                      const double *z);

/* How many states row i can have, and the one after the present one, in turn. */
int nsds_basis_choices(const nsds_basis *basis, int i);
nsds_row_state nsds_basis_next(const nsds_basis *basis, int i);

/* z of the states, *rcond that of their system. NSDS_ERROR_SINGULAR where that is singular, *rcond
 * then being 0 and z unknown, or may be so but for rounding. Singular is meant in any units of rows
 * and columns. Without `settled` nothing is known of the basis. */
nsds_status nsds_basis_solve(nsds_basis *basis, double *rcond);

/* The point of least norm, in scaled unknowns, of the face of a basis that nsds_basis_solve() has
 * found singular: NSDS_SOLVED; NSDS_NO_SOLUTION where the face is clearly empty; NSDS_NOT_CONVERGED
 * where it remains open. */
nsds_outcome nsds_basis_face(nsds_basis *basis);

/* By how much row i violates its law, over the size s_i of the terms of w_i; 0 where it holds. */
double nsds_basis_violation(const nsds_basis *basis, int i);

/* w_i and, as *size, the size of its terms. */
double nsds_basis_w(const nsds_basis *s, int i, double *size);

/* Copies z with the unknowns brought within their bounds. */
void nsds_basis_point(const nsds_basis *basis, double *z);

#endif
