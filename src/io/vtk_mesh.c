/*
 * The mesh of a model: the shapes of all contact sets in the world, then loose shapes. A point stands for each
 * second-order system without a shape.
 *
 *     sphere, capsule   triangles of a sphere, of which the capsule moves one half along its axis
 *     disc, 2D capsule  a closed line with a spoke, so that one sees it turn
 *     box, hull         its faces, moved outwards by the radius around them; in the plane its edges
 *     triangles, height as they are
 *     field, mesh
 *     cylinder, cone,   the mesh of their surface
 *     ellipsoid
 *     half space        a square (in the plane a line) as large as all the rest
 *
 * A point of a body has the velocity v + w x r.
 */
#include "io/vtk_mesh.h"

#include "io/vtk_sphere.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/handle.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <math.h>

/* ---- cells and points ---- */

static void mesh_fail(nsds_vtk_mesh *m, nsds_status status) {
  if (!m->status) m->status = status;
}

static void mesh_point(nsds_vtk_mesh *m, const double *x, const double *v) {
  nsds_context *context = m->context;
  size_t size = 3 * sizeof *m->point, count = m->npoint + 1;
  if (!m->status && (size_t)INT32_MAX / 3 <= count)
    mesh_fail(m, nsds_fail(context, NSDS_ERROR_SIZE,
                           "nsds_write_vtk: the mesh has %zu points; valid are at most %d", count,
                           INT32_MAX / 3));
  if (!m->status) mesh_fail(m, nsds_grow(context, &m->point, &m->point_capacity, count, size));
  if (!m->status)
    mesh_fail(m, nsds_grow(context, &m->velocity, &m->velocity_capacity, count, size));
  if (m->status) return;
  for (int i = 0; i < 3; ++i) {
    m->point[3 * m->npoint + (size_t)i] = (float)x[i];
    m->velocity[3 * m->npoint + (size_t)i] = (float)v[i];
  }
  ++m->npoint;
}

/* Adds a cell of points first + corner[0], first + corner[1], ... */
static void mesh_cell(nsds_vtk_mesh *m, nsds_vtk_cell kind, int n, const int *corner, size_t first,
                      const int32_t *label) {
  nsds_vtk_cells *c = &m->cells[kind];
  nsds_context *context = m->context;
  size_t size = sizeof *c->corner;
  if (!m->status)
    mesh_fail(m, nsds_grow(context, &c->corner, &c->corner_capacity, c->ncorner + (size_t)n, size));
  if (!m->status) mesh_fail(m, nsds_grow(context, &c->end, &c->end_capacity, c->count + 1, size));
  for (int k = 0; k < NSDS_VTK_LABELS && !m->status; ++k)
    mesh_fail(m, nsds_grow(context, &c->label[k], &c->label_capacity[k], c->count + 1, size));
  if (m->status) return;
  for (int k = 0; k < n; ++k) c->corner[c->ncorner++] = (int32_t)first + corner[k];
  for (int k = 0; k < NSDS_VTK_LABELS; ++k) c->label[k][c->count] = label[k];
  c->end[c->count++] = (int32_t)c->ncorner;
}

/* ---- pose of a shape ---- */

typedef struct mesh_pose {
  double R[9], x[3];            /* of the shape in the world */
  double center[3], v[3], w[3]; /* of its body; zero of scenery */
} mesh_pose;

