/*
 * Small problems for the integration tests: right-hand sides and root functions with closed forms,
 * over one struct of numbers, and a shorthand for a start and a list of roots.
 */
#ifndef NSDS_TEST_ODES_H
#define NSDS_TEST_ODES_H

#include "numerics/ode/ode_internal.h"

enum { odes_numbers = 32 };

typedef struct odes {
  double a[odes_numbers];      /* of the right-hand side */
  double c[odes_numbers];      /* of the root functions */
  int m;                       /* root functions */
  double (*of_time)(double t); /* a single root function, without states */
  double rhs_end; /* the right-hand side is asked for no later time; latest time asked */
  double latest;
  long calls;
} odes;

void odes_clear(odes *o);

/* x' = v, v' = -a0: (x, v). */
int odes_fall(void *self, double t, const double *x, double *dx);
/* x' = v, v' = -a0^2 x. */
int odes_oscillator(void *self, double t, const double *x, double *dx);
/* x_i' = derivative of a polynomial in t of degree 4 with coefficients a[5 i ...]; i < m. */
int odes_polynomials(void *self, double t, const double *x, double *dx);
/* g_i = x_i - c_i; i < m. */
int odes_levels(void *self, double t, const double *x, double *g);
/* g_i = x_0 - c_i; i < m. */
int odes_heights(void *self, double t, const double *x, double *g);

/* Roots of g, watched in `direction`, in [0, t_stop], in a motion without states: their number, the
 * first four of them. */
nsds_ode *odes_of_time(nsds_context *context, odes *o, double (*g)(double t), double largest_step);
int odes_roots_of_time(nsds_context *context, odes *o, double (*g)(double t), double largest_step,
                       nsds_root_direction direction, double t_stop, double time[4],
                       nsds_ode_root root[4]);

/* Starts at t, watches all functions in `direction` and advances to t_stop: the times of the roots
 * in order, the first `most` of them into `time`, functions into `index`; returns how many, each
 * function counted. Any failure fails the test. */
int odes_roots(nsds_ode *ode, double t, const double *x, nsds_root_direction direction,
               double t_stop, int most, double *time, nsds_ode_root *root);

#endif
