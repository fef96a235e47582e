/*
 * Coordinates in which the polyhedron {z : H z >= K} of a block is an orthant cut by further
 * facets.
 *
 * With r = rank H and A the r facets of the basis, their normals h and those of all others taken to
 * length one,
 *
 *     z = point + sum_{k < r} s_k direction_k + sum_{k >= r} t_k direction_k,    s = H_A z - K_A
 *
 * where the last m - r directions are an orthonormal basis of the lineality space ker H, and the
 * first r are orthogonal to it. The point is a vertex of the polyhedron cut with the orthogonal
 * complement of ker H.
 */
#ifndef NSDS_SRC_VERTEX_H
#define NSDS_SRC_VERTEX_H

#include "base.h"

#include <nsds/problem.h>

typedef struct nsds_vertex {
  bool empty; /* there is none, as the polyhedron has no point */
  int rank;
  int facet[NSDS_COUPLED_ROWS];                            /* rank: A */
  double point[NSDS_COUPLED_ROWS];                         /* m */
  double direction[NSDS_COUPLED_ROWS * NSDS_COUPLED_ROWS]; /* m x m, column-major */
} nsds_vertex;

/* False when the polyhedron is empty, or no vertex is found in rounding. */
bool nsds_vertex_find(const nsds_block *block, nsds_vertex *vertex);

/* h (m) = normal of a facet, of length one, and its K in that length; false for a zero normal. */
bool nsds_facet_normal(const nsds_block *block, int facet, double *h, double *k);

#endif
