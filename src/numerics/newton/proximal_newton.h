/*
 * The proximal point iteration of nonsmooth_newton for hyperstatic friction (proximal_newton.c). A
 * problem is solved or given up.
 */
#ifndef NSDS_SRC_PROXIMAL_NEWTON_H
#define NSDS_SRC_PROXIMAL_NEWTON_H

#include "numerics/newton/continuation.h"

/* Own options of nonsmooth_newton, in their order. */
enum {
  nsds_newton_hyperstatic = OPTION_FIRST_OWN,
  nsds_newton_map,
  nsds_newton_rho,
  nsds_newton_search,
  nsds_newton_sweeps,
  nsds_newton_weight,
  nsds_newton_path
};

typedef struct nsds_proximal_newton {
  nsds_equations law; /* p of the equations: z put into the sets */
  nsds_path_room room;
  double *held;    /* of each unit, factors of e */
  int *missed;     /* of each unit: number of steps with its residual above the target */
  double target;   /* residual of the problem, squared */
  bool frictional; /* all blocks are contacts that paths can treat */
  bool follows;    /* the central path is followed */
} nsds_proximal_newton;

nsds_status nsds_proximal_newton_reserve(nsds_proximal_newton *t, nsds_solver *solver,
                                         const nsds_problem *problem);

/* Solves from z; z ends as the best point. */
nsds_status nsds_proximal_newton_solve(nsds_proximal_newton *t, nsds_solver *solver, double *z,
                                       nsds_solver_info *info);

#endif
