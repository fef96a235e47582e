/*
 * The equations of an implicit stage over a plan of first-order systems. The unknown z holds the
 * states x of all systems, then lambda of all rows of laws:
 *
 *   0 = M (x - before) / a - f(t,x) - r          rows of systems
 *   w = h(t,x,lambda) + compliance lambda        rows of laws
 *
 * a is the length of the stage. M may be singular. The pattern of the matrix stays; constant parts
 * are computed once. Rows of systems are scaled by min(1, a / |M|).
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

typedef struct nsds_implicit_rows {
  nsds_plan *plan;
  nsds_versions of;      /* the plan's when the rows were made; graph 0: never */
  int n, nx, ny;         /* unknowns, states, rows of laws */
  bool linear;           /* one linearisation per stage suffices */
  bool full;             /* varying entries may stand anywhere in a contact's Jacobians */
  uint64_t stamp;        /* of the constant values */
  int *p, *i, *diagonal; /* pattern; place of the diagonal entry of each unknown */
  double *base, *mass;   /* constant values without M, and those of M, on the pattern */
  int nvarying, *place;  /* number and places of the values that change */
  double *varying;       /* nvarying */
  unsigned char *known;  /* of varying contacts: entries of C, then B, that are in the pattern */
  size_t known_capacity;
  nsds_implicit_list mass_columns; /* M alone */
  nsds_implicit_list law_rows;     /* constant rows of laws, by rows */
  double *largest;                 /* nx: the largest |M| of each row */
  double *load;                    /* n: constant part of each row */
  nsds_implicit_law law;
  double *lower, *upper; /* ny: bounds of lambda, which switches that are off have changed */
  double *work;          /* n, and the largest relation's Jacobians */
  size_t work_capacity;
} nsds_implicit_rows;

/* Makes the rows anew if systems, interactions or parameters have changed. The plan is up to date. */
nsds_status nsds_implicit_rows_update(nsds_implicit_rows *rows, nsds_plan *plan);
void nsds_implicit_rows_destroy(nsds_implicit_rows *rows);

/* Returns true if the Jacobian of a system is constant. */
bool nsds_implicit_stays(const nsds_slot *slot);

#endif
