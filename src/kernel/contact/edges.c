/*
 * Closest points of edges, for two capsules and for corners of polytopes that are apart. Only edges
 * that reach into the slab between the cores can be near.
 *
 * Source of the closest points of segments: C. Ericson, Real-Time Collision Detection (2005), sec.
 * 5.1.9.
 */
#include "kernel/contact/edges.h"

#include "kernel/contact/clip.h"
#include "kernel/modeling/body.h"

/* Points that are off by x have a distance that is off by x^2. */
static const double digits = 1e-6;

typedef struct pair {
  const double *a0, *a1, *b0, *b1;
  int a[2], b[2];                /* vertices */
  double s, t, square, apart[3]; /* closest points a0 + s (a1 - a0), b0 + t (b1 - b0) */
} pair;

static double edges_clamp(double x) { /* ends are vertices */
  return x > 1e-9 ? (x < 1.0 - 1e-9 ? x : 1.0) : 0.0;
}

static void edges_set_apart(pair *p) {
  for (int i = 0; i < 3; ++i)
    p->apart[i] = p->a0[i] + p->s * (p->a1[i] - p->a0[i]) - p->b0[i] - p->t * (p->b1[i] - p->b0[i]);
  p->square = nsds_dot(p->apart, p->apart);
}

static void closest(pair *p) {
  double u[3], v[3], r[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = p->a1[i] - p->a0[i];
    v[i] = p->b1[i] - p->b0[i];
    r[i] = p->a0[i] - p->b0[i];
  }
  double a = nsds_dot(u, u), e = nsds_dot(v, v), b = nsds_dot(u, v);
  double c = nsds_dot(u, r), f = nsds_dot(v, r), cross = a * e - b * b;
  p->s = cross > 1e-14 * a * e ? edges_clamp((b * f - c * e) / cross) : 0.0;
  p->t = e > 0.0 ? (b * p->s + f) / e : 0.0;
  if (!(p->t > 0.0) || p->t > 1.0) {
    p->t = p->t > 1.0 ? 1.0 : 0.0;
    p->s = a > 0.0 ? edges_clamp((p->t * b - c) / a) : 0.0;
  }
  p->t = edges_clamp(p->t);
  edges_set_apart(p);
}

static pair of_edges(const nsds_collision *c, int i, int j) {
  const int *a = c->a->edge + 2 * i, *b = c->b->edge + 2 * j;
  return (pair){.a0 = c->a->wv + 3 * a[0],
                .a1 = c->a->wv + 3 * a[1],
                .b0 = c->b->wv + 3 * b[0],
                .b1 = c->b->wv + 3 * b[1],
                .a = {a[0], a[1]},
                .b = {b[0], b[1]}};
}

/* Lists the vertices of the edges, or ends, that hold the points. */
static void vertices(const pair *p, int *va, int *vb) {
  va[0] = p->a[p->s == 1.0], va[1] = p->a[p->s > 0.0];
  vb[0] = p->b[p->t == 1.0], vb[1] = p->b[p->t > 0.0];
}

/* Computes the line between the points. For crossing edges n is the normal of both, known better.
 * Returns false and keeps n if there is no line. */
static bool line_between(const pair *p, double *n) {
  double u[3], v[3], distance = sqrt(p->square);
  if (!(p->square >= 1e-280)) return false; /* its root has no digits */
  for (int i = 0; i < 3; ++i) {
    u[i] = p->a1[i] - p->a0[i];
    v[i] = p->b1[i] - p->b0[i];
    n[i] = p->apart[i] / distance;
  }
  if (p->s > 0.0 && p->s < 1.0 && p->t > 0.0 && p->t < 1.0) {
    double m[3];
    nsds_cross(u, v, m);
    double length = nsds_length(m), sign = nsds_dot(m, p->apart) < 0.0 ? -1.0 : 1.0;
    if (length > 1e-6 * sqrt(nsds_dot(u, u) * nsds_dot(v, v))) {
      for (int i = 0; i < 3; ++i) n[i] = sign * m[i] / length;
      return true;
    }
  }
  return true;
}

static void edges_add(nsds_collision *c, const pair *p, const double *n) {
  double xa[3], xb[3];
  int va[2], vb[2];
  vertices(p, va, vb);
  for (int i = 0; i < 3; ++i) {
    xb[i] = p->b0[i] + p->t * (p->b1[i] - p->b0[i]);
    xa[i] = xb[i] + p->apart[i];
  }
  nsds_add_spot(c, n, xa, xb, va, vb);
}

