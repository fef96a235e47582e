/*
 * Cuts the inside of a closed mesh into convex cells, by the planes of its triangles:
 *
 *   cut (cell, faces in it):
 *     choose the plane of a face: if there is one with no face in front of it, this one
 *     in front     no face: outside of the mesh; else cut
 *     behind       no face: inside, a cell of the result; else cut
 *
 * Faces and sides of cells are convex polygons, which a plane cuts in two. The cut of a cell gets a
 * side of its own, whose corners are sorted by their angle. A convex mesh is one cell.
 *
 * Source: W. Thibault, B. Naylor, Set operations on polyhedra using binary space partitioning trees,
 * SIGGRAPH (1987).
 */
#include "kernel/contact/mesh_cut.h"

#include "base/context.h"
#include "kernel/modeling/body.h"

#include <stdlib.h>

/* Relative to the size of the mesh: corners nearer to a plane lie on it. */
static const double on_plane = 1e-10;
enum { most_tries = 48, most_cap = 512 };

typedef struct cut_polygon {
  int first, n;    /* corners */
  double plane[4]; /* faces: normal and offset */
} cut_polygon;

/* Polygons and their corners are stacks: a cut adds its parts, and takes them off at the end. */
typedef struct cutter {
  nsds_context *context;
  cut_polygon *polygon;
  double *x;
  size_t polygons, corners, polygon_room, corner_room;
  double slack;
  int *first; /* of the result */
  double *point;
  size_t cells, points, cell_room, point_room, most;
  bool many;
} cutter;

typedef struct cut_range {
  size_t from, to;
} cut_range;

static nsds_status push_corner(cutter *c, const double *x) {
  nsds_status status =
      nsds_grow(c->context, &c->x, &c->corner_room, 3 * (c->corners + 1), sizeof *c->x);
  if (status) return status;
  memmove(c->x + 3 * c->corners++, x, 3 * sizeof *x);
  return NSDS_OK;
}

/* Begins a polygon of the corners that follow, on the plane of another one. */
static nsds_status push_polygon(cutter *c, const double *plane) {
  cut_polygon begun = {.first = (int)c->corners};
  memcpy(begun.plane, plane, sizeof begun.plane);
  nsds_status status =
      nsds_grow(c->context, &c->polygon, &c->polygon_room, c->polygons + 1, sizeof *c->polygon);
  if (!status) c->polygon[c->polygons++] = begun;
  return status;
}

static void end_polygon(cutter *c) {
  cut_polygon *last = &c->polygon[c->polygons - 1];
  last->n = (int)c->corners - last->first;
  if (last->n >= 3) return;
  c->corners = (size_t)last->first;
  --c->polygons;
}

static double above(const double *plane, const double *x) { return nsds_dot(plane, x) - plane[3]; }

/* Tells where a polygon lies: *front, *behind are set where it has a corner off the plane. */
static void lies_off(const cutter *c, const cut_polygon *p, const double *plane, bool *front,
                     bool *behind) {
  *front = *behind = false;
  for (int k = 0; k < p->n; ++k) {
    double d = above(plane, c->x + 3 * (p->first + k));
    *front = *front || d > c->slack;
    *behind = *behind || d < -c->slack;
  }
}

/* Adds the part of a polygon in front of a plane (sign 1), or behind it (-1). */
static nsds_status push_part(cutter *c, size_t which, const double *plane, double sign) {
  cut_polygon p = c->polygon[which];
  nsds_status status = push_polygon(c, p.plane);
  for (int k = 0; !status && k < p.n; ++k) {
    double a[3], b[3], x[3];
    memcpy(a, c->x + 3 * (p.first + k), sizeof a);
    memcpy(b, c->x + 3 * (p.first + (k + 1) % p.n), sizeof b);
    double da = sign * above(plane, a), db = sign * above(plane, b);
    if (da >= -c->slack) status = push_corner(c, a);
    if (!((da > c->slack && db < -c->slack) || (da < -c->slack && db > c->slack))) continue;
    for (int i = 0; i < 3; ++i) x[i] = a[i] + da / (da - db) * (b[i] - a[i]);
    if (!status) status = push_corner(c, x);
  }
  if (!status) end_polygon(c);
  return status;
}

/* ---- the cut of a cell ----------------------------------------------------------------------- */

typedef struct cap_corner {
  double angle, x[3];
} cap_corner;

static int by_angle(const void *one, const void *other) {
  const cap_corner *a = one, *b = other;
  return (a->angle > b->angle) - (a->angle < b->angle);
}

