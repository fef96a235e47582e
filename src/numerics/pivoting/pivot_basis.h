/*
 * The path of complementary pivots of y = A x + b + d x_0 (pivot_path.c), and the basis along it:
 * columns of [I, -A, -d], values of the variables, and exchanges.
 *
 * Variables are numbered y_k: k, x_k: n + k, x_0: 2 n. All are scaled: y' = row y, x = column x'.
 * The largest entry of b is scaled to about 1.
 */
#ifndef NSDS_SRC_PATH_H
#define NSDS_SRC_PATH_H

#include "numerics/pivoting/lcp_form.h"
#include "numerics/watch.h"

typedef struct nsds_path {
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  nsds_lcp_form form;
  nsds_sparse_columns K; /* I, -A, -d: columns of y, x and x_0, scaled */
  nsds_product_form basis;
  nsds_watch watch; /* counts the pivots */
  int n;
  int *basic;           /* n: variable at each position */
  int *place;           /* 2 n + 1: position of each variable; -1: not basic */
  double *row, *column; /* n: scales */
  double unit;          /* b' = unit row b */
  double *b;            /* n: y at x = 0 */
  double *at_shift;     /* n: y at x = shift */
  double *delta;        /* n: change by x_0 of the variable at each position, at the start */
  double *p;            /* n: perturbation of b that breaks ties */
  double *x, *t;        /* n: B^-1 b, B^-1 p */
  double *size;         /* n: largest term that went into x; x below its rounding is 0 */
  double *alpha;        /* n: B^-1 times a column */
  double *work;         /* n */
  unsigned char *mark;  /* n: work; in the end marks the x in the basis */
  bool held;            /* an x of a free row stayed at 0 although others depend on it */
} nsds_path;

/* Reserves memory from the solver's store for the dense form of such a problem. */
nsds_status nsds_path_reserve(nsds_path *path, nsds_solver *solver, const nsds_problem *problem);

/* Starts of a path. */
typedef enum nsds_path_start {
  NSDS_PATH_ALL_ROWS, /* d covers all rows: Lemke */
  NSDS_PATH_VERTEX,   /* d covers the facets that meet in a vertex: Cao & Ferris */
  NSDS_PATH_GAME      /* row 0 alone is not met: Lemke & Howson */
} nsds_path_start;

/* ---- the basis ---- */

/* Entries of alpha up to this count as zero: A is scaled to entries of about 1. */
static const double nsds_pivot_zero = 1e-11;

/* Returns true for a variable of a free row. Free x stay in the basis for good, free y out of
 * it. */
static inline bool nsds_path_is_free(const nsds_path *s, int variable) {
  return variable < 2 * s->n && s->form.row[variable % s->n].free;
}

static inline int nsds_path_complement(const nsds_path *s, int variable) {
  return variable < s->n ? variable + s->n : variable - s->n;
}

/* Reserves memory and computes the scaled columns and vectors. */
nsds_status nsds_path_open(nsds_path *s, bool dense);

/* Starts with the basis of all y. */
void nsds_path_begin(nsds_path *s);

/* Factors the basis anew, and computes x and t. After NSDS_ERROR_SINGULAR (see factor.h) x, t and
 * the old factors stay. */
nsds_status nsds_path_factor(nsds_path *s);

/* Factors the basis alone. */
nsds_status nsds_path_factor_basis(nsds_path *s);

/* Computes v = B^-1 v with refinement; entries without digits become zero. */
void nsds_path_refine(const nsds_path *s, double *v);

/* Subtracts the column of x_k, for x_k = shift, from v. */
void nsds_path_subtract_shift(const nsds_path *s, int k, double *v);

/* Multiplies the unit of b, and x, by a factor. */
void nsds_path_rescale(nsds_path *s, double factor);

void nsds_path_find_alpha(nsds_path *s, int variable);

/* Puts the variable of alpha at position r. */
nsds_status nsds_path_pivot(nsds_path *s, int r, int variable);

/* Computes d and p from the delta of the present basis. */
void nsds_path_cover(nsds_path *s);

/* Brings the x of all free rows into the basis, see pivot_basis.c. The outcome *found is
 * NSDS_SOLVED, NSDS_INTERRUPTED, NSDS_NO_SOLUTION if the rows contradict each other, or
 * NSDS_NOT_CONVERGED if the pivots do not suffice. */
nsds_status nsds_path_take_equalities(nsds_path *s, nsds_outcome *found);

/* Starts a path: no x of a free row has been left at 0 so far. */
static inline void nsds_path_release(nsds_path *s) { s->held = false; }

#endif