/* Adds all near contacts if faces at the points are flat on n. Returns false if there are none. */
static bool add_faces(nsds_collision *c, const pair *p, const double *n) {
  int va[2], vb[2];
  vertices(p, va, vb);
  double low = nsds_clip_along(c, n, va, vb);
  if (low <= nsds_dot(n, p->apart) + c->slack) return true;
  c->count = 0;
  return false;
}

/* Adds the ends of edges that lie side by side. Two ends before each other count as an end of a. */
static void add_ends(nsds_collision *c, const pair *p) {
  for (int end = 0; end < 4; ++end) {
    const double *x = end == 0 ? p->a0 : end == 1 ? p->a1 : end == 2 ? p->b0 : p->b1;
    const double *from = end < 2 ? p->b0 : p->a0, *to = end < 2 ? p->b1 : p->a1;
    double along[3], r[3], n[3];
    for (int i = 0; i < 3; ++i) {
      along[i] = to[i] - from[i];
      r[i] = x[i] - from[i];
    }
    double raw = nsds_dot(r, along) / nsds_dot(along, along), at = edges_clamp(fmin(raw, 1.0));
    bool inside = at > 0.0 && at < 1.0;
    if (!(inside || (end < 2 && fabs(raw - at) <= 1e-9))) continue;
    pair q = *p;
    q.s = end < 2 ? end : at;
    q.t = end < 2 ? at : end - 2;
    edges_set_apart(&q);
    if (line_between(&q, n)) edges_add(c, &q, n);
  }
}

static bool parallel(const pair *p) {
  double u[3], v[3], n[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = p->a1[i] - p->a0[i];
    v[i] = p->b1[i] - p->b0[i];
  }
  nsds_cross(u, v, n);
  double both = nsds_dot(u, u) * nsds_dot(v, v);
  return both > 0.0 && nsds_dot(n, n) < 1e-4 * both;
}

/* Returns true if an edge comes within `more` of the level that its core reaches along n. */
static bool reaches(const double *n, const double *p, const double *q, double level, double more) {
  return nsds_dot(n, p) <= level + more || nsds_dot(n, q) <= level + more;
}

void nsds_nearest(nsds_collision *c, const double *n, double s) {
  const double back[] = {-n[0], -n[1], -n[2]};
  double more = c->reach + c->a->radius + c->b->radius - s + c->slack, level_a = INFINITY;
  double level_b = INFINITY;
  pair best = {.square = INFINITY};
  for (int k = 0; k < c->a->nv; ++k) level_a = fmin(level_a, nsds_dot(n, c->a->wv + 3 * k));
  for (int k = 0; k < c->b->nv; ++k) level_b = fmin(level_b, nsds_dot(back, c->b->wv + 3 * k));
  for (int i = 0; i < c->a->ne; ++i) {
    pair a = of_edges(c, i, 0);
    if (!reaches(n, a.a0, a.a1, level_a, more)) continue;
    for (int j = 0; j < c->b->ne; ++j) {
      pair p = of_edges(c, i, j);
      if (!reaches(back, p.b0, p.b1, level_b, more)) continue;
      closest(&p);
      double near = sqrt(p.square) + digits * c->slack; /* the first of equal ones wins */
      if (near * near < best.square || isinf(best.square)) best = p;
    }
  }
  if (isinf(best.square)) return;
  double normal[3] = {n[0], n[1], n[2]};
  bool line = line_between(&best, normal);
  if (!line && nsds_dot(normal, normal) == 0.0) {
    c->count = -1;
    return;
  }
  if (!c->exact && add_faces(c, &best, normal)) return;
  if (!c->exact && line && parallel(&best)) add_ends(c, &best);
  double gap = sqrt(best.square) - c->a->radius - c->b->radius, least = INFINITY;
  for (int k = 0; k < c->count; ++k) least = fmin(least, c->spot[k].gap);
  if (least > gap + digits * c->slack) edges_add(c, &best, normal);
}

double nsds_cross_edges(nsds_collision *c, const double *n) {
  int a = 0, b = 0;
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < c->a->ne; ++i) {
    pair p = of_edges(c, i, 0);
    double level = nsds_dot(n, p.a0) + nsds_dot(n, p.a1);
    if (level < low - c->slack) low = level, a = i;
  }
  for (int j = 0; j < c->b->ne; ++j) {
    pair p = of_edges(c, 0, j);
    double level = nsds_dot(n, p.b0) + nsds_dot(n, p.b1);
    if (level > high + c->slack) high = level, b = j;
  }
  pair p = of_edges(c, a, b);
  closest(&p);
  if (!add_faces(c, &p, n)) edges_add(c, &p, n);
  return sqrt(p.square);
}
