/*
 * A ray and a core. A polytope without radius is the common part of the half spaces behind its
 * faces. One with radius is the union of the polytope, of prisms on its faces as high as the radius,
 * and of capsules around its edges. The ray enters the union where it first enters a part. A
 * triangle of scenery has a front alone. Round cores have the roots of a quadratic equation.
 *
 * Source: C. Ericson, Real-Time Collision Detection (2005), sec. 5.3.
 */
#include "kernel/contact/ray.h"

#include "kernel/contact/clip.h"
#include "kernel/contact/round.h"
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

/* ---- round cores ----------------------------------------------------------------------------- */

/* A ray in the axes of a round core. */
typedef struct own_ray {
  double o[3], d[3];
} own_ray;

static double own_ellipsoid(const own_ray *ray, const double *s, double *n) {
  double a = 0.0, b = 0.0, c = -1.0;
  for (int i = 0; i < 3; ++i) {
    double o = ray->o[i] / s[i], d = ray->d[i] / s[i];
    a += d * d;
    b += o * d;
    c += o * o;
  }
  if (c <= 0.0) return 0.0;
  double beside = 0.0; /* squared distance of the scaled ray from the origin, less one */
  for (int i = 0; i < 3; ++i) {
    double x = ray->o[i] / s[i] - b / a * ray->d[i] / s[i];
    beside += x * x;
  }
  if (b >= 0.0 || beside > 1.0) return INFINITY;
  double t = (-b - sqrt(a * (1.0 - beside))) / a;
  for (int i = 0; i < 3; ++i) n[i] = (ray->o[i] + t * ray->d[i]) / (s[i] * s[i]);
  return t;
}

/* The disc at x = place, seen from outside: `out` is 1 or -1. */
static double own_disc(const own_ray *ray, double place, double out, double r, double *n) {
  double closing = -out * ray->d[0], above = out * (ray->o[0] - place), t = above / closing;
  if (!(closing > 0.0) || above < 0.0) return INFINITY;
  double y = ray->o[1] + t * ray->d[1], z = ray->o[2] + t * ray->d[2];
  if (y * y + z * z > r * r) return INFINITY;
  n[0] = out, n[1] = n[2] = 0.0;
  return t;
}

/* The side between discs, where y^2 + z^2 = (m + k x)^2 and m + k x >= 0. */
static double own_side(const own_ray *ray, const double *s, double *n) {
  const double *o = ray->o, *d = ray->d;
  double m = 0.5 * (s[1] + s[2]), k = 0.5 * (s[2] - s[1]) / s[0], r = m + k * o[0], q = k * d[0];
  double a = d[1] * d[1] + d[2] * d[2] - q * q, b = o[1] * d[1] + o[2] * d[2] - r * q;
  double c = o[1] * o[1] + o[2] * o[2] - r * r, room = b * b - a * c, best = INFINITY;
  if (room < 0.0) return INFINITY;
  double stable = b < 0.0 ? -b + sqrt(room) : -b - sqrt(room);
  const double root[2] = {stable / a, c / stable};
  for (int i = 0; i < 2; ++i) {
    double t = root[i], x = o[0] + t * d[0];
    if (!(t >= 0.0) || !(t < best) || fabs(x) > s[0] || m + k * x < 0.0) continue;
    double y = o[1] + t * d[1], z = o[2] + t * d[2], w = -k * (m + k * x);
    if (w * d[0] + y * d[1] + z * d[2] >= 0.0) continue; /* it leaves there */
    best = t;
    n[0] = w, n[1] = y, n[2] = z;
  }
  return best;
}

static double own_discs(const own_ray *ray, const double *s, double *n) {
  const double *o = ray->o;
  double r = 0.5 * (s[1] + s[2]) + 0.5 * (s[2] - s[1]) * o[0] / s[0], m[3];
  if (fabs(o[0]) <= s[0] && o[1] * o[1] + o[2] * o[2] <= r * r) return 0.0;
  double best = own_side(ray, s, n);
  enter_earlier(own_disc(ray, -s[0], -1.0, s[1], m), m, &best, n);
  enter_earlier(own_disc(ray, s[0], 1.0, s[2], m), m, &best, n);
  return best;
}

static double ray_round(const nsds_line *ray, const nsds_core *core, double *normal) {
  const nsds_round *round = core->round;
  double from[3], n[3] = {0.0};
  own_ray own = {.o = {0.0}};
  for (int i = 0; i < 3; ++i) from[i] = ray->from[i] - core->wv[i];
  nsds_turn_back(round->axes, from, own.o);
  nsds_turn_back(round->axes, ray->way, own.d);
  double t = round->kind == NSDS_ROUND_ELLIPSOID ? own_ellipsoid(&own, round->size, n)
                                                 : own_discs(&own, round->size, n);
  if (t == 0.0) return starts_inside(ray, normal);
  if (!(t < INFINITY)) return INFINITY;
  double length = nsds_length(n);
  for (int i = 0; i < 3; ++i) n[i] /= length;
  nsds_turn(round->axes, n, normal);
  return t;
}

double nsds_ray_core(const nsds_line *ray, const nsds_core *core, double *normal) {
  if (core->round) return ray_round(ray, core, normal);
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
