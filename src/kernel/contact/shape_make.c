/*
 * Makes shapes from their definitions: checks, cores in the body, and their pose. The table `kinds`
 * says what each kind needs; shape_types.c has the fields of each.
 */
#include "kernel/contact/shape_make.h"

#include "base/context.h"
#include "base/text/range.h"
#include "kernel/contact/core.h"
#include "kernel/contact/height_field.h"
#include "kernel/contact/hull.h"
#include "kernel/contact/mesh_parts.h"
#include "kernel/contact/round_make.h"
#include "kernel/contact/shape_types.h"
#include "kernel/contact/shown_shape.h"
#include "kernel/contact/triangle_mesh.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <stdio.h>

typedef struct maker {
  const nsds_shape_set *set;
  nsds_context *context;
  const char *call, *field;
  bool named; /* the field names the kind */
  const nsds_shape_def *def;
  bool space;
} maker;

enum { alone_size = 2 * nsds_label_size, field_size = alone_size + 64 };

/* The data by which a kind of shape becomes a solid. The catalogue has the fields of the kind. */
typedef struct shape_kind {
  const char *name;      /* in C, for messages */
  const nsds_type *type; /* its fields */
  bool space_only, scenery;
  bool (*check)(const maker *m); /* what rows do not say; NULL: nothing */
  bool (*make)(const maker *m, const double *R, nsds_solid *solid); /* NULL: a half space */
} shape_kind;

static const shape_kind *kind_of(const nsds_shape_def *def);

static bool shape_make_fail(const maker *m, const char *text) {
  if (m->named) nsds_fail(m->context, NSDS_ERROR_ARGUMENT, "%s: %s%s", m->call, m->field, text);
  else
    nsds_fail(m->context, NSDS_ERROR_ARGUMENT, "%s: %s%s: %s", m->call, m->field,
              kind_of(m->def)->name, text);
  return false;
}

