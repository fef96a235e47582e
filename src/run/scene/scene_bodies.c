/* Bodies of a scene, see scene_bodies.h. */
#include "run/scene/scene_bodies.h"

#include <nsds/rigid_body.h>

#include <math.h>
#include <string.h>

int nsds_scene_body_of(nsds_scene *s, const nsds_ds *ds) {
  for (int k = 0; k < s->nbody && ds; ++k) {
    int at = (s->found + k) % s->nbody;
    if (s->body[at].ds != ds) continue;
    s->found = at + 1;
    return at;
  }
  return -1;
}

void nsds_scene_widen(nsds_scene *s, double reach) {
  if (s->reach < reach) s->reach = reach;
}

void nsds_scene_own_axes(const nsds_scene *s, int body, const double *world, double *own) {
  memcpy(own, world, 3 * sizeof *own);
  if (body < 0) return;
  const nsds_scene_body *b = &s->body[body];
  const double *q = nsds_q(b->ds);
  int places = b->kind == NSDS_SCENE_PLANE ? 2 : 3, count = nsds_nq(b->ds);
  double arm[3];
  for (int i = 0; i < 3; ++i) arm[i] = own[i] = world[i] - (i < places && i < count ? q[i] : 0.0);
  if (b->kind == NSDS_SCENE_SPACE) nsds_to_body(q, arm, own);
  if (b->kind != NSDS_SCENE_PLANE) return;
  const double c = cos(q[2]), sine = sin(q[2]);
  own[0] = c * arm[0] + sine * arm[1];
  own[1] = -sine * arm[0] + c * arm[1];
}
