/*
 * Moments of a convex core with the radius r around it, part by part:
 *
 *     inside        simplices from the origin to its faces
 *     faces         slabs of thickness r in front of them
 *     edges         sectors between the normals n1, n2 of two faces at an angle a, along the edge
 *     vertices      the part of a ball whose normals N the vertex has
 *
 * A simplex of k points p, S their sum, has the means S / k and (sum p p^T + S S^T) / (k (k + 1)).
 * A sector has with b = (n1 + n2) / |n1 + n2| and c across b
 *
 *   int dA = r^2 a / 2,  int x dA = r^3 / 3 tan(a / 2) (n1 + n2),
 *   int x x^T dA = r^4 / 8 ((a + sin a) b b^T + (a - sin a) c c^T).
 *
 * On the unit sphere the normals of a vertex are a polygon. Each arc belongs to an edge, whose
 * direction d leads away from the vertex. Let w be 2 pi less the angles of faces. By the theorems
 * of Gauss-Bonnet and Stokes,
 *
 *   int dw = w,  int N dw = -1/2 sum a d,
 *   int N N^T dw = w / 3 I - 1/3 sum tan(a / 2) (n1 + n2) d^T.
 */
#include "kernel/contact/volume_moments.h"

#include "base/context.h"
#include "kernel/contact/round_make.h"
#include "kernel/modeling/body.h"

#include <stdlib.h>

static const double whole_turn = 6.28318530717958647692;

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_outer(double f, const double *a, const double *b, double *c) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) c[i + 3 * j] += f * a[i] * b[j];
}

/* Adds a part with these moments about the point `at`. */
static void add_moved(nsds_moments *m, const nsds_moments *part, const double *at) {
  m->v += part->v;
  for (int i = 0; i < 3; ++i) m->s[i] += part->s[i] + part->v * at[i];
  for (int i = 0; i < 9; ++i) m->c[i] += part->c[i];
  add_outer(1.0, at, part->s, m->c);
  add_outer(1.0, part->s, at, m->c);
  add_outer(part->v, at, at, m->c);
}

/* Returns the moments of a simplex with `points` points: k given ones, and the origin for the
 * others. */
static nsds_moments simplex_of(double measure, int points, int k, const double (*p)[3]) {
  nsds_moments m = {.v = measure};
  double sum[3] = {0.0}, second = measure / (points * (points + 1.0));
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < 3; ++j) sum[j] += p[i][j];
    add_outer(second, p[i], p[i], m.c);
  }
  for (int j = 0; j < 3; ++j) m.s[j] = measure / points * sum[j];
  add_outer(second, sum, sum, m.c);
  return m;
}

/* Adds the slab of thickness r in front of a simplex, along n. */
static void add_slab(nsds_moments *m, double measure, int k, const double (*p)[3], const double *n,
                     double r) {
  static const double origin[3] = {0.0, 0.0, 0.0};
  nsds_moments base = simplex_of(measure, k, k, p), slab = {.v = r * base.v};
  for (int i = 0; i < 3; ++i) slab.s[i] = r * base.s[i] + 0.5 * r * r * base.v * n[i];
  for (int i = 0; i < 9; ++i) slab.c[i] = r * base.c[i];
  add_outer(0.5 * r * r, base.s, n, slab.c);
  add_outer(0.5 * r * r, n, base.s, slab.c);
  add_outer(r * r * r / 3.0 * base.v, n, n, slab.c);
  add_moved(m, &slab, origin);
}

/* Returns the moments of a disc's sector about its center, across d, and the angle between the
 * normals. */
static nsds_moments sector_of(double r, const double *n1, const double *n2, const double *d,
                              double *angle) {
  double b[3], c[3], across[3], sum[3];
  nsds_cross(n1, n2, across);
  double a = *angle = atan2(nsds_length(across), nsds_dot(n1, n2)), r2 = r * r;
  for (int i = 0; i < 3; ++i) sum[i] = n1[i] + n2[i];
  double length = nsds_length(sum), first = r2 * r / 3.0 * tan(0.5 * a);
  for (int i = 0; i < 3; ++i) b[i] = sum[i] / length;
  nsds_cross(d, b, c);
  nsds_moments m = {.v = 0.5 * a * r2};
  for (int i = 0; i < 3; ++i) m.s[i] = first * sum[i];
  add_outer(0.125 * r2 * r2 * (a + sin(a)), b, b, m.c);
  add_outer(0.125 * r2 * r2 * (a - sin(a)), c, c, m.c);
  return m;
}

