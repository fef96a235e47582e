/* A constant matrix of a linear system, kept dense or on a sparse pattern; see coefficient.c. */
#ifndef NSDS_SRC_COEFFICIENT_H
#define NSDS_SRC_COEFFICIENT_H

#include "kernel/modeling/modeling.h"

/* x is NULL when the matrix is absent, p when it is dense. */
typedef struct nsds_coefficient {
  int *p, *i;
  double *x;
  size_t count;
} nsds_coefficient;

/* Copies a dense or sparse matrix, or neither. The copy is sparse on request. */
nsds_status nsds_coefficient_keep(nsds_context *context, nsds_coefficient *c, int n,
                                  const double *dense, const nsds_csc *sparse, bool to_sparse);

nsds_status nsds_coefficient_get(const nsds_coefficient *c, double *out);
void nsds_coefficient_release(nsds_context *context, nsds_coefficient *c);
nsds_matrix_shape nsds_coefficient_shape(const nsds_coefficient *c);

#endif
