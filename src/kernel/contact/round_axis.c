/*
 * The direction n in which two cores a, b, one of them round, are farthest apart or overlap least:
 * the maximum over the unit sphere of
 *
 *     s(n) = -h_a(-n) - h_b(n),   h the support functions.
 *
 * 1. Cores that are apart: the distance of the difference a - b from the origin, by simplices that
 *    come nearer (Gilbert, Johnson, Keerthi). Cores that overlap: the side of a - b that is nearest
 *    to the origin, by a polytope that grows to it.
 * 2. These give n to the root of their tolerance. The exact maximum lies where s has a kink or
 *    where its slope is zero. Kinks are normals of faces and circles n.u = k: n across an edge
 *    (k = 0), or normals of a cone's side. At the normal of a disc s has a peak, from which a
 *    meridian may lead up. Tried are faces, crossings of two circles, the maximum along each circle
 *    and meridian, and Newton's method on the sphere. If the polytope cannot grow further, its
 *    sides that are nearer than the best direction are starts of a climb.
 *
 * Every direction tried is judged by s alone, and the best one wins: no step makes the answer worse.
 *
 * Sources: E. Gilbert, D. Johnson, S. Keerthi, IEEE J. Robotics and Automation 4 (1988); G. van den
 * Bergen, Proximity queries and penetration depth computation on 3D game objects, GDC 2001.
 */
#include "kernel/contact/round_axis.h"

#include "kernel/contact/round.h"
#include "kernel/modeling/body.h"

/* Kinks farther from a direction (cosine) have nothing to do with it. */
static const double far_off = 0.1;
/* Directions nearer to the axis of a disc (cosine) may have to do with its rim and its face. */
static const double level_disc = 0.99;

enum { most_points = 128, most_sides = 256, most_circles = 24 };

typedef struct climb {
  const nsds_core *a, *b;
  double size;              /* a length of both cores */
  double s, n[3];           /* the best direction so far */
  double face_s, face_n[3]; /* the best normal of a face */
} climb;

static bool climb_unit(double *a) {
  double length = nsds_length(a);
  if (!(length > 0.0) || !isfinite(length)) return false;
  for (int i = 0; i < 3; ++i) a[i] /= length;
  return true;
}

/* Computes the vector from the support of b along n to that of a against n. */
static void climb_way(const climb *t, const double *n, double *w) {
  double back[3] = {-n[0], -n[1], -n[2]}, pa[3], pb[3];
  nsds_core_support(t->a, back, pa);
  nsds_core_support(t->b, n, pb);
  for (int i = 0; i < 3; ++i) w[i] = pa[i] - pb[i];
}

/* Judges a direction of length 1; writes its way to w. */
static void climb_judge(climb *t, const double *n, double *w) {
  climb_way(t, n, w);
  double s = nsds_dot(n, w);
  if (!(s > t->s)) return;
  t->s = s;
  memcpy(t->n, n, sizeof t->n);
}

static void climb_try(climb *t, const double *direction) {
  double n[3] = {direction[0], direction[1], direction[2]}, w[3];
  if (climb_unit(n)) climb_judge(t, n, w);
}

/* Tries a normal of a face. */
static void climb_try_face(climb *t, double sign, const double *normal) {
  const double n[3] = {sign * normal[0], sign * normal[1], sign * normal[2]};
  double w[3];
  climb_judge(t, n, w);
  double s = nsds_dot(n, w);
  if (!(s > t->face_s)) return;
  t->face_s = s;
  memcpy(t->face_n, n, sizeof n);
}

/* ---- apart: simplices ------------------------------------------------------------------------ */

/* Computes the point nearest to the origin of the points' affine hull. Returns its squared length;
 * INFINITY if it is not between the points. */
