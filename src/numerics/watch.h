/*
 * The duties of every iterative method: count iterations, let the user and the clock interrupt, and
 * report the outcome. A method that does not know when it has a solution also certifies its iterate
 * now and then, and keeps the best one.
 */
#ifndef NSDS_SRC_WATCH_H
#define NSDS_SRC_WATCH_H

#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"

typedef struct nsds_watch {
  nsds_solver *solver;
  nsds_solver_info *info;
  const nsds_problem *problem;
  double *z; /* n: the best point so far, the caller's array */
  /* Replaces problem and z for global problems: certifies a point, keeps the best one, and returns
   * its residual. */
  double (*offer)(void *run, const double *r);
  void *run;
  double best;   /* certified residual of the best point; NaN: unknown */
  double latest; /* residual of the point last certified */
  double tolerance;
  double start_terms; /* size of the terms of M z + q at the start, see watch.c */
  int limit;          /* number of iterations allowed */
  int next;           /* iteration after which the next certificate is due */
  int every;          /* 1: certify each iterate; otherwise at growing distances */
  double step_end;    /* end of the last step, if `every` is 1 and there is a time limit */
} nsds_watch;

/* Makes a watch that only counts, with `automatic` iterations if the option is 0. The method may
 * set `best`. */
static inline void nsds_watch_count(nsds_watch *watch, nsds_solver *solver, int automatic) {
  watch->solver = solver;
  watch->best = NAN;
  watch->limit = nsds_iteration_limit(solver, automatic);
}

/* Returns nsds_solver_residual() of an iterate, but infinity if only nsds_certified_answer()
 * refuses it. The latter compares separate rows with their load too, at tolerances above 1e-8 all
 * rows. Without a solution, iterates creep towards infinity, until only rounding of their terms is
 * seen. If the scale of the data decides and refuses the iterate, the residual returned is more than
 * the tolerance. */
double nsds_watch_residual(nsds_solver *solver, const nsds_problem *problem, const double *z,
                           int *worst_block);

/* The same without the scale of the data. */
double nsds_watch_by_terms(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                           int *worst_block);

/* Reserves the scratch of a watched method: `count` doubles for itself, followed by those for
 * watching. */
nsds_status nsds_watch_reserve(nsds_solver *solver, const nsds_problem *problem, size_t count);

/* Makes the start z feasible (finite, in C) and certifies it. A start that cannot be judged is
 * replaced by z = 0. The watch allows `default_limit` iterations if the option is 0; `every` as
 * above. */
nsds_watch nsds_watch_start(nsds_solver *solver, const nsds_problem *problem, double *z,
                            int default_limit, int every, nsds_solver_info *info);

/* Allows up to `limit` iterations from now on, certified as `every` says. */
void nsds_watch_allow(nsds_watch *watch, int limit, int every);

/* Returns true if the solve is over before iteration 1. Either the start solves, or no iteration is
 * allowed, or M or q is not finite, so that no point can be judged. */
bool nsds_watch_done(nsds_watch *watch);

/* Call this with the iterate z of iteration k = 1, 2, ...; returns true if the solve is over. */
bool nsds_watch_step(nsds_watch *watch, int k, const double *z);

/*
 * Copies z to `clean`, which may be z, with zeros for entries that are rounding; false if there are
 * none. `work` comes from a certificate of z. If nothing acts on a contact, its z only decays. An
 * entry that should be zero may then be the only term in another row, and residuals relative to
 * such z never become small.
 */
bool nsds_remove_noise(const nsds_problem *problem, const double *work, const double *z,
                       double *clean);

/* Returns NSDS_SOLVED if another iteration may begin after `done`, NSDS_NOT_CONVERGED at the limit,
 * or NSDS_INTERRUPTED. */
static inline nsds_outcome nsds_watch_allows(const nsds_watch *watch, int done) {
  if (done >= watch->limit) return NSDS_NOT_CONVERGED;
  return nsds_solver_interrupted(watch->solver, done + 1, watch->best) ? NSDS_INTERRUPTED
                                                                       : NSDS_SOLVED;
}

#endif
