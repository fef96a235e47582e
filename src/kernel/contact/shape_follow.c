/*
 * Follows contacts of shapes along the motion, for event-driven simulation. A vertex of a core with
 * its radius is a sphere on its body, before a half space or another sphere. All shapes with half
 * spaces, and balls and discs among each other, are therefore followed as relations of spheres. A
 * sorted list finds the contacts by key.
 */
#include "kernel/contact/shape_follow.h"

#include "base/context.h"
#include "kernel/modeling/contact_bias.h"
#include "kernel/modeling/contact_relation.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/sphere_relation.h"

#include <stdlib.h>

nsds_status nsds_shapes_note(nsds_shape_set *s, const nsds_shape_followed *one) {
  nsds_status status = nsds_grow(s->model->context, &s->last.followed, &s->last.followed_capacity,
                                 (size_t)s->last.nfollowed + 1, sizeof *s->last.followed);
  if (!status) s->last.followed[s->last.nfollowed++] = *one;
  return status;
}

static int by_key(const void *one, const void *other) {
  const nsds_shape_followed *a = one, *b = other;
  return (a->key > b->key) - (a->key < b->key);
}

void nsds_shapes_sort(nsds_shape_set *s) {
  if (s->last.nfollowed > 1)
    qsort(s->last.followed, (size_t)s->last.nfollowed, sizeof *s->last.followed, by_key);
}

static nsds_status shape_follow_follow(const nsds_shape_set *s, uint64_t key, const double *found,
                                       nsds_followed_pair *f) {
  const nsds_shape_followed wanted = {.key = key};
  const nsds_shape_followed *one = NULL;
  if (s->last.nfollowed > 0)
    one = bsearch(&wanted, s->last.followed, (size_t)s->last.nfollowed, sizeof *s->last.followed,
                  by_key);
  if (!one)
    return nsds_fail(s->model->context, NSDS_ERROR_STATE, "%s: no contact with key %llu was found",
                     s->label, (unsigned long long)key);
  *f = (nsds_followed_pair){.spheres = {.dimension = s->dimension}};
  nsds_sphere_pair *pair = &f->spheres;
  memcpy(pair->center[0], one->core[0]->v + 3 * one->vertex, sizeof pair->center[0]);
  pair->radius[0] = one->core[0]->radius;
  if (one->plane) {
    memcpy(pair->normal, one->plane->shape.plane.normal, sizeof pair->normal);
    pair->offset = one->plane->shape.plane.offset;
  } else {
    memcpy(pair->center[1], one->core[1]->v, sizeof pair->center[1]);
    pair->radius[1] = one->core[1]->radius;
  }
  nsds_follow_pair(f, s->model->context, s->label, s->rows,
                   one->plane  ? NSDS_MEETS_PLANE
                   : one->body ? NSDS_MEETS_BODY
                               : NSDS_MEETS_FIXED,
                   found);
  return NSDS_OK;
}

nsds_status nsds_shapes_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  nsds_followed_pair f;
  double all[5];
  nsds_status status = shape_follow_follow(self, key, NULL, &f);
  if (!status) status = nsds_contact_relation_output(&f.data, in, all);
  if (!status) *y = all[0];
  return status;
}

nsds_status nsds_shapes_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                 const double *found, double *H) {
  nsds_followed_pair f;
  nsds_status status = shape_follow_follow(self, key, found, &f);
  return status ? status : nsds_contact_relation_gradient(&f.data, in, H);
}

nsds_status nsds_shapes_bias(void *self, uint64_t key, const nsds_arguments *in,
                             const double *found, double *bias) {
  nsds_followed_pair f;
  nsds_status status = shape_follow_follow(self, key, found, &f);
  return status ? status : nsds_contact_relation_bias(&f.data, in, bias);
}

void nsds_shapes_place(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                       nsds_contact_place *place) {
  nsds_followed_pair f;
  if (shape_follow_follow(self, key, found, &f)) return;
  nsds_contact_relation_place(&f.data, in, place);
}

/* Returns the way of bodies during which normals turn by less than a right angle. Without bodies
 * nothing ever comes near. */
double nsds_shapes_reach(void *self) {
  const nsds_shape_set *s = self;
  return s->bodies.n == 0 ? INFINITY : fmin(s->reach, s->least);
}

/* Returns |dx| + 2 |sin (angle / 2)| times the distance of the farthest point, or more: a
 * difference of unit quaternions is not shorter than the sine. */
double nsds_shapes_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  const nsds_shape_set *s = self;
  size_t at = (size_t)nsds_ds_of(ds)->index;
  int body = at < s->bodies.capacity ? s->bodies.of[at] : -1;
  if (body < 0) return 0.0;
  int places = s->dimension, turns = places == 3 ? 4 : 1;
  double way = 0.0, turn = 0.0;
  for (int k = 0; k < places; ++k) way += (q[k] - q0[k]) * (q[k] - q0[k]);
  for (int k = places; k < places + turns; ++k) turn += (q[k] - q0[k]) * (q[k] - q0[k]);
  return sqrt(way) + (places == 3 ? 2.0 : 1.0) * s->bodies.pose[body].around * sqrt(turn);
}