static double hull_nearest(int n, const double (*p)[3], const int *at, double *x) {
  double e[3][3], G[3][3] = {{0.0}}, g[3] = {0.0}, scale[3], part[4] = {0.0}, rest = 1.0;
  int m = n - 1;
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < 3; ++i) e[k][i] = p[at[k + 1]][i] - p[at[0]][i];
    double length = nsds_length(e[k]);
    if (!(length > 0.0)) return INFINITY;
    scale[k] = 1.0 / length;
  }
  for (int r = 0; r < m; ++r) {
    for (int c = 0; c < m; ++c) G[r][c] = nsds_dot(e[r], e[c]) * scale[r] * scale[c];
    g[r] = -nsds_dot(e[r], p[at[0]]) * scale[r];
  }
  for (int c = 0; c < m; ++c) {
    if (!(G[c][c] > 1e-14)) return INFINITY;
    for (int r = c + 1; r < m; ++r) {
      double f = G[r][c] / G[c][c];
      for (int k = c; k < m; ++k) G[r][k] -= f * G[c][k];
      g[r] -= f * g[c];
    }
  }
  for (int r = m - 1; r >= 0; --r) {
    double sum = g[r];
    for (int k = r + 1; k < m; ++k) sum -= G[r][k] * part[k + 1] / scale[k];
    part[r + 1] = sum / G[r][r] * scale[r];
  }
  for (int k = 1; k <= m; ++k) rest -= part[k];
  part[0] = rest;
  for (int k = 0; k < n; ++k)
    if (part[k] < 0.0) return INFINITY;
  for (int i = 0; i < 3; ++i) {
    x[i] = 0.0;
    for (int k = 0; k < n; ++k) x[i] += part[k] * p[at[k]][i];
  }
  return nsds_dot(x, x);
}

/* Keeps the points of a simplex that span its point x nearest to the origin; returns their number. */
static int simplex_shrink(int n, double (*p)[3], double *x) {
  double best = INFINITY, kept[4][3];
  int keep[4] = {0}, count = 1;
  for (int mask = 1; mask < 1 << n; ++mask) {
    int at[4], k = 0;
    double y[3];
    for (int i = 0; i < n; ++i)
      if (mask >> i & 1) at[k++] = i;
    double square = hull_nearest(k, (const double(*)[3])p, at, y);
    if (!(square < best || (square == best && k < count))) continue;
    best = square;
    count = k;
    memcpy(keep, at, (size_t)k * sizeof *at);
    memcpy(x, y, sizeof y);
  }
  for (int k = 0; k < count; ++k) memcpy(kept[k], p[keep[k]], sizeof kept[k]);
  memcpy(p, kept, (size_t)count * sizeof *p);
  return count;
}

/* ---- overlap: a polytope that grows ---------------------------------------------------------- */

typedef struct growth_side {
  int v[3];
  double n[3], level;
} growth_side;

/* Points of a - b, and the outer sides of a polytope of them that holds the origin. */
typedef struct growth {
  double v[most_points][3];
  growth_side side[most_sides];
  int nv, nside;
} growth;

static bool growth_add_side(growth *e, int a, int b, int c) {
  if (e->nside == most_sides) return false;
  growth_side *f = &e->side[e->nside];
  double u[3], w[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = e->v[b][i] - e->v[a][i];
    w[i] = e->v[c][i] - e->v[a][i];
  }
  nsds_cross(u, w, f->n);
  if (!climb_unit(f->n)) return false;
  f->v[0] = a, f->v[1] = b, f->v[2] = c;
  f->level = nsds_dot(f->n, e->v[a]);
  ++e->nside;
  return true;
}

/* Returns how far x is from the hull of the points so far: a point, a line or a plane. */
static double growth_off(const growth *e, const double *x) {
  double d[3], u[3], v[3], m[3];
  for (int i = 0; i < 3; ++i) {
    d[i] = x[i] - e->v[0][i];
    u[i] = e->nv > 1 ? e->v[1][i] - e->v[0][i] : 0.0;
    v[i] = e->nv > 2 ? e->v[2][i] - e->v[0][i] : 0.0;
  }
  if (e->nv == 1 || !climb_unit(u)) return nsds_length(d);
  nsds_cross(u, e->nv == 2 ? d : v, m);
  if (e->nv == 2) return nsds_length(m);
  return climb_unit(m) ? fabs(nsds_dot(m, d)) : 0.0;
}

