#ifndef NSDS_SRC_FEATURE_RELATION_H
#define NSDS_SRC_FEATURE_RELATION_H

#include "kernel/modeling/contact_relation.h"

/* A point of one body, with a radius, before a face or an edge of the other body, its owner. */
typedef struct nsds_feature_pair {
  int dimension, owner; /* owner: 0 for the first body */
  bool fixed, edge;     /* fixed: the second body is scenery; edge: else a face */
  double center[3];     /* the point, in its body */
  /* In the owner: a point of face or edge, and the unit normal or the direction. */
  double place[3], direction[3];
  double radius[2];  /* of the point and around face or edge */
  double tangent[3]; /* direction near the first tangent; 0: chosen from the normal */
} nsds_feature_pair;

/* Makes `data` for the operations of contact relations. `found`: H as found, or NULL. */
void nsds_follow_feature(nsds_feature_pair *f, nsds_contact_data *data, nsds_context *context,
                         const char *label, int rows, const double *found);

#endif
