/*
 * The linear systems of a convex quadratic programme: M with a diagonal. Factors by signs come first
 * (quasidefinite.h). If refinement cannot give the digits that these lose, later systems are
 * equilibrated and factored with pivoting. A proximal term moves singular ones. Refinement by
 * conjugate residuals (conjugate_residuals.h) removes that term.
 */
#ifndef NSDS_SRC_PROGRAMME_SYSTEM_H
#define NSDS_SRC_PROGRAMME_SYSTEM_H

#include "numerics/linear/conjugate_residuals.h"
#include "numerics/linear/factor.h"
#include "numerics/programme/programme_rows.h"
#include "numerics/store.h"

typedef struct nsds_programme_system {
  const nsds_programme_rows *rows;
  nsds_factor *factor;
  uint64_t pattern;     /* number of that of M */
  double *value;        /* entries of the matrix */
  int *diagonal;        /* n: their places on the diagonal */
  double *unit, *right; /* n: of the equilibrated matrix */
  nsds_conjugate_residuals refinement;
  double moved; /* proximal term of the equilibrated matrix */
  bool dense;   /* few rows, or full: with pivoting from the start */
  bool pivots;  /* factors by signs have lost too many digits, */
  bool settled; /* and so it stays: there are none with pivoting */
  bool pivoted; /* the last factors are with pivoting */
  int factorizations;
} nsds_programme_system;

nsds_status nsds_programme_system_reserve(nsds_programme_system *s, nsds_store *store, int n,
                                          size_t entries);

/* Begins with a programme, which has all diagonal entries. */
void nsds_programme_system_start(nsds_programme_system *s, const nsds_programme_rows *rows,
                                 uint64_t pattern);

/* Loads M. */
void nsds_programme_system_load(nsds_programme_system *s);

/* Returns the diagonal entry of a row; add to it. */
static inline double *nsds_programme_system_at(nsds_programme_system *s, int row) {
  return &s->value[s->diagonal[row]];
}

nsds_status nsds_programme_system_factor(nsds_programme_system *s);

/* Solves with the last factors, in place. */
void nsds_programme_system_solve(nsds_programme_system *s, double *x);

/* Returns true if the last solutions are too bad and the system should be made again, by other
 * factors. `singular`: the last factors do not exist. */
bool nsds_programme_system_change(nsds_programme_system *s, bool singular);

#endif
