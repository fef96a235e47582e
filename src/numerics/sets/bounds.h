/*
 * Rows that stand alone: equality, nonnegative and box rows. All have lower <= z_i <= upper with
 * -w_i in the normal cone of the interval. An equality row has no bounds.
 */
#ifndef NSDS_SRC_BOUNDS_H
#define NSDS_SRC_BOUNDS_H

#include "base/base.h"

#include <nsds/problem.h>

enum { nsds_bound_sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX };

/* Bounds of row i of such a block. */
static inline double nsds_lower(const nsds_block *block, int i) {
  if (block->set == NSDS_SET_BOX) return block->lower[i];
  return block->set == NSDS_SET_EQUALITY ? -INFINITY : 0.0;
}
static inline double nsds_upper(const nsds_block *block, int i) {
  return block->set == NSDS_SET_BOX ? block->upper[i] : INFINITY;
}

/* Returns one row, or row i of a block whose rows stand alone, as a block of its own. */
static inline nsds_block nsds_row_of_block(const nsds_block *block, int i) {
  nsds_block row = *block;
  row.size = 1;
  if (block->set == NSDS_SET_BOX) {
    row.lower += i;
    row.upper += i;
  }
  return row;
}

/* Fills the bounds of every row of a problem whose sets are nsds_bound_sets; arrays of
 * problem->n. */
static inline void nsds_row_bounds(const nsds_problem *problem, double *lower, double *upper) {
  for (int a = 0, row = 0; a < problem->nblock; ++a)
    for (int i = 0; i < problem->block[a].size; ++i, ++row) {
      lower[row] = nsds_lower(&problem->block[a], i);
      upper[row] = nsds_upper(&problem->block[a], i);
    }
}

static inline double nsds_clip(double z, double lower, double upper) {
  double above = z > lower ? z : lower; /* NaN becomes the lower bound */
  return above < upper ? above : upper;
}

/* Returns d z - P(d z - w) with P the projection on d [lower, upper]. The result is zero exactly
 * when z and w solve the row, for every d > 0. */
static inline double nsds_bound_map(double z, double w, double d, double lower, double upper) {
  double at_lower = d * (z - lower), at_upper = d * (z - upper);
  double least = w > at_upper ? w : at_upper;
  return least < at_lower ? least : at_lower;
}

#endif
