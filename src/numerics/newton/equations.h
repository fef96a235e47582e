/*
 * The laws of all blocks as equations within a proximal point iteration (Rockafellar: SIAM J.
 * Control Optim. 14, 1976), for Newton methods:
 *
 *     phi(z, w) = 0,   w = M z + q + e R^-1 (z - c)
 *
 * with phi of set_map.h unit by unit, R the metric of blockwise.h, c the center. For e > 0 the
 * linear systems are regular even with redundant contacts.
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
  double *y;          /* and y of z there */
  nsds_map map;
  nsds_linearised at; /* phi with the derivatives; R and the weights: e / R, or more */
  double e;
  double *z, *Mz, *d, *p;   /* n each: iterate, M z + q, step, a point of the sets */
  double *centre, *rho, *w; /* n each; rho of set_map.h */
  bool by_velocities;       /* the linear system is in velocities */
  nsds_newton_system rows;
  nsds_velocity_system velocities;
} nsds_equations;

/* Reserves memory in the solver's store. The linear systems are in velocities if the caller allows
 * it and there are at most half as many velocities as rows. M in blocks is then not formed. */
nsds_status nsds_equations_reserve(nsds_equations *s, nsds_solver *solver,
                                   const nsds_problem *problem, bool may_use_velocities);

/* Begins a solve at z, watched with `iterations` by default. Returns false if the solve is over at
 * once. */
bool nsds_equations_start(nsds_equations *s, nsds_solver *solver, double *z, int iterations,
                          nsds_solver_info *info);

/* Sets R and rho. rho is `factor` times R or, if the equation allows it, times the value from the
 * diagonal of each unit. */
void nsds_equations_scale(nsds_equations *s, nsds_map map, double factor);

/* Sets e, and the weights e / R. */
void nsds_equations_weigh(nsds_equations *s, double e);

/* Computes Mz = M z + q; z may be the iterate. */
void nsds_equations_multiply(const nsds_equations *s, const double *z, double *Mz);

/* Returns |phi|^2 in the metric at z, with M z + q in Mz. Computes the derivatives on request. */
double nsds_equations_at(nsds_equations *s, const double *z, const double *Mz, bool derivatives);

/* Factors the linear system of `at`. NSDS_ERROR_SINGULAR as in newton_system.h. */
nsds_status nsds_equations_factor(nsds_equations *s);
/* Computes d (n) for the phi of `at`. */
void nsds_equations_solve(nsds_equations *s, double *d);

/* Makes `count` sweeps of block Gauss-Seidel from the iterate, put into the sets. */
void nsds_equations_sweep(const nsds_equations *s, int count);

/* The state of an iteration. GIVEN_UP: the point has run away, along a direction in which M
 * vanishes, or is not where it should be. OVER: the whole solve is over. */
typedef enum nsds_progress { NSDS_GOES_ON, NSDS_GIVEN_UP, NSDS_OVER } nsds_progress;

/* Offers the next iterate, put into the sets; certifies it if it is promising. */
nsds_progress nsds_equations_offer(nsds_equations *s, const double *z, bool promising);

#endif
