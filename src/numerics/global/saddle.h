/*
 * Linear systems with velocities v and multipliers y,
 *
 *     M v + E y        = f
 *     E^T v - Delta y  = g,      Delta a positive diagonal,
 *
 * M positive definite, E the columns of several sparse matrices side by side: quasidefinite, so
 * that it is regular whatever the rank of E (Vanderbei, SIAM J. Optim. 5, 1995). Scaled by
 * M_kk^-1/2 and d_j^-1/2, d_j = E_j^T diag(M)^-1 E_j, so that units do not matter. Sparse, or dense
 * where small or full.
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

/* A number of a pattern of compressed columns: equal numbers, equal patterns; never 0. */
uint64_t nsds_saddle_pattern(int n, const int *p, const int *i);

/* Takes M and the parts of E; both parts may have no columns. */
nsds_status nsds_saddle_load(nsds_saddle *saddle, nsds_store *store, const nsds_matrix *M,
                             const nsds_csc *first, const nsds_csc *second);

/* d_j of a column of E; 1 where the column is zero. */
double nsds_saddle_d(const nsds_saddle *saddle, int j);

/* Factors with Delta_j = d_j delta_j, or all delta_j = `same` where delta is NULL.
 * NSDS_ERROR_SINGULAR, not recorded, where M is singular. */
nsds_status nsds_saddle_factor(nsds_saddle *saddle, const double *delta, double same);

/* (f, g) to (v, y) in place. */
void nsds_saddle_solve(nsds_saddle *saddle, double *x);

/* ---- elimination ---- */

/* Velocities and multipliers for given forces: M v = f + G lambda, G^T v + b = 0, G of any rank. */
typedef struct nsds_elimination {
  nsds_saddle saddle;
  nsds_saddle mass;  /* M alone, to see whether it is definite, where there is G */
  double *given, *y; /* nv + p, p: work */
} nsds_elimination;

/* Factors M and G. NSDS_ERROR_SINGULAR, not recorded, where M is singular or not definite. */
nsds_status nsds_elimination_factor(nsds_elimination *elimination, nsds_store *store,
                                    const nsds_global_problem *problem);

/* (f, b) to (v, lambda) in place; returns what is left of the equality rows, relative to the
 * largest of the terms in square roots of energies. */
double nsds_eliminate(nsds_elimination *elimination, double *x);

#endif
