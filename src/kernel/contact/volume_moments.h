/*
 * Volume, first and second moments of shapes, see volume_moments.c.
 */
#ifndef NSDS_SRC_VOLUME_MOMENTS_H
#define NSDS_SRC_VOLUME_MOMENTS_H

#include "kernel/contact/core.h"

typedef struct nsds_moments {
  double v, s[3], c[9]; /* int dV, int x dV, int x x^T dV */
} nsds_moments;

/* An edge of a face: two vertices, in the plane the same vertex twice. */
typedef struct nsds_half_edge {
  int low, high, face;
  bool turned; /* from high to low; in the plane the end of an edge */
} nsds_half_edge;

/* Sorts half edges so that those of one edge follow each other. */
void nsds_half_edges_sort(nsds_half_edge *edge, size_t count);

/* Adds the moments of a convex core with its radius about an origin to *m. A flat core stands for
 * the solid that it spans with the origin. */
nsds_status nsds_core_moments(nsds_context *context, const nsds_core *core, int dimension,
                              const double *origin, nsds_moments *m);

#endif
