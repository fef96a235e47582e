/*
 * Contacts of pairs of shapes at random places against brute force: distances of cores that are
 * apart as the least over all pairs of vertices, edges and triangles; overlaps against the width
 * along many directions; closed forms of spheres and planes; libccd against separating axes.
 */
#include "support.h"

enum { most_vertices = 40, most_triangles = 40, directions = 4000 };

/* A shape by its core: vertices, edges by pairs, triangles that cover its surface. */
typedef struct body {
  int dimension, nv, ne, nt;
  double local[most_vertices][3], x[most_vertices][3], radius;
  int edge[most_vertices * most_vertices][2], tri[most_triangles][3];
  nsds_shape_def def;
  double flat[2 * 3 * most_vertices]; /* of the definition */
  int face[3];
} body;

/* ---- vectors ---- */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; ++i) c[i] = a[i] - b[i];
}

static void cross(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; ++i)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void random_direction(uint64_t *seed, int dimension, double *n) {
  double length;
  do {
    for (int i = 0; i < 3; ++i) n[i] = i < dimension ? random_in(seed, -1.0, 1.0) : 0.0;
    length = sqrt(dot(n, n));
  } while (length > 1.0 || length < 0.1);
  for (int i = 0; i < 3; ++i) n[i] /= length;
}

/* ---- brute force ---- */

static double point_point(const double *p, const double *q) {
  double d[3];
  minus(p, q, d);
  return sqrt(dot(d, d));
}

static double point_segment(const double *p, const double *a, const double *b) {
  double u[3], r[3], foot[3];
  minus(b, a, u);
  minus(p, a, r);
  double t = fmin(1.0, fmax(0.0, dot(u, r) / dot(u, u)));
  for (int i = 0; i < 3; ++i) foot[i] = a[i] + t * u[i];
  return point_point(p, foot);
}

/* Least distance of segments: where both ends of the other's shortest way are inside, the distance
 * of lines; else an end. */
static double segment_segment(const double *a, const double *b, const double *c, const double *d) {
  double u[3], v[3], r[3], n[3];
  double least = fmin(fmin(point_segment(a, c, d), point_segment(b, c, d)),
                      fmin(point_segment(c, a, b), point_segment(d, a, b)));
  minus(b, a, u);
  minus(d, c, v);
  minus(c, a, r);
  cross(u, v, n);
  double nn = dot(n, n), rv[3], ru[3];
  if (nn < 1e-20) return least;
  cross(r, v, rv);
  cross(r, u, ru);
  double s = dot(rv, n) / nn, t = dot(ru, n) / nn;
  bool inside = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
  return inside ? fmin(least, fabs(dot(r, n)) / sqrt(nn)) : least;
}

static double point_triangle(const double *p, const double *a, const double *b, const double *c) {
  double u[3], v[3], r[3], n[3];
  minus(b, a, u);
  minus(c, a, v);
  minus(p, a, r);
  cross(u, v, n);
  double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ru = dot(r, u), rv = dot(r, v);
  double det = uu * vv - uv * uv, s = (vv * ru - uv * rv) / det, t = (uu * rv - uv * ru) / det;
  if (s >= 0.0 && t >= 0.0 && s + t <= 1.0) return fabs(dot(r, n)) / sqrt(dot(n, n));
  return fmin(point_segment(p, a, b), fmin(point_segment(p, b, c), point_segment(p, c, a)));
}

