/*
 * Points at which two cores, one of them round, are nearest. The direction n and the separation s are
 * exact (round_axis.c). But n may be the normal of a face or of a line of a core. Then many points of the
 * core are farthest along n, and its support is any of them. If the support is the only one, the other point lies
 * s away from it along n. So the support of each core is tried, and the pair that is less outside of the
 * cores is taken. If both cores have many, the ends of what they have in common are contacts.
 */
#include "kernel/contact/round_witness.h"

#include "kernel/contact/round.h"
#include "kernel/modeling/body.h"

static double witness_outside_discs(const nsds_round *round, const double *l) {
  const double *s = round->size;
  double w = sqrt(l[1] * l[1] + l[2] * l[2]), fall = s[1] - s[2], height = 2.0 * s[0];
  double wide = s[1] - fall * (l[0] + s[0]) / height, ends = fabs(l[0]) - s[0];
  return fmax(ends, (w - wide) * height / sqrt(height * height + fall * fall));
}

static double witness_outside_ellipsoid(const nsds_round *round, const double *l) {
  double f = 0.0, g = 0.0;
  for (int i = 0; i < 3; ++i) {
    double x = l[i] / round->size[i], y = x / round->size[i];
    f += x * x;
    g += y * y;
  }
  return g > 0.0 ? (f - 1.0) * sqrt(f) / ((1.0 + sqrt(f)) * sqrt(g)) : -round->size[0];
}

static double witness_outside_segment(const nsds_core *core, const double *x) {
  const double *p = core->wv, *q = core->wv + 3 * (core->nv - 1);
  double way[3], along[3];
  for (int i = 0; i < 3; ++i) {
    way[i] = x[i] - p[i];
    along[i] = q[i] - p[i];
  }
  double square = nsds_dot(along, along), t = square > 0.0 ? nsds_dot(way, along) / square : 0.0;
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  for (int i = 0; i < 3; ++i) way[i] -= t * along[i];
  return nsds_length(way);
}

static double witness_outside_faces(const nsds_core *core, const double *x) {
  double most = -INFINITY;
  for (int f = 0; f < core->nf; ++f) {
    const double *n = core->wn + 3 * f, *p = core->wv + 3 * core->loop[core->first[f]];
    double off = 0.0;
    for (int i = 0; i < 3; ++i) off += n[i] * (x[i] - p[i]);
    most = fmax(most, core->flat ? fabs(off) : off);
    for (int k = 0; core->flat && k < core->first[1]; ++k) {
      const double *u = core->wv + 3 * core->loop[k],
                   *v = core->wv + 3 * core->loop[(k + 1) % core->first[1]];
      double along[3], m[3], side = 0.0;
      for (int i = 0; i < 3; ++i) along[i] = v[i] - u[i];
      nsds_cross(along, n, m);
      for (int i = 0; i < 3; ++i) side += m[i] * (x[i] - u[i]);
      most = fmax(most, side / nsds_length(m));
    }
  }
  return most;
}

double nsds_core_outside(const nsds_core *core, const double *x) {
  double way[3], l[3];
  if (!core->round)
    return core->nf > 0 ? witness_outside_faces(core, x) : witness_outside_segment(core, x);
  for (int i = 0; i < 3; ++i) way[i] = x[i] - core->wv[i];
  nsds_turn_back(core->round->axes, way, l);
  return core->round->kind == NSDS_ROUND_ELLIPSOID ? witness_outside_ellipsoid(core->round, l)
                                                   : witness_outside_discs(core->round, l);
}

double nsds_round_witness(const nsds_collision *c, const double *n, double s, double *xa,
                          double *xb) {
  double back[3] = {-n[0], -n[1], -n[2]}, ya[3], yb[3];
  nsds_core_support(c->a, back, xa);
  nsds_core_support(c->b, n, yb);
  for (int i = 0; i < 3; ++i) {
    xb[i] = xa[i] - s * n[i];
    ya[i] = yb[i] + s * n[i];
  }
  double off = nsds_core_outside(c->b, xb), other = nsds_core_outside(c->a, ya);
  if (off <= other) return off;
  memcpy(xa, ya, sizeof ya);
  memcpy(xb, yb, sizeof yb);
  return other;
}
