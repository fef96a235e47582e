/*
 * Shapes of a scene, as objects of JSON: kind, body, place in the body, sizes; of polytopes and triangles vertices and
 * faces.
 *
 * A body without shapes is drawn as sticks: from its center to its points of joints and contacts. With no such points
 * it is a dot.
 */
#include "run/scene_shapes.h"

#include <nsds/contact.h>
#include <nsds/joint.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <math.h>
#include <string.h>

/* Shapes mostly come in the order of bodies: the search begins behind the last one found. */
static int scene_body_of(nsds_scene *s, const nsds_ds *ds) {
  for (int k = 0; k < s->nbody && ds; ++k) {
    int at = (s->found + k) % s->nbody;
    if (s->body[at].ds != ds) continue;
    s->found = at + 1;
    return at;
  }
  return -1;
}

static double arm_length(const double *x) { return hypot(hypot(x[0], x[1]), x[2]); }

static void scene_widen(nsds_scene *s, double reach) {
  if (s->reach < reach) s->reach = reach;
}

static const char *name_of_kind(nsds_shape_kind kind) {
  switch (kind) {
  case NSDS_SPHERE: return "sphere";
  case NSDS_CAPSULE: return "capsule";
  case NSDS_BOX: return "box";
  case NSDS_HULL: return "hull";
  case NSDS_HALF_SPACE: return "plane";
  case NSDS_TRIANGLES: return "triangles";
  }
  return "none";
}

static void begin_shape(nsds_bytes *out, const char *kind, int body) {
  nsds_bytes_print(out, "%s{\"kind\":\"%s\",\"body\":%d,", out->count > 1 ? "," : "", kind, body);
}

static void put_integers(nsds_bytes *out, const char *name, const int *item, int count) {
  nsds_bytes_print(out, "\"%s\":[", name);
  for (int k = 0; k < count; ++k) nsds_bytes_print(out, k ? ",%d" : "%d", item[k]);
  nsds_bytes_print(out, "],");
}

static double reach_of_shape(const nsds_shape_info *info) {
  double reach = info->kind == NSDS_SPHERE ? 0.0 : arm_length(info->half);
  for (int k = 0; k < info->nvertex; ++k) {
    double r = arm_length(info->vertex + 3 * k);
    if (r > reach) reach = r;
  }
  return reach + info->radius + arm_length(info->position);
}

static void put_shape(nsds_scene *s, const nsds_shape_info *info) {
  nsds_bytes *out = &s->shapes;
  int body = scene_body_of(s, info->ds);
  begin_shape(out, name_of_kind(info->kind), body);
  nsds_bytes_list(out, "radius", &info->radius, 1);
  if (info->kind == NSDS_HALF_SPACE) {
    nsds_bytes_list(out, "normal", info->plane.normal, 3);
    nsds_bytes_list(out, "offset", &info->plane.offset, 1);
  } else {
    const double turn[4] = {cos(0.5 * info->angle), 0.0, 0.0, sin(0.5 * info->angle)};
    nsds_bytes_list(out, "position", info->position, 3);
    nsds_bytes_list(out, "turn", info->dimension == 2 ? turn : info->quaternion, 4);
    nsds_bytes_list(out, "half", info->half, 3);
    scene_widen(s, reach_of_shape(info));
  }
  if (info->kind == NSDS_HULL || info->kind == NSDS_TRIANGLES) {
    nsds_bytes_list(out, "vertex", info->vertex, 3 * info->nvertex);
    put_integers(out, "first", info->first, info->nface + 1);
    put_integers(out, "face", info->face, info->first[info->nface]);
  }
  nsds_bytes_print(out, "\"dimension\":%d}", info->dimension);
  if (body >= 0) s->body[body].shown = true;
}

static void put_all_shapes(nsds_scene *s) {
  for (int k = 0; k < nsds_model_contact_set_count(s->model); ++k) {
    const nsds_contact_set *set = nsds_model_contact_set_at(s->model, k);
    nsds_shape_info info;
    for (int i = 0; i < nsds_shapes_count(set); ++i)
      if (nsds_shapes_at(set, i, &info) == NSDS_OK) put_shape(s, &info);
  }
}