static double distance(const body *p, const body *q) {
  double least = INFINITY;
  for (int i = 0; i < p->nv; ++i)
    for (int j = 0; j < q->nv; ++j) least = fmin(least, point_point(p->x[i], q->x[j]));
  for (int k = 0; k < 2; ++k) {
    const body *a = k ? q : p, *b = k ? p : q;
    for (int i = 0; i < a->nv; ++i) {
      for (int j = 0; j < b->ne; ++j)
        least = fmin(least, point_segment(a->x[i], b->x[b->edge[j][0]], b->x[b->edge[j][1]]));
      for (int j = 0; j < b->nt; ++j)
        least = fmin(least, point_triangle(a->x[i], b->x[b->tri[j][0]], b->x[b->tri[j][1]],
                                           b->x[b->tri[j][2]]));
    }
  }
  for (int i = 0; i < p->ne; ++i)
    for (int j = 0; j < q->ne; ++j)
      least = fmin(least, segment_segment(p->x[p->edge[i][0]], p->x[p->edge[i][1]],
                                          q->x[q->edge[j][0]], q->x[q->edge[j][1]]));
  return least;
}

/* min n.p - max n.q: how far apart the cores are along n, from q to p. */
static double apart_along(const body *p, const body *q, const double *n) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < p->nv; ++i) low = fmin(low, dot(n, p->x[i]));
  for (int i = 0; i < q->nv; ++i) high = fmax(high, dot(n, q->x[i]));
  return low - high;
}

/* The largest of it over many directions. */
static double apart(const body *p, const body *q, uint64_t *seed) {
  double most = -INFINITY, n[3];
  for (int k = 0; k < directions; ++k) {
    random_direction(seed, p->dimension, n);
    most = fmax(most, apart_along(p, q, n));
  }
  return most;
}

/* How far a point is outside: it is inside of a polytope where no plane of three vertices that has
 * all of it on one side has the point on the other. */
static double outside(const body *p, const double *x) {
  double most = -INFINITY;
  for (int k = 0; k < p->nt; ++k) {
    double u[3], v[3], n[3], r[3];
    minus(p->x[p->tri[k][1]], p->x[p->tri[k][0]], u);
    minus(p->x[p->tri[k][2]], p->x[p->tri[k][0]], v);
    cross(u, v, n);
    minus(x, p->x[p->tri[k][0]], r);
    most = fmax(most, dot(r, n) / sqrt(dot(n, n)));
  }
  if (p->nt > 1 && most <= 0.0) return most;
  body point = {.dimension = 3, .nv = 1};
  memcpy(point.x[0], x, sizeof point.x[0]);
  return distance(&point, p);
}

/* ---- random shapes ---- */

static void add_edges_of_triangles(body *b) {
  for (int k = 0; k < b->nt; ++k)
    for (int i = 0; i < 3; ++i) {
      b->edge[b->ne][0] = b->tri[k][i];
      b->edge[b->ne++][1] = b->tri[k][(i + 1) % 3];
    }
}

/* Triangles of all triples that have every other vertex on one side; in the plane edges of pairs.
 */
static void find_surface(body *b) {
  double u[3], v[3], n[3], r[3];
  for (int i = 0; i < b->nv; ++i)
    for (int j = 0; j < b->nv; ++j)
      for (int k = 0; k < (b->dimension == 3 ? b->nv : 1); ++k) {
        bool space = b->dimension == 3, all = true;
        if (i == j || (space && (i == k || j == k || i > j || i > k))) continue;
        minus(b->local[j], b->local[i], u);
        if (space) minus(b->local[k], b->local[i], v);
        else v[0] = v[1] = 0.0, v[2] = 1.0;
        cross(u, v, n);
        for (int l = 0; l < b->nv; ++l) {
          minus(b->local[l], b->local[i], r);
          all = all && dot(r, n) <= 1e-12;
        }
        if (all && space) {
          b->tri[b->nt][0] = i, b->tri[b->nt][1] = j, b->tri[b->nt++][2] = k;
        } else if (all) b->edge[b->ne][0] = i, b->edge[b->ne++][1] = j;
      }
  add_edges_of_triangles(b);
}

