/*
 * A nonsmooth problem with polyhedral sets as a mixed linear complementarity problem
 *
 *     y = A x + b,    free rows: y = 0,    other rows: 0 <= y, x >= 0, y.x = 0
 *
 * for pivoting methods, with
 *
 *     z = z_0 + C x,    y = R w + E x + e,    A = R M C + E,    b = R (q + M z_0) + e.
 *
 * Normal cones have R = C^T and a skew E, so that A is positive semidefinite if M is:
 *
 *     l <= z_i               z_i = l + x,  y = w_i
 *     z_i <= u               z_i = u - x,  y = -w_i
 *     l <= z_i <= u          z_i = l + x_1,  y_1 = w_i + x_2,  y_2 = (u - l) - x_1, computed from
 *                            the point c of the box next to 0: x_1 = (c - l) + (z_i - c)
 *     H z >= K               in the coordinates of polyhedron.h, z = point + D x_A with H_A D = I
 *                            and directions of lineality, which are free; with F = H D for the
 *                            other facets I,  y_A = D^T w - F^T x_I,
 *                            y_I = H_I point - K_I + F x_A
 *     |z_T| <= mu z_N        x_1 = mu z_N + z_T,  x_2 = mu z_N - z_T
 *
 * Coulomb friction in the plane, and rolling friction with two such pairs, use the slack s of the
 * lower bound and the negative part of w_T:
 *
 *     z_N = x_1,  z_T = x_2 - mu x_1,  y_1 = w_N,  y_2 = w_T + x_3,  y_3 = 2 mu x_1 - x_2.
 *
 * In the homogeneous problem of a ray, x.y = z.w + mu z_N (y_2 + x_3) - mu z_N d_2 x_0 + d.x x_0.
 * All terms are >= 0 for a covering vector d with d_1 >= mu d_2. If M is symmetric positive
 * semidefinite, Lemke's method then ends with a solution, provided that q.z >= 0 for all z in the
 * cone with M z = 0. That holds for M = H W^-1 H^T and q = H v.
 */
#ifndef NSDS_SRC_LCP_FORM_H
#define NSDS_SRC_LCP_FORM_H

#include "numerics/sets/bounds.h"
#include "numerics/linear/matrix.h"
#include "numerics/pivoting/product_form.h"

#include <stdlib.h>

/* One row and its variable. */
typedef struct nsds_lcp_row {
  bool free;    /* equality row, variable without sign */
  bool slack;   /* y is the slack of a bound or facet, x its multiplier */
  double e;     /* part of b that does not come from w */
  double shift; /* z_0 has x = shift; 0 except for boxes with two bounds */
  int at_bound; /* entry of z that is at `bound` if the variable is basic; -1: none */
  double bound;
  int at_zero; /* entry of z that is at `zero_bound` if the variable is not basic; -1: none */
  double zero_bound;
  int normal; /* friction: row of w_N; its covering entry exceeds mu times that of this row */
  double mu;  /* 0: no friction */
} nsds_lcp_row;

typedef struct nsds_lcp_form {
  int n, nz;            /* rows, of the form and of the problem */
  bool empty;           /* a polyhedron has no point; n is -1 */
  nsds_lcp_row *row;    /* n */
  nsds_entries C, R, E; /* C in order of its columns, R in order of its rows */
  double *z0, *w;       /* nz each: w is scratch */
  /* scratch of nsds_lcp_columns(): */
  nsds_sparse_columns by_R, by_E; /* R and E by columns */
  double *sums;                   /* nz + n, like the next two */
  int *mark, *met;
} nsds_lcp_form;

/* Polyhedral sets, and all sets that have a form. Cones, discs and friction have one only with one
 * tangential row, or with a threshold of zero. */
enum {
  nsds_polyhedral_sets = nsds_bound_sets | NSDS_SET_POLYHEDRON | NSDS_SET_DISC | NSDS_SET_CONE,
  nsds_lcp_sets = nsds_polyhedral_sets | NSDS_SET_COULOMB | NSDS_SET_ROLLING
};

/* Returns the largest number of rows of the form; -1 if there is no form. */
int nsds_lcp_size(const nsds_problem *problem);

nsds_status nsds_lcp_reserve(nsds_store *store, nsds_lcp_form *form, const nsds_problem *problem);

/* Builds the form of a problem that has one; allocates only for a larger problem than before.
 * Slacks are nonnegative where the other variables vanish. If a polyhedron has no vertex, being
 * empty or nearly so, form->n is -1. */
nsds_status nsds_lcp_build(nsds_store *store, nsds_lcp_form *form, const nsds_problem *problem);

/* Appends the columns of -A; M must be in CSC form. */
nsds_status nsds_lcp_columns(nsds_store *store, const nsds_lcp_form *form,
                             const nsds_problem *problem, nsds_sparse_columns *columns);
/* Computes b, which is y at x = shift: y = A (x - shift) + b. */
void nsds_lcp_vector(const nsds_lcp_form *form, const nsds_problem *problem, double *b);

/* Computes z from x - shift; `basic` marks the basic variables. */
void nsds_lcp_recover(const nsds_lcp_form *form, const double *x, const unsigned char *basic,
                      double *z);

#endif
