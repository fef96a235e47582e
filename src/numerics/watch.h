/*
 * What every iterative method does beside its iteration: count, let the user and the clock
 * interrupt, and say in the end what came of it; and, where it does not know by itself when it has
 * come to a solution, certify the iterate now and then and keep the best one.
 */
#ifndef NSDS_SRC_WATCH_H
#define NSDS_SRC_WATCH_H

#include "numerics/solver_internal.h"

typedef struct nsds_watch {
  nsds_solver *solver;
  nsds_solver_info *info;
  const nsds_problem *problem;
  double *z; /* n: the best point so far, the caller's array */
  /* Instead of problem and z where the problem is a global one: certifies a point, keeps it where
   * it is the best, and returns its residual. */
  double (*offer)(void *run, const double *r);
  void *run;
  double best;   /* certified residual of the best point; not a number: not known */
  double latest; /* of the point last certified */
  double tolerance;
  double start_terms; /* size of the terms of M z + q at the start, see watch.c */
  int limit;          /* iterations allowed */
  int next;           /* iteration after which the iterate is certified next */
  int every;          /* 1: certify each iterate; otherwise at growing distances */
  double step_end;    /* when the last step ended, where every is 1 and there is a time limit */
} nsds_watch;

/* A watch that counts alone: `automatic` iterations where the option is 0. The rest is left to the
 * method, which may say what `best` is. */
static inline void nsds_watch_count(nsds_watch *watch, nsds_solver *solver, int automatic) {
  watch->solver = solver;
  watch->best = NAN;
  watch->limit = nsds_iteration_limit(solver, automatic);
}

/* nsds_solver_residual() of an iterate; infinity where it would do, but not where rows that stand
 * alone are measured against their load too, and at tolerances above 1e-8 all rows
 * (nsds_certified_answer()). Without a solution iterates creep towards infinity, until rounding of their
 * terms is all that is seen. */
double nsds_watch_residual(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                           int *worst_block);

/* The scratch of a watched method: `count` doubles for itself, and behind them what watching needs.
 */
nsds_status nsds_watch_reserve(nsds_solver *solver, const nsds_problem *problem, size_t count);

/* Makes the start z feasible (finite, in C) and certifies it; one that cannot be judged is replaced
 * by z = 0. `default_limit` iterations where the option is 0; `every` as above. */
nsds_watch nsds_watch_start(nsds_solver *solver, const nsds_problem *problem, double *z,
                            int default_limit, int every, nsds_solver_info *info);

/* From here on: up to `limit` iterations, certified as `every` says. */
void nsds_watch_allow(nsds_watch *watch, int limit, int every);

/* True when the solve is over before iteration 1: the start solves, no iteration is allowed, or M or
 * q is not finite, where no point can be judged. */
bool nsds_watch_done(nsds_watch *watch);

/* Called with the iterate z of iteration k = 1, 2, ...: true when the solve is over. */
bool nsds_watch_step(nsds_watch *watch, int k, const double *z);

/*
 * clean, which may be z, becomes z with zeros for what is rounding, work being as a certificate of z
 * has left it; false where there is none. Where nothing acts on a contact its z only decays, and an
 * entry that should be zero may be all there is in another row: residuals relative to such z never
 * become small.
 */
bool nsds_remove_noise(const nsds_problem *problem, const double *work, const double *z,
                       double *clean);

#endif
