#ifndef NSDS_SRC_FEATURES_H
#define NSDS_SRC_FEATURES_H

#include "kernel/contact/core.h"

typedef enum nsds_feature_kind {
  NSDS_FEATURE_VERTEX,
  NSDS_FEATURE_EDGE,
  NSDS_FEATURE_FACE
} nsds_feature_kind;

/* The feature of a core that a point of another core may touch. */
typedef struct nsds_feature {
  nsds_feature_kind kind;
  int index;     /* of the vertex, edge or face */
  bool foremost; /* the face before which the point lies farthest; else the nearest feature */
  bool decided;  /* the vertex is at a corner, and this is the face that bears */
  bool idle;     /* the vertex is at a corner, and no face there bears */
} nsds_feature;

/* Finds the nearest feature of a core to a point with a radius, c in the body of the core. */
nsds_feature nsds_nearest_feature(const nsds_core *core, int dimension, const double *c);
typedef bool nsds_face_test(void *user, int face);
/* Finds the foremost face of a polytope for a vertex of another core, whose centre lies `towards`.
 * At a corner faces that bear nothing do not count. */
nsds_feature nsds_foremost_face(const nsds_core *core, const double *c, const double *towards,
                                nsds_face_test *bears_nothing, void *user);
/* Returns how far the point may move before another feature is due, a length. */
double nsds_feature_margin(const nsds_core *core, int dimension, const nsds_feature *f,
                           const double *c);
/* Computes a point of the feature and its normal or direction, in the body. */
void nsds_feature_place(const nsds_core *core, const nsds_feature *f, double *place,
                        double *direction);
/* Writes both ends of an edge, or a vertex twice. */
void nsds_feature_ends(const nsds_core *core, const nsds_feature *f, double ends[2][3]);
/* Returns the distance of c from the feature, without radii, and the direction from it. */
double nsds_feature_distance(const nsds_core *core, const nsds_feature *f, const double *c,
                             double *n);

#endif
