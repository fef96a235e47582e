#ifndef NSDS_SRC_ROUND_RELATION_H
#define NSDS_SRC_ROUND_RELATION_H

#include "kernel/modeling/contact_relation.h"

/* An ellipsoid of a body before a plane of the world or of another body. A half axis of zero makes it a
 * disc. */
typedef struct nsds_round_plane {
  double center[3], axes[9], half[3]; /* in the body; columns of length 1; half axes */
  double normal[3], offset;           /* {x : n.x = offset}, in the body of the plane */
  bool second,
      pair; /* the ellipsoid belongs to the second body, which is the world unless `pair` */
  double tangent[3]; /* direction near the first tangent; 0: chosen from the normal */
} nsds_round_plane;

/* Computes the lowest point of a body with attitude R, from the body's origin in the world. Returns
 * the height of the center above the point; 0: every point is lowest. */
double nsds_round_lowest(const nsds_round_plane *s, const double *R, double *arm);
/* Makes `data` for the operations of contact relations. `found`: H as found, or NULL. */
void nsds_follow_round(nsds_round_plane *s, nsds_contact_data *data, nsds_context *context,
                       const char *label, int rows, const double *found);

#endif