/* Adds the part of a ball with normals of the solid angle w, without the shares of edges. */
static void add_ball_part(nsds_moments *m, double r, double w, const double *at) {
  double r3 = r * r * r;
  nsds_moments part = {.v = r3 / 3.0 * w};
  for (int i = 0; i < 9; i += 4) part.c[i] = r3 * r * r / 15.0 * w;
  add_moved(m, &part, at);
}

/* ---- polytopes ------------------------------------------------------------------------------- */

static void vertex_from(const nsds_core *core, int k, const double *origin, double *x) {
  for (int i = 0; i < 3; ++i) x[i] = core->v[3 * k + i] - origin[i];
}

/* Adds a triangle of a face in 3D, or an edge in the plane: inside and slab. */
static void add_facet(nsds_moments *m, const nsds_core *core, const double *n, int k,
                      const double (*p)[3]) {
  static const double origin[3] = {0.0, 0.0, 0.0};
  double u[3], w[3], across[3], measure;
  for (int i = 0; i < 3; ++i) {
    u[i] = p[1][i] - p[0][i];
    w[i] = k == 3 ? p[2][i] - p[0][i] : 0.0;
  }
  nsds_cross(u, w, across);
  measure = k == 3 ? 0.5 * nsds_length(across) : nsds_length(u);
  double behind = k == 3 ? nsds_dot(p[0], across) / 6.0 : 0.5 * measure * nsds_dot(p[0], n);
  nsds_moments inside = simplex_of(behind, k + 1, k, p);
  add_moved(m, &inside, origin);
  if (core->radius > 0.0) add_slab(m, measure, k, p, n, core->radius);
}

static void add_faces_of(nsds_moments *m, const nsds_core *core, int dimension,
                         const double *origin) {
  for (int f = 0; f < core->nf; ++f) {
    const int *loop = core->loop + core->first[f];
    int count = core->first[f + 1] - core->first[f];
    double p[3][3];
    vertex_from(core, loop[0], origin, p[0]);
    for (int k = 1; k + dimension - 2 < count; ++k) {
      for (int i = 1; i < dimension; ++i) vertex_from(core, loop[k + i - 1], origin, p[i]);
      add_facet(m, core, core->n + 3 * f, dimension, (const double(*)[3])p);
    }
  }
}

static double angle_at(const nsds_core *core, int f, int k) {
  const int *loop = core->loop + core->first[f];
  int count = core->first[f + 1] - core->first[f];
  const double *x = core->v + 3 * loop[k];
  double u[3], w[3], across[3];
  vertex_from(core, loop[(k + 1) % count], x, u);
  vertex_from(core, loop[(k + count - 1) % count], x, w);
  nsds_cross(u, w, across);
  return atan2(nsds_length(across), nsds_dot(u, w));
}

/* Adds the edge between two faces and its shares in the vertices. */
static void add_round_edge(nsds_moments *m, const nsds_core *core, const nsds_half_edge *e,
                           const nsds_half_edge *other, const double *origin) {
  const double *n1 = core->n + 3 * e->face, *n2 = core->n + 3 * other->face;
  double x[2][3], d[3], middle[3], angle, r = core->radius, r4 = r * r * r * r;
  vertex_from(core, e->low, origin, x[0]);
  vertex_from(core, e->high, origin, x[1]);
  for (int i = 0; i < 3; ++i) {
    d[i] = x[1][i] - x[0][i];
    middle[i] = 0.5 * (x[0][i] + x[1][i]);
  }
  double length = nsds_length(d);
  for (int i = 0; i < 3; ++i) d[i] /= length;
  nsds_moments wedge = sector_of(r, n1, n2, d, &angle);
  for (int i = 0; i < 9; ++i) wedge.c[i] *= length;
  for (int i = 0; i < 3; ++i) wedge.s[i] *= length;
  add_outer(wedge.v * length * length * length / 12.0, d, d, wedge.c);
  wedge.v *= length;
  add_moved(m, &wedge, middle);
  for (int end = 0; end < 2; ++end) {
    double sign = end ? 1.0 : -1.0; /* -d leads from the upper vertex */
    nsds_moments part = {.v = 0.0};
    for (int i = 0; i < 3; ++i) part.s[i] = sign * 0.125 * r4 * angle * d[i];
    add_outer(sign * r4 * r / 15.0 * tan(0.5 * angle), n1, d, part.c);
    add_outer(sign * r4 * r / 15.0 * tan(0.5 * angle), n2, d, part.c);
    add_moved(m, &part, x[end]);
  }
}

static int half_edge_compare(const void *a, const void *b) {
  const nsds_half_edge *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->face - q->face;
}

void nsds_half_edges_sort(nsds_half_edge *edge, size_t count) {
  qsort(edge, count, sizeof *edge, half_edge_compare);
}