/* Completes a simplex around the origin to a tetrahedron, by the farthest of points along fixed
 * directions. */
static bool growth_begin(const climb *t, growth *e) {
  for (; e->nv < 4; ++e->nv) {
    double best[3] = {0.0}, most = 1e-9 * t->size;
    for (int k = 0; k < 26; ++k) {
      int code = k < 13 ? k : k + 1; /* 13 is no direction */
      double n[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1}, w[3];
      climb_way(t, n, w);
      double off = growth_off(e, w);
      if (off > most) most = off, memcpy(best, w, sizeof best);
    }
    if (most <= 1e-9 * t->size) return false;
    memcpy(e->v[e->nv], best, sizeof best);
  }
  double u[3], v[3], w[3], m[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = e->v[1][i] - e->v[0][i];
    v[i] = e->v[2][i] - e->v[0][i];
    w[i] = e->v[3][i] - e->v[0][i];
  }
  nsds_cross(u, v, m);
  bool turned = nsds_dot(m, w) > 0.0;
  int p = turned ? 2 : 1, q = turned ? 1 : 2;
  return growth_add_side(e, 0, p, q) && growth_add_side(e, p, 0, 3) &&
         growth_add_side(e, q, p, 3) && growth_add_side(e, 0, q, 3);
}

/* Replaces the sides that see w by those between w and their outline. */
static bool growth_take(growth *e, int nearest, const double *w, double slack) {
  int outline[3 * most_sides][2], count = 0, kept = 0;
  for (int k = 0; k < e->nside; ++k) {
    const growth_side *f = &e->side[k];
    if (k != nearest && nsds_dot(f->n, w) - f->level <= slack) {
      e->side[kept++] = *f;
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      int a = f->v[i], b = f->v[(i + 1) % 3], found = -1;
      for (int q = 0; q < count && found < 0; ++q)
        if (outline[q][0] == b && outline[q][1] == a) found = q;
      if (found >= 0) memcpy(outline[found], outline[--count], sizeof outline[0]);
      else outline[count][0] = a, outline[count++][1] = b;
    }
  }
  e->nside = kept;
  memcpy(e->v[e->nv++], w, sizeof e->v[0]);
  for (int k = 0; k < count; ++k)
    if (!growth_add_side(e, outline[k][0], outline[k][1], e->nv - 1)) return false;
  return true;
}

/* Climbs by smaller and smaller steps over the sphere, from a direction of length 1. */
static void climb_by_steps(climb *t, const double *from) {
  static const double least_step = 1e-9;
  enum { most_steps = 400 }; /* along a ridge small steps would have no end */
  climb here = *t;
  double w[3], p[3] = {0.0}, q[3];
  here.s = -INFINITY;
  climb_judge(&here, from, w);
  double step = 0.25;
  for (int taken = 0; step > least_step && taken < most_steps; ++taken) {
    const double n[3] = {here.n[0], here.n[1], here.n[2]}, s = here.s;
    int k = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    p[0] = p[1] = p[2] = 0.0;
    p[fabs(n[2]) < fabs(n[k]) ? 2 : k] = 1.0;
    nsds_cross(n, p, q);
    if (!climb_unit(q)) return;
    nsds_cross(q, n, p);
    for (int code = 0; code < 9; ++code) {
      double m[3];
      for (int i = 0; i < 3; ++i)
        m[i] = n[i] + step * ((code % 3 - 1) * p[i] + (code / 3 - 1) * q[i]);
      climb_try(&here, m);
    }
    if (!(here.s > s)) step *= 0.5;
  }
  if (!(here.s > t->s)) return;
  t->s = here.s;
  memcpy(t->n, here.n, sizeof t->n);
}

/* Searches where a polytope that cannot grow further has sides nearer to the origin than the best
 * direction. */
