/*
 * Shapes from their definitions: checks, cores in the body, the pose applied to them.
 */
#include "kernel/contact/shape_make.h"

#include "base/context.h"
#include "kernel/contact/core.h"
#include "kernel/contact/hull.h"
#include "kernel/contact/triangle_mesh.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <stdio.h>

typedef struct maker {
  const nsds_shape_set *set;
  nsds_context *context;
  const char *call, *field;
  const nsds_shape_def *def;
  bool space;
} maker;

static const char *const kind_name[] = {"?",         "NSDS_SPHERE",     "NSDS_CAPSULE",  "NSDS_BOX",
                                        "NSDS_HULL", "NSDS_HALF_SPACE", "NSDS_TRIANGLES"};

static bool shape_make_fail(const maker *m, const char *text) {
  nsds_fail(m->context, NSDS_ERROR_ARGUMENT, "%s: %s%s: %s", m->call, m->field,
            kind_name[m->def->kind], text);
  return false;
}

static bool in_range(const maker *m, const char *name, int k, double value, double low,
                     double high) {
  char field[64];
  if (k < 0) snprintf(field, sizeof field, "%s%s", m->field, name);
  else snprintf(field, sizeof field, "%s%s[%d]", m->field, name, k);
  return nsds_check_range(m->context, m->call, field, value, low, high);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool check_body(const maker *m) {
  const nsds_ds *ds = m->def->ds;
  char label[nsds_label_size];
  int nq = m->space ? nsds_body_nq : 3, nv = m->space ? nsds_body_nv : 3;
  if (!ds ||
      (ds->model == m->set->model && nsds_is_second_order(ds) && ds->nq == nq && ds->nv == nv))
    return true;
  nsds_fail(m->context, NSDS_ERROR_ARGUMENT,
            "%s: %sds (%s) is not a rigid body of this model in %s, with %d coordinates and %d "
            "velocities",
            m->call, m->field, nsds_ds_label(ds, label), m->space ? "space" : "the plane", nq, nv);
  return false;
}

static bool check_pose(const maker *m) {
  const nsds_shape_def *d = m->def;
  char field[64];
  snprintf(field, sizeof field, "%sposition", m->field);
  if (!nsds_check_finite(m->context, m->call, field, d->position, m->space ? 3 : 2)) return false;
  if (!m->space) return in_range(m, "angle", -1, d->angle, -1e9, 1e9);
  const double *p = d->quaternion;
  double length = sqrt(p[0] * p[0] + nsds_dot(p + 1, p + 1));
  if (length == 0.0 || fabs(length - 1.0) <= 1e-6) return true;
  nsds_fail(m->context, NSDS_ERROR_VALUE,
            "%s: %squaternion is (%g, %g, %g, %g), of norm %.9g; valid is 1, off by at most 1e-6, "
            "or zeros",
            m->call, m->field, p[0], p[1], p[2], p[3], length);
  return false;
}

static bool check_points(const maker *m, int least, int most) {
  const nsds_shape_def *d = m->def;
  char field[64];
  if (!in_range(m, "nvertex", -1, d->nvertex, least, most)) return false;
  if (!d->vertex) return shape_make_fail(m, "vertex is NULL");
  snprintf(field, sizeof field, "%svertex", m->field);
  return nsds_check_finite(m->context, m->call, field, d->vertex, (m->space ? 3 : 2) * d->nvertex);
}

static bool check_plane(const maker *m) {
  const double *n = m->def->plane.normal;
  double length = m->space ? nsds_length(n) : hypot(n[0], n[1]);
  if (fabs(length - 1.0) <= 1e-6)
    return in_range(m, "plane.offset", -1, m->def->plane.offset, -1e300, 1e300);
  nsds_fail(m->context, NSDS_ERROR_VALUE,
            "%s: %splane.normal is (%g, %g, %g), of length %g; it must be of length 1", m->call,
            m->field, n[0], n[1], m->space ? n[2] : 0.0, length);
  return false;
}

static bool check_faces(const maker *m) {
  const nsds_shape_def *d = m->def;
  int corners = m->space ? 3 : 2;
  if (!in_range(m, "nface", -1, d->nface, 1, 1e8)) return false;
  if (!d->face) return shape_make_fail(m, "face is NULL");
  for (int k = 0; k < corners * d->nface; ++k)
    if (!in_range(m, "face", k, d->face[k], 0, d->nvertex - 1)) return false;
  return true;
}

static bool check_kind(const maker *m) {
  const nsds_shape_def *d = m->def;
  bool round = d->kind == NSDS_SPHERE || d->kind == NSDS_CAPSULE, fine = true;
  int halves = d->kind == NSDS_CAPSULE ? 1 : d->kind != NSDS_BOX ? 0 : m->space ? 3 : 2;
  if (d->kind >= NSDS_HALF_SPACE && d->ds)
    return shape_make_fail(m, "ds is given; this shape can only be scenery, ds must be NULL");
  if (d->kind == NSDS_HALF_SPACE) return check_plane(m);
  fine = in_range(m, "radius", -1, d->radius, round ? 1e-100 : 0.0, 1e100);
  for (int k = 0; fine && k < halves; ++k) fine = in_range(m, "half", k, d->half[k], 1e-100, 1e100);
  if (fine && d->kind == NSDS_HULL) return check_points(m, m->space ? 4 : 3, 4096);
  if (fine && d->kind == NSDS_TRIANGLES) return check_points(m, 1, 100000000) && check_faces(m);
  return fine;
}

static bool shape_make_check(const maker *m) {
  const nsds_shape_def *d = m->def;
  if ((int)d->kind < NSDS_SPHERE || d->kind > NSDS_TRIANGLES) {
    nsds_fail(m->context, NSDS_ERROR_VALUE,
              "%s: %skind is %d, not one of nsds_shape_kind (0 where it was left out)", m->call,
              m->field, (int)d->kind);
    return false;
  }
  int most = m->set->nmaterial > 0 ? m->set->nmaterial - 1 : 0;
  return check_body(m) && check_pose(m) && in_range(m, "material", -1, d->material, 0, most) &&
         check_kind(m);
}

/* ---- cores ----------------------------------------------------------------------------------- */

/* Points of a hull in three coordinates; NULL where there is no memory. */
static double *points_of(const maker *m) {
  const nsds_shape_def *d = m->def;
  int width = m->space ? 3 : 2;
  double *points = NSDS_NEW_ARRAY(m->context, double, 3 * (size_t)d->nvertex);
  for (int k = 0; points && k < d->nvertex; ++k)
    for (int i = 0; i < width; ++i) points[3 * k + i] = d->vertex[width * k + i];
  return points;
}

/* Topology and, for hulls, vertices. */
static bool make_hull(const maker *m, nsds_solid *solid, double **vertex) {
  const char *why;
  double *points = points_of(m);
  nsds_status status = points ? nsds_hull(m->context, m->space ? 3 : 2, m->def->nvertex, points,
                                          solid->core, vertex, &solid->index, &why)
                              : NSDS_ERROR_MEMORY;
  nsds_release(m->context, points);
  return !status && (!why || shape_make_fail(m, why));
}

static bool make_core(const maker *m, nsds_solid *solid) {
  int dimension = m->space ? 3 : 2;
  const nsds_shape_def *d = m->def;
  double *vertex = NULL;
  solid->core = NSDS_NEW(m->context, nsds_core);
  if (!solid->core) return false;
  nsds_core *core = solid->core;
  solid->count = 1;
  if (d->kind == NSDS_SPHERE) nsds_core_point(core);
  else if (d->kind == NSDS_CAPSULE) nsds_core_segment(core, dimension);
  else if (d->kind == NSDS_BOX) nsds_core_box(core, dimension);
  else if (!make_hull(m, solid, &vertex)) {
    nsds_release(m->context, vertex);
    return false;
  }
  core->radius = d->radius;
  solid->store = NSDS_NEW_ARRAY(m->context, double, nsds_core_doubles(core, !d->ds));
  if (solid->store) {
    nsds_core_lay(core, solid->store, !d->ds);
    if (vertex) memcpy(core->v, vertex, (size_t)core->nv * 3 * sizeof *vertex);
    if (d->kind == NSDS_BOX) nsds_core_box_vertices(core, d->half, dimension);
    if (d->kind == NSDS_CAPSULE) core->v[0] = -d->half[0], core->v[3] = d->half[0];
  }
  nsds_release(m->context, vertex);
  return solid->store != NULL;
}

static void pose_of(const maker *m, double *R) {
  const nsds_shape_def *d = m->def;
  const double unit[] = {1.0, 0.0, 0.0, 0.0}, *p = d->quaternion;
  const double turn[] = {cos(0.5 * d->angle), 0.0, 0.0, sin(0.5 * d->angle)};
  bool none = p[0] == 0.0 && nsds_dot(p + 1, p + 1) == 0.0;
  nsds_rotation_matrix(!m->space ? turn : none ? unit : p, R);
}

/* Vertices by the shape's pose in the body, then what follows from them. */
static bool shape_make_settle(const maker *m, const double *R, nsds_core *core) {
  for (int k = 0; k < 3 * core->nv; k += 3) {
    double x[3];
    nsds_turn(R, core->v + k, x);
    for (int i = 0; i < 3; ++i)
      core->v[k + i] = x[i] + (i == 2 && !m->space ? 0.0 : m->def->position[i]);
  }
  bool fine = nsds_core_normals(core, m->space ? 3 : 2);
  nsds_core_bound(core);
  memcpy(core->at, core->centre, sizeof core->at);
  if (!m->def->ds) nsds_core_box_around(core);
  return fine;
}

static bool shape_make_make(const maker *m, nsds_solid *solid) {
  double R[9];
  if (m->def->kind == NSDS_HALF_SPACE) {
    nsds_plane *plane = &solid->plane;
    if (!m->space) plane->normal[2] = 0.0;
    double length = nsds_length(plane->normal); /* not off by 1e-6 */
    for (int k = 0; k < 3; ++k) plane->normal[k] /= length;
    return true;
  }
  bool soup = m->def->kind == NSDS_TRIANGLES;
  if (soup ? nsds_make_soup(m->context, m->def, m->space ? 3 : 2, solid) != NSDS_OK
           : !make_core(m, solid))
    return false;
  pose_of(m, R);
  for (int k = 0; k < solid->count; ++k)
    if (!shape_make_settle(m, R, &solid->core[k])) {
      nsds_fail(m->context, NSDS_ERROR_VALUE, "%s: %s%s: face %d has no %s", m->call, m->field,
                kind_name[m->def->kind], k, m->space ? "area" : "length");
      return false;
    }
  return true;
}

void nsds_solid_release(nsds_context *context, nsds_solid *solid) {
  if (!solid) return;
  nsds_release(context, solid->core);
  nsds_release(context, solid->store);
  nsds_release(context, solid->index);
  nsds_release(context, solid);
}

nsds_solid *nsds_solid_create(const nsds_shape_set *set, const char *call, const char *field,
                              const nsds_shape_def *def) {
  maker m = {.set = set,
             .context = set->model->context,
             .call = call,
             .field = field,
             .def = def,
             .space = set->dimension == 3};
  nsds_solid *solid = shape_make_check(&m) ? NSDS_NEW(m.context, nsds_solid) : NULL;
  if (!solid) return NULL;
  solid->kind = def->kind;
  solid->ds = def->ds;
  solid->plane = def->plane;
  solid->material = def->material;
  solid->group = def->group;
  if (shape_make_make(&m, solid)) return solid;
  nsds_solid_release(m.context, solid);
  return NULL;
}