static void mesh_turn_in_plane(double angle, double *R) {
  const double c = cos(angle), s = sin(angle);
  const double turned[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
  memcpy(R, turned, sizeof turned);
}

/* Systems that are not rigid bodies have coordinates but do not turn. */
static void body_motion(const nsds_ds *ds, bool plane, mesh_pose *pose) {
  const double *q = ds->model->state.q + ds->q_offset, *v = ds->model->state.v + ds->v_offset;
  for (int i = 0; i < (plane ? 2 : 3); ++i) {
    pose->center[i] = i < ds->nq ? q[i] : 0.0;
    pose->v[i] = i < ds->nv ? v[i] : 0.0;
  }
  if (plane && nsds_turns_in_plane(ds)) pose->w[2] = v[2];
  else if (!plane && nsds_turns_in_space(ds)) nsds_to_world(q, v + 3, pose->w);
}

static void shape_pose(const nsds_shape_info *s, const nsds_ds *body, mesh_pose *pose) {
  *pose = (mesh_pose){.x = {s->world_position[0], s->world_position[1], s->world_position[2]}};
  if (s->dimension == 2) mesh_turn_in_plane(s->world_angle, pose->R);
  else nsds_rotation_matrix(s->world_quaternion, pose->R);
  if (body) body_motion(body, s->dimension == 2, pose);
}

/* Adds a point of the shape, given in the shape's axes. */
static void place_point(nsds_vtk_mesh *m, const mesh_pose *pose, const double *own) {
  double x[3], arm[3], v[3];
  nsds_turn(pose->R, own, x);
  for (int i = 0; i < 3; ++i) {
    x[i] += pose->x[i];
    arm[i] = x[i] - pose->center[i];
  }
  nsds_cross(pose->w, arm, v);
  for (int i = 0; i < 3; ++i) v[i] += pose->v[i];
  mesh_point(m, x, v);
}

/* ---- shapes ---- */

typedef struct mesh_shape {
  const nsds_shape_info *info;
  mesh_pose pose;
  int32_t label[NSDS_VTK_LABELS];
} mesh_shape;

static void mesh_round(nsds_vtk_mesh *m, const mesh_shape *s, const nsds_vtk_sphere *sphere) {
  const double r = s->info->radius, half = s->info->kind == NSDS_CAPSULE ? s->info->half[0] : 0.0;
  size_t first = m->npoint;
  for (int k = 0; k < sphere->npoint; ++k) {
    const double *p = sphere->point + 3 * k;
    const double own[3] = {r * p[0] + copysign(half, p[0]), r * p[1], r * p[2]};
    place_point(m, &s->pose, own);
  }
  for (int f = 0; f < sphere->nface; ++f)
    mesh_cell(m, NSDS_VTK_POLYS, 3, sphere->face + 3 * f, first, s->label);
}

enum { round_corners = 33 };

static void mesh_disc(nsds_vtk_mesh *m, const mesh_shape *s) {
  const double r = s->info->radius, half = s->info->kind == NSDS_CAPSULE ? s->info->half[0] : 0.0;
  int corner[round_corners + 1];
  size_t first = m->npoint;
  for (int k = 0; k < round_corners; ++k) {
    double a = 2.0 * acos(-1.0) * k / (round_corners - 1), c = cos(a);
    const double own[3] = {r * c + copysign(half, c), r * sin(a), 0.0};
    place_point(m, &s->pose, own);
    corner[k] = k;
  }
  place_point(m, &s->pose, (const double[3]){0.0, 0.0, 0.0});
  corner[round_corners] = round_corners;
  mesh_cell(m, NSDS_VTK_LINES, round_corners + 1, corner, first, s->label);
}

/* Computes the normal of a face of three or more corners; zero for an edge in the plane. */
static void face_normal(const nsds_shape_info *s, int f, double *n) {
  const int *at = s->face + s->first[f];
  const double *a = s->vertex + 3 * at[0], *b = s->vertex + 3 * at[1];
  double u[3], w[3] = {0.0, 0.0, 1.0};
  for (int i = 0; i < 3; ++i) u[i] = b[i] - a[i];
  if (s->dimension == 3)
    for (int i = 0; i < 3; ++i) w[i] = s->vertex[3 * at[2] + i] - a[i];
  nsds_cross(u, w, n);
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; i < 3; ++i) n[i] = length > 0.0 ? n[i] / length : 0.0;
}

/* Adds faces with their own corners, so that each can be moved outwards by the radius around it. */
static void mesh_faces(nsds_vtk_mesh *m, const mesh_shape *s) {
  const nsds_shape_info *info = s->info;
  nsds_vtk_cell kind = info->dimension == 2 ? NSDS_VTK_LINES : NSDS_VTK_POLYS;
  bool round = info->kind == NSDS_CYLINDER || info->kind == NSDS_CONE; /* meshes of the surface */
  for (int f = 0; f < info->nface && !m->status; ++f) {
    int count = info->first[f + 1] - info->first[f];
    double n[3];
    size_t first = m->npoint;
    face_normal(info, f, n);
    for (int k = 0; k < count; ++k) {
      const double *p = info->vertex + 3 * info->face[info->first[f] + k];
      double own[3];
      for (int i = 0; i < 3; ++i) own[i] = p[i] + (round ? 0.0 : info->radius * n[i]);
      place_point(m, &s->pose, own);
    }
    for (int k = 0; k + 1 < count; ++k) /* a fan, or the single line of an edge */
      if (kind == NSDS_VTK_LINES) mesh_cell(m, kind, 2, (const int[]){k, k + 1}, first, s->label);
      else if (k > 0) mesh_cell(m, kind, 3, (const int[]){0, k, k + 1}, first, s->label);
  }
}

/* ---- half spaces, which have no end ---- */

