/*
 * Families of nonsmooth problems with known properties, each in every storage.
 */
#ifndef NSDS_TEST_FAMILIES_H
#define NSDS_TEST_FAMILIES_H

#include <nsds/solver.h>

/* What is known of a problem. */
typedef enum kind {
  KIND_DOMINANT,   /* SPD or M-matrix, well conditioned: everybody solves it */
  KIND_P,          /* P-matrix: one solution, every pivoting or Newton method finds it */
  KIND_MONOTONE,   /* positive semidefinite and solvable, perhaps singular */
  KIND_GENERAL,    /* solvable, nothing promised; "auto" must manage */
  KIND_INFEASIBLE, /* no solution, M copositive-plus */
  KIND_UNSOLVABLE  /* no solution, any M */
} kind;

typedef struct family {
  char name[48];
  kind kind;
  int n;
  int nblock;
  nsds_block *block;
  double *dense; /* n x n column-major */
  double *q;
  double *known; /* the unique solution, or NULL */
} family;

/* Family k with its problem, false past the last. */
bool family_create(family *f, int k);
void family_destroy(family *f);

/* What the library says of a point. */
nsds_certificate certify(const nsds_problem *problem, const double *z);

/* The same problem in one storage; arrays owned by the returned object. */
typedef struct stored {
  nsds_problem problem;
  double *x;
  int *p, *i;
  nsds_factored factored;
  int *row, *first_edge;
  nsds_edge *edge;
  double **D;
} stored;

void stored_create(stored *s, const family *f, nsds_storage storage);
void stored_destroy(stored *s);

extern const nsds_storage storages[3];

/* Reproducible numbers in [-1, 1). */
void random_seed(unsigned seed);
double random_number(void);
double uniform(double low, double high);

/* Worst of |w| on equality rows and of |min(z, w)|, -z, -w elsewhere, over the size of the terms of
 * the row: the test's own check, from the dense matrix. */
double own_residual(const family *f, const double *z);

#endif
