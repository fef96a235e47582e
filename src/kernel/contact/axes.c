/*
 * Finds separating axes of two cores with at least one face. The axes are normals of faces and
 * products of edges. Polytopes overlap least along one of these.
 *
 * Source: S. Gottschalk, Separating axis theorem, UNC TR 96-024 (1996).
 */
#include "kernel/contact/axes.h"

#include "kernel/contact/overlap_libccd.h"
#include "kernel/modeling/body.h"

#include <nsds/shapes.h>

enum { many_axes = 1000 };

static double least(const nsds_core *core, const double *n) {
  double low = nsds_dot(n, core->wv);
  for (int k = 3; k < 3 * core->nv; k += 3) {
    double x = nsds_dot(n, core->wv + k);
    low = x < low ? x : low;
  }
  return low;
}

static double greatest(const nsds_core *core, const double *n) {
  double high = nsds_dot(n, core->wv);
  for (int k = 3; k < 3 * core->nv; k += 3) {
    double x = nsds_dot(n, core->wv + k);
    high = x > high ? x : high;
  }
  return high;
}

double nsds_extent(const nsds_core *a, const nsds_core *b, const double *n) {
  return least(a, n) - greatest(b, n);
}

/* Returns true if n would push a body to the back of a flat core, which stops bodies on its front. The
 * way to the back may be the shorter one. In a step of h, a body at speed v is searched where it
 * would be at the end, up to h v behind the face. */
static bool leads_back(const nsds_collision *c, const double *n) {
  static const double sideways = -1e-6;
  if (c->b->flat) return nsds_dot(n, c->b->wn) < sideways;
  return c->a->flat && -nsds_dot(n, c->a->wn) < sideways;
}

/* Tries the faces of ref. Returns false if a face separates by more than limit. */
static bool try_faces(const nsds_collision *c, const nsds_core *ref, double limit,
                      nsds_axis *axis) {
  const nsds_core *other = ref == c->a ? c->b : c->a;
  double sign = ref == c->a ? -1.0 : 1.0;
  for (int f = 0; f < ref->nf; ++f) {
    const double *n = ref->wn + 3 * f;
    double level = nsds_dot(n, ref->wv + 3 * ref->loop[ref->first[f]]);
    double s = least(other, n) - level;
    if (s > limit) return false;
    if (ref->flat && level - greatest(other, n) > c->a->radius + c->b->radius) return false;
    if (s <= axis->s + (axis->ref ? c->slack : 0.0)) continue;
    const double along[3] = {sign * n[0], sign * n[1], sign * n[2]};
    if (!ref->flat && leads_back(c, along)) continue;
    *axis = (nsds_axis){.s = s, .n = {along[0], along[1], along[2]}, .ref = ref, .face = f};
  }
  return true;
}

static bool try_direction(const nsds_collision *c, const double *n, double limit, nsds_axis *axis) {
  double s = nsds_extent(c->a, c->b, n);
  if (s > limit) return false;
  if (s > axis->s + c->slack && !leads_back(c, n))
    *axis = (nsds_axis){.s = s, .n = {n[0], n[1], n[2]}};
  return true;
}

static bool try_edges(const nsds_collision *c, double limit, nsds_axis *axis) {
  for (int i = 0; i < c->a->nd; ++i)
    for (int j = 0; j < c->b->nd; ++j) {
      double n[3];
      nsds_cross(c->a->wd + 3 * i, c->b->wd + 3 * j, n);
      double length = nsds_length(n);
      if (length < 1e-8) continue; /* parallel: faces separate better */
      for (int k = 0; k < 3; ++k) n[k] /= length;
      const double back[] = {-n[0], -n[1], -n[2]};
      if (!try_direction(c, n, limit, axis) || !try_direction(c, back, limit, axis)) return false;
    }
  return true;
}

bool nsds_find_axis(const nsds_collision *c, double limit, nsds_axis *axis) {
  *axis = (nsds_axis){.s = -INFINITY};
  if (!try_faces(c, c->a, limit, axis) || !try_faces(c, c->b, limit, axis)) return false;
  if (axis->s > c->slack) return true; /* apart: closest points decide */
  bool many = (double)c->a->nd * c->b->nd > many_axes;
  double n[3];
  bool by_ccd = c->method == NSDS_OVERLAP_CCD || (c->method == NSDS_OVERLAP_AUTO && many);
  if (by_ccd && nsds_ccd_axis(c->a, c->b, n)) return try_direction(c, n, limit, axis);
  return try_edges(c, limit, axis); /* libccd has no direction for cores that are apart */
}
