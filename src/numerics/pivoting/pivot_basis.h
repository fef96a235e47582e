/*
 * The path of complementary pivots of y = A x + b + d x_0 (pivot_path.c), and the basis along it:
 * its columns of [I, -A, -d], the values of its variables, and exchanges.
 *
 * Variables are numbered y_k: k, x_k: n + k, x_0: 2 n. All is scaled: y' = row y, x = column x',
 * and b besides to a largest entry of about 1.
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
  nsds_watch watch; /* of the pivots */
  int n;
  int *basic;           /* n: variable of each position */
  int *place;           /* 2 n + 1: its position, -1: not basic */
  double *row, *column; /* n: scales */
  double unit;          /* b' = unit row b */
  double *b;            /* n: y at x = 0 */
  double *at_shift;     /* n: y at x = shift */
  double *delta;        /* n: by how much x_0 raises the variable of each position, at its start */
  double *p;            /* n: perturbation of b that breaks ties */
  double *x, *t;        /* n: B^-1 b, B^-1 p */
  double *size;         /* n: largest term that went into x, below rounding of which it is 0 */
  double *alpha;        /* n: B^-1 times a column */
  double *work;         /* n */
  unsigned char *mark;  /* n: work; in the end, the x in the basis */
  bool held;            /* an x of a free row was left at 0 that others feel */
} nsds_path;

/* Memory for the dense form of a problem of this shape, of the solver's store. */
nsds_status nsds_path_reserve(nsds_path *path, nsds_solver *solver, const nsds_problem *problem);

/* Where a path begins. */
typedef enum nsds_path_start {
  NSDS_PATH_ALL_ROWS, /* d covers all rows: Lemke */
  NSDS_PATH_VERTEX,   /* the facets that meet in a vertex: Cao & Ferris */
  NSDS_PATH_GAME      /* row 0 alone is not met: Lemke & Howson */
} nsds_path_start;

/* ---- of the basis ---- */

/* Entries of alpha up to this count as zero: A is scaled to entries of about 1. */
static const double nsds_pivot_zero = 1e-11;

/* Whether a variable is of a free row: in the basis for good, or never. */
static inline bool nsds_path_is_free(const nsds_path *s, int variable) {
  return variable < 2 * s->n && s->form.row[variable % s->n].free;
}

static inline int nsds_path_complement(const nsds_path *s, int variable) {
  return variable < s->n ? variable + s->n : variable - s->n;
}

/* Memory, and the scaled columns and vectors. */
nsds_status nsds_path_open(nsds_path *s, bool dense);

/* The basis of all y. */
void nsds_path_begin(nsds_path *s);

/* Factors the basis anew, and finds x and t. NSDS_ERROR_SINGULAR as in factor.h: they, and what was
 * factored before, stay. */
nsds_status nsds_path_factor(nsds_path *s);

/* The factors alone. */
nsds_status nsds_path_factor_basis(nsds_path *s);

/* v = B^-1 v with refinement; entries without digits become zero. */
void nsds_path_refine(const nsds_path *s, double *v);

/* v -= column of x_k, where x_k = shift. */
void nsds_path_subtract_shift(const nsds_path *s, int k, double *v);

/* Multiplies the unit of b, and x, by a factor. */
void nsds_path_rescale(nsds_path *s, double factor);

/* alpha of a variable. */
void nsds_path_find_alpha(nsds_path *s, int variable);

/* The variable of alpha takes position r. */
nsds_status nsds_path_pivot(nsds_path *s, int r, int variable);

/* d and p from the delta of the present basis. */
void nsds_path_cover(nsds_path *s);

/* Brings the x of all free rows into the basis, see pivot_basis.c; *found: NSDS_SOLVED;
 * NSDS_NO_SOLUTION where they contradict each other; NSDS_NOT_CONVERGED where they cannot be met
 * that way or the pivots allowed do not do; NSDS_INTERRUPTED. */
nsds_status nsds_path_take_equalities(nsds_path *s, nsds_outcome *found);

/* A path begins: no x of a free row has been left at 0 so far. */
static inline void nsds_path_release(nsds_path *s) { s->held = false; }

#endif
