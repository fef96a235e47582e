#ifndef NSDS_SRC_SPHERE_RELATION_H
#define NSDS_SRC_SPHERE_RELATION_H

#include "kernel/modeling/contact_relation.h"

/* These functions are contact_fn and rate_fn of contact relations; `user` is an
 * nsds_sphere_pair. */
int nsds_touch_plane(const nsds_arguments *in, nsds_body_contact *at, void *user);
int nsds_touch_plane_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user);
int nsds_touch_spheres(const nsds_arguments *in, nsds_body_contact *at, void *user);
int nsds_touch_spheres_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user);
/* Makes `data` of f->spheres, whose numbers are set. The first tangent stays near the tangent of H
 * as found; NULL: chosen from the normal. */
void nsds_follow_pair(nsds_followed_pair *f, nsds_context *context, const char *label, int rows,
                      nsds_sphere_meets meets, const double *found);

#endif
