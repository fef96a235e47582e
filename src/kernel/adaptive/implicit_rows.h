/*
 * The equations of an implicit stage over a plan. The unknown z holds x or v of all systems, then
 * lambda of all rows of laws:
 *
 *   0 = M (x - before) / a - f(t,x) - r             rows of first-order systems
 *   0 = M(q) (v - before) / a - F(t,q,v) - H^T lambda,   q = from (+) (way + a v)    of second-order ones
 *   w = h(t,x,q,v,lambda) + compliance lambda       rows of laws
 *   w = dy/dt                                       of laws on gaps of second-order systems
 *
 * a is the length of the stage. M may be singular in first-order systems. The pattern of the matrix
 * stays; constant parts are computed once. Rows of systems are scaled by min(1, a / |M|).
 */
#ifndef NSDS_SRC_IMPLICIT_ROWS_H
#define NSDS_SRC_IMPLICIT_ROWS_H

#include "kernel/assembly/plan.h"

/* Values by columns or by rows: those of line k stand at p[k] to p[k + 1]. */
typedef struct nsds_implicit_list {
  int *p, *i;
  double *x;
} nsds_implicit_list;

/* The laws row by row: ny of each. */
typedef struct nsds_implicit_law {
  double *compliance, *lower, *upper;
} nsds_implicit_law;

/* Rows of laws: about y, or a force; about dy/dt of an equality, of a gap. */
enum { NSDS_ROW_OF_Y = 0, NSDS_ROW_OF_RATE = 1, NSDS_ROW_OF_GAP = 2 };

/* Second-order systems: the coordinates of a stage, and rows about dy/dt. */
typedef struct nsds_implicit_motion {
  int nq;              /* 0: there are no second-order systems, and no arrays below */
  const double *from;  /* coordinates at the start of the step; borrowed */
  const double *way;   /* nx: displacement before the stage; NULL: none */
  double *q;           /* nq: coordinates of the last evaluation */
  double *gap;         /* ny: y of rows about dy/dt, of the last evaluation */
  unsigned char *kind; /* ny */
  double heaviest;     /* the largest |M| */
  double *work;        /* of gradients, for the largest interaction */
  double *step;        /* nx: displacements of one system */
} nsds_implicit_motion;

/* Varying values whose matrices give the pivots of sparse factors. */
typedef struct nsds_implicit_reference {
  int n; /* nvarying; 0: there are none yet */
  double *x;
} nsds_implicit_reference;

/* Tells which entries of C and of B of varying contacts are in the pattern. */
typedef struct nsds_implicit_known {
  unsigned char *entry;
  size_t capacity, n;
} nsds_implicit_known;

typedef struct nsds_implicit_rows {
  nsds_plan *plan;
  nsds_versions of;      /* the plan's when the rows were made; graph 0: never */
  int n, nx, ny;         /* unknowns, states, rows of laws */
  bool linear;           /* one linearization per stage suffices */
  bool full;             /* varying entries may stand anywhere in a contact's Jacobians */
  uint64_t stamp;        /* of the constant values */
  int *p, *i, *diagonal; /* pattern; place of the diagonal entry of each unknown */
  double *base, *mass;   /* constant values without M, and those of M, on the pattern */
  int nvarying, *place;  /* number and places of the values that change */
  double *varying;       /* nvarying */
  nsds_implicit_reference reference;
  nsds_implicit_known known;
  nsds_implicit_list mass_columns; /* M alone */
  nsds_implicit_list base_columns; /* constant values without M that are not zero */
  nsds_implicit_list law_rows;     /* constant rows of laws, by rows */
  double *largest;                 /* nx: the largest |M| of each row */
  double *load;                    /* n: constant part of each row */
  nsds_implicit_law law;
  double *lower, *upper; /* ny: bounds of lambda, which switches that are off have changed */
  double *work;          /* n, and the largest relation's Jacobians */
  size_t work_capacity;
  nsds_implicit_motion motion;
} nsds_implicit_rows;

/* Makes the rows anew if systems, interactions or parameters have changed. The plan is up to date. */
nsds_status nsds_implicit_rows_update(nsds_implicit_rows *rows, nsds_plan *plan);
void nsds_implicit_rows_destroy(nsds_implicit_rows *rows);

/* Lets the next update take all entries of varying contacts into the pattern. */
static inline void nsds_implicit_rows_fill(nsds_implicit_rows *rows) {
  rows->full = true;
  rows->of.graph = 0;
}

/* Returns true if the Jacobian of a system is constant. */
bool nsds_implicit_stays(const nsds_slot *slot);

#endif
