/*
 * Shapes of a scene, as objects of JSON: kind, body, place in the body, sizes; of polytopes and
 * triangles vertices and faces.
 *
 * A body without shapes is drawn as sticks: from its center to its points of joints, springs and
 * contacts. With no such points it is a dot.
 *
 * Shapes in no contact set become those of a set in a model of its own, where one body stands for
 * each of theirs. So the library checks them and finds the faces of hulls, and the model that is
 * simulated has no set more.
 */
#include "run/scene/scene_shapes.h"

#include "run/scene/scene_bodies.h"

#include <nsds/contact.h>
#include <nsds/extend.h>
#include <nsds/law.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>
#include <nsds/tie.h>

#include <math.h>
#include <string.h>

static double arm_length(const double *x) { return hypot(hypot(x[0], x[1]), x[2]); }

static const char *name_of_kind(nsds_shape_kind kind) {
  switch (kind) {
  case NSDS_SPHERE: return "sphere";
  case NSDS_CAPSULE: return "capsule";
  case NSDS_BOX: return "box";
  case NSDS_HALF_SPACE: return "plane";
  case NSDS_TRIANGLES: /* have two sides */
  case NSDS_HEIGHT_FIELD: return "triangles";
  default: return "hull"; /* the mesh of the surface */
  }
}

/* Returns true for kinds whose vertices and sizes have the radius around them. */
static bool is_rounded(nsds_shape_kind kind) {
  return kind == NSDS_SPHERE || kind == NSDS_CAPSULE || kind == NSDS_BOX || kind == NSDS_HULL ||
         kind == NSDS_MESH || kind == NSDS_TRIANGLES || kind == NSDS_HEIGHT_FIELD;
}

static void begin_shape(nsds_bytes *out, const char *kind, int body) {
  nsds_bytes_print(out, "%s{\"kind\":\"%s\",\"body\":%d,", out->count > 1 ? "," : "", kind, body);
}

static void put_integers(nsds_bytes *out, const char *name, const int *item, int count) {
  nsds_bytes_print(out, "\"%s\":[", name);
  for (int k = 0; k < count; ++k) nsds_bytes_print(out, k ? ",%d" : "%d", item[k]);
  nsds_bytes_print(out, "],");
}

/* The radius around the drawn shapes: meshes of other kinds lie on their surface. */
static double radius_around(const nsds_shape_info *info) {
  return is_rounded(info->kind) ? info->radius : 0.0;
}

static double reach_of_shape(const nsds_shape_info *info) {
  bool meshed = info->nvertex > 0;
  double reach = info->kind == NSDS_SPHERE || meshed ? 0.0 : arm_length(info->half);
  for (int k = 0; k < info->nvertex; ++k) {
    double r = arm_length(info->vertex + 3 * k);
    if (r > reach) reach = r;
  }
  return reach + radius_around(info) + arm_length(info->position);
}

static void put_shape(nsds_scene *s, int body, const nsds_shape_info *info) {
  nsds_bytes *out = &s->shapes;
  if (info->hidden) return;
  begin_shape(out, name_of_kind(info->kind), body);
  const double radius = radius_around(info);
  nsds_bytes_list(out, "radius", &radius, 1);
  if (info->kind == NSDS_HALF_SPACE) {
    nsds_bytes_list(out, "normal", info->plane.normal, 3);
    nsds_bytes_list(out, "offset", &info->plane.offset, 1);
  } else {
    const double turn[4] = {cos(0.5 * info->angle), 0.0, 0.0, sin(0.5 * info->angle)};
    nsds_bytes_list(out, "position", info->position, 3);
    nsds_bytes_list(out, "turn", info->dimension == 2 ? turn : info->quaternion, 4);
    nsds_bytes_list(out, "half", info->half, 3);
    nsds_scene_widen(s, reach_of_shape(info));
  }
  if (info->nvertex > 0 && info->kind != NSDS_BOX) {
    nsds_bytes_list(out, "vertex", info->vertex, 3 * info->nvertex);
    put_integers(out, "first", info->first, info->nface + 1);
    put_integers(out, "face", info->face, info->first[info->nface]);
  }
  if (info->color[0] != 0.0 || info->color[1] != 0.0 || info->color[2] != 0.0)
    nsds_bytes_list(out, "color", info->color, 3);
  nsds_bytes_print(out, "\"dimension\":%d}", info->dimension);
  if (body >= 0) s->body[body].shown = true;
}

static void put_all_shapes(nsds_scene *s) {
  for (int k = 0; k < nsds_model_contact_set_count(s->model); ++k) {
    const nsds_contact_set *set = nsds_model_contact_set_at(s->model, k);
    nsds_shape_info info;
    for (int i = 0; i < nsds_shapes_count(set); ++i)
      if (nsds_shapes_at(set, i, &info) == NSDS_OK)
        put_shape(s, nsds_scene_body_of(s, info.ds), &info);
  }
}

