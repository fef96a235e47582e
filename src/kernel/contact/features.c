/*
 * Finds the vertex, edge or face of a core that a point of another core may touch. All
 * coordinates are those of the core's body.
 *
 *   nearest    of a point with a radius: the feature whose Voronoi region holds the point. Gaps of
 *              two features agree where their regions meet, and so do their rates.
 *   foremost   of a vertex of a polygon: the face before which the vertex lies farthest. The vertex
 *              is outside the polygon if and only if the gap to this face is positive.
 *
 * A region is left only after a small way beyond its border. The next feature then has room, so
 * that rounding cannot change features to and fro.
 */
#include "kernel/contact/features.h"

/* Way beyond the border of a region, relative to the size of the core. */
static const double beyond = 1e-10;

static const double *vertex_of(const nsds_core *core, int v) { return core->v + 3 * v; }

static double height_of(const nsds_core *core, int face, const double *c) {
  const double *n = core->n + 3 * face, *p = vertex_of(core, core->loop[core->first[face]]);
  return nsds_dot(n, c) - nsds_dot(n, p);
}

/* Returns how far the foot of c on a face lies within side k, the vector from vertex a to b. In the
 * plane a side is the vertex a. */
static double within_side(const nsds_core *core, int face, int k, const double *c) {
  const int *loop = core->loop + core->first[face];
  int count = core->first[face + 1] - core->first[face];
  const double *a = vertex_of(core, loop[k]), *b = vertex_of(core, loop[(k + 1) % count]);
  double along[3], inward[3], way[3];
  for (int i = 0; i < 3; ++i) {
    along[i] = b[i] - a[i];
    way[i] = c[i] - a[i];
  }
  if (count == 2) return nsds_dot(way, along) / nsds_length(along);
  nsds_cross(core->n + 3 * face, along, inward);
  return nsds_dot(way, inward) / nsds_length(inward);
}

static double within_face(const nsds_core *core, int face, const double *c) {
  double least = INFINITY;
  for (int k = 0; k < core->first[face + 1] - core->first[face]; ++k)
    least = fmin(least, within_side(core, face, k, c));
  return least;
}

/* Returns the coordinate of c along edge e from its first vertex; *length: of the edge. */
static double along_edge(const nsds_core *core, int e, const double *c, double *length) {
  const double *a = vertex_of(core, core->edge[2 * e]), *b = vertex_of(core, core->edge[2 * e + 1]);
  double d[3], way[3];
  for (int i = 0; i < 3; ++i) {
    d[i] = b[i] - a[i];
    way[i] = c[i] - a[i];
  }
  *length = nsds_length(d);
  return nsds_dot(way, d) / *length;
}

void nsds_feature_place(const nsds_core *core, const nsds_feature *f, double *place,
                        double *direction) {
  int v = f->index;
  if (f->kind == NSDS_FEATURE_FACE) v = core->loop[core->first[f->index]];
  if (f->kind == NSDS_FEATURE_EDGE) v = core->edge[2 * f->index];
  for (int i = 0; i < 3; ++i) {
    place[i] = vertex_of(core, v)[i];
    direction[i] = f->kind == NSDS_FEATURE_FACE ? core->n[3 * f->index + i] : 0.0;
  }
  if (f->kind != NSDS_FEATURE_EDGE) return;
  const double *b = vertex_of(core, core->edge[2 * f->index + 1]);
  for (int i = 0; i < 3; ++i) direction[i] = b[i] - place[i];
  double length = nsds_length(direction);
  for (int i = 0; i < 3; ++i) direction[i] /= length;
}

void nsds_feature_ends(const nsds_core *core, const nsds_feature *f, double ends[2][3]) {
  bool edge = f->kind == NSDS_FEATURE_EDGE;
  for (int k = 0; k < 2; ++k)
    memcpy(ends[k], vertex_of(core, edge ? core->edge[2 * f->index + k] : f->index),
           sizeof ends[k]);
}

double nsds_feature_distance(const nsds_core *core, const nsds_feature *f, const double *c,
                             double *n) {
  double place[3], direction[3], way[3];
  nsds_feature_place(core, f, place, direction);
  for (int i = 0; i < 3; ++i) way[i] = c[i] - place[i];
  double along = nsds_dot(way, direction);
  if (f->kind == NSDS_FEATURE_FACE) {
    for (int i = 0; i < 3; ++i) n[i] = direction[i];
    return along;
  }
  for (int i = 0; i < 3; ++i) n[i] = way[i] - along * direction[i];
  double length = nsds_length(n);
  for (int i = 0; i < 3; ++i) n[i] = length > 0.0 ? n[i] / length : 0.0;
  return length;
}

/* Relative rounding of distances. At the border of two regions they agree to this; the face or edge
 * whose region holds the point then comes before its ends. */
static const double rounding = 1e-12;

/* ---- the nearest feature ------------------------------------------------------------------------- */

/* Returns true if the region of a feature holds c. */
static bool region_holds(const nsds_core *core, const nsds_feature *f, const double *c) {
  double length, along;
  if (f->kind == NSDS_FEATURE_VERTEX) return true; /* others are nearer elsewhere */
  if (f->kind == NSDS_FEATURE_FACE)
    return height_of(core, f->index, c) >= 0.0 && within_face(core, f->index, c) >= 0.0;
  along = along_edge(core, f->index, c, &length);
  return along >= 0.0 && along <= length;
}

