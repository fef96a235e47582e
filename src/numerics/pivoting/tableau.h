/*
 * Compact tableau of a mixed linear complementarity problem y = A x + b, for pivoting methods:
 *
 *     basic_r = rhs_r - sum_c T_rc nonbasic_c.
 *
 * A pivot exchanges the variables of one row and one column. Variables are numbered y_i: i,
 * x_i: n + i, and 2 n an artificial one.
 */
#ifndef NSDS_SRC_TABLEAU_H
#define NSDS_SRC_TABLEAU_H

#include "base.h"

typedef struct nsds_tableau {
  int n;         /* pairs of variables */
  int m;         /* rows at present */
  int columns;   /* columns at present */
  int stride;    /* n + 1 */
  double *T;     /* n x stride, row-major: a pivot runs along rows */
  double *rhs;   /* n */
  double *size;  /* n: largest term that went into rhs; below rounding of it, rhs is 0: a sign made
                    of rounding would start pivots of its own */
  double *start; /* n: rhs when all y were basic, by which doubtful ones are judged; or NULL */
  double *scale; /* n: x = scale x', y' = scale y */
  const unsigned char *free; /* n: pairs whose rows and columns may be scaled apart, or NULL */
  int *basic;                /* n: variable of each row */
  int *nonbasic;             /* n + 1: variable of each column */
  int *place;                /* 2 n + 1: column >= 0, or -1 - row */
} nsds_tableau;

/* Entries of the scaled tableau below this count as zero. */
static const double nsds_pivot_zero = 1e-11;

/* Doubles and integers that the arrays of a tableau of n pairs take. */
size_t nsds_tableau_doubles(int n);
size_t nsds_tableau_integers(int n);

/* A tableau of n pairs in the given memory, nothing filled. */
nsds_tableau nsds_tableau_lay_out(int n, double *doubles, int *integers);

/* From T = A and rhs = b to the tableau with all y basic: scales by powers of two so that the
 * pivots do not depend on units, and b to a largest entry of about 1. */
void nsds_tableau_start(nsds_tableau *t);

/* Scales rhs to a most negative entry of about -1 and forgets what went into it; false when none is
 * negative. */
bool nsds_tableau_measure(nsds_tableau *t);

static inline double *nsds_tableau_row(const nsds_tableau *t, int r) {
  return t->T + (size_t)r * (size_t)t->stride;
}

static inline void nsds_tableau_set_basic(nsds_tableau *t, int r, int variable) {
  t->basic[r] = variable;
  t->place[variable] = -1 - r;
}

static inline void nsds_tableau_set_nonbasic(nsds_tableau *t, int c, int variable) {
  t->nonbasic[c] = variable;
  t->place[variable] = c;
}

/* Exchanges the variables of row p and column e. */
void nsds_tableau_pivot(nsds_tableau *t, int p, int e);

/* Exchanges the names y and x of the pairs whose x is basic, without an artificial variable. */
void nsds_tableau_name_basic_y(nsds_tableau *t);

/*
 * Row that blocks the growing variable of column e, -1 if none. Ties are broken by the
 * lexicographic order of the rows of [rhs, B^-1], whose columns are those of the y_j, j not in
 * `skip` (n, may be NULL); `first` is a variable that leaves before any other that ties, or -1.
 */
int nsds_tableau_blocking_row(const nsds_tableau *t, const unsigned char *skip, int e, int first);

#endif
