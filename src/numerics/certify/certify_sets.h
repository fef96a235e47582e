/*
 * The certifier's part for one block: its natural map, by code of its own.
 */
#ifndef NSDS_SRC_CERTIFY_SETS_H
#define NSDS_SRC_CERTIFY_SETS_H

#include "base/base.h"

#include <nsds/problem.h>

/* Sums of squares within these bounds have neither overflown nor lost what they are made of. */
static const double nsds_least_square = 1e-280;
static const double nsds_most_square = 1e280;

/* (a^2 + b^2)^(1/2): Euclidean norms term by term. */
static inline double nsds_certify_norm(double a, double b) {
  double sum = a * a + b * b;
  return sum > nsds_least_square && sum < nsds_most_square ? sqrt(sum) : hypot(a, b);
}

/* Row i of an equality, nonnegative or box block: w, d (z - lower) and d (z - upper) between each
 * other, zero where z and w are right. Not a number where one of them is not finite. */
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

/* d^(1/2) and d^(-1/2) of the rows of a block that judges them together. */
typedef struct nsds_units {
  double root[NSDS_COUPLED_ROWS], inverse[NSDS_COUPLED_ROWS];
} nsds_units;

/* Of the rows first to end - 1, which share d > 0. */
void nsds_certify_unit(double d, int first, int end, nsds_units *units);

/* || (unit_i x_i)_i || */
double nsds_certify_size(int n, const double *unit, const double *x);

/* || y - P(y - v - shift of v) ||, y_i = sqrt(d_i) z_i, v_i = w_i / sqrt(d_i), P the projection on
 * the set in the variables y. */
double nsds_certify_map(const nsds_block *block, const nsds_units *units, const double *z,
                        const double *w);

/* The same with d = 1, for any set. */
double nsds_certify_natural(const nsds_block *block, const double *z, const double *w);

/* Number of rows from row i on that must share one d: all of a disc, the tangential or the rolling
 * rows of a cone, else 1. */
int nsds_certify_group(const nsds_block *block, int i);

/* Whether a polyhedron holds no ray. */
bool nsds_certify_bounded(const nsds_block *block);

/* How far z_i may move, u_i, where w is moved by its terms s: what rounding in w does to z, over the
 * machine's precision. s_i / d_i where w_i fixes z_i; where the set ends and holds a load, no more
 * than the terms that it does not hold. */
void nsds_certify_freedom(const nsds_block *block, const nsds_units *units, const double *z,
                          const double *w, const double *s, double *u);

/* How much errors in w, in each row up to `error`, can change that norm. */
double nsds_certify_slack(const nsds_block *block, const nsds_units *units, const double *error);

#endif