static body random_body(nsds_shape_kind kind, int dimension, uint64_t *seed) {
  body b = {.dimension = dimension, .nv = 1, .def = {.kind = kind}};
  bool solid = kind >= NSDS_BOX;
  b.radius = solid && random_in(seed, 0.0, 1.0) < 0.7 ? 0.0 : random_in(seed, 0.05, 0.3);
  b.def.radius = b.radius;
  if (kind == NSDS_CAPSULE) {
    b.def.half[0] = random_in(seed, 0.1, 0.8);
    b.nv = 2;
    b.ne = 1;
    b.edge[0][1] = 1;
    b.local[0][0] = -b.def.half[0];
    b.local[1][0] = b.def.half[0];
  } else if (kind == NSDS_BOX) {
    b.nv = dimension == 3 ? 8 : 4;
    for (int i = 0; i < dimension; ++i) b.def.half[i] = random_in(seed, 0.1, 0.7);
    for (int k = 0; k < b.nv; ++k)
      for (int i = 0; i < dimension; ++i)
        b.local[k][i] = (k >> i & 1 ? 1.0 : -1.0) * b.def.half[i] * (1.0 + 0e-3 * k);
  } else if (kind == NSDS_HULL || kind == NSDS_TRIANGLES) {
    b.nv = kind == NSDS_TRIANGLES ? dimension : 5 + (int)random_in(seed, 0.0, 6.0);
    for (int k = 0; k < b.nv; ++k)
      for (int i = 0; i < dimension; ++i) b.local[k][i] = random_in(seed, -0.6, 0.6);
  }
  if (kind == NSDS_TRIANGLES) {
    b.nt = dimension == 3;
    for (int k = 0; k < dimension; ++k) b.tri[0][k] = b.face[k] = k;
    add_edges_of_triangles(&b);
    if (dimension == 2) b.ne = 1, b.edge[0][1] = 1;
  } else if (kind >= NSDS_BOX) find_surface(&b);
  for (int k = 0; k < b.nv; ++k)
    for (int i = 0; i < dimension; ++i) b.flat[dimension * k + i] = b.local[k][i];
  b.def.nvertex = b.nv;
  b.def.nface = 1;
  return b;
}

/* Where the vertices are when the body is at q (its centre, the shape at `at` in it). */
static void place(body *b, const double *q) {
  const double turn[] = {0, 0, 0, cos(0.5 * q[2]), 0, 0, sin(0.5 * q[2])};
  for (int k = 0; k < b->nv; ++k) {
    double in[3];
    for (int i = 0; i < 3; ++i) in[i] = b->local[k][i] + b->def.position[i];
    nsds_to_world(b->dimension == 3 ? q : turn, in, b->x[k]);
    for (int i = 0; i < b->dimension; ++i) b->x[k][i] += q[i];
  }
}

static void random_pose(uint64_t *seed, int dimension, double width, double *q) {
  double length = 0.0;
  for (int i = 0; i < 3; ++i) q[i] = random_in(seed, -width, width);
  for (int i = 3; i < 7; ++i) {
    q[i] = random_in(seed, -1.0, 1.0);
    length += q[i] * q[i];
  }
  for (int i = 3; i < 7; ++i) q[i] /= sqrt(length);
  if (dimension == 2) q[2] = random_in(seed, -3.0, 3.0);
}

static nsds_ds *make_ds(nsds_model *m, int dimension, const double *q) {
  const double J[9] = {[0] = 1.0, [4] = 1.0, [8] = 1.0};
  if (dimension == 3)
    return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q});
  return nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0, .q0 = q});
}

/* ---- one pair ---- */

typedef struct touch {
  double gap, point[3], normal[3];
} touch;

typedef struct meeting {
  int count;
  touch contact[8];
  uint64_t key[8];
} meeting;

