/*
 * The instance and the run that the methods behind nsds_global_solve() share. The run certifies
 * reactions that a method offers, and keeps the best.
 */
#ifndef NSDS_SRC_GLOBAL_STATE_H
#define NSDS_SRC_GLOBAL_STATE_H

#include "numerics/linear/factor_state.h"
#include "numerics/splitting/admm.h"
#include "numerics/global/reduction.h"
#include "numerics/solver_internal.h"

/* The system of M, H and G. Alternating directions factor it; Newton's matrix borders it. */
typedef struct nsds_global_admm {
  nsds_saddle saddle;
  uint64_t loaded; /* the matrices in it */
  nsds_admm_factors factors;
  double *x, *delta; /* nv + n + p, n + p */
  double *arrays;    /* of admm.h */
} nsds_global_admm;

/* Newton's method: its matrix as compressed columns, see global_newton.c. */
typedef struct nsds_global_newton {
  nsds_factor *factor;
  nsds_entries entries;
  int *p, *i;
  double *x;
  double *A, *B; /* derivatives, block after block */
  int *begin;    /* nblock: start of the derivatives of each block */
  double *arrays;
  uint64_t pattern;
} nsds_global_newton;

/* The state of an instance. */
typedef struct nsds_global_state {
  nsds_reduction reduction;
  nsds_global_admm admm;
  nsds_global_newton newton;
  uint64_t stamp;      /* stamp of the eliminated matrices, 0: none */
  uint64_t matrices;   /* own stamp, for results made from them */
  double *x, *trial_r; /* nv + p: v and lambda of the last reactions offered; n */
  double *v0, *u;      /* nv: without reactions; n: local velocities */
  double *work;        /* of the certifier */
} nsds_global_state;

typedef struct nsds_global_run {
  nsds_solver *solver;
  nsds_global_state *state; /* of the solver */
  const nsds_global_problem *problem;
  nsds_solver_info *info;
  double *v, *r, *lambda; /* the best so far */
  nsds_watch watch;       /* offers to nsds_global_offer() */
} nsds_global_run;

/* The law alone as a problem; a row that stands alone is a block of its own. */
static inline const nsds_problem *nsds_global_law(const nsds_global_run *run) {
  return &run->state->reduction.problem;
}

/* Methods of global problems have no local operations: nsds_global_solve() runs them. */
#endif
