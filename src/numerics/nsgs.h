/*
 * What the block Gauss-Seidel method consists of: the units it updates, and M z kept up to date
 * under their changes, assembled or matrix-free.
 */
#ifndef NSDS_SRC_NSGS_H
#define NSDS_SRC_NSGS_H

#include "local.h"
#include "solver_internal.h"

/* Rows updated together: a block, or one row of a block whose rows stand alone. */
typedef struct nsds_unit {
  nsds_block block; /* its size is the unit's, its bounds point to the unit's own */
  int row;          /* first row */
  int owner;        /* matrix-free: block row of the factored operator that holds it */
  nsds_local local; /* its problem: M_aa with the regularisation */
} nsds_unit;

/*
 * The operator with what sweeps keep: assembled, y = w = M z + q (n), changed through block
 * columns; matrix-free, y = Y z (ncolumn), from which w of a unit is H y + D z + q (Jourdan, Alart
 * & Jean 1998). Either way y is affine in z.
 */
typedef struct nsds_sweeps {
  const nsds_problem *problem;
  const nsds_factored *factored; /* matrix-free, or NULL */
  const nsds_block_rows *rows;   /* assembled, or NULL */
  int nunit, ny;
  nsds_unit *unit;
  int *cut;               /* nunit + 1: first row of each unit */
  int *first, *row_block; /* block columns: nunit + 1; the block row of each block */
  const double **value;   /* its values; of a symmetric M those of its mirror image, transposed */
  double *M;              /* what unit[].local.M point to */
  size_t unit_capacity, cut_capacity, first_capacity, row_block_capacity, value_capacity,
      M_capacity;
} nsds_sweeps;

/* Cuts the problem into units and prepares their local problems; `regularization` is the part of
 * each diagonal entry that is added to M_aa. */
nsds_status nsds_sweeps_open(nsds_sweeps *s, nsds_solver *solver, const nsds_problem *problem,
                             double regularization);
void nsds_sweeps_release(nsds_sweeps *s, nsds_context *context);

/* y from z. `work` has nsds_problem_work() entries. */
void nsds_sweeps_refresh(const nsds_sweeps *s, const double *z, double *y, double *work);

/* w of one unit, matrix-free. */
void nsds_sweeps_w(const nsds_sweeps *s, int a, const double *z, const double *y, double *w);

/* y after z of unit a changed. */
void nsds_sweeps_change(const nsds_sweeps *s, int a, const double *change, double *y);

#endif
