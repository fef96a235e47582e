/*
 * Linear systems with velocities v and multipliers y,
 *
 *     M v + E y        = f
 *     E^T v - Delta y  = g,      Delta a positive diagonal,
 *
 * M is positive definite. E holds the columns of several sparse matrices side by side. The system
 * is quasidefinite and therefore regular for any rank of E (Vanderbei, SIAM J. Optim. 5, 1995).
 * Scales M_kk^-1/2 and d_j^-1/2, d_j = E_j^T diag(M)^-1 E_j, make it independent of units. Storage
 * is sparse, or dense if the system is small or full.
 */
#ifndef NSDS_SRC_SADDLE_H
#define NSDS_SRC_SADDLE_H

#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/matrix.h"
#include "numerics/store.h"

#include <nsds/global.h>

typedef struct nsds_saddle {
  nsds_factor *factor;
  int nv, m;
  bool dense;
  int *p, *i; /* scaled matrix as compressed columns */
  double *x;
  double *scale; /* nv + m */
  nsds_entries entries;
  uint64_t pattern;
} nsds_saddle;

/* Returns a number for a pattern of compressed columns: equal patterns, equal numbers; never 0. */
uint64_t nsds_saddle_pattern(int n, const int *p, const int *i);

/* Takes M and the parts of E; both parts may have no columns. */
nsds_status nsds_saddle_load(nsds_saddle *saddle, nsds_store *store, const nsds_matrix *M,
                             const nsds_csc *first, const nsds_csc *second);

/* Returns d_j of a column of E; 1 if the column is zero. */
double nsds_saddle_d(const nsds_saddle *saddle, int j);

/* Factors with Delta_j = d_j delta_j, or all delta_j = `same` if delta is NULL. Returns
 * NSDS_ERROR_SINGULAR, not recorded, if M is singular. */
nsds_status nsds_saddle_factor(nsds_saddle *saddle, const double *delta, double same);

/* Solves in place: (f, g) becomes (v, y). */
void nsds_saddle_solve(nsds_saddle *saddle, double *x);

/* ---- elimination ---- */

/* Velocities and multipliers for given forces: M v = f + G lambda, G^T v + b = 0, G of any rank. */
typedef struct nsds_elimination {
  nsds_saddle saddle;
  nsds_saddle mass;  /* if there is G: M alone, to check that M is definite */
  double *given, *y; /* nv + p, p: work */
} nsds_elimination;

/* Factors M and G. Returns NSDS_ERROR_SINGULAR, not recorded, if M is singular or not definite. */
nsds_status nsds_elimination_factor(nsds_elimination *elimination, nsds_store *store,
                                    const nsds_global_problem *problem);

/* Solves in place: (f, b) becomes (v, lambda). Returns the rest of the equality rows relative to
 * the largest of the terms, in square roots of energies. */
double nsds_eliminate(nsds_elimination *elimination, double *x);

#endif
