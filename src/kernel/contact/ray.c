/*
 * A ray and a core. A polytope without radius is the common part of the half spaces behind its
 * faces. One with radius is the union of the polytope, of prisms on its faces as high as the radius,
 * and of capsules around its edges. The ray enters the union where it first enters a part. A
 * triangle of scenery has a front alone.
 *
 * Source: C. Ericson, Real-Time Collision Detection (2005), sec. 5.3.
 */
#include "kernel/contact/ray.h"

#include "kernel/contact/clip.h"
#include "kernel/modeling/body.h"

static double starts_inside(const nsds_line *ray, double *normal) {
  for (int i = 0; i < 3; ++i) normal[i] = -ray->way[i];
  return 0.0;
}

double nsds_ray_half_space(const nsds_line *ray, const double *n, double offset, double *normal) {
  double above = nsds_dot(n, ray->from) - offset, closing = -nsds_dot(n, ray->way);
  if (above <= 0.0) return starts_inside(ray, normal);
  if (!(closing > 0.0)) return INFINITY;
  memcpy(normal, n, 3 * sizeof *normal);
  return above / closing;
}

static double ray_ball(const nsds_line *ray, const double *centre, double radius, double *normal) {
  double m[3], beside[3];
  for (int i = 0; i < 3; ++i) m[i] = ray->from[i] - centre[i];
  double along = nsds_dot(m, ray->way);
  for (int i = 0; i < 3; ++i) beside[i] = m[i] - along * ray->way[i];
  double room = radius * radius - nsds_dot(beside, beside);
  if (nsds_dot(m, m) <= radius * radius) return starts_inside(ray, normal);
  if (!(room >= 0.0) || along >= 0.0) return INFINITY;
  double back = sqrt(room);
  for (int i = 0; i < 3; ++i) normal[i] = (beside[i] - back * ray->way[i]) / radius;
  return -along - back;
}

/* The side of a cylinder without ends from a to b. Rays that start inside its ends start in it. */
static double ray_side(const nsds_line *ray, const double *a, const double *b, double radius,
                       double *normal) {
  double axis[3], m[3], d[3];
  for (int i = 0; i < 3; ++i) axis[i] = b[i] - a[i];
  double length = nsds_length(axis);
  if (!(length > 0.0)) return INFINITY;
  for (int i = 0; i < 3; ++i) {
    axis[i] /= length;
    m[i] = ray->from[i] - a[i];
  }
  double m_along = nsds_dot(m, axis), d_along = nsds_dot(ray->way, axis);
  for (int i = 0; i < 3; ++i) {
    m[i] -= m_along * axis[i];
    d[i] = ray->way[i] - d_along * axis[i];
  }
  if (m_along >= 0.0 && m_along <= length && nsds_dot(m, m) <= radius * radius)
    return starts_inside(ray, normal);
  double square = nsds_dot(d, d);
  if (!(square > 1e-30)) return INFINITY; /* along the axis: the ends decide */
  double middle = -nsds_dot(m, d) / square;
  for (int i = 0; i < 3; ++i) m[i] += middle * d[i];
  double room = radius * radius - nsds_dot(m, m);
  if (!(room >= 0.0)) return INFINITY;
  double back = sqrt(room / square), t = middle - back, at = m_along + t * d_along;
  if (!(t >= 0.0) || at < 0.0 || at > length) return INFINITY;
  for (int i = 0; i < 3; ++i) normal[i] = (m[i] - back * d[i]) / radius;
  return t;
}

/* Takes what a part tells if it is nearer. */
static void enter_earlier(double t, const double *n, double *best, double *normal) {
  if (!(t < *best)) return;
  *best = t;
  memcpy(normal, n, 3 * sizeof *normal);
}

static double ray_capsule(const nsds_line *ray, const double *a, const double *b, double radius,
                          double *normal) {
  double n[3], best = ray_side(ray, a, b, radius, normal);
  enter_earlier(ray_ball(ray, a, radius, n), n, &best, normal);
  enter_earlier(ray_ball(ray, b, radius, n), n, &best, normal);
  return best;
}

/* Half spaces behind the faces. */
static double ray_polytope(const nsds_line *ray, const nsds_core *core, double *normal) {
  double enters = -INFINITY, leaves = INFINITY;
  for (int f = 0; f < core->nf; ++f) {
    const double *n = core->wn + 3 * f, *x = core->wv + 3 * core->loop[core->first[f]];
    double above = nsds_dot(n, ray->from) - nsds_dot(n, x), closing = -nsds_dot(n, ray->way);
    if (closing > 0.0 && above / closing > enters) {
      enters = above / closing;
      memcpy(normal, n, 3 * sizeof *normal);
    } else if (closing < 0.0) leaves = fmin(leaves, above / closing);
    else if (closing == 0.0 && above > 0.0) return INFINITY;
  }
  if (leaves < 0.0 || enters > leaves) return INFINITY;
  return enters > 0.0 ? enters : starts_inside(ray, normal);
}

/* The face moved out by the radius; in the prism below it a ray starts inside. */
static double ray_face(const nsds_line *ray, const nsds_core *core, int f, double *normal) {
  const double *n = core->wn + 3 * f, *x = core->wv + 3 * core->loop[core->first[f]];
  double above = nsds_dot(n, ray->from) - nsds_dot(n, x), closing = -nsds_dot(n, ray->way), at[3];
  bool inside = above >= 0.0 && above <= core->radius && core->radius > 0.0;
  double t = inside ? 0.0 : (above - core->radius) / closing;
  if (!inside && !(closing > 0.0 && above >= core->radius)) return INFINITY;
  for (int i = 0; i < 3; ++i) at[i] = ray->from[i] + t * ray->way[i];
  int sides = core->first[f + 1] - core->first[f];
  for (int k = 0; k < sides; ++k) {
    const double *p;
    double m[3];
    nsds_side(core, f, k, n, m, &p);
    if (nsds_dot(m, at) - nsds_dot(m, p) > ray->slack) return INFINITY;
  }
  if (inside) return starts_inside(ray, normal);
  memcpy(normal, n, 3 * sizeof *normal);
  return t;
}

double nsds_ray_core(const nsds_line *ray, const nsds_core *core, double *normal) {
  if (core->nv == 1) return ray_ball(ray, core->wv, core->radius, normal);
  if (core->nv == 2 && !core->flat)
    return ray_capsule(ray, core->wv, core->wv + 3, core->radius, normal);
  double n[3], best = core->flat ? INFINITY : ray_polytope(ray, core, normal);
  if (core->radius == 0.0 && !core->flat) return best;
  for (int f = 0; best > 0.0 && f < core->nf; ++f)
    enter_earlier(ray_face(ray, core, f, n), n, &best, normal);
  for (int e = 0; best > 0.0 && core->radius > 0.0 && e < core->ne; ++e)
    enter_earlier(ray_capsule(ray, core->wv + 3 * core->edge[2 * e],
                              core->wv + 3 * core->edge[2 * e + 1], core->radius, n),
                  n, &best, normal);
  return best;
}