/* The contacts of two shapes, the second on scenery where it is of triangles. */
static meeting meet(body *p, body *q, const double *qp, const double *qq, double reach,
                    nsds_overlap_method overlap) {
  meeting found = {0};
  nsds_model *m = nsds_model_create(NULL);
  nsds_shape_def shape[2];
  bool scenery = q->def.kind == NSDS_TRIANGLES;
  const double still[] = {0, 0, 0, 1, 0, 0, 0};
  p->def.ds = make_ds(m, p->dimension, qp);
  q->def.ds = scenery ? NULL : make_ds(m, p->dimension, qq);
  place(p, qp);
  place(q, scenery ? still : qq);
  for (int k = 0; k < 2; ++k) {
    body *b = k ? q : p;
    b->def.vertex = b->flat;
    b->def.face = b->face;
    shape[k] = b->def;
  }
  nsds_contact_set *set = nsds_shapes(m, &(nsds_shapes_def){.dimension = p->dimension,
                                                            .law = nsds_newton_impact(m, 0.0),
                                                            .nshape = 2,
                                                            .shape = shape,
                                                            .reach = reach,
                                                            .overlap = overlap});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-6});
  assert_sound(m);
  assert_ok(m, nsds_step(s));
  found.count = nsds_contact_set_count(set);
  assert_true(found.count <= 4);
  for (int k = 0; k < found.count; ++k) {
    nsds_contact_info info;
    assert_ok(m, nsds_contact_set_get(set, k, &info));
    assert_true(info.located);
    touch *at = &found.contact[k];
    at->gap = info.y[0];
    memcpy(at->point, info.point, sizeof at->point);
    memcpy(at->normal, info.normal, sizeof at->normal);
    found.key[k] = info.key;
    for (int j = 0; j < k; ++j) assert_true(found.key[j] != info.key);
    assert_int_equal(info.shape[0], 0);
  }
  nsds_model_destroy(m);
  return found;
}

/* How far a contact may be outside of a shape. Corners of contacts may lie beyond the sides of a face
 * by 1e-8 of its size, and so farther beyond a sharp corner of a triangle. */
static double allowed_outside(const body *b) {
  double sharp = 1.0, size = 0.0;
  for (int k = 0; b->nv == 3 && k < 3; ++k) {
    double u[3], v[3];
    minus(b->x[(k + 1) % 3], b->x[k], u);
    minus(b->x[(k + 2) % 3], b->x[k], v);
    double angle = acos(dot(u, v) / sqrt(dot(u, u) * dot(v, v)));
    sharp = fmin(sharp, sin(0.5 * angle));
    size = fmax(size, sqrt(dot(u, u)));
  }
  return fmax(1e-7, 1e-8 * size / sharp);
}

/* What holds of any contact: n of length 1, P halfway between points of both shapes. */
static void check_contact(const body *p, const body *q, const touch *c) {
  assert_near(sqrt(dot(c->normal, c->normal)), 1.0, 1e-12);
  for (int k = 0; k < 2; ++k) {
    const body *b = k ? q : p;
    double side = k ? -1.0 : 1.0, core[3];
    for (int i = 0; i < 3; ++i)
      core[i] = c->point[i] + side * (0.5 * c->gap + b->radius) * c->normal[i];
    if (outside(b, core) > allowed_outside(b))
      fail_msg("%d with %d: outside %g gap %g s %g n %g %g %g", p->def.kind, q->def.kind,
               outside(b, core), c->gap, apart_along(p, q, c->normal), c->normal[0], c->normal[1],
               c->normal[2]);
  }
}

/* All of p in front of the triangle, or on the left of the segment, q. */
static bool before(const body *p, const body *q) {
  double u[3], v[3] = {0, 0, -1}, n[3], r[3], low = INFINITY;
  minus(q->x[1], q->x[0], u);
  if (q->dimension == 3) minus(q->x[2], q->x[0], v);
  else v[2] = 1.0, u[0] = -u[0], u[1] = -u[1];
  cross(u, v, n);
  for (int k = 0; k < p->nv; ++k) {
    minus(p->x[k], q->x[0], r);
    low = fmin(low, dot(r, n));
  }
  return low > 0.0;
}

