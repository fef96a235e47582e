/*
 * A nonsmooth problem with polyhedral sets as a mixed linear complementarity problem
 *
 *     y = A x + b,    free rows: y = 0,    other rows: 0 <= y, x >= 0, y.x = 0
 *
 * for pivoting methods. z = z_0 + C x with at most two entries per column of C; the rows of y are
 * rows of w, up to sign, plus the part E x that the sets add. Bounds (Cottle, Pang & Stone 1992,
 * 1.2): with l finite, z_i = l + x; with u alone, z_i = u - x and y = -w_i; with both, one more row
 *
 *     y_1 = w_i + x_2,    y_2 = (u - l) - x_1.
 *
 * A is positive semidefinite where M is.
 */
#ifndef NSDS_SRC_LCP_FORM_H
#define NSDS_SRC_LCP_FORM_H

#include "bounds.h"

/* One row and its variable. */
typedef struct nsds_lcp_row {
  int w;        /* row of the problem whose w enters, -1 if none */
  double sign;  /* of that w */
  int z[2];     /* entries of z that the variable adds to, -1 if none */
  double c[2];  /* by how much */
  bool free;    /* equality row, variable without sign */
  double b;     /* what b has besides the part of w */
  int at_bound; /* entry of z that is at `bound` exactly when the variable is basic, or -1 */
  double bound;
} nsds_lcp_row;

typedef struct nsds_lcp_entry {
  int row, column;
  double value;
} nsds_lcp_entry;

typedef struct nsds_lcp_form {
  int n;             /* rows */
  nsds_lcp_row *row; /* n */
  int nentry;
  nsds_lcp_entry *entry; /* E */
  int nz;                /* rows of the problem */
  double *z0;            /* nz */
  size_t row_capacity, entry_capacity, z0_capacity;
} nsds_lcp_form;

enum { nsds_lcp_sets = nsds_bound_sets };

/* Rows the form of this problem will have; -1 when a block has no such form. */
int nsds_lcp_size(const nsds_problem *problem);

/* Fills the form; allocates only for a larger one than before. */
nsds_status nsds_lcp_build(nsds_context *context, nsds_lcp_form *form, const nsds_problem *problem);
void nsds_lcp_release(nsds_context *context, nsds_lcp_form *form);

/* A, row-major with the given stride, and b; M is the dense matrix of the problem. */
void nsds_lcp_matrix(const nsds_lcp_form *form, const double *M, double *A, int stride);
void nsds_lcp_vector(const nsds_lcp_form *form, const double *M, const double *q, double *b);

/* z of x; `basic` tells the variables that are basic. */
void nsds_lcp_recover(const nsds_lcp_form *form, const double *x, const unsigned char *basic,
                      double *z);

#endif
