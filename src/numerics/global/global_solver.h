/*
 * What the methods behind nsds_global_solve() share: the row with its operation, the instance, and
 * the run, which certifies reactions that a method offers and keeps the best.
 */
#ifndef NSDS_SRC_GLOBAL_SOLVER_H
#define NSDS_SRC_GLOBAL_SOLVER_H

#include "reduction.h"
#include "solver_internal.h"

typedef struct nsds_global_run nsds_global_run;

/* `base` has the row, but no operations. `reduces`: there is an inner solver. */
typedef struct nsds_global_method {
  nsds_method base;
  bool reduces;
  nsds_status (*solve)(nsds_global_run *run);
} nsds_global_method;

/* ADMM on the global form: factors of M and of both H and G, kept while the stamp stays. */
typedef struct nsds_global_admm {
  nsds_saddle saddle;
  double *arrays; /* all of the iteration's */
  size_t arrays_capacity;
  double rho; /* of the factors */
  bool ready; /* they are of the present matrices */
} nsds_global_admm;

/* Newton's method: its matrix as compressed columns, and how to fill it. */
typedef struct nsds_global_newton {
  nsds_factor *factor;
  int *p, *i;
  double *x;
  int *place;    /* nv + p + n: where the values that change begin in a column */
  int *first;    /* nv + 1, then block_of */
  int *block_of; /* n */
  int *entry;    /* H by velocities: local row */
  double *entry_x;
  double *AB; /* derivatives A and B, block after block */
  int *begin; /* of each block */
  double *arrays;
  uint64_t pattern;
  size_t p_capacity, i_capacity, x_capacity, place_capacity, first_capacity, entry_capacity;
  size_t entry_x_capacity, AB_capacity, begin_capacity, arrays_capacity;
} nsds_global_newton;

struct nsds_global_solver {
  nsds_context *context;
  const nsds_global_method *method;
  nsds_solver *base;  /* options, clock, progress */
  nsds_solver *inner; /* local solver of a method that reduces */
  nsds_reduction reduction;
  nsds_global_admm admm;
  nsds_global_newton newton;
  uint64_t stamp;       /* of the matrices eliminated, 0: none */
  uint64_t reduced;     /* of those in the local operator, 0: none */
  bool factored;        /* its form */
  uint64_t operators;   /* local operators made: their stamps */
  double *x, *trial_r;  /* nv + p: v and lambda of the reactions offered last; n */
  double *v0, *local_w; /* nv: without reactions; n */
  double *work;         /* of the certifier */
  size_t x_capacity, trial_r_capacity, v0_capacity, local_w_capacity, work_capacity;
};

struct nsds_global_run {
  nsds_global_solver *solver;
  const nsds_global_problem *problem;
  nsds_solver_info *info;
  double *v, *r, *lambda; /* the best so far */
  double best, tolerance;
};

/* Velocities and multipliers to reactions r, into solver->x; what is left of the equality rows,
 * see nsds_eliminate(). */
double nsds_global_velocities(nsds_global_run *run, const double *r);

/* The same, and their residual. The best are kept. */
double nsds_global_offer(nsds_global_run *run, const double *r);

/* Appends to info->path, behind " > " where there is something. */
void nsds_global_path(nsds_solver_info *info, const char *method, const char *inner,
                      nsds_outcome outcome);

nsds_status nsds_global_reduce(nsds_global_run *run, bool factored);
nsds_status nsds_global_admm_solve(nsds_global_run *run);
nsds_status nsds_global_newton_solve(nsds_global_run *run);

/* Alternating directions from and to solver->trial_r, up to `steps`, which info->iterations
 * counts. */
nsds_status nsds_global_admm_burst(nsds_global_run *run, int steps);
void nsds_global_newton_release(nsds_global_newton *newton, nsds_context *context);
void nsds_global_admm_release(nsds_global_admm *admm, nsds_context *context);

#endif