static bool in_range(const maker *m, const char *name, int k, double value, double low,
                     double high) {
  char field[field_size];
  if (k < 0) snprintf(field, sizeof field, "%s%s", m->field, name);
  else snprintf(field, sizeof field, "%s%s[%d]", m->field, name, k);
  return nsds_check_range(m->context, m->call, field, value, low, high);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool check_body(const maker *m) {
  const nsds_ds *ds = nsds_ds_find(m->def->ds, m->call);
  if (m->def->ds && !ds) return false;
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
  char field[field_size];
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
  char field[field_size];
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

/* Parts have numbers up to the number of faces; mesh_parts.c looks for gaps. */
static bool check_mesh(const maker *m) {
  const nsds_shape_def *d = m->def;
  if (!check_points(m, 1, 100000000) || !check_faces(m)) return false;
  for (int k = 0; d->part && k < d->nface; ++k)
    if (!in_range(m, "part", k, d->part[k], 0, d->nface - 1)) return false;
  return true;
}

static bool check_heights(const maker *m) {
  const nsds_shape_def *d = m->def;
  char field[field_size];
  if (!in_range(m, "nx", -1, d->nx, 2, 10000)) return false;
  if (!in_range(m, "ny", -1, d->ny, m->space ? 2 : 0, m->space ? 10000 : 1)) return false;
  if (!d->height) return shape_make_fail(m, "height is NULL");
  snprintf(field, sizeof field, "%sheight", m->field);
  return nsds_check_finite(m->context, m->call, field, d->height, d->nx * (m->space ? d->ny : 1));
}

/* Returns the row of a kind's field; NULL: the kind does not read it. */
static const nsds_field *row_of(const nsds_shape_def *def, const char *name) {
  for (const nsds_field *f = kind_of(def)->type->field; f->name; ++f)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

/* Returns how many half lengths a kind has. */
static int halves_of(const maker *m) {
  int least, most = 0;
  const nsds_field *half = row_of(m->def, "half");
  if (half && half->kind == NSDS_FIELD_NUMBER) return 1;
  if (half) nsds_size_read(half->size, m->space ? 3 : 2, &least, &most);
  return most;
}

static bool check_cone(const maker *m) {
  const nsds_shape_def *d = m->def;
  if (!in_range(m, "top_radius", -1, d->top_radius, 0.0, 1e100)) return false;
  bool top = d->top_radius > d->radius;
  if (d->radius == 0.0 && d->top_radius == 0.0)
    return shape_make_fail(m, "radius and top_radius are 0; one of them must be > 0");
  return in_range(m, top ? "top_radius" : "radius", -1, top ? d->top_radius : d->radius, 1e-100,
                  1e100);
}

static bool check_hull(const maker *m) { return check_points(m, m->space ? 4 : 3, 4096); }

static bool check_triangles(const maker *m) {
  return check_points(m, 1, 100000000) && check_faces(m);
}

static bool check_kind(const maker *m) {
  const nsds_shape_def *d = m->def;
  const shape_kind *kind = kind_of(d);
  const nsds_field *radius = row_of(d, "radius");
  bool fine = true, positive = radius && strcmp(radius->range, "> 0") == 0;
  if (kind->space_only && !m->space)
    return shape_make_fail(m, "the set is in the plane; valid are sets in space");
  if (kind->scenery && d->ds)
    return shape_make_fail(m, "ds is given; this shape can only be scenery, ds must be NULL");
  if (radius) fine = in_range(m, "radius", -1, d->radius, positive ? 1e-100 : 0.0, 1e100);
  for (int k = 0; fine && k < halves_of(m); ++k)
    fine = in_range(m, "half", k, d->half[k], 1e-100, 1e100);
  return fine && (!kind->check || kind->check(m));
}

static bool check_color(const maker *m) {
  for (int i = 0; i < 3; ++i)
    if (!(m->def->color[i] >= 0.0 && m->def->color[i] <= 1.0)) {
      nsds_fail(m->context, NSDS_ERROR_VALUE, "%s: %scolor[%d] is %g; valid are numbers in [0, 1]",
                m->call, m->field, i, m->def->color[i]);
      return false;
    }
  return true;
}

static bool is_kind(nsds_shape_kind kind);
static const char *kind_names(char *text, size_t size);

static bool shape_make_check(const maker *m) {
  const nsds_shape_def *d = m->def;
  char names[400];
  if (!is_kind(d->kind)) {
    nsds_fail(m->context, NSDS_ERROR_VALUE,
              "%s: %skind is %d (0 where it was left out); valid are %s", m->call, m->field,
              (int)d->kind, kind_names(names, sizeof names));
    return false;
  }
  int most = m->set->nmaterial > 0 ? m->set->nmaterial - 1 : 0;
  return check_body(m) && check_pose(m) && check_color(m) &&
         in_range(m, "material", -1, d->material, 0, most) && check_kind(m);
}

/* ---- cores ----------------------------------------------------------------------------------- */

/* Copies the points of a hull in three coordinates. Returns NULL if there is no memory. */
static double *points_of(const maker *m) {
  const nsds_shape_def *d = m->def;
  int width = m->space ? 3 : 2;
  double *points = NSDS_NEW_ARRAY(m->context, double, 3 * (size_t)d->nvertex);
  for (int k = 0; points && k < d->nvertex; ++k)
    for (int i = 0; i < width; ++i) points[3 * k + i] = d->vertex[width * k + i];
  return points;
}

static bool make_hull(const maker *m, nsds_solid *solid, double **vertex) {
  const char *why;
  double *points = points_of(m);
  nsds_status status = points ? nsds_hull(m->context, m->space ? 3 : 2, m->def->nvertex, points,
                                          solid->core, vertex, &solid->index, &why)
                              : NSDS_ERROR_MEMORY;
  nsds_release(m->context, points);
  return !status && (!why || shape_make_fail(m, why));
}

static bool make_round(const maker *m, const double *R, nsds_solid *solid);

/* Makes the single core of a shape. */
static bool make_core(const maker *m, nsds_solid *solid) {
  int dimension = m->space ? 3 : 2;
  const nsds_shape_def *d = m->def;
  double *vertex = NULL;
  solid->core = NSDS_NEW(m->context, nsds_core);
  if (!solid->core) return false;
  nsds_core *core = solid->core;
  solid->count = 1;
  if (d->kind == NSDS_SPHERE || kind_of(d)->make == make_round) nsds_core_point(core);
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

/* Computes the attitude as a quaternion of length 1. */
static void attitude_of(const maker *m, double *p) {
  const nsds_shape_def *d = m->def;
  const double *q = d->quaternion;
  double length = sqrt(q[0] * q[0] + nsds_dot(q + 1, q + 1)), turn = 0.5 * d->angle;
  for (int k = 0; k < 4; ++k) p[k] = m->space && length > 0.0 ? q[k] / length : k == 0 ? 1.0 : 0.0;
  if (!m->space) p[0] = cos(turn), p[3] = sin(turn);
}

/* A point or a segment with a radius. */
static bool make_rounded(const maker *m, const double *R, nsds_solid *solid) {
  (void)R;
  return make_core(m, solid);
}

/* A polytope keeps its faces and vertices for programs, before the pose is applied. */
static bool make_polytope(const maker *m, const double *R, nsds_solid *solid) {
  nsds_shape_info *shape = &solid->shape;
  if (!make_rounded(m, R, solid)) return false;
  const nsds_core *core = solid->core;
  solid->vertex = nsds_copy(m->context, core->v, 3 * (size_t)core->nv, sizeof *core->v);
  shape->nvertex = core->nv;
  shape->nface = core->nf;
  shape->first = core->first;
  shape->face = core->loop;
  return solid->vertex != NULL;
}

/* A surface around a point, and a mesh to draw it. */
static bool make_round(const maker *m, const double *R, nsds_solid *solid) {
  return make_core(m, solid) && nsds_round_make(m->context, m->def, R, solid->core) == NSDS_OK &&
         nsds_round_mesh(m->context, solid) == NSDS_OK;
}

/* Keeps faces for programs, as they were given. */
static bool keep_given_faces(const maker *m, nsds_solid *solid) {
  const nsds_shape_def *d = m->def;
  nsds_shape_info *shape = &solid->shape;
  int corners = m->space ? 3 : 2;
  size_t count = (size_t)d->nface, starts = count + 1;
  solid->vertex = points_of(m);
  solid->index = NSDS_NEW_ARRAY(m->context, int, starts + count * (size_t)corners);
  if (!solid->vertex || !solid->index) return false;
  for (size_t k = 0; k < starts; ++k) solid->index[k] = (int)k * corners;
  memcpy(solid->index + starts, d->face, count * (size_t)corners * sizeof *d->face);
  shape->nvertex = d->nvertex;
  shape->nface = d->nface;
  shape->first = solid->index;
  shape->face = solid->index + starts;
  return true;
}

/* Applies the shape's pose to the vertices, then computes the rest. */
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

static bool make_soup(const maker *m, const double *R, nsds_solid *solid) {
  (void)R;
  return nsds_make_soup(m->context, m->def, m->space ? 3 : 2, solid) == NSDS_OK &&
         keep_given_faces(m, solid);
}

static bool make_height_field(const maker *m, const double *R, nsds_solid *solid) {
  nsds_shape_def faces;
  maker of_faces = *m;
  double *vertex;
  int *face;
  of_faces.def = &faces;
  bool fine = nsds_height_field_faces(m->context, m->def, m->space ? 3 : 2, &faces, &vertex,
                                      &face) == NSDS_OK &&
              make_soup(&of_faces, R, solid);
  nsds_release(m->context, vertex);
  nsds_release(m->context, face);
  return fine;
}

static bool make_mesh(const maker *m, const double *R, nsds_solid *solid) {
  (void)R;
  char why[nsds_why_size];
  if (nsds_make_parts(m->context, m->def, m->space ? 3 : 2, solid, why))
    return keep_given_faces(m, solid);
  return why[0] && shape_make_fail(m, why);
}

static const shape_kind kinds[] = {
    [NSDS_SPHERE] = {"NSDS_SPHERE", &nsds_shape_sphere, .make = make_rounded},
    [NSDS_CAPSULE] = {"NSDS_CAPSULE", &nsds_shape_capsule, .make = make_rounded},
    [NSDS_BOX] = {"NSDS_BOX", &nsds_shape_box, .make = make_polytope},
    [NSDS_HULL] = {"NSDS_HULL", &nsds_shape_hull, .check = check_hull, .make = make_polytope},
    [NSDS_HALF_SPACE] = {"NSDS_HALF_SPACE", &nsds_shape_half_space, .scenery = true,
                         .check = check_plane},
    [NSDS_TRIANGLES] = {"NSDS_TRIANGLES", &nsds_shape_triangles, .scenery = true,
                        .check = check_triangles, .make = make_soup},
    [NSDS_CYLINDER] = {"NSDS_CYLINDER", &nsds_shape_cylinder, .space_only = true,
                       .make = make_round},
    [NSDS_CONE] = {"NSDS_CONE", &nsds_shape_cone, .space_only = true, .check = check_cone,
                   .make = make_round},
    [NSDS_ELLIPSOID] = {"NSDS_ELLIPSOID", &nsds_shape_ellipsoid, .space_only = true,
                        .make = make_round},
    [NSDS_HEIGHT_FIELD] = {"NSDS_HEIGHT_FIELD", &nsds_shape_height_field, .scenery = true,
                           .check = check_heights, .make = make_height_field},
    [NSDS_MESH] = {"NSDS_MESH", &nsds_shape_mesh, .check = check_mesh, .make = make_mesh}};

enum { nkinds = sizeof kinds / sizeof *kinds };

static bool is_kind(nsds_shape_kind kind) { return (int)kind > 0 && (int)kind < nkinds; }

static const shape_kind *kind_of(const nsds_shape_def *def) { return &kinds[def->kind]; }

/* Lists the names of all kinds. */
static const char *kind_names(char *text, size_t size) {
  size_t at = 0;
  for (int k = 1; k < nkinds && at < size; ++k)
    at += (size_t)snprintf(text + at, size - at, "%s%s",
                           k == 1           ? ""
                           : k + 1 < nkinds ? ", "
                                            : " and ",
                           kinds[k].name);
  return text;
}

static bool shape_make_make(const maker *m, nsds_solid *solid) {
  nsds_shape_info *shape = &solid->shape;
  double R[9];
  attitude_of(m, shape->quaternion);
  if (!kind_of(m->def)->make) {
    nsds_plane plane = m->def->plane;
    if (!m->space) plane.normal[2] = 0.0;
    double length = nsds_length(plane.normal); /* may be off by 1e-6 */
    for (int k = 0; k < 3; ++k) plane.normal[k] /= length;
    nsds_show_half_space(0, m->space ? 3 : 2, &plane, shape);
    return true;
  }
  nsds_rotation_matrix(shape->quaternion, R);
  if (!kind_of(m->def)->make(m, R, solid)) return false;
  shape->vertex = solid->vertex;
  for (int k = 0; k < solid->count; ++k)
    if (!shape_make_settle(m, R, &solid->core[k])) {
      nsds_fail(m->context, NSDS_ERROR_VALUE, "%s: %s%s: face %d has no %s", m->call, m->field,
                kind_of(m->def)->name, k, m->space ? "area" : "length");
      return false;
    }
  return true;
}

/* Describes a shape by its definition. Fields that its kind does not have stay zero. */
static nsds_shape_info describe_shape(const maker *m) {
  const nsds_shape_def *d = m->def;
  int halves = halves_of(m);
  nsds_shape_info shape = {.kind = d->kind,
                           .dimension = m->space ? 3 : 2,
                           .ds = nsds_ds_of(d->ds),
                           .radius = row_of(d, "radius") ? d->radius : 0.0,
                           .top_radius = row_of(d, "top_radius") ? d->top_radius : 0.0,
                           .angle = m->space ? 0.0 : d->angle};
  for (int k = 0; k < halves; ++k) shape.half[k] = d->half[k];
  for (int k = 0; k < shape.dimension; ++k) shape.position[k] = d->position[k];
  return shape;
}

void nsds_solid_release(nsds_context *context, nsds_solid *solid) {
  if (!solid) return;
  if (solid->core) nsds_release(context, solid->core->round);
  nsds_release(context, solid->core);
  nsds_release(context, solid->store);
  nsds_release(context, solid->index);
  nsds_release(context, solid->topology);
  nsds_release(context, solid->vertex);
  nsds_release(context, solid);
}

/* Names a shape that is no entry of an array: its set, the number that it would have, and its kind. */
static const char *name_alone(const nsds_shape_set *set, const nsds_shape_def *def, char *buffer) {
  bool known = is_kind(def->kind);
  snprintf(buffer, alone_size, "%s: shape %d%s%s%s: ", set->label, set->solids.next_id,
           known ? " (" : "", known ? kind_of(def)->name : "", known ? ")" : "");
  return buffer;
}

nsds_solid *nsds_solid_create(const nsds_shape_set *set, const char *call, const char *field,
                              const nsds_shape_def *def) {
  char alone[alone_size];
  bool named = field[0] == '\0';
  if (named) field = name_alone(set, def, alone);
  maker m = {.set = set,
             .context = set->model->context,
             .call = call,
             .field = field,
             .named = named,
             .def = def,
             .space = set->dimension == 3};
  if (nsds_check_reserved(m.context, call, field, NSDS_TAIL(def))) return NULL;
  nsds_solid *solid = shape_make_check(&m) ? NSDS_NEW(m.context, nsds_solid) : NULL;
  if (!solid) return NULL;
  solid->shape = describe_shape(&m);
  bool made = shape_make_make(&m, solid);
  solid->shape.material = def->material;
  memcpy(solid->shape.color, def->color, sizeof def->color);
  solid->shape.hidden = def->hidden;
  solid->shape.group = def->group;
  if (made) return solid;
  nsds_solid_release(m.context, solid);
  return NULL;
}
