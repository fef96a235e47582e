/*
 * M + P with a positive diagonal P: dense where M is, otherwise in compressed columns.
 */
#ifndef NSDS_SRC_SHIFTED_MATRIX_H
#define NSDS_SRC_SHIFTED_MATRIX_H

#include "solver_internal.h"

typedef struct nsds_shifted_matrix {
  nsds_matrix M; /* points to the arrays below */
  double *x;
  int *p, *i;
  size_t *place; /* n: of the diagonal entries in x */
  double *base;  /* n: those of M */
} nsds_shifted_matrix;

/* Copies the problem's matrix, P = 0, to memory of the solver's store. */
nsds_status nsds_shifted_open(nsds_shifted_matrix *shifted, nsds_solver *solver,
                              const nsds_problem *problem);

/* Another P (n), and another stamp. */
void nsds_shifted_set(nsds_shifted_matrix *shifted, nsds_toolbox *toolbox, const double *P);

#endif