static int check_pair(nsds_shape_kind a, nsds_shape_kind b, int dimension, uint64_t *seed) {
  double qp[7], qq[7], reach = random_in(seed, 0.02, 0.3), least = INFINITY;
  body p = random_body(a, dimension, seed), q = random_body(b, dimension, seed);
  double width = random_in(seed, 0.0, 1.0) < 0.5 ? 0.8 : 0.2;
  random_pose(seed, dimension, width, qp);
  random_pose(seed, dimension, width, qq);
  for (int i = 0; i < dimension; ++i) {
    p.def.position[i] = random_in(seed, -0.2, 0.2);
    q.def.position[i] = random_in(seed, -0.2, 0.2);
  }
  meeting found = meet(&p, &q, qp, qq, reach, NSDS_OVERLAP_AXES);
  const touch *first = NULL;
  double radii = p.radius + q.radius, brute = distance(&p, &q), wide = apart(&p, &q, seed);
  for (int k = 0; k < found.count; ++k) {
    check_contact(&p, &q, &found.contact[k]);
    if (found.contact[k].gap >= least) continue;
    least = found.contact[k].gap;
    first = &found.contact[k];
  }
  if (!first) { /* apart, or behind a triangle */
    if (b != NSDS_TRIANGLES) assert_between(brute - radii, reach - 1e-9, INFINITY);
    return 0;
  }
  double s = apart_along(&p, &q, first->normal);
  if (b == NSDS_TRIANGLES && !before(&p, &q)) return 2;
  if (s > 0.0) {
    assert_near(least + radii, brute, 1e-7);
    assert_near(s, brute, 1e-7);
  } else if (b != NSDS_TRIANGLES) {
    assert_near(least + radii, s, 1e-7);
    assert_true(s >= wide - 1e-7);
  }
  return s > 0.0 ? 1 : 2;
}

static void pairs(int dimension) {
  uint64_t seed = 11;
  for (int a = NSDS_SPHERE; a <= NSDS_HULL; ++a)
    for (int b = NSDS_SPHERE; b <= NSDS_TRIANGLES; ++b) {
      int seen[3] = {0};
      if (b == NSDS_HALF_SPACE) continue;
      for (int k = 0; k < 400; ++k)
        ++seen[check_pair((nsds_shape_kind)a, (nsds_shape_kind)b, dimension, &seed)];
      bool solid = a >= NSDS_BOX || (b >= NSDS_BOX && b <= NSDS_HULL);
      if (seen[0] < 10 || seen[1] < 10 || (solid && seen[2] < 10))
        fail_msg("%d with %d: %d apart, %d near, %d overlap", a, b, seen[0], seen[1], seen[2]);
    }
}

/* ---- parallel capsules ---- */

static body capsule(double half, double radius) {
  body b = {.dimension = 3, .nv = 2, .radius = radius};
  b.def = (nsds_shape_def){.kind = NSDS_CAPSULE, .half = {half}, .radius = radius};
  b.local[0][0] = -half, b.local[1][0] = half;
  return b;
}

/* One above the other, in either direction: they touch at the ends of what they have in common along x, two
 * points or, where the end of one is before the other's, one. */