/* Adds the side of a part of a cell on the plane: the corners there of its other sides, in order. */
static nsds_status push_cap(cutter *c, cut_range sides, const double *plane) {
  cap_corner cap[most_cap] = {{0.0, {0.0}}};
  double middle[3] = {0.0}, u[3] = {0.0}, v[3];
  int n = 0, axis = fabs(plane[0]) < 0.6 ? 0 : 1;
  for (size_t s = sides.from; s < sides.to; ++s)
    for (int k = 0; k < c->polygon[s].n && n < most_cap; ++k) {
      const double *x = c->x + 3 * (c->polygon[s].first + k);
      if (fabs(above(plane, x)) <= 4.0 * c->slack) cap[n++] = (cap_corner){0.0, {x[0], x[1], x[2]}};
    }
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 3; ++i) middle[i] += cap[k].x[i] / n;
  u[axis] = 1.0;
  nsds_cross(plane, u, v);
  nsds_cross(v, plane, u);
  for (int k = 0; k < n; ++k) {
    double r[3];
    for (int i = 0; i < 3; ++i) r[i] = cap[k].x[i] - middle[i];
    cap[k].angle = atan2(nsds_dot(r, v), nsds_dot(r, u));
  }
  qsort(cap, (size_t)n, sizeof *cap, by_angle);
  nsds_status status = push_polygon(c, plane);
  for (int k = 0; !status && k < n; ++k) {
    const double *x = cap[k].x, *last = c->x + 3 * (c->corners - 1);
    bool fresh =
        (int)c->corners == c->polygon[c->polygons - 1].first ||
        fabs(x[0] - last[0]) + fabs(x[1] - last[1]) + fabs(x[2] - last[2]) > 4.0 * c->slack;
    if (fresh) status = push_corner(c, x);
  }
  if (!status) end_polygon(c);
  return status;
}

static nsds_status cut_cell(cutter *c, cut_range cell, const double *plane, double sign,
                            cut_range *part) {
  nsds_status status = NSDS_OK;
  part->from = c->polygons;
  for (size_t s = cell.from; !status && s < cell.to; ++s) {
    bool front, behind;
    lies_off(c, &c->polygon[s], plane, &front, &behind);
    if (sign > 0.0 ? front : behind) status = push_part(c, s, plane, sign);
  }
  part->to = c->polygons;
  if (!status) status = push_cap(c, *part, plane);
  part->to = c->polygons;
  return status;
}

/* Adds the faces in front of a plane or behind it. Faces on the plane are done. */
static nsds_status cut_faces(cutter *c, cut_range faces, const double *plane, double sign,
                             cut_range *part) {
  nsds_status status = NSDS_OK;
  part->from = c->polygons;
  for (size_t f = faces.from; !status && f < faces.to; ++f) {
    bool front, behind;
    lies_off(c, &c->polygon[f], plane, &front, &behind);
    if (sign > 0.0 ? front : behind) status = push_part(c, f, plane, sign);
  }
  part->to = c->polygons;
  return status;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Chooses the face whose plane has no face in front, else the one that cuts fewest. */
static void choose_plane(const cutter *c, cut_range faces, double *plane) {
  size_t step = (faces.to - faces.from + most_tries - 1) / most_tries;
  long least = -1;
  for (size_t k = faces.from; k < faces.to; k += step) {
    long ahead = 0, cuts = 0, back = 0;
    for (size_t f = faces.from; f < faces.to; ++f) {
      bool front, behind;
      lies_off(c, &c->polygon[f], c->polygon[k].plane, &front, &behind);
      ahead += front;
      back += behind;
      cuts += front && behind;
    }
    long cost = ahead == 0 ? 0 : 1 + 8 * cuts + labs(ahead - back);
    if (least >= 0 && cost >= least) continue;
    least = cost;
    memcpy(plane, c->polygon[k].plane, sizeof c->polygon[k].plane);
    if (cost == 0) return;
  }
}

static bool is_near_point(const cutter *c, const double *x, const double *y) {
  return fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) <= 16.0 * c->slack;
}