static void climb_from_sides(climb *t, const growth *e) {
  for (int k = 0; k < e->nside; ++k) {
    const growth_side *f = &e->side[k];
    const double back[3] = {-f->n[0], -f->n[1], -f->n[2]};
    if (f->level < -t->s) climb_by_steps(t, back);
  }
}

static void climb_inside(climb *t, int n, const double (*p)[3]) {
  growth e;
  e.nv = n;
  e.nside = 0;
  double tolerance = 1e-10 * t->size;
  memcpy(e.v, p, (size_t)n * sizeof *p);
  if (!growth_begin(t, &e)) return;
  while (e.nv < most_points) {
    int nearest = 0;
    for (int k = 1; k < e.nside; ++k)
      if (e.side[k].level < e.side[nearest].level) nearest = k;
    const growth_side *f = &e.side[nearest];
    double level = f->level, back[3] = {-f->n[0], -f->n[1], -f->n[2]}, w[3];
    climb_judge(t, back, w);
    /* the best direction cannot be better than the nearest side */
    if (-nsds_dot(back, w) - level <= tolerance || -t->s - level <= tolerance) return;
    if (!growth_take(&e, nearest, w, 1e-13 * t->size)) break;
  }
  climb_from_sides(t, &e);
}

/* ---- the start ------------------------------------------------------------------------------- */

/* Comes near the best direction. Returns false if the cores are farther apart than limit. */
static bool climb_begin(climb *t, double limit) {
  double p[4][3], x[3], last[3] = {0.0};
  for (int i = 0; i < 3; ++i) x[i] = t->a->at[i] - t->b->at[i];
  if (!(nsds_length(x) > 1e-12 * t->size)) x[0] = 1.0, x[1] = x[2] = 0.0;
  for (int n = 0, step = 0; step < 60; ++step) {
    double d[3] = {x[0], x[1], x[2]}, w[3], square = nsds_dot(x, x);
    if (!climb_unit(d)) break;
    climb_judge(t, d, w);
    if (nsds_dot(d, w) > limit) return false;
    if (n > 0 && square - nsds_dot(x, w) <= 1e-11 * square) break;
    if (step > 0 && w[0] == last[0] && w[1] == last[1] && w[2] == last[2]) break;
    memcpy(last, w, sizeof w);
    memcpy(p[n], w, sizeof w);
    n = simplex_shrink(n + 1, p, x);
    if (n < 4 && nsds_length(x) > 1e-12 * t->size) continue;
    climb_inside(t, n, (const double(*)[3])p);
    break;
  }
  return true;
}

/* ---- the exact direction --------------------------------------------------------------------- */

/* Directions n.u = k, on which s has a kink. */
typedef struct climb_circle {
  double u[3], k;
} climb_circle;

/* Lists the meridian of discs that leads from the normal of a disc, near d, over the nearest point of
 * its rim. Only near this meridian s may grow if the other core touches just beyond the rim. */
static int list_meridian(const climb *t, const nsds_core *core, const double *d, climb_circle *list,
                         int n) {
  const double back[3] = {-d[0], -d[1], -d[2]}, *axis = core->round->axes;
  double x[3];
  if (n == most_circles || fabs(nsds_dot(axis, d)) < level_disc) return n;
  nsds_core_support(core == t->a ? t->b : t->a, back, x);
  for (int i = 0; i < 3; ++i) x[i] -= core->wv[i];
  list[n].k = 0.0;
  nsds_cross(axis, x, list[n].u);
  return n + climb_unit(list[n].u);
}

/* Tries normals of faces, and lists circles, near the direction d out of a core. `sign` leads from d
 * to n. */