/* ---- shapes in no contact set ---- */

static nsds_ds *make_stand_in(nsds_model *model, int dimension) {
  static const double inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (dimension == 2)
    return nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0});
  return nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                       .inertia = inertia,
                                                       .q0 = (double[]){0, 0, 0, 1, 0, 0, 0}});
}

/* Shapes of the plane or of space: those of `dimension`. Scenery counts as that of space. */
static nsds_status put_loose_shapes(nsds_scene *s, nsds_model *model, int dimension, int count,
                                    const nsds_shape_def *shape) {
  nsds_ds *body = make_stand_in(model, dimension);
  nsds_contact_set *set =
      body ? nsds_shapes(model, &(nsds_shapes_def){.dimension = dimension,
                                                   .law = nsds_newton_impact(model, 0.0)})
           : NULL;
  if (!set) return nsds_error(s->context);
  for (int k = 0; k < count; ++k) {
    nsds_shape_def one = shape[k];
    nsds_shape_info info;
    int of = nsds_scene_body_of(s, one.ds);
    if ((of >= 0 && s->body[of].kind == NSDS_SCENE_PLANE ? 2 : 3) != dimension) continue;
    if (one.ds && of < 0)
      return nsds_report(
          s->context, NSDS_ERROR_ARGUMENT,
          "nsds_scene_create: shape[%d] is of a system of another model, or of first "
          "order; valid are bodies of the scene's model",
          k);
    bool surface = one.kind == NSDS_TRIANGLES || one.kind == NSDS_HEIGHT_FIELD;
    if (one.ds) one.ds = surface ? NULL : body; /* sets have surfaces of scenery alone */
    one.material = one.group = 0;
    int number = nsds_shapes_add(set, &one);
    if (number < 0 || nsds_shapes_get(set, number, &info)) return nsds_error(s->context);
    put_shape(s, of, &info);
  }
  return NSDS_OK;
}

static nsds_status put_loose(nsds_scene *s, int count, const nsds_shape_def *shape) {
  if (count == 0) return NSDS_OK;
  nsds_model *model = nsds_model_create(s->context);
  nsds_status status = model ? NSDS_OK : NSDS_ERROR_MEMORY;
  for (int dimension = 2; dimension <= 3 && !status; ++dimension)
    status = put_loose_shapes(s, model, dimension, count, shape);
  nsds_model_destroy(model);
  return status;
}

/* ---- sticks ---- */

static void put_stick(nsds_scene *s, int body, const double *to) {
  begin_shape(&s->shapes, "stick", body);
  nsds_bytes_list(&s->shapes, "to", to, 3);
  nsds_bytes_print(&s->shapes, "\"dimension\":%d}", s->body[body].kind == NSDS_SCENE_SPACE ? 3 : 2);
  nsds_scene_widen(s, arm_length(to));
}

static void put_point(nsds_scene *s, const nsds_ds *ds, const bool *bare, const double *world) {
  int k = nsds_scene_body_of(s, ds);
  double own[3];
  if (k < 0 || !bare[k] || s->body[k].kind == NSDS_SCENE_POINT) return;
  nsds_scene_own_axes(s, k, world, own);
  put_stick(s, k, own);
  s->body[k].shown = true;
}

static void put_ties(nsds_scene *s, const bool *bare) {
  for (int k = 0; k < nsds_interaction_count(s->model); ++k) {
    const nsds_interaction *ia = nsds_interaction_at(s->model, k);
    nsds_tie tie;
    if (nsds_tie_read(ia, &tie) || !tie.located) continue;
    for (int i = 0; i < nsds_interaction_ds_count(ia) && i < 2; ++i)
      put_point(s, nsds_interaction_ds(ia, i), bare, tie.point[i]);
  }
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
    put_ties(s, bare);
    put_contacts(s, bare);
  }
  for (int k = 0; k < s->nbody; ++k)
    if (!s->body[k].shown) put_stick(s, k, nowhere);
  nsds_free(bare);
  return NSDS_OK;
}

nsds_status nsds_scene_shapes(nsds_scene *s, int count, const nsds_shape_def *shape) {
  nsds_bytes_put(&s->shapes, "[", 1);
  if (s->model) {
    put_all_shapes(s);
    nsds_status status = put_loose(s, count, shape);
    if (status) return status;
    if (put_sticks(s)) return NSDS_ERROR_MEMORY;
  }
  nsds_bytes_put(&s->shapes, "]", 1);
  return s->shapes.failed ? NSDS_ERROR_MEMORY : NSDS_OK;
}