/* ---- sticks ---- */

static void put_stick(nsds_scene *s, int body, const double *to) {
  begin_shape(&s->shapes, "stick", body);
  nsds_bytes_list(&s->shapes, "to", to, 3);
  nsds_bytes_print(&s->shapes, "\"dimension\":%d}", s->body[body].kind == NSDS_SCENE_SPACE ? 3 : 2);
  scene_widen(s, arm_length(to));
}

/* A point of the world in the axes of a body. */
static void to_own_axes(const nsds_scene_body *body, const double *world, double *own) {
  const double *q = nsds_q(body->ds);
  int places = body->kind == NSDS_SCENE_PLANE ? 2 : 3, count = nsds_nq(body->ds);
  double arm[3];
  for (int i = 0; i < 3; ++i) arm[i] = world[i] - (i < places && i < count ? q[i] : 0.0);
  if (body->kind == NSDS_SCENE_SPACE) {
    nsds_to_body(q, arm, own);
    return;
  }
  if (body->kind == NSDS_SCENE_POINT) {
    memcpy(own, arm, sizeof arm);
    return;
  }
  const double c = cos(q[2]), sine = sin(q[2]);
  own[0] = c * arm[0] + sine * arm[1];
  own[1] = -sine * arm[0] + c * arm[1];
  own[2] = arm[2];
}

static void put_point(nsds_scene *s, const nsds_ds *ds, const bool *bare, const double *world) {
  int k = scene_body_of(s, ds);
  double own[3];
  if (k < 0 || !bare[k] || s->body[k].kind == NSDS_SCENE_POINT) return;
  to_own_axes(&s->body[k], world, own);
  put_stick(s, k, own);
  s->body[k].shown = true;
}

/* There is no call that says whether an interaction is a joint: the failure of nsds_joint_points() says so. This failure
 * is not logged, and is forgotten. */
static void put_joints(nsds_scene *s, const bool *bare) {
  nsds_context *context = nsds_model_context(s->model);
  nsds_log_fn log = NULL;
  void *user = NULL;
  bool forget = nsds_error(context) == NSDS_OK;
  nsds_context_swap_log(context, &log, &user);
  for (int k = 0; k < nsds_interaction_count(s->model); ++k) {
    const nsds_interaction *joint = nsds_interaction_at(s->model, k);
    double point[2][3];
    if (nsds_joint_points(joint, point[0], point[1])) continue;
    for (int i = 0; i < nsds_interaction_ds_count(joint) && i < 2; ++i)
      put_point(s, nsds_interaction_ds(joint, i), bare, point[i]);
  }
  nsds_context_swap_log(context, &log, &user);
  if (forget) nsds_error_clear(context);
}

static void put_contacts(nsds_scene *s, const bool *bare) {
  nsds_contact_iterator at = nsds_model_contacts(s->model);
  nsds_contact_info c;
  while (nsds_next_contact(&at, &c))
    if (c.located && c.interaction)
      for (int i = 0; i < 2; ++i)
        if (c.ds[i]) put_point(s, c.ds[i], bare, c.point);
}

static nsds_status put_sticks(nsds_scene *s) {
  static const double nowhere[3];
  bool *bare = nsds_alloc(s->context, "the shapes of a page", (size_t)s->nbody + 1, sizeof *bare);
  if (!bare) return NSDS_ERROR_MEMORY;
  bool any = false;
  for (int k = 0; k < s->nbody; ++k) any |= bare[k] = !s->body[k].shown;
  if (any) {
    put_joints(s, bare);
    put_contacts(s, bare);
  }
  for (int k = 0; k < s->nbody; ++k)
    if (!s->body[k].shown) put_stick(s, k, nowhere);
  nsds_free(bare);
  return NSDS_OK;
}

nsds_status nsds_scene_shapes(nsds_scene *s) {
  nsds_bytes_put(&s->shapes, "[", 1);
  if (s->model) {
    put_all_shapes(s);
    if (put_sticks(s)) return NSDS_ERROR_MEMORY;
  }
  nsds_bytes_put(&s->shapes, "]", 1);
  return s->shapes.failed ? NSDS_ERROR_MEMORY : NSDS_OK;
}
