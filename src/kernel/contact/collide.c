/*
 * Finds the contacts of two cores. Points and segments have closest points. Other cores have an
 * axis of largest separation. The contacts on this axis are one of three:
 *
 * - a face and the face of the other core before it;
 * - two edges that cross;
 * - closest points of edges, if the cores are apart and no face is near.
 *
 * If a face at those edges is flat on the axis, the contacts are the common area of two faces. A
 * single contact would let a plank sink into the beams under it. A triangle of scenery has contacts
 * along its own normal if another normal would lean over an edge that a neighbor continues.
 */
#include "kernel/contact/collide.h"

#include "kernel/contact/axes.h"
#include "kernel/contact/clip.h"
#include "kernel/contact/edges.h"
#include "kernel/contact/round_meet.h"
#include "kernel/modeling/body.h"

static void meet_points(nsds_collision *c) {
  const double *a = c->a->wv, *b = c->b->wv;
  double limit = c->reach + c->a->radius + c->b->radius;
  double n[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, square = nsds_dot(n, n);
  if (!(square <= limit * limit)) return;
  if (square < 1e-280) { /* its root has no digits */
    c->count = -1;
    return;
  }
  double distance = sqrt(square);
  for (int i = 0; i < 3; ++i) n[i] /= distance;
  nsds_add_spot(c, n, a, b, (const int[]){0, 0}, (const int[]){0, 0});
}

static void meet_segments(nsds_collision *c) {
  double limit = c->reach + c->a->radius + c->b->radius;
  nsds_nearest(c, (const double[]){0.0, 0.0, 0.0}, -limit);
  nsds_reduce(c);
}

/* Adds the contacts on the axis. Edges that overlap along n cross, except on flat cores, whose back
 * is no axis. */
static void meet_along(nsds_collision *c, const nsds_axis *axis) {
  const nsds_core *flat = c->a->flat ? c->a : c->b->flat ? c->b : NULL;
  double found =
      axis->ref ? nsds_clip_face(c, axis->ref, axis->face) : nsds_cross_edges(c, axis->n);
  bool met = axis->ref ? found <= axis->s + c->slack : fabs(found - fabs(axis->s)) <= c->slack;
  if (met) return;
  if (axis->s > -c->slack) {
    c->count = 0;
    nsds_nearest(c, axis->n, axis->s);
  } else if (flat) {
    c->count = 0;
    nsds_clip_face(c, flat, 0);
  } else if (axis->ref && c->count == 0) nsds_add_deepest(c, axis->ref, axis->face);
}

void nsds_collide_face(nsds_collision *c, const nsds_core *ref, int face) {
  const nsds_core *other = ref == c->a ? c->b : c->a;
  if (other->round) nsds_round_clip(c, ref, face);
  else nsds_clip_face(c, ref, face);
}

void nsds_collide_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset) {
  if (a->round) nsds_round_plane(c, a, n, offset);
  else nsds_clip_plane(c, a, n, offset);
}

static void collide_straighten(nsds_collision *c) {
  const nsds_core *flat = c->a->flat ? c->a : c->b;
  bool over = false;
  for (int k = 0; k < c->count; ++k)
    over = over || nsds_leans_over(flat, c->spot[k].normal, flat == c->a ? -1.0 : 1.0);
  if (!over) return;
  c->count = 0;
  nsds_clip_face(c, flat, 0);
}

void nsds_collide(nsds_collision *c, const nsds_core *a, const nsds_core *b) {
  double limit = c->reach + a->radius + b->radius;
  bool round = a->round || b->round;
  nsds_axis axis;
  c->a = a;
  c->b = b;
  c->count = 0;
  c->slack = 1e-8 * fmin(a->around, b->around);
  if (c->exact && !round) c->slack = 1e-12 * fmax(a->around, b->around);
  if (round) {
    nsds_round_meet(c);
    return;
  }
  if (a->nf == 0 && b->nf == 0) {
    if (a->nv == 1 && b->nv == 1) meet_points(c);
    else meet_segments(c);
    return;
  }
  if (!nsds_find_axis(c, limit, &axis)) return;
  meet_along(c, &axis);
  if (a->flat || b->flat) collide_straighten(c);
  nsds_reduce(c);
}