typedef struct mesh_extent {
  double low[3], high[3];
} mesh_extent;

static mesh_extent extent_of(const nsds_vtk_mesh *m) {
  mesh_extent e = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  for (size_t k = 0; k < m->npoint; ++k)
    for (int i = 0; i < 3; ++i) {
      double x = (double)m->point[3 * k + (size_t)i];
      if (k == 0 || x < e.low[i]) e.low[i] = x;
      if (k == 0 || x > e.high[i]) e.high[i] = x;
    }
  return e;
}

static void mesh_half_space(nsds_vtk_mesh *m, const mesh_shape *s, const mesh_extent *e) {
  const double *n = s->info->plane.normal, still[3] = {0.0, 0.0, 0.0};
  double middle[3], size = 0.0, height = -s->info->plane.offset, a[3], b[3];
  bool plane = s->info->dimension == 2;
  for (int i = 0; i < 3; ++i) {
    middle[i] = 0.5 * (e->low[i] + e->high[i]);
    size = fmax(size, e->high[i] - e->low[i]);
    height += n[i] * middle[i];
  }
  for (int i = 0; i < 3; ++i) middle[i] -= height * n[i];
  const double beside[3] = {fabs(n[0]) < 0.6 ? 1.0 : 0.0, fabs(n[0]) < 0.6 ? 0.0 : 1.0, 0.0};
  nsds_cross(n, plane ? (const double[3]){0.0, 0.0, 1.0} : beside, a);
  double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (int i = 0; i < 3; ++i) a[i] *= size / length;
  nsds_cross(n, a, b);
  size_t first = m->npoint;
  for (int k = 0; k < (plane ? 2 : 4); ++k) {
    double along = k == 0 || k == 3 ? -1.0 : 1.0, across = k < 2 ? -1.0 : 1.0, x[3];
    for (int i = 0; i < 3; ++i) x[i] = middle[i] + along * a[i] + (plane ? 0.0 : across * b[i]);
    mesh_point(m, x, still);
  }
  mesh_cell(m, plane ? NSDS_VTK_LINES : NSDS_VTK_POLYS, plane ? 2 : 4, (const int[]){0, 1, 2, 3},
            first, s->label);
}

/* ---- all of a model ---- */

static bool is_round(const nsds_shape_info *s) {
  return s->kind == NSDS_SPHERE || s->kind == NSDS_CAPSULE;
}

typedef struct mesh_walk {
  nsds_vtk_mesh *mesh;
  nsds_model *model;
  const nsds_vtk_loose *loose;
  nsds_vtk_sphere sphere;
  mesh_extent extent;
  bool *drawn; /* by system: true if it has a shape */
  int rounds;
  bool ends; /* the pass over half spaces */
} mesh_walk;

static void mesh_shape_of(mesh_walk *walk, const nsds_shape_info *info, int set) {
  const nsds_ds *body = info->ds ? nsds_ds_find(info->ds, "nsds_write_vtk") : NULL;
  mesh_shape s = {.info = info,
                  .label = {[NSDS_VTK_BODY] = body ? body->index : -1,
                            [NSDS_VTK_SHAPE] = info->number,
                            [NSDS_VTK_SET] = set,
                            [NSDS_VTK_MATERIAL] = info->material}};
  if (info->kind == NSDS_HALF_SPACE) {
    if (walk->ends) mesh_half_space(walk->mesh, &s, &walk->extent);
    return;
  }
  if (walk->ends) return;
  if (body) walk->drawn[body->index] = true;
  shape_pose(info, body, &s.pose);
  if (!is_round(info)) mesh_faces(walk->mesh, &s);
  else if (info->dimension == 2) mesh_disc(walk->mesh, &s);
  else mesh_round(walk->mesh, &s, &walk->sphere);
}

/* Visits the shapes of all sets, and those of none. */
static void walk_shapes(mesh_walk *walk, void (*visit)(mesh_walk *, const nsds_shape_info *, int)) {
  for (int k = 0; k < nsds_model_contact_set_count(walk->model); ++k) {
    const nsds_contact_set *set = nsds_model_contact_set_at(walk->model, k);
    int count = nsds_shapes_count(set);
    for (int j = 0; j < count && !walk->mesh->status; ++j) {
      nsds_shape_info info;
      nsds_status status = nsds_shapes_at(set, j, &info);
      if (status) mesh_fail(walk->mesh, status);
      else visit(walk, &info, k);
    }
  }
  for (int k = 0; k < walk->loose->count && !walk->mesh->status; ++k) {
    nsds_shape_info info;
    nsds_status status = nsds_vtk_loose_at(walk->loose, walk->model, k, &info);
    if (status) mesh_fail(walk->mesh, status);
    else visit(walk, &info, -1);
  }
}

