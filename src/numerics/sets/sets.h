/*
 * The facts about the convex set C of a block that a solver needs: bounds (bounds.h) or parts,
 * projection and De Saxce's shift. The equations of Newton methods are in set_map.h. Solvers know
 * the sets only through this file; the certifier has its own code.
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

/* Fills the parts of such a block, one or two: tangential, rolling. Returns their number. */
static inline int nsds_set_parts(const nsds_block *block, nsds_part *part) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  part[0] = (nsds_part){1, m - 1 - rolling, block->mu};
  part[1] = (nsds_part){m - rolling, rolling, block->mu_rolling};
  return rolling > 0 ? 2 : 1;
}

/* Returns the length without overflow or underflow on the way. */
double nsds_vector_length(int n, const double *x);

/* Returns the normal component of the nearest point of a cone of such parts, from the lengths of the
 * parts and the normal component n. */
double nsds_nearest_normal(int count, const nsds_part *part, const double *size, double n);

/* Projects in the Euclidean norm of the block: p = P_C(x). x and p may coincide. */
void nsds_set_project(const nsds_block *block, const double *x, double *p);

/* Computes shifted = w + s(w). For COULOMB mu ||w_T|| is added to w_N, for ROLLING mu ||w_T|| +
 * mu_rolling ||w_R||; other sets have no shift. w and shifted may coincide. */
void nsds_set_shift(const nsds_block *block, const double *w, double *shifted);

/* Returns true if z = 0 is right for w = q, up to errors in q of q_error (NULL: none): 0 lies in C
 * and -q in its normal cone there. */
bool nsds_set_zero_solves(const nsds_block *block, const double *q, const double *q_error);

/* Returns the doubles that nsds_block_scale() needs for this block; 0 for sets without bounds or
 * facets. */
size_t nsds_block_scale_size(const nsds_block *block);

/*
 * Returns the block of the set sC = {s z : z in C}, factor s >= 0 and finite. Bounds, radius and K
 * are multiplied by s, H is borrowed from `block`, infinite bounds and cones stay the same. The
 * scaled arrays go to `memory` of nsds_block_scale_size() doubles (NULL if that is 0), which the
 * result borrows.
 */
nsds_block nsds_block_scale(const nsds_block *block, double factor, double *memory);

#endif