static int list_circles(climb *t, const nsds_core *core, const double *d, double sign,
                        climb_circle *list, int n) {
  if (core->round) {
    const double *axis = core->round->axes;
    if (core->round->kind == NSDS_ROUND_ELLIPSOID) return n;
    for (int side = -1; side <= 1; side += 2)
      if (core->round->size[side < 0 ? 1 : 2] > 0.0) climb_try_face(t, side * sign, axis);
    if (n == most_circles) return n;
    for (int i = 0; i < 3; ++i) list[n].u[i] = sign * axis[i];
    list[n].k = nsds_round_lean(core->round);
    return list_meridian(t, core, d, list, n + 1);
  }
  double x[3], slack = 1e-2 * core->around;
  nsds_core_support(core, d, x);
  double least = nsds_dot(d, x) - slack;
  for (int f = 0; f < core->nf; ++f) {
    const double *m = core->wn + 3 * f;
    if (nsds_dot(m, d) > 0.9) climb_try_face(t, sign, m);
  }
  for (int e = 0; e < core->ne && n < most_circles; ++e) {
    const double *p = core->wv + 3 * core->edge[2 * e], *q = core->wv + 3 * core->edge[2 * e + 1];
    if (nsds_dot(d, p) < least || nsds_dot(d, q) < least) continue;
    for (int i = 0; i < 3; ++i) list[n].u[i] = q[i] - p[i];
    list[n].k = 0.0;
    n += climb_unit(list[n].u);
  }
  return n;
}

/* Tries the direction on two circles that is nearer to `from`. */
static void try_crossing(climb *t, const climb_circle *a, const climb_circle *b,
                         const double *from) {
  double d = nsds_dot(a->u, b->u), det = 1.0 - d * d, m[3], n[3];
  if (det < 1e-12) return;
  double x = (a->k - d * b->k) / det, y = (b->k - d * a->k) / det;
  double rest = 1.0 - (x * x + y * y + 2.0 * x * y * d);
  if (rest < 0.0) return;
  nsds_cross(a->u, b->u, m);
  double z = nsds_dot(m, from) < 0.0 ? -sqrt(rest / det) : sqrt(rest / det);
  for (int i = 0; i < 3; ++i) n[i] = x * a->u[i] + y * b->u[i] + z * m[i];
  climb_try(t, n);
}

/* A circle by angles from the point p nearest to a direction. */
typedef struct climb_track {
  climb *t;
  const climb_circle *circle;
  double p[3], q[3], r;
} climb_track;

/* Tries the direction at an angle; returns the slope of s there. */
static double track_slope(const climb_track *k, double angle) {
  double c = cos(angle), s = sin(angle), n[3], w[3], slope = 0.0;
  for (int i = 0; i < 3; ++i)
    n[i] = k->circle->k * k->circle->u[i] + k->r * (c * k->p[i] + s * k->q[i]);
  climb_judge(k->t, n, w);
  for (int i = 0; i < 3; ++i) slope += k->r * (c * k->q[i] - s * k->p[i]) * w[i];
  return slope;
}

/* Climbs along a circle: brackets where the slope falls through zero, then closes in. */
static void climb_along(climb *t, const climb_circle *circle, const double *from) {
  climb_track k = {.t = t, .circle = circle, .r = sqrt(fmax(0.0, 1.0 - circle->k * circle->k))};
  double along = nsds_dot(from, circle->u), lo = 0.0, hi = 0.0;
  if (fabs(along - circle->k) > far_off) return;
  for (int i = 0; i < 3; ++i) k.p[i] = from[i] - along * circle->u[i];
  if (!climb_unit(k.p)) return;
  along = nsds_dot(k.p, circle->u); /* near the axis of the circle little but rounding is left */
  for (int i = 0; i < 3; ++i) k.p[i] -= along * circle->u[i];
  nsds_cross(circle->u, k.p, k.q);
  if (!climb_unit(k.q)) return;
  nsds_cross(k.q, circle->u, k.p);
  double start = track_slope(&k, 0.0), up = start, down = start;
  if (start == 0.0) return;
  for (double step = 1e-6; up == start && down == start && step < 4.0; step *= 8.0) {
    double slope = track_slope(&k, start > 0.0 ? step : -step);
    if (start > 0.0 && slope > 0.0) lo = step, up = start = slope, down = start;
    else if (start < 0.0 && slope < 0.0) hi = -step, down = start = slope, up = start;
    else if (start > 0.0) hi = step, down = slope;
    else lo = -step, up = slope;
  }
  if (!(up > 0.0) || down > 0.0) return;
  for (int k2 = 0; k2 < 60 && hi - lo > 1e-16; ++k2) {
    double at = k2 % 3 == 2 ? 0.5 * (lo + hi) : lo + up * (hi - lo) / (up - down);
    if (!(at > lo && at < hi)) at = 0.5 * (lo + hi);
    double slope = track_slope(&k, at);
    if (slope > 0.0) lo = at, up = slope;
    else hi = at, down = slope;
    if (slope == 0.0) return;
  }
}