static void count_round(mesh_walk *walk, const nsds_shape_info *info, int set) {
  (void)set;
  walk->rounds += is_round(info) && info->dimension == 3;
}

/* Adds a point at the first coordinates of each system without shapes. */
static void mesh_systems(mesh_walk *walk) {
  const nsds_model *model = walk->model;
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    if (walk->drawn[k] || !nsds_is_second_order(ds)) continue;
    const double *q = model->state.q + ds->q_offset, *v = model->state.v + ds->v_offset;
    double x[3] = {0.0}, u[3] = {0.0};
    for (int i = 0; i < 3 && i < ds->nq; ++i) x[i] = q[i];
    for (int i = 0; i < 3 && i < ds->nv; ++i) u[i] = v[i];
    if (ds->type.load && ds->nq == 3) x[2] = u[2] = 0.0; /* a body in the plane */
    const int32_t label[NSDS_VTK_LABELS] = {ds->index, -1, -1, -1};
    size_t first = walk->mesh->npoint;
    mesh_point(walk->mesh, x, u);
    mesh_cell(walk->mesh, NSDS_VTK_VERTS, 1, (const int[]){0}, first, label);
  }
}

void nsds_vtk_mesh_clear(nsds_vtk_mesh *mesh) {
  mesh->status = NSDS_OK;
  mesh->npoint = 0;
  for (int k = 0; k < NSDS_VTK_CELLS; ++k) mesh->cells[k].count = mesh->cells[k].ncorner = 0;
}

nsds_status nsds_vtk_mesh_vertex(nsds_vtk_mesh *mesh, const double *x, const double *v) {
  const int32_t label[NSDS_VTK_LABELS] = {0};
  size_t first = mesh->npoint;
  mesh_point(mesh, x, v);
  mesh_cell(mesh, NSDS_VTK_VERTS, 1, (const int[]){0}, first, label);
  return mesh->status;
}

nsds_status nsds_vtk_mesh_line(nsds_vtk_mesh *mesh, const double *from, const double *to,
                               int number) {
  const int32_t label[NSDS_VTK_LABELS] = {number};
  const double still[3] = {0.0, 0.0, 0.0};
  size_t first = mesh->npoint;
  mesh_point(mesh, from, still);
  mesh_point(mesh, to, still);
  mesh_cell(mesh, NSDS_VTK_LINES, 2, (const int[]){0, 1}, first, label);
  return mesh->status;
}

nsds_status nsds_vtk_mesh_fill(nsds_vtk_mesh *mesh, nsds_model *model, const nsds_vtk_loose *loose,
                               int level) {
  nsds_vtk_mesh_clear(mesh);
  mesh_walk *walk = NSDS_NEW(mesh->context, mesh_walk);
  if (!walk) return NSDS_ERROR_MEMORY;
  walk->mesh = mesh;
  walk->model = model;
  walk->loose = loose;
  walk->drawn = NSDS_NEW_ARRAY(mesh->context, bool, model->ds.count + 1);
  if (!walk->drawn) mesh_fail(mesh, NSDS_ERROR_MEMORY);
  walk_shapes(walk, count_round);
  if (level == 0) level = walk->rounds > 10000 ? 1 : walk->rounds > 1000 ? 2 : 3;
  nsds_vtk_sphere_make(&walk->sphere, level);
  if (!mesh->status) walk_shapes(walk, mesh_shape_of);
  if (!mesh->status) mesh_systems(walk);
  walk->extent = extent_of(mesh);
  walk->ends = true;
  if (!mesh->status) walk_shapes(walk, mesh_shape_of);
  nsds_release(mesh->context, walk->drawn);
  nsds_release(mesh->context, walk);
  return mesh->status;
}

void nsds_vtk_mesh_release(nsds_vtk_mesh *mesh) {
  nsds_release(mesh->context, mesh->point);
  nsds_release(mesh->context, mesh->velocity);
  for (int k = 0; k < NSDS_VTK_CELLS; ++k) {
    nsds_vtk_cells *c = &mesh->cells[k];
    nsds_release(mesh->context, c->corner);
    nsds_release(mesh->context, c->end);
    for (int j = 0; j < NSDS_VTK_LABELS; ++j) nsds_release(mesh->context, c->label[j]);
  }
  *mesh = (nsds_vtk_mesh){.context = mesh->context};
}
