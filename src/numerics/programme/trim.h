/*
 * Presolve of a convex quadratic programme, and the way back. A row without curvature (M_ii = 0, all
 * entries skew) may be of a kind that another row absorbs:
 *
 *     fixed       equal bounds: a constant in q
 *     empty       q decides
 *     singleton   w_i = a z_j + q_i: a bound of z_j; z_i takes what the bound bears
 *     duplicate   M_i = a M_k: one row z_k + a z_i between the sums of the bounds; if q_i differs
 *                 from a q_k, one of the two is at its bound
 *
 * Variables and multipliers are rows alike. So the same rules remove empty columns and slack
 * variables, and join duplicate columns. On the way back each rule gives
 * its row a multiplier with which the law holds to rounding.
 */
#ifndef NSDS_SRC_TRIM_H
#define NSDS_SRC_TRIM_H

#include "numerics/programme/programme_rows.h"
#include "numerics/store.h"

typedef enum nsds_trim_rule {
  NSDS_TRIM_FIXED,
  NSDS_TRIM_SINGLETON,
  NSDS_TRIM_DUPLICATE
} nsds_trim_rule;

/* How one row left. Bounds are those of the row at that time. */
typedef struct nsds_trim_record {
  nsds_trim_rule rule;
  int row, other; /* the row; its partner, or the row that it joined */
  double factor;  /* a */
  double value;   /* z of the row: fixed, or while its bound bears nothing */
  double bound;   /* of the partner */
  bool bears;     /* the bound is narrower than that of the partner */
  double lower, upper, other_lower, other_upper;
} nsds_trim_record;

typedef struct nsds_trim {
  const nsds_programme_rows *rows;
  double *q, *size; /* n: q with the constants of rows that left; sum of magnitudes of its terms */
  double *lower, *upper;
  bool *left;        /* n: the row has left */
  bool *waits;       /* n: the row is in the queue */
  int *degree;       /* n: entries off the diagonal in rows that are there */
  int *queue, *next; /* n: rows to look at; rows of one hash value */
  int *head;         /* n: first row of each hash value */
  int first, waiting;
  nsds_trim_record *record;
  int count; /* of records, one for each row that left */
} nsds_trim;

nsds_status nsds_trim_reserve(nsds_trim *t, nsds_store *store, int n);

/* Applies all rules. Returns false if a row contradicts its bounds, so that there is no solution up
 * to rounding; the result means nothing then. */
bool nsds_trim_run(nsds_trim *t, const nsds_programme_rows *rows);

/* Computes z of the rows that left from z of the others. */
void nsds_trim_back(const nsds_trim *t, double *z);

#endif
