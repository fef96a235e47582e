/* Internals of velocity_error.c and velocity_factor.c, which bound the error of velocities. */
#ifndef NSDS_SRC_VELOCITY_ERROR_H
#define NSDS_SRC_VELOCITY_ERROR_H

#include "kernel/assembly/one_step.h"

typedef struct nsds_velocity_work {
  const nsds_one_step *o;
  const nsds_plan *plan;
  double *terms, *count, *u; /* nv: |u_free| + |Y| |z|, number of its terms, u */
  double *error;             /* by rows: d_i */
  int *head, *next, *block;  /* edges by columns; block row of each */
  int *row, *place;          /* rows in A, and the place of each row there or -1 */
  int *local, *mine;         /* row and place within one system */
  int n;                     /* rows in A */
  double *B, *R, *scale;     /* rows x n, n x n, n: columns of B have unit length */
  int rows;
} nsds_velocity_work;

static inline double *nsds_velocity_row(double *a, const nsds_velocity_work *t, int i) {
  return a + (size_t)i * (size_t)t->n;
}

/* Bounds the error of u in a solution with this certified residual, in the energy norm and relative
 * to u. NaN if the bound is unknown or memory is short. */
double nsds_one_step_velocity_error(const nsds_one_step *o, double residual);

#endif