static nsds_status add_round_edges(nsds_context *context, nsds_moments *m, const nsds_core *core,
                                   const double *origin) {
  int count = core->first[core->nf];
  double x[3];
  nsds_half_edge *edge = NSDS_NEW_ARRAY(context, nsds_half_edge, count);
  if (!edge) return NSDS_ERROR_MEMORY;
  for (int f = 0, e = 0; f < core->nf; ++f)
    for (int k = 0, n = core->first[f + 1] - core->first[f]; k < n; ++k, ++e) {
      const int *loop = core->loop + core->first[f];
      int a = loop[k], b = loop[(k + 1) % n];
      edge[e] =
          (nsds_half_edge){.low = a < b ? a : b, .high = a < b ? b : a, .face = f, .turned = a > b};
      vertex_from(core, a, origin, x);
      add_ball_part(m, core->radius, -angle_at(core, f, k), x);
    }
  nsds_half_edges_sort(edge, (size_t)count);
  for (int e = 0; e + 1 < count; e += 2) add_round_edge(m, core, &edge[e], &edge[e + 1], origin);
  for (int k = 0; k < core->nv; ++k) {
    vertex_from(core, k, origin, x);
    add_ball_part(m, core->radius, whole_turn, x);
  }
  nsds_release(context, edge);
  return NSDS_OK;
}

static void add_round_corners(nsds_moments *m, const nsds_core *core, const double *origin) {
  static const double up[3] = {0.0, 0.0, 1.0};
  for (int f = 0; f < core->nf; ++f)
    for (int g = 0; g < core->nf; ++g) {
      int corner = core->loop[core->first[f] + 1];
      double x[3], angle;
      if (core->loop[core->first[g]] != corner) continue;
      nsds_moments sector = sector_of(core->radius, core->n + 3 * f, core->n + 3 * g, up, &angle);
      vertex_from(core, corner, origin, x);
      add_moved(m, &sector, x);
    }
}

/* ---- points and segments --------------------------------------------------------------------- */

/* Adds a ball or disc, or its half on the side of `side`. */
static void add_ball(nsds_moments *m, int dimension, double r, const double *side,
                     const double *at) {
  double r2 = r * r, pi = 0.5 * whole_turn, half = side ? 0.5 : 1.0;
  bool space = dimension == 3;
  nsds_moments ball = {.v = half * (space ? 4.0 / 3.0 * r : 1.0) * pi * r2};
  for (int i = 0; i < dimension; ++i)
    ball.c[4 * i] = half * (space ? 4.0 / 15.0 * r : 0.25) * pi * r2 * r2;
  for (int i = 0; side && i < 3; ++i)
    ball.s[i] = (space ? 0.25 * pi * r : 2.0 / 3.0) * r2 * r * side[i];
  add_moved(m, &ball, at);
}

static void add_capsule(nsds_moments *m, const nsds_core *core, int dimension,
                        const double *origin) {
  double x[2][3], d[3], back[3], middle[3], r = core->radius, pi = 0.5 * whole_turn;
  for (int k = 0; k < 2; ++k) vertex_from(core, k, origin, x[k]);
  for (int i = 0; i < 3; ++i) {
    d[i] = x[1][i] - x[0][i];
    middle[i] = 0.5 * (x[0][i] + x[1][i]);
  }
  double length = nsds_length(d), wide = dimension == 3 ? pi * r * r : 2.0 * r;
  double across = dimension == 3 ? 0.25 * r * r : r * r / 3.0;
  for (int i = 0; i < 3; ++i) {
    d[i] /= length;
    back[i] = -d[i];
  }
  nsds_moments straight = {.v = wide * length};
  for (int i = 0; i < dimension; ++i) straight.c[4 * i] = straight.v * across;
  add_outer(straight.v * (length * length / 12.0 - across), d, d, straight.c);
  add_moved(m, &straight, middle);
  add_ball(m, dimension, r, back, x[0]);
  add_ball(m, dimension, r, d, x[1]);
}

nsds_status nsds_core_moments(nsds_context *context, const nsds_core *core, int dimension,
                              const double *origin, nsds_moments *m) {
  double x[3];
  nsds_status status = NSDS_OK;
  vertex_from(core, 0, origin, x);
  if (core->round) {
    nsds_moments part = nsds_round_moments(core);
    add_moved(m, &part, x);
  } else if (core->nv == 1) add_ball(m, dimension, core->radius, NULL, x);
  else if (core->nv == 2 && !core->flat) add_capsule(m, core, dimension, origin);
  else {
    add_faces_of(m, core, dimension, origin);
    bool round = core->radius > 0.0 && !core->flat;
    if (round && dimension == 3) status = add_round_edges(context, m, core, origin);
    if (round && dimension == 2) add_round_corners(m, core, origin);
  }
  return status;
}
