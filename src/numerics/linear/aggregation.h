/*
 * A multigrid cycle for sparse symmetric positive definite matrices, without geometry: smoothed
 * aggregation (Vanek, Mandel & Brezina, Computing 56, 1996). Strongly tied rows form aggregates,
 * which are the unknowns of the next matrix P^T A P.
 */
#ifndef NSDS_SRC_AGGREGATION_H
#define NSDS_SRC_AGGREGATION_H

#include "numerics/store.h"

/* A symmetric matrix with positive diagonal; rows and columns are the same. */
typedef struct nsds_level_matrix {
  int n;
  const int *p, *i;
  const double *x;
} nsds_level_matrix;

typedef struct nsds_aggregate_level {
  nsds_level_matrix A;
  int *p, *i; /* A, except on the first level */
  double *x;
  int *of;                /* n: aggregate of each row, -1: none */
  double *near;           /* n: a vector that A hardly sees */
  double *inverse;        /* n: inverse of the diagonal */
  double *z, *r;          /* n each: work of the cycle */
  int *Pp, *Pi, *Tp, *Ti; /* P by rows, and its transpose */
  double *Px, *Tx;
} nsds_aggregate_level;

enum { nsds_most_levels = 24 };

typedef struct nsds_hierarchy {
  int levels;
  nsds_aggregate_level level[nsds_most_levels];
  int *mark, *index; /* n each: work */
  double *sum;       /* n: work */
} nsds_hierarchy;

/* Reserves memory for the first level; the other levels allocate when built. */
nsds_status nsds_hierarchy_reserve(nsds_hierarchy *h, nsds_store *store, int n);

/* Builds the hierarchy anew for A, whose arrays stay the caller's. Memory comes from the store. */
nsds_status nsds_hierarchy_build(nsds_hierarchy *h, nsds_store *store, const nsds_level_matrix *A);

/* Computes z = B r, with B symmetric positive definite and near the inverse of A. */
void nsds_hierarchy_cycle(nsds_hierarchy *h, const double *r, double *z);

/* Computes x = P xc, from level k + 1 to k. */
void nsds_hierarchy_prolong(const nsds_hierarchy *h, int k, const double *xc, double *x);
/* Computes xc = P^T x, from level k to k + 1. */
void nsds_hierarchy_restrict(const nsds_hierarchy *h, int k, const double *x, double *xc);

#endif
