/*
 * Complementary bases of problems with equality, nonnegative and box rows. Each row has z_i at its
 * lower bound, at its upper bound, or w_i = 0 with z_i unknown. In equality rows z_i is always
 * unknown. The unknowns solve
 *
 *     M_BB z_B = -(q_B + M_BN z_N).
 *
 * A basis is a solution if its z lies within the bounds and its w has the right signs. A singular
 * basis stands for a face of points: all z_B for which both hold.
 *
 * All work is done in units that do not depend on those of rows and columns (canonical.h).
 */
#ifndef NSDS_SRC_BASIS_H
#define NSDS_SRC_BASIS_H

#include "numerics/linear/factor_state.h"
#include "numerics/sets/bounds.h"
#include "numerics/linear/factor.h"

#include <nsds/solver.h>

typedef enum nsds_row_state { NSDS_ROW_LOWER, NSDS_ROW_UNKNOWN, NSDS_ROW_UPPER } nsds_row_state;

/* The problem in canonical units: row_i M_ij column_j, dense and column-major, and row_i q_i. */
typedef struct nsds_basis_data {
  double *M, *q, *row, *column; /* row, column: n powers of two */
  unsigned char *seen;          /* 2 n */
} nsds_basis_data;

typedef struct nsds_basis {
  int n;
  nsds_basis_data own;
  double *lower, *upper; /* n */
  double *d;             /* n: brings z to the unit of w, as in nsds_certificate */
  double *z;             /* n: the point of the basis after solving */
  unsigned char *state;  /* n: nsds_row_state */
  int unknowns;          /* number of unknown rows of the last solve */
  int *list;             /* the unknown rows */
  int reserved, bounds;  /* reserved rows; finite bounds of rows that may move */
  /* the linear system, dense and square. If units hide its condition, rows and columns are scaled
   * by powers of two. */
  double *a, *b, *x, *correction;
  nsds_factor *factor;
  int *row_power, *column_power, *matching;
  double *matching_work;
  bool settled; /* equations hold up to rounding, or the basis is singular */
  /* the face G t >= g, most x unknowns; only the first `facets` rows count */
  int most, facets, *facet;
  double *G, *g, *constant; /* constant: size of the terms of g */
  double *scale, *work;
} nsds_basis;

/* Reserves memory for problems of up to n rows; `bounds` is the number of finite bounds of rows
 * that may move. */
nsds_status nsds_basis_reserve(nsds_basis *basis, nsds_store *store, int n, int bounds);

/* Starts with a problem, with the states that the point z shows. M is the dense matrix of the
 * problem. */
void nsds_basis_start(nsds_basis *basis, const nsds_problem *problem, const double *M,
                      const double *z);

/* Returns the number of states that row i can have. */
int nsds_basis_choices(const nsds_basis *basis, int i);
/* Returns the state of row i that follows the present one, in turn. */
nsds_row_state nsds_basis_next(const nsds_basis *basis, int i);

/* Solves for z; *rcond is the reciprocal condition of the system. Returns NSDS_ERROR_SINGULAR if
 * the system is singular in any units (*rcond = 0, z unknown), or may be singular but for rounding.
 * If `settled` is false, nothing is known of the basis. */
nsds_status nsds_basis_solve(nsds_basis *basis, double *rcond);

/* Finds the point of least norm, in scaled unknowns, on the face of a basis that nsds_basis_solve()
 * has found singular. Returns NSDS_SOLVED; NSDS_NO_SOLUTION if the face is clearly empty;
 * NSDS_NOT_CONVERGED if unknown. */
nsds_outcome nsds_basis_face(nsds_basis *basis);

/* Returns the violation of the law of row i over the size s_i of the terms of w_i; 0 if the law
 * holds. */
double nsds_basis_violation(const nsds_basis *basis, int i);

/* Returns w_i; *size is the size of its terms. */
double nsds_basis_w(const nsds_basis *s, int i, double *size);

/* Copies z with the unknowns brought within their bounds, in units of the problem. */
void nsds_basis_point(const nsds_basis *basis, double *z);

#endif
