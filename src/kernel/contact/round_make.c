/*
 * Cylinders, cones and ellipsoids: their cores, moments, and meshes to draw them.
 *
 * Moments of discs with the radius r(x) between x = -l and l are
 *
 *     pi int r^2 (1, x, x^2) dx along the axis,   pi / 4 int r^4 dx across it,
 *
 * polynomials of degree four, for which Gauss's rule of three points is exact. A mesh has rings of
 * points around the first axis, with a face at each end if the end is a disc.
 */
#include "kernel/contact/round_make.h"

#include "base/context.h"
#include "kernel/contact/round.h"
#include "kernel/modeling/body.h"

static const double pi = 3.14159265358979323846;

nsds_status nsds_round_make(nsds_context *context, const nsds_shape_def *def, const double *R,
                            nsds_core *core) {
  core->round = NSDS_NEW(context, nsds_round);
  if (!core->round) return NSDS_ERROR_MEMORY;
  nsds_round *round = core->round;
  bool discs = def->kind != NSDS_ELLIPSOID;
  round->kind = discs ? NSDS_ROUND_DISCS : NSDS_ROUND_ELLIPSOID;
  memcpy(round->size, def->half, sizeof round->size);
  if (discs) {
    round->size[1] = def->radius;
    round->size[2] = def->kind == NSDS_CONE ? def->top_radius : def->radius;
  }
  memcpy(round->own, R, sizeof round->own);
  memcpy(round->axes, R, sizeof round->axes);
  core->radius = 0.0;
  return NSDS_OK;
}

/* ---- moments --------------------------------------------------------------------------------- */

nsds_moments nsds_round_moments(const nsds_core *core) {
  const nsds_round *round = core->round;
  const double *s = round->size;
  nsds_moments m = {.v = 0.0};
  double along = 0.0, c[3] = {0.0};
  if (round->kind == NSDS_ROUND_ELLIPSOID) {
    m.v = 4.0 / 3.0 * pi * s[0] * s[1] * s[2];
    for (int i = 0; i < 3; ++i) c[i] = m.v * s[i] * s[i] / 5.0;
  } else
    for (int k = -1; k <= 1; ++k) {
      double x = k * 0.77459666924148337704 * s[0], weight = (k == 0 ? 8.0 : 5.0) / 9.0 * s[0];
      double r = 0.5 * (s[1] + s[2]) + 0.5 * (s[2] - s[1]) * x / s[0], area = weight * pi * r * r;
      m.v += area;
      along += area * x;
      c[0] += area * x * x;
      c[1] += 0.25 * area * r * r;
      c[2] = c[1];
    }
  for (int i = 0; i < 3; ++i) m.s[i] = along * round->own[i];
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        m.c[i + 3 * j] += c[k] * round->own[i + 3 * k] * round->own[j + 3 * k];
  return m;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

enum { around = 32, most_rings = 17 };

/* Rings of points by place on the axis and radii along the other two axes. Radii of zero: a point. */
typedef struct round_rings {
  double x[most_rings], r[most_rings][2];
  int n;
} round_rings;

static round_rings rings_of(const nsds_round *round) {
  const double *s = round->size;
  round_rings rings = {.n = 2, .x = {-s[0], s[0]}, .r = {{s[1], s[1]}, {s[2], s[2]}}};
  if (round->kind == NSDS_ROUND_DISCS) return rings;
  rings.n = most_rings;
  for (int k = 0; k < most_rings; ++k) {
    double angle = pi * k / (most_rings - 1),
           across = k > 0 && k < most_rings - 1 ? sin(angle) : 0.0;
    rings.x[k] = -s[0] * cos(angle);
    for (int i = 0; i < 2; ++i) rings.r[k][i] = across * s[1 + i];
  }
  return rings;
}

static int ring_points(const round_rings *rings, int k) {
  return rings->r[k][0] > 0.0 ? around : 1;
}

static void put_ring(const round_rings *rings, int k, double *v) {
  for (int j = 0; j < ring_points(rings, k); ++j) {
    double angle = 2.0 * pi * j / around;
    v[3 * j] = rings->x[k];
    v[3 * j + 1] = rings->r[k][0] * cos(angle);
    v[3 * j + 2] = rings->r[k][1] * sin(angle);
  }
}

/* Adds the faces between a ring that begins at point p and the next one, at q. */
static int put_band(int p, int np, int q, int nq, int *face, int *first, int nface) {
  for (int j = 0; j < around; ++j) {
    int next = (j + 1) % around, *f = face + first[nface], n = 0;
    f[n++] = np > 1 ? p + next : p;
    if (np > 1) f[n++] = p + j;
    f[n++] = nq > 1 ? q + j : q;
    if (nq > 1) f[n++] = q + next;
    first[nface + 1] = first[nface] + n;
    ++nface;
  }
  return nface;
}

/* Adds the disc of a ring. */
static int put_end(int p, bool last, int *face, int *first, int nface) {
  int *f = face + first[nface];
  for (int j = 0; j < around; ++j) f[j] = p + (last ? j : around - 1 - j);
  first[nface + 1] = first[nface] + around;
  return nface + 1;
}

nsds_status nsds_round_mesh(nsds_context *context, nsds_solid *solid) {
  round_rings rings = rings_of(solid->core->round);
  int bands = rings.n - 1, most_faces = bands * around + 2, nface = 0, nvertex = 0, start = 0;
  size_t entries = (size_t)most_faces + 1 + (size_t)(4 * bands + 2) * around;
  for (int k = 0; k < rings.n; ++k) nvertex += ring_points(&rings, k);
  solid->vertex = NSDS_NEW_ARRAY(context, double, 3 * (size_t)nvertex);
  solid->index = NSDS_NEW_ARRAY(context, int, entries);
  if (!solid->vertex || !solid->index) return NSDS_ERROR_MEMORY;
  int *first = solid->index, *face = first + most_faces + 1;
  first[0] = 0;
  for (int k = 0; k < rings.n; ++k) {
    int here = ring_points(&rings, k), next = start + here;
    bool end = k == 0 || k == rings.n - 1;
    put_ring(&rings, k, solid->vertex + (size_t)3 * (size_t)start);
    if (end && here > 1) nface = put_end(start, k > 0, face, first, nface);
    if (k < bands)
      nface = put_band(start, here, next, ring_points(&rings, k + 1), face, first, nface);
    start = next;
  }
  solid->shape.nvertex = nvertex;
  solid->shape.nface = nface;
  solid->shape.first = first;
  solid->shape.face = face;
  return NSDS_OK;
}