static void parallel_capsules_touch_at_ends(void **state) {
  (void)state;
  const double half[] = {0.5, 0.3}, radius[] = {0.2, 0.1}, up = 0.29;
  static const double shifts[] = {0.0, 0.1, -0.2, 0.2, 0.5, -0.6, 0.8, -0.8};
  for (size_t k = 0; k < sizeof shifts / sizeof *shifts; ++k)
    for (int turned = 0; turned < 4; ++turned)
      for (int longer = 0; longer < 2; ++longer) {
        body p = capsule(half[longer], radius[longer]), q = capsule(half[!longer], radius[!longer]);
        const double qp[] = {shifts[k], 0, up, turned & 1 ? 0 : 1, 0, 0, turned & 1 ? 1 : 0};
        const double qq[] = {0, 0, 0, turned & 2 ? 0 : 1, 0, turned & 2 ? 1 : 0, 0};
        double low = fmax(shifts[k] - half[longer], -half[!longer]);
        double high = fmin(shifts[k] + half[longer], half[!longer]);
        meeting found = meet(&p, &q, qp, qq, 0.05, NSDS_OVERLAP_AXES);
        assert_int_equal(found.count, high - low > 1e-6 ? 2 : 1);
        int right = found.count == 2 && found.contact[1].point[0] > found.contact[0].point[0];
        for (int i = 0; i < found.count; ++i) {
          const touch *c = &found.contact[i];
          assert_near(c->gap, up - 0.3, 1e-12);
          assert_near(c->normal[2], 1.0, 1e-12);
          assert_near(c->point[0], i == right ? high : low, 1e-8);
          assert_near(c->point[1], 0.0, 1e-12);
          assert_near(c->point[2], radius[!longer] + 0.5 * (up - 0.3), 1e-12);
        }
      }
}

/* ---- libccd ---- */

/* The hull of points in an ellipsoid, or of points of one. */
static body pebble(uint64_t *seed) {
  body b = {.dimension = 3, .def = {.kind = NSDS_HULL}};
  double half[3];
  for (int i = 0; i < 3; ++i) half[i] = random_in(seed, 0.3, 1.0);
  b.nv = b.def.nvertex = 5 + (int)random_in(seed, 0.0, 35.0);
  for (int k = 0; k < b.nv; ++k) {
    double size = b.nv % 2 ? 1.0 : random_in(seed, 0.1, 1.0);
    random_direction(seed, 3, b.local[k]);
    for (int i = 0; i < 3; ++i) b.flat[3 * k + i] = b.local[k][i] *= size * half[i];
  }
  return b;
}

/* 1: apart. Both ways say so with the same contacts; of an overlap libccd may find another direction than
 * the least one, in which it is deeper. */
static int compare_overlaps(uint64_t seed) {
  double qp[7], qq[7], width = seed % 2 ? 0.7 : 0.1;
  body p = random_in(&seed, 0.0, 1.0) < 0.3 ? random_body(NSDS_BOX, 3, &seed) : pebble(&seed);
  body q = pebble(&seed);
  random_pose(&seed, 3, width, qp);
  random_pose(&seed, 3, width, qq);
  meeting axes = meet(&p, &q, qp, qq, 0.05, NSDS_OVERLAP_AXES);
  meeting ccd = meet(&p, &q, qp, qq, 0.05, NSDS_OVERLAP_CCD);
  double s = axes.count > 0 ? apart_along(&p, &q, axes.contact[0].normal) : INFINITY;
  if (s < 0.0) {
    assert_true(ccd.count > 0);
    assert_between(apart_along(&p, &q, ccd.contact[0].normal), 1.2 * s, s + 1e-9);
    return 0;
  }
  assert_int_equal(ccd.count, axes.count);
  for (int k = 0; k < ccd.count; ++k) assert_near(ccd.contact[k].gap, axes.contact[k].gap, 1e-9);
  return 1;
}

static void libccd_finds_what_axes_find(void **state) {
  (void)state;
  int apart_ones = 0;
  if (!NSDS_HAVE_CCD) return;
  /* in one pair no part of the other lies before the face that libccd leaves as the least axis */
  for (uint64_t seed = 1; seed <= 600; ++seed) apart_ones += compare_overlaps(seed);
  assert_between(apart_ones, 60, 540);
}

static void pairs_in_space(void **state) {
  (void)state;
  pairs(3);
}

static void pairs_in_the_plane(void **state) {
  (void)state;
  pairs(2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_in_space),
      cmocka_unit_test(pairs_in_the_plane),
      cmocka_unit_test(parallel_capsules_touch_at_ends),
      cmocka_unit_test(libccd_finds_what_axes_find),
  };
  return cmocka_run_group_tests_name("kernel.shapes_pairs", tests, NULL, NULL);
}
