/*
 * Complementary bases of problems with equality, nonnegative and box rows: each row has z_i at its
 * lower bound, at its upper bound, or w_i = 0 with z_i unknown; an equality row is always unknown.
 * The unknowns solve
 *
 *     M_BB z_B = -(q_B + M_BN z_N),
 *
 * and a basis whose z lies within the bounds and whose w has the right signs is a solution.
 */
#ifndef NSDS_SRC_BASIS_H
#define NSDS_SRC_BASIS_H

#include "bounds.h"
#include "factor.h"

/* The linear system A x = b of a basis: dense, square, solved once. */
typedef struct nsds_basic_system {
  double *a, *b, *x; /* k x k column-major; k each: right-hand side, solution */
  nsds_factor *factor;
  double *copy, *correction, *scale, *work;
  int *pivot;
  int reserved, solved, rank; /* rank: where it was found singular */
} nsds_basic_system;

/* Reciprocal condition of a regular system last solved. */
double nsds_basic_system_rcond(const nsds_basic_system *system);

/* Dimension r of the kernel of an A found singular, spanned by the columns of *V (k x r), which are
 * orthonormal in equilibrated unknowns and stay until the next call, in the place of A. */
int nsds_basic_system_kernel(nsds_basic_system *system, int k, const double **V);

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
  bool consistent;       /* the last system was met, which a singular one need not be */
  nsds_basic_system system;
} nsds_basis;

/* Memory for problems of up to n rows. */
nsds_status nsds_basis_reserve(nsds_basis *basis, nsds_store *store, int n);

/* The problem, and as states those that the point z shows. M: its dense matrix. */
void nsds_basis_start(nsds_basis *basis, const nsds_problem *problem, const double *M,
                      const double *z);

/* How many states row i can have, and the one after the present one, in turn. */
int nsds_basis_choices(const nsds_basis *basis, int i);
nsds_row_state nsds_basis_next(const nsds_basis *basis, int i);

/* z of the states. NSDS_ERROR_SINGULAR: a least-squares point, which solves the system where
 * `consistent`. */
nsds_status nsds_basis_solve(nsds_basis *basis);

/* By how much row i violates its law, over the size s_i of the terms of w_i; 0 where it holds. */
double nsds_basis_violation(const nsds_basis *basis, int i);

/* w_i and, as *s, the size of its terms. */
double nsds_basis_w(const nsds_basis *basis, int i, double *s);

/* Copies z with the unknowns brought within their bounds. */
void nsds_basis_point(const nsds_basis *basis, double *z);

#endif
