/*
 * The certifier's natural map of one block, by code of its own.
 */
#ifndef NSDS_SRC_CERTIFY_SETS_H
#define NSDS_SRC_CERTIFY_SETS_H

#include "base/base.h"

#include <nsds/problem.h>

/* Sums of squares between these bounds have neither overflowed nor underflowed. */
static const double nsds_least_square = 1e-280;
static const double nsds_most_square = 1e280;

/* Returns (a^2 + b^2)^(1/2), to build Euclidean norms term by term. */
static inline double nsds_certify_norm(double a, double b) {
  double sum = a * a + b * b;
  return sum > nsds_least_square && sum < nsds_most_square ? sqrt(sum) : hypot(a, b);
}

/* Returns the natural map of row i of an equality, nonnegative or box block: the middle one of w, d
 * (z - lower) and d (z - upper), 0 if z and w are right. NaN if one of them is not finite. */
static inline double nsds_certify_row(const nsds_block *block, int i, double d, double z,
                                      double w) {
  double e = w;
  if (block->set != NSDS_SET_EQUALITY) {
    bool box = block->set == NSDS_SET_BOX;
    double below = d * (z - (box ? block->lower[i] : 0.0));
    double above = d * (z - (box ? block->upper[i] : INFINITY));
    e = w < below ? w : below;
    e = e > above ? e : above;
  }
  return e + 0.0 * (w + d * z);
}

/* d^(1/2) and d^(-1/2) of the rows that a block judges together. */
typedef struct nsds_units {
  double root[NSDS_COUPLED_ROWS], inverse[NSDS_COUPLED_ROWS];
} nsds_units;

/* Sets the units of rows first to end - 1, which share d > 0. */
void nsds_certify_unit(double d, int first, int end, nsds_units *units);

/* Returns || (unit_i x_i)_i ||. */
double nsds_certify_size(int n, const double *unit, const double *x);

/* Returns || y - P(y - v - shift of v) || with y_i = sqrt(d_i) z_i, v_i = w_i / sqrt(d_i). P is the
 * projection on the set in the variables y. */
double nsds_certify_map(const nsds_block *block, const nsds_units *units, const double *z,
                        const double *w);

/* Returns the same with d = 1, for any set. */
double nsds_certify_natural(const nsds_block *block, const double *z, const double *w);

/* Returns the number of rows from row i on that must share one d. Such rows are all of a disc, and
 * the tangential or the rolling rows of a cone; else 1. */
int nsds_certify_group(const nsds_block *block, int i);

/* Returns the defect of the claim that p is the projection of x on a polyhedron in units `scale`: p = x +
 * sum of multiplier * normal, H p >= K. */
struct nsds_facets;
double nsds_certify_doubt(const nsds_block *block, const double *scale, const double *x,
                          const double *p, const struct nsds_facets *facets);

/* Returns true if a polyhedron has no rays. */
bool nsds_certify_bounded(const nsds_block *block);

/* Computes how far rounding of the terms s of w moves z_i: u_i times the machine precision. If w_i
 * fixes z_i, u_i = s_i / d_i. If z is held at the end of the set, only terms that the set does not
 * hold count. */
void nsds_certify_freedom(const nsds_block *block, const nsds_units *units, const double *z,
                          const double *w, const double *s, double *u);

/* Returns the largest change of that norm by errors in w up to `error` in each row. */
double nsds_certify_slack(const nsds_block *block, const nsds_units *units, const double *error);

#endif
