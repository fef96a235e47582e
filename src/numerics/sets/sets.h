/*
 * What a solver needs to know of the convex set C of a block: its bounds (bounds.h) or parts,
 * projection and De Saxce's shift; the equations of Newton methods are in set_map.h. The only place
 * in the solvers that knows the sets; the certifier has its own.
 */
#ifndef NSDS_SRC_SETS_H
#define NSDS_SRC_SETS_H

#include "base/base.h"

#include <nsds/problem.h>

/* Rows first .. first + count - 1 of CONE, COULOMB or ROLLING: ||x|| <= slope x_0. */
typedef struct nsds_part {
  int first, count;
  double slope;
} nsds_part;

/* The parts of such a block, one or two: tangential, rolling. */
static inline int nsds_set_parts(const nsds_block *block, nsds_part *part) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  part[0] = (nsds_part){1, m - 1 - rolling, block->mu};
  part[1] = (nsds_part){m - rolling, rolling, block->mu_rolling};
  return rolling > 0 ? 2 : 1;
}

/* Length without overflow or underflow on the way. */
double nsds_vector_length(int n, const double *x);

/* p = P_C(x) in the Euclidean norm of the block; x and p may coincide. */
void nsds_set_project(const nsds_block *block, const double *x, double *p);

/* shifted = w + s(w): for COULOMB mu ||w_T|| is added to w_N, for ROLLING mu ||w_T|| +
 * mu_rolling ||w_R||; the identity for the other sets. w and shifted may coincide. */
void nsds_set_shift(const nsds_block *block, const double *w, double *shifted);

/* True when z = 0 is right for w = q, up to errors in q of q_error (NULL: none): 0 lies in C and -q
 * in its normal cone there. */
bool nsds_set_zero_solves(const nsds_block *block, const double *q, const double *q_error);

/* Doubles that nsds_block_scale() needs for this block; 0 for sets without bounds or facets. */
size_t nsds_block_scale_size(const nsds_block *block);

/*
 * The block of the set sC = {s z : z in C}, factor s >= 0 and finite: bounds, radius and K times s;
 * H is borrowed from `block`, infinite bounds stay infinite, cones are what they were. The scaled
 * arrays go to `memory`, nsds_block_scale_size() doubles (NULL where that is 0), which the result
 * borrows.
 */
nsds_block nsds_block_scale(const nsds_block *block, double factor, double *memory);

#endif