/* Newton's method on the sphere from a direction. */
static void climb_newton(climb *t, const double *from) {
  double n[3] = {from[0], from[1], from[2]}, length = 1.0;
  for (int step = 0; step < 12 && length > 1e-15; ++step) {
    double w[3], H[9] = {0.0}, p[3] = {0.0}, q[3], Hp[3], Hq[3], back[3] = {-n[0], -n[1], -n[2]};
    int k = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    climb_judge(t, n, w);
    nsds_core_bend(t->a, back, -1.0, H);
    nsds_core_bend(t->b, n, -1.0, H);
    p[fabs(n[2]) < fabs(n[k]) ? 2 : k] = 1.0;
    nsds_cross(n, p, q);
    if (!climb_unit(q)) return;
    nsds_cross(q, n, p);
    nsds_turn(H, p, Hp);
    nsds_turn(H, q, Hq);
    double s = nsds_dot(n, w), h11 = nsds_dot(p, Hp) - s, h22 = nsds_dot(q, Hq) - s;
    double h12 = nsds_dot(p, Hq), det = h11 * h22 - h12 * h12, g1 = nsds_dot(p, w),
           g2 = nsds_dot(q, w);
    double x = (h12 * g2 - h22 * g1) / det, y = (h12 * g1 - h11 * g2) / det;
    length = sqrt(x * x + y * y);
    if (!isfinite(length)) return;
    double part = length > 0.3 ? 0.3 / length : 1.0;
    for (int i = 0; i < 3; ++i) n[i] += part * (x * p[i] + y * q[i]);
    if (!climb_unit(n)) return;
  }
}

static void climb_finish(climb *t) {
  for (int round = 0; round < 3; ++round) {
    climb_circle circle[most_circles];
    const double n[3] = {t->n[0], t->n[1], t->n[2]}, back[3] = {-n[0], -n[1], -n[2]}, s = t->s;
    int count = list_circles(t, t->a, back, -1.0, circle, 0);
    count = list_circles(t, t->b, n, 1.0, circle, count);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < i; ++j) try_crossing(t, &circle[i], &circle[j], n);
    for (int i = 0; i < count; ++i) climb_along(t, &circle[i], n);
    climb_newton(t, n);
    if (t->s > s) climb_newton(t, t->n);
    if (!(t->s > s + 1e-15 * t->size)) break;
  }
  /* Directions within rounding of a face's normal are that normal. Beside a core that is large for the
   * other, a direction with nearly the same s may lead to a point beside the face. */
  double least = fmin(t->a->around, t->b->around);
  double slack = fmin(1e-13 * t->size, 1e-14 * least * least / t->size);
  if (t->face_s < t->s - fmax(slack, 2e-16 * t->size)) return;
  t->s = t->face_s;
  memcpy(t->n, t->face_n, sizeof t->n);
}

bool nsds_round_axis(const nsds_collision *c, double limit, double *n, double *s) {
  climb t = {.a = c->a,
             .b = c->b,
             .size = c->a->around + c->b->around,
             .s = -INFINITY,
             .face_s = -INFINITY};
  if (!climb_begin(&t, limit)) return false;
  climb_finish(&t);
  memcpy(n, t.n, sizeof t.n);
  *s = t.s;
  return t.s <= limit;
}
