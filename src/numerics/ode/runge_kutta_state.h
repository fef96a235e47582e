/*
 * Shared by the built-in methods: one explicit Runge-Kutta method, one implicit, and the choice
 * between them. Both make steps with slopes k_i, an error estimate h sum e_i k_i and a quartic as
 * dense output, so that everything around a step is the same.
 */
#ifndef NSDS_SRC_RUNGE_KUTTA_STATE_H
#define NSDS_SRC_RUNGE_KUTTA_STATE_H

#include "numerics/ode/iteration_matrix.h"
#include "numerics/ode/ode_internal.h"

/* With more states "auto" stays explicit: the matrices of implicit steps are dense. */
enum { nsds_auto_states = 400 };

typedef enum nsds_jacobian_age {
  NSDS_JACOBIAN_NONE,
  NSDS_JACOBIAN_OLD,    /* from an earlier state since the start */
  NSDS_JACOBIAN_CURRENT /* from t1, x1 */
} nsds_jacobian_age;

typedef struct nsds_runge_kutta {
  double *stages;          /* 7 n */
  double *k[7];            /* the slopes, in `stages` */
  double *y6;              /* state of stage 6, then of the stage being tried */
  double *x0;              /* at t0 */
  double *x_new;           /* end of the step being tried */
  double *y_error;         /* error of the step being tried */
  double *quartic;         /* factor of u^2 (1 - u)^2 in the dense output of the last step */
  double *slope0, *slope1; /* slopes at the ends of the dense output, times h */
  double h;                /* next step size; 0: to be chosen */
  double wish;             /* largest next step size; 0: none */
  double last_error;
  bool has_slope; /* k[0] = f(t1, x1) */
  int stiff_steps, other_steps;
  /* ---- implicit steps ---- */
  bool implicit; /* the next step is implicit */
  bool switches; /* changes between explicit and implicit steps */
  nsds_iteration_matrix matrix;
  nsds_jacobian_age jacobian;
  int easy_steps; /* implicit steps that could have been explicit */
} nsds_runge_kutta;

/* A step from t1 to `to` = t1 + h. */
typedef struct nsds_trial_step {
  double h, to;
  bool accepted;
  double factor; /* of h, for the next step or try */
} nsds_trial_step;

static inline void nsds_trial_accept(nsds_trial_step *step, double factor) {
  step->accepted = true;
  step->factor = factor;
}

extern const nsds_ode_method nsds_auto_ode, nsds_dormand_prince, nsds_esdirk;

#endif