/* Keeps the corners of a cell, each once. */
static nsds_status keep_cell(cutter *c, cut_range cell) {
  nsds_status status =
      nsds_grow(c->context, &c->first, &c->cell_room, c->cells + 2, sizeof *c->first);
  if (!status && c->cells == c->most) c->many = true;
  if (status || c->many) return status;
  size_t begin = c->points;
  c->first[c->cells] = (int)begin;
  for (size_t s = cell.from; s < cell.to; ++s)
    for (int k = 0; k < c->polygon[s].n; ++k) {
      const double *x = c->x + 3 * (c->polygon[s].first + k);
      size_t at = begin;
      while (at < c->points && !is_near_point(c, c->point + 3 * at, x)) ++at;
      if (at < c->points) continue;
      status =
          nsds_grow(c->context, &c->point, &c->point_room, 3 * (c->points + 1), sizeof *c->point);
      if (status) return status;
      memcpy(c->point + 3 * c->points++, x, 3 * sizeof *x);
    }
  c->first[++c->cells] = (int)c->points;
  return NSDS_OK;
}

static nsds_status cut_further(cutter *c, cut_range cell, cut_range faces) {
  size_t polygons = c->polygons, corners = c->corners;
  double plane[4] = {0.0};
  nsds_status status = NSDS_OK;
  choose_plane(c, faces, plane);
  for (int side = 1; !status && !c->many && side >= -1; side -= 2) {
    cut_range in = {0}, part = {0};
    status = cut_faces(c, faces, plane, side, &in);
    bool empty = in.from == in.to;
    if (!status && !(empty && side > 0)) status = cut_cell(c, cell, plane, side, &part);
    if (!status && empty && side < 0) status = keep_cell(c, part);
    if (!status && !empty) status = cut_further(c, part, in);
    c->polygons = polygons;
    c->corners = corners;
  }
  return status;
}

/* ---- the start ------------------------------------------------------------------------------- */

/* Adds the triangles that have an area. */
static nsds_status push_triangles(cutter *c, int nface, const double *triangle) {
  nsds_status status = NSDS_OK;
  for (int f = 0; !status && f < nface; ++f) {
    const double *x = triangle + 9 * (size_t)f;
    double u[3], v[3], plane[4];
    for (int i = 0; i < 3; ++i) {
      u[i] = x[3 + i] - x[i];
      v[i] = x[6 + i] - x[i];
    }
    nsds_cross(u, v, plane);
    double length = nsds_length(plane);
    if (!(length > c->slack * c->slack)) continue;
    for (int i = 0; i < 3; ++i) plane[i] /= length;
    plane[3] = nsds_dot(plane, x);
    status = push_polygon(c, plane);
    for (int k = 0; !status && k < 3; ++k) status = push_corner(c, x + 3 * k);
    if (!status) end_polygon(c);
  }
  return status;
}

/* Adds the six sides of a box around the mesh. */
static nsds_status push_box(cutter *c, const double *lo, const double *hi) {
  static const double none[4] = {0.0};
  nsds_status status = NSDS_OK;
  for (int side = 0; !status && side < 6; ++side) {
    int a = side / 2, b = (a + 1) % 3, d = (a + 2) % 3;
    status = push_polygon(c, none);
    for (int k = 0; !status && k < 4; ++k) {
      double x[3];
      x[a] = side % 2 ? hi[a] : lo[a];
      x[b] = k == 1 || k == 2 ? hi[b] : lo[b];
      x[d] = k >= 2 ? hi[d] : lo[d];
      status = push_corner(c, x);
    }
    if (!status) end_polygon(c);
  }
  return status;
}

nsds_status nsds_mesh_cut(nsds_context *context, int nface, const double *triangle, int most,
                          nsds_cells *cells, bool *many) {
  cutter c = {.context = context, .most = (size_t)most};
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
  double size = 0.0;
  for (size_t k = 0; k < 9 * (size_t)nface; ++k) {
    lo[k % 3] = fmin(lo[k % 3], triangle[k]);
    hi[k % 3] = fmax(hi[k % 3], triangle[k]);
  }
  for (int i = 0; i < 3; ++i) size = fmax(size, hi[i] - lo[i]);
  for (int i = 0; i < 3; ++i) lo[i] -= 0.1 * size, hi[i] += 0.1 * size;
  c.slack = on_plane * size;
  nsds_status status = push_box(&c, lo, hi);
  cut_range box = {0, c.polygons}, faces = {c.polygons, 0};
  if (!status) status = push_triangles(&c, nface, triangle);
  faces.to = c.polygons;
  if (!status && faces.to > faces.from) status = cut_further(&c, box, faces);
  nsds_release(context, c.polygon);
  nsds_release(context, c.x);
  *cells = (nsds_cells){.n = (int)c.cells, .first = c.first, .point = c.point};
  *many = c.many;
  return status;
}
