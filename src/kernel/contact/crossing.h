#ifndef NSDS_SRC_CROSSING_H
#define NSDS_SRC_CROSSING_H

#include "kernel/contact/core.h"
#include "kernel/modeling/crossing_relation.h"

/* An edge of each of two cores, with the faces beside it. */
typedef struct nsds_edge_pair {
  int edge[2];
  int face[2][2]; /* -1: none */
} nsds_edge_pair;

/* Places of the bodies of two cores. */
typedef struct nsds_core_places {
  double x[2][3], R[2][9];
} nsds_core_places;

/* Finds the faces beside both edges. */
void nsds_edge_pair_faces(const nsds_core *const core[2], nsds_edge_pair *pair);
/* Computes how far inside both edges the edges cross, a length. The result is negative if they do
 * not cross, or if their normal does not lead out of both cores. Writes the crossing to *c, and the
 * side of the normal, towards the first core. Parallel edges have only an infinite distance. */
double nsds_edge_pair_room(const nsds_core *const core[2], const nsds_edge_pair *pair,
                           const nsds_core_places *at, double *side, nsds_crossing *c);
/* Computes the first end of an edge and its unit direction in the world. Returns its length. */
double nsds_edge_pair_line(const nsds_core *core, int edge, const double *x, const double *R,
                           double *a, double *d);
/* Returns the distance of two edges, less the radii. */
double nsds_edge_pair_distance(const nsds_core *const core[2], const nsds_edge_pair *pair,
                               const nsds_core_places *at);
/* Returns true if edges with this room touch each other. */
bool nsds_edges_cross(const nsds_core *const core[2], double room);
/* Returns how far room may change before edges begin or cease to cross, a length. */
double nsds_edge_pair_margin(const nsds_core *const core[2], double room, bool cross);
/* Writes the pair as a relation follows it. */
void nsds_edge_pair_follow(const nsds_core *const core[2], const nsds_edge_pair *pair, double side,
                           bool fixed, nsds_crossing_pair *out);

#endif