/* Returns the face that a point inside the core would leave first. */
static nsds_feature shallowest(const nsds_core *core, const double *c) {
  nsds_feature found = {.kind = NSDS_FEATURE_FACE};
  for (int f = 1; f < core->nf; ++f)
    if (height_of(core, f, c) > height_of(core, found.index, c)) found.index = f;
  return found;
}

static bool is_inside(const nsds_core *core, const double *c) {
  bool inside = core->nf > 2; /* a segment in the plane has two sides and no inside */
  for (int f = 0; f < core->nf; ++f) inside = inside && height_of(core, f, c) < 0.0;
  return inside;
}

nsds_feature nsds_nearest_feature(const nsds_core *core, int dimension, const double *c) {
  nsds_feature nearest = {.kind = NSDS_FEATURE_VERTEX};
  double least = INFINITY, n[3];
  int count[] = {core->nv, dimension == 3 ? core->ne : 0, core->nf};
  if (is_inside(core, c)) return shallowest(core, c);
  for (int kind = NSDS_FEATURE_FACE; kind >= NSDS_FEATURE_VERTEX; --kind)
    for (int k = 0; k < count[kind]; ++k) {
      nsds_feature f = {.kind = (nsds_feature_kind)kind, .index = k};
      if (!region_holds(core, &f, c)) continue;
      double distance = nsds_feature_distance(core, &f, c, n);
      if (distance < least * (1.0 - rounding)) least = distance, nearest = f;
    }
  return nearest;
}

static bool ends_at(const nsds_core *core, int face, int k, int a, int b) {
  const int *loop = core->loop + core->first[face];
  int count = core->first[face + 1] - core->first[face], p = loop[k], q = loop[(k + 1) % count];
  return (p == a && q == b) || (p == b && q == a);
}

static double edge_margin(const nsds_core *core, int e, const double *c) {
  int a = core->edge[2 * e], b = core->edge[2 * e + 1];
  double length, along = along_edge(core, e, c, &length), least = fmin(along, length - along);
  for (int f = 0; f < core->nf; ++f)
    for (int k = 0; k < core->first[f + 1] - core->first[f]; ++k)
      if (ends_at(core, f, k, a, b)) least = fmin(least, -within_side(core, f, k, c));
  return least;
}

/* The vertex is nearest as long as the point is beyond it along all edges. */
static double vertex_margin(const nsds_core *core, int dimension, int v, const double *c) {
  double least = INFINITY, length;
  for (int e = 0; dimension == 3 && e < core->ne; ++e) {
    if (core->edge[2 * e] == core->edge[2 * e + 1]) continue;
    double along = along_edge(core, e, c, &length);
    if (core->edge[2 * e] == v) least = fmin(least, -along);
    if (core->edge[2 * e + 1] == v) least = fmin(least, along - length);
  }
  for (int f = 0; dimension == 2 && f < core->nf; ++f)
    for (int k = 0; k < 2; ++k)
      if (core->loop[core->first[f] + k] == v) least = fmin(least, -within_side(core, f, k, c));
  return least;
}

/* ---- the foremost face --------------------------------------------------------------------------- */

/* Faces whose gaps are smaller than this part of the size may bear a force. */
static const double near = 1e-7;

/* Returns true if a face touches the vertex at a corner that it shares with the foremost face. */
static bool may_bear(const nsds_core *core, int f, const double *c) {
  return fabs(height_of(core, f, c)) <= near * core->around;
}

nsds_feature nsds_foremost_face(const nsds_core *core, const double *c, const double *towards,
                                nsds_face_test *bears_nothing, void *user) {
  nsds_feature found = shallowest(core, c);
  double least = height_of(core, found.index, c) - 1.5 * beyond * core->around, most = -INFINITY;
  found.foremost = true;
  for (int f = 0; f < core->nf; ++f) {
    double faces = nsds_dot(core->n + 3 * f, towards);
    if (!may_bear(core, f, c) || height_of(core, f, c) < least) continue;
    found.decided = found.decided || f != found.index;
    if (bears_nothing(user, f)) continue;
    if (faces > most) most = faces, found.index = f;
  }
  found.idle = found.decided && most == -INFINITY;
  return found;
}

/* A vertex that moves along a face towards a corner must not strike the face behind the corner. Just
 * before the corner, the face that bears is chosen: it looks most towards the other core, and no
 * neighbour hides it. */
static double foremost_margin(const nsds_core *core, const nsds_feature *feature, const double *c) {
  int face = feature->index;
  double own = height_of(core, face, c), margin = INFINITY, small = beyond * core->around;
  for (int f = 0; f < core->nf; ++f) {
    if (f == face) continue;
    double ahead = own - height_of(core, f, c);
    margin = fmin(margin, 2.0 * small + ahead);
    if (!feature->decided && may_bear(core, f, c)) margin = fmin(margin, ahead - small);
  }
  return margin;
}

double nsds_feature_margin(const nsds_core *core, int dimension, const nsds_feature *f,
                           const double *c) {
  if (f->foremost) return foremost_margin(core, f, c);
  double margin = f->kind == NSDS_FEATURE_VERTEX ? vertex_margin(core, dimension, f->index, c)
                  : f->kind == NSDS_FEATURE_EDGE ? edge_margin(core, f->index, c)
                                                 : within_face(core, f->index, c);
  return margin + beyond * core->around;
}
