/*
 * The certifier's part for one block: its natural map, by code of its own.
 */
#ifndef NSDS_SRC_CERTIFY_SETS_H
#define NSDS_SRC_CERTIFY_SETS_H

#include "base.h"

#include <nsds/problem.h>

/* || y - P(y - v - shift of v) ||, y_i = sqrt(d_i) z_i, v_i = w_i / sqrt(d_i), P the projection on
 * the set in the variables y. d_i > 0 has one value in each group of rows below; NULL: ones. */
double nsds_certify_map(const nsds_block *block, const double *d, const double *z, const double *w);

/* Number of rows from row i on that must share one d: all of a disc, the tangential or the rolling
 * rows of a cone, else 1. */
int nsds_certify_group(const nsds_block *block, int i);

/* Whether a polyhedron holds no ray. */
bool nsds_certify_bounded(const nsds_block *block);

/* How much errors in w, in each row up to `error`, can change that norm. */
double nsds_certify_slack(const nsds_block *block, const double *d, const double *error);

#endif
