/*
 * The polyhedron {z : H z >= K} of a block, H nfacet x m with m at most NSDS_COUPLED_ROWS.
 */
#ifndef NSDS_SRC_POLYHEDRON_H
#define NSDS_SRC_POLYHEDRON_H

#include "base/base.h"

#include <nsds/solver.h>

/* The facets a projection lies on, with their multipliers: p - x = sum of multiplier * normal. */
typedef struct nsds_facets {
  int count;
  int facet[NSDS_COUPLED_ROWS];
  double multiplier[NSDS_COUPLED_ROWS];            /* >= 0 */
  double Q[NSDS_COUPLED_ROWS * NSDS_COUPLED_ROWS]; /* size x count: orthonormal, of the normals */
} nsds_facets;

/* Computes p, the point nearest to x; x and p may coincide. With `scale` (m, positive) both are in
 * the variables y_i = scale_i z_i, where the normals are H_ki / scale_i; NULL means ones. `facets`
 * may be NULL. Without K (NULL) the polyhedron is the cone of its rays. Returns false, with p not a
 * number, if the polyhedron is empty or x not finite. */
bool nsds_polyhedron_project(const nsds_block *block, const double *scale, const double *x,
                             double *p, nsds_facets *facets);

/* Computes p, the point nearest to 0 of a polyhedron with any number m of rows. The first
 * `equalities` facets mean H z = K. Returns NSDS_SOLVED, NSDS_NO_SOLUTION for an empty polyhedron,
 * or NSDS_NOT_CONVERGED. Without a solution p is the nearest point of the equalities, if they are
 * *met. `facet` has m entries, `work` nsds_polyhedron_work(). */
size_t nsds_polyhedron_work(int m);
nsds_outcome nsds_polyhedron_least(const nsds_block *block, int equalities, double *p, int *facet,
                                   double *work, bool *met);

/*
 * Coordinates in which the polyhedron {z : H z >= K} of a block is an orthant cut by further
 * facets.
 *
 * r = rank H, A are the r facets of the basis, and all normals have length one:
 *
 *     z = point + sum_{k < r} s_k direction_k + sum_{k >= r} t_k direction_k,    s = H_A z - K_A
 *
 * The last m - r directions are an orthonormal basis of the lineality space ker H; the first r are
 * orthogonal to it. The point is a vertex of the polyhedron cut with the orthogonal complement of
 * ker H.
 */
typedef struct nsds_vertex {
  bool empty; /* the polyhedron has no point */
  int rank;
  int facet[NSDS_COUPLED_ROWS];                            /* rank: A */
  double point[NSDS_COUPLED_ROWS];                         /* m */
  double direction[NSDS_COUPLED_ROWS * NSDS_COUPLED_ROWS]; /* m x m, column-major */
} nsds_vertex;

/* Returns false if the polyhedron is empty, or rounding hides every vertex. */
bool nsds_vertex_find(const nsds_block *block, nsds_vertex *vertex);

/* Computes the normal h (m) of a facet, of length one, and its K to match; false for a zero
 * normal. */
bool nsds_facet_normal(const nsds_block *block, int facet, double *h, double *k);

#endif
