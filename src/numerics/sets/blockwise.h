/*
 * Whole-vector forms of what sets.h does for one block, and the metric of the projection methods.
 *
 * The metric is a positive diagonal R, constant over every block whose projection couples its rows.
 * The projection in the norm ||x||^2 = x^T R^-1 x is therefore the Euclidean one of sets.h. A step
 * z - rho R F has the unit of z when F has that of w, whatever the units of the rows are.
 */
#ifndef NSDS_SRC_BLOCKWISE_H
#define NSDS_SRC_BLOCKWISE_H

#include "base/base.h"
#include "numerics/linear/inner_products.h"

#include <nsds/problem.h>

enum {
  /* The sets whose projection treats each row by itself. */
  nsds_separable_sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX,
  /* The sets with a shift: their problems are not monotone. */
  nsds_shifted_sets = NSDS_SET_COULOMB | NSDS_SET_ROLLING,
  nsds_convex_sets = nsds_separable_sets | NSDS_SET_DISC | NSDS_SET_CONE | NSDS_SET_POLYHEDRON
};

/* Projects block by block: p = P_C(x). x and p may coincide. */
void nsds_project(const nsds_problem *problem, const double *x, double *p);

/* Adds the shift block by block: shifted = w + s(w). w and shifted may coincide. */
void nsds_shift(const nsds_problem *problem, const double *w, double *shifted);

/* Makes a projected step: p = P_C(z - alpha R g). p and z may coincide. */
void nsds_project_step(const nsds_problem *problem, double alpha, const double *r, const double *z,
                       const double *g, double *p);

/* Computes R_i = 1 / |M_ii|, averaged over the rows of a coupled block. A row without a diagonal
 * takes its largest entry instead, a row without entries the mean of the others. `work` has n
 * entries. */
void nsds_metric(const nsds_problem *problem, double *r, double *work);

/* Computes the same from the sizes of the diagonal entries in r, 0 if not known. */
void nsds_metric_of(const nsds_problem *problem, double *r);

#endif
