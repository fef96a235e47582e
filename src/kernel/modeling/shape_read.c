/*
 * Shapes of contact sets as programs read them. A geometry tells the shapes in its bodies, and the
 * bodies give the present place, X = x + R s, p (x) p_s with s, p_s the place in the body.
 */
#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"

#include <nsds/shapes.h>

/* ---- now in the world ------------------------------------------------------------------------ */

/* Computes the place in the world. Systems that are not rigid bodies have coordinates but no
 * attitude. */
static void put_in_world(nsds_shape_info *s) {
  const nsds_ds *ds = nsds_ds_of(s->ds);
  const double *q = nsds_q(s->ds);
  double p[4] = {1.0, 0.0, 0.0, 0.0}, angle = 0.0, R[9], turned[3];
  bool space = s->dimension == 3;
  if (q && space && nsds_turns_in_space(ds)) memcpy(p, q + 3, sizeof p);
  if (q && !space && nsds_turns_in_plane(ds)) angle = q[2];
  if (!space) {
    p[0] = cos(0.5 * angle);
    p[3] = sin(0.5 * angle);
  }
  nsds_rotation_matrix(p, R);
  nsds_turn(R, s->position, turned);
  for (int k = 0; k < 3; ++k)
    s->world_position[k] = turned[k] + (q && k < s->dimension && k < ds->nq ? q[k] : 0.0);
  nsds_quaternion_product(p, s->quaternion, s->world_quaternion);
  s->world_angle = angle + s->angle;
}

static void show_shape(const nsds_contact_set *set, int k, nsds_shape_info *shape) {
  *shape = (nsds_shape_info){.number = k};
  set->ops->shape(set->self, k, shape);
  if (nsds_ds_of(shape->ds) == shape->ds) shape->ds = nsds_ds_handle(shape->ds);
  put_in_world(shape);
}

static int shape_count_of(const nsds_contact_set *set) {
  return set && set->ops->shape_count && set->ops->shape ? set->ops->shape_count(set->self) : 0;
}

/* ---- public ---------------------------------------------------------------------------------- */

int nsds_shapes_count(const nsds_contact_set *handle) {
  return shape_count_of(handle ? nsds_contact_set_alive(handle, "nsds_shapes_count") : NULL);
}

nsds_status nsds_shapes_at(const nsds_contact_set *handle, int k, nsds_shape_info *shape) {
  const char *call = "nsds_shapes_at";
  const nsds_contact_set *set = nsds_contact_set_alive(handle, call);
  if (!set) return NSDS_ERROR_ARGUMENT;
  nsds_context *context = set->model->context;
  char label[nsds_label_size];
  int count = shape_count_of(set);
  if (!shape) return nsds_fail_null(context, call, "shape");
  if (k < 0 || k >= count)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: k is %d; %s has %d shapes, valid are indices from 0", call, k,
                     nsds_contact_set_label(set, label), count);
  show_shape(set, k, shape);
  return NSDS_OK;
}

nsds_status nsds_shapes_get(const nsds_contact_set *handle, int number, nsds_shape_info *shape) {
  const char *call = "nsds_shapes_get";
  const nsds_contact_set *set = nsds_contact_set_alive(handle, call);
  if (!set) return NSDS_ERROR_ARGUMENT;
  char label[nsds_label_size];
  if (!shape) return nsds_fail_null(set->model->context, call, "shape");
  for (int low = 0, high = shape_count_of(set); low < high;) {
    int k = low + (high - low) / 2;
    show_shape(set, k, shape);
    if (shape->number == number) return NSDS_OK;
    if (shape->number < number) low = k + 1;
    else high = k;
  }
  *shape = (nsds_shape_info){.number = 0};
  return nsds_fail(set->model->context, NSDS_ERROR_ARGUMENT,
                   "%s: %s has no shape %d; it was removed or never there", call,
                   nsds_contact_set_label(set, label), number);
}

int nsds_shapes_of_body(const nsds_contact_set *handle, const nsds_ds *ds, int capacity,
                        int *number) {
  const nsds_contact_set *set =
      handle ? nsds_contact_set_alive(handle, "nsds_shapes_of_body") : NULL;
  const nsds_ds *body = nsds_ds_find(ds, "nsds_shapes_of_body");
  int count = 0, all = ds && !body ? 0 : shape_count_of(set);
  for (int k = 0; k < all; ++k) {
    nsds_shape_info shape;
    show_shape(set, k, &shape);
    if (nsds_ds_of(shape.ds) != body) continue;
    if (number && count < capacity) number[count] = shape.number;
    ++count;
  }
  return count;
}
