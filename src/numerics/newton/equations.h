/*
 * The laws of all blocks as equations within a proximal point iteration (Rockafellar: SIAM J.
 * Control Optim. 14, 1976), for Newton methods:
 *
 *     phi(z, w) = 0,   w = M z + q + e R^-1 (z - c)
 *
 * phi of set_map.h unit by unit, R the metric of blockwise.h, c the centre. For e > 0 their linear
 * systems are regular where contacts are redundant.
 */
#ifndef NSDS_SRC_EQUATIONS_H
#define NSDS_SRC_EQUATIONS_H

#include "numerics/newton/newton_system.h"
#include "numerics/sets/set_map.h"
#include "numerics/watch.h"

typedef struct nsds_equations {
  const nsds_problem *problem;
  int n;              /* its rows */
  nsds_watch watch;   /* of the solve under way */
  nsds_sweeps sweeps; /* its units, */
  double *y;          /* and what belongs to z there */
  nsds_map map;
  nsds_linearised at; /* phi with the derivatives; R and the weights: e / R, or more */
  double e;
  double *z, *Mz, *d, *p;   /* n each: iterate, M z + q, step, a point of the sets */
  double *centre, *rho, *w; /* n each; rho of set_map.h */
  bool by_velocities;       /* the linear system is */
  nsds_newton_system rows;
  nsds_velocity_system velocities;
} nsds_equations;

/* Memory of the solver's store, and to watch. The linear systems are those of velocities where these may be used
 * and are at most half as many as rows; M in blocks is not formed then. */
nsds_status nsds_equations_reserve(nsds_equations *s, nsds_solver *solver,
                                   const nsds_problem *problem, bool may_use_velocities);

/* Begins a solve at z, which is watched with so many iterations by default; false where it is over
 * then. */
bool nsds_equations_start(nsds_equations *s, nsds_solver *solver, double *z, int iterations,
                          nsds_solver_info *info);

/* R, and rho as many times R or, where the equation allows it, of the diagonal of each unit. */
void nsds_equations_scale(nsds_equations *s, nsds_map map, double factor);

/* Takes e; with the weights e / R. */
void nsds_equations_weigh(nsds_equations *s, double e);

/* Mz = M z + q, also of the iterate. */
void nsds_equations_multiply(const nsds_equations *s, const double *z, double *Mz);

/* |phi|^2 in the metric, at z with M z + q in Mz; with the derivatives where they are wanted. */
double nsds_equations_at(nsds_equations *s, const double *z, const double *Mz, bool derivatives);

/* Factors the linear system of `at`, NSDS_ERROR_SINGULAR as in newton_system.h; then d (n) for the
 * phi there. */
nsds_status nsds_equations_factor(nsds_equations *s);
void nsds_equations_solve(nsds_equations *s, double *d);

/* So many sweeps of block Gauss-Seidel from the iterate put into the sets. */
void nsds_equations_sweep(const nsds_equations *s, int count);

/* How an iteration ends: GIVEN_UP where the point has run away, along a direction in which M
 * vanishes, or has not come to where it should; OVER with the whole solve. */
typedef enum nsds_progress { NSDS_GOES_ON, NSDS_GIVEN_UP, NSDS_OVER } nsds_progress;

/* The next iterate, in the sets; certified where it is promising. */
nsds_progress nsds_equations_offer(nsds_equations *s, const double *z, bool promising);

#endif
