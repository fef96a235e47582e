/*
 * Points and normals of contacts of round shapes and triangles. The other side is written here: how far
 * a point is off a surface, and the reach of a shape along a direction. Two points on the surfaces
 * that differ by the distance along n, and a separation along n of the same size, prove that shapes
 * that are apart have this distance.
 *
 *     kernel_shapes_nearest [COUNT [SEED]]   draws COUNT pairs (3000) from SEED (1) on
 */
#include "support.h"

#include <nsds/mass.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>
#include <stdlib.h>

static long count = 3000;
static uint64_t first_seed = 1;

static const double g = 9.81, pi = 3.14159265358979323846;
static const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* ---- vectors --------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length_of(const double *a) { return sqrt(dot(a, a)); }

static void unit(double *a) {
  double length = length_of(a);
  for (int i = 0; i < 3; ++i) a[i] /= length;
}

static void cross(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; ++i)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void rotation(const double *e, double *R) {
  const double M[9] = {1 - 2 * (e[2] * e[2] + e[3] * e[3]), 2 * (e[1] * e[2] + e[0] * e[3]),
                       2 * (e[1] * e[3] - e[0] * e[2]),     2 * (e[1] * e[2] - e[0] * e[3]),
                       1 - 2 * (e[1] * e[1] + e[3] * e[3]), 2 * (e[2] * e[3] + e[0] * e[1]),
                       2 * (e[1] * e[3] + e[0] * e[2]),     2 * (e[2] * e[3] - e[0] * e[1]),
                       1 - 2 * (e[1] * e[1] + e[2] * e[2])};
  memcpy(R, M, sizeof M);
}

static void product(const double *a, const double *b, double *c) {
  const double q[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                       a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                       a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
                       a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) c[i] = q[i] / length;
}

static void draw_unit(uint64_t *x, double *a) {
  do
    for (int i = 0; i < 3; ++i) a[i] = random_in(x, -1, 1);
  while (dot(a, a) > 1.0 || dot(a, a) < 1e-2);
  unit(a);
}

static void draw_attitude(uint64_t *x, double *q) {
  double square = 0.0;
  for (int i = 0; i < 4; ++i) q[i] = random_in(x, -1, 1), square += q[i] * q[i];
  for (int i = 0; i < 4; ++i) q[i] /= sqrt(square);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

enum { most_vertices = 40 };

typedef struct solid {
  nsds_shape_def def;
  double x[3], R[9], size;
  double vertex[most_vertices][3];
} solid;

/* The largest d.x of the shape. */
static double reaches(const solid *s, const double *d) {
  const nsds_shape_def *k = &s->def;
  double l[3], h = dot(d, s->x), w, most = -INFINITY;
  for (int i = 0; i < 3; ++i) l[i] = dot(s->R + 3 * i, d);
  w = sqrt(l[1] * l[1] + l[2] * l[2]);
  switch (k->kind) {
  case NSDS_CYLINDER: return h + fabs(l[0]) * k->half[0] + k->radius * w;
  case NSDS_CONE:
    return h + fmax(-l[0] * k->half[0] + k->radius * w, l[0] * k->half[0] + k->top_radius * w);
  case NSDS_ELLIPSOID:
    for (int i = 0; i < 3; ++i) l[i] *= k->half[i];
    return h + length_of(l);
  case NSDS_SPHERE: return h + k->radius;
  case NSDS_CAPSULE: return h + k->radius + fabs(l[0]) * k->half[0];
  case NSDS_BOX:
    for (int i = 0; i < 3; ++i) h += fabs(l[i]) * k->half[i];
    return h + k->radius;
  default:
    for (int i = 0; i < k->nvertex; ++i) most = fmax(most, dot(l, s->vertex[i]));
    return h + k->radius + most;
  }
}

static double separation(const solid *a, const solid *b, const double *n) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  return -reaches(a, back) - reaches(b, n);
}

/* How far a point is from a segment between p and p + d. */
static double off_segment(const double *x, const double *p, const double *d) {
  double r[3], t = 0.0;
  for (int i = 0; i < 3; ++i) r[i] = x[i] - p[i];
  t = fmax(0.0, fmin(1.0, dot(r, d) / dot(d, d)));
  for (int i = 0; i < 3; ++i) r[i] -= t * d[i];
  return length_of(r);
}

static double off_triangle(const double *x, const double (*v)[3]) {
  double e[3][3], n[3], r[3], most = INFINITY;
  bool in = true;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) e[k][i] = v[(k + 1) % 3][i] - v[k][i];
  cross(e[0], e[1], n);
  unit(n);
  for (int k = 0; k < 3; ++k) {
    double m[3];
    cross(n, e[k], m);
    for (int i = 0; i < 3; ++i) r[i] = x[i] - v[k][i];
    in = in && dot(m, r) >= 0.0;
    most = fmin(most, off_segment(x, v[k], e[k]));
  }
  return in ? fabs(dot(n, r)) : most;
}

/* How far the point l of the shape's axes is out of its surface; < 0: in it. */
static double out_of(const nsds_shape_def *k, const double *l) {
  double w = sqrt(l[1] * l[1] + l[2] * l[2]), e[3], most = -INFINITY, f = 0.0, slope = 0.0;
  switch (k->kind) {
  case NSDS_CYLINDER: return fmax(fabs(l[0]) - k->half[0], w - k->radius);
  case NSDS_CONE:
    f = (k->radius - k->top_radius) / (2.0 * k->half[0]);
    return fmax(fabs(l[0]) - k->half[0],
                (w - k->radius + f * (l[0] + k->half[0])) / sqrt(1.0 + f * f));
  case NSDS_ELLIPSOID:
    for (int i = 0; i < 3; ++i) {
      double y = l[i] / k->half[i];
      f += y * y;
      slope += y * y / (k->half[i] * k->half[i]);
    }
    return (f - 1.0) / (2.0 * sqrt(slope));
  case NSDS_SPHERE: return length_of(l) - k->radius;
  case NSDS_CAPSULE: return hypot(fmax(fabs(l[0]) - k->half[0], 0.0), w) - k->radius;
  default:
    for (int i = 0; i < 3; ++i) {
      e[i] = fabs(l[i]) - k->half[i];
      most = fmax(most, e[i]);
      e[i] = fmax(e[i], 0.0);
    }
    return (most > 0.0 ? length_of(e) : most) - k->radius;
  }
}

/* How far x is off the surface of a shape: for hulls, by drawn directions, how far out. */
static double off_surface(const solid *s, const double *x, uint64_t *seed) {
  double r[3], l[3], most = 0.0;
  for (int i = 0; i < 3; ++i) r[i] = x[i] - s->x[i];
  for (int i = 0; i < 3; ++i) l[i] = dot(s->R + 3 * i, r);
  if (s->def.kind == NSDS_TRIANGLES) return fabs(off_triangle(l, s->vertex) - s->def.radius);
  if (s->def.kind != NSDS_HULL) return fabs(out_of(&s->def, l));
  for (int k = 0; k < 200; ++k) {
    double d[3];
    draw_unit(seed, d);
    most = fmax(most, dot(d, x) - reaches(s, d));
  }
  return most;
}

static void put_hull_prism(solid *s, int sides) {
  s->def.nvertex = 2 * sides;
  for (int k = 0; k < 2 * sides; ++k) {
    double turn = 2.0 * pi * (k / 2) / sides;
    s->vertex[k][0] = k % 2 ? s->def.half[0] : -s->def.half[0];
    s->vertex[k][1] = s->def.radius * cos(turn);
    s->vertex[k][2] = s->def.radius * sin(turn);
  }
  s->def.radius = 0.0;
}

/* Draws a shape of a kind with lengths around `size`; `prism`: hulls are prisms along the first axis. */
static void draw_solid(uint64_t *x, nsds_shape_kind kind, double size, bool prism, solid *s) {
  *s = (solid){.def = {.kind = kind}};
  nsds_shape_def *d = &s->def;
  for (int i = 0; i < 3; ++i) d->half[i] = size * random_in(x, 0.05, 1.5);
  d->radius = size * random_in(x, 0.2, 1.0);
  if (kind == NSDS_CONE) {
    double choice = random_in(x, 0, 3);
    d->top_radius = choice < 1.0 ? 0.0 : choice < 1.2 ? d->radius : size * random_in(x, 0, 1);
    if (choice > 2.7) d->radius = 0.0;
    if (random_in(x, 0, 3) < 1) d->half[0] *= 0.05; /* flat ones */
  }
  if (kind == NSDS_HULL && prism) put_hull_prism(s, 3 + (int)random_in(x, 0, 17));
  if (kind == NSDS_BOX || (kind == NSDS_HULL && !prism))
    d->radius = random_in(x, 0, 3) < 2 || prism ? 0.0 : 0.3 * d->radius;
  if (kind == NSDS_HULL && !prism)
    for (d->nvertex = 0; d->nvertex < 12; ++d->nvertex)
      for (int i = 0; i < 3; ++i) s->vertex[d->nvertex][i] = size * random_in(x, -1, 1);
  if (kind == NSDS_TRIANGLES) {
    static const int face[] = {0, 1, 2};
    for (d->nvertex = 0; d->nvertex < 3; ++d->nvertex)
      for (int i = 0; i < 3; ++i) s->vertex[d->nvertex][i] = size * random_in(x, -1, 1);
    d->nface = 1;
    d->face = face;
    d->radius = 0.0;
  }
  draw_attitude(x, d->quaternion);
}

/* Notes attitude and size once the shape stands. */
static void set_up(solid *s) {
  s->def.vertex = &s->vertex[0][0];
  rotation(s->def.quaternion, s->R);
  s->size = 0.0;
  for (int k = 0; k < 6; ++k) {
    double d[3] = {0.0};
    d[k / 2] = k % 2 ? -1.0 : 1.0;
    s->size = fmax(s->size, reaches(s, d) - dot(d, s->x));
  }
}

/* ---- the library's answers ------------------------------------------------------------------- */

typedef struct answer {
  nsds_status status;
  nsds_shape_gap gap;
  int ncontact;
  nsds_contact_info contact[4];
  double y[4];
} answer;

/* Distance of shapes a and b, and the contacts of a step; `turned`: b comes first. */
static void ask(const solid *a, const solid *b, bool turned, bool steps, answer *to) {
  nsds_model *m = nsds_model_create(NULL);
  const solid *all[2] = {turned ? b : a, turned ? a : b};
  nsds_shape_def shape[2];
  for (int k = 0; k < 2; ++k) {
    double q[7] = {all[k]->x[0], all[k]->x[1], all[k]->x[2], 1.0};
    shape[k] = all[k]->def;
    if (shape[k].kind == NSDS_TRIANGLES) continue;
    shape[k].ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q});
  }
  nsds_contact_set *set = nsds_shapes(
      m,
      &(nsds_shapes_def){
          .nmaterial = 1, .material = (nsds_material[]){{.mu = 0.5}}, .nshape = 2, .shape = shape});
  assert_non_null(set);
  *to = (answer){.ncontact = 0};
  to->status = nsds_shapes_gap(set, 0, 1, &to->gap);
  if (steps) {
    nsds_simulation *s =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1, .h = 1e-12, .overlap_sweeps = -1});
    if (nsds_step(s)) fail_msg("%s", nsds_error_message(nsds_model_context(m)));
    to->ncontact = nsds_contact_set_count(set);
    for (int k = 0; k < to->ncontact && k < 4; ++k) {
      nsds_contact_set_get(set, k, &to->contact[k]);
      to->y[k] = to->contact[k].y[0];
      if (to->contact[k].ds[0] == shape[0].ds) continue;
      for (int i = 0; i < 3; ++i) to->contact[k].normal[i] *= -1.0;
    }
  }
  nsds_model_destroy(m);
}

/* What is wrong with a pair of points, y apart along n; NULL: nothing. */
static const char *fault_of_points(const solid *a, const solid *b, double y, const double *n,
                                   const double *pa, const double *pb, double tolerance,
                                   uint64_t *seed) {
  double d[3];
  for (int i = 0; i < 3; ++i) d[i] = pa[i] - pb[i] - y * n[i];
  if (!(fabs(length_of(n) - 1.0) < 1e-12)) return "normal is not of length 1";
  if (!(length_of(d) <= tolerance)) return "points do not differ by the distance along n";
  if (!(off_surface(a, pa, seed) <= tolerance)) return "point off the first surface";
  if (!(off_surface(b, pb, seed) <= tolerance)) return "point off the second surface";
  return NULL;
}

/* Directions are where the separation is largest, and so known to the root of rounding. */
static double tolerance_of(const solid *a, const solid *b, double distance) {
  return 3e-8 * fmin(a->size, b->size) + 2e-8 * (fmax(a->size, b->size) + fabs(distance));
}

static const char *fault_of_gap(const solid *a, const solid *b, const answer *found,
                                uint64_t *seed) {
  const nsds_shape_gap *gap = &found->gap;
  double tolerance = tolerance_of(a, b, gap->distance);
  if (found->status) return "no distance";
  const char *fault = fault_of_points(a, b, gap->distance, gap->normal, gap->point[0],
                                      gap->point[1], tolerance, seed);
  if (fault) return fault;
  if (!(fabs(separation(a, b, gap->normal) - gap->distance) <= 1e-9 * fmax(a->size, b->size)))
    return "distance is not the separation along its normal";
  return NULL;
}

/* Contacts of a step: on both surfaces, except that two lines less than 0.1 rad from parallel have
 * contacts beside each other. Corners of a rounded face that leans from n are not farthest along n. */
static const char *fault_of_contacts(const solid *a, const solid *b, const answer *found,
                                     bool lines, uint64_t *seed) {
  double least = INFINITY, tolerance = tolerance_of(a, b, found->gap.distance);
  bool rounded = (a->def.kind == NSDS_BOX || a->def.kind == NSDS_HULL) && a->def.radius > 0.0;
  for (int k = 0; k < found->ncontact; ++k) {
    const nsds_contact_info *c = &found->contact[k];
    double pa[3], pb[3];
    for (int i = 0; i < 3; ++i) {
      pa[i] = c->point[i] + 0.5 * found->y[k] * c->normal[i];
      pb[i] = c->point[i] - 0.5 * found->y[k] * c->normal[i];
    }
    least = fmin(least, found->y[k]);
    const char *fault = fault_of_points(a, b, found->y[k], c->normal, pa, pb, tolerance, seed);
    if (fault && !lines && !(rounded && found->y[k] > found->gap.distance + tolerance))
      return fault;
  }
  if (found->ncontact > 0 && !(fabs(least - found->gap.distance) <= tolerance))
    return "the deepest contact is not at the distance";
  return NULL;
}

static void swap_gap(nsds_shape_gap *gap) {
  for (int i = 0; i < 3; ++i) {
    double p = gap->point[0][i];
    gap->point[0][i] = gap->point[1][i];
    gap->point[1][i] = p;
    gap->normal[i] = -gap->normal[i];
  }
}

/* Returns true if two gaps are equal to the last digit. */
static bool same_gap(const nsds_shape_gap *a, const nsds_shape_gap *b) {
  bool same = a->distance == b->distance;
  for (int i = 0; i < 3; ++i)
    same = same && a->normal[i] == b->normal[i] && a->point[0][i] == b->point[0][i] &&
           a->point[1][i] == b->point[1][i];
  return same;
}

static bool report(uint64_t seed, const solid *a, const solid *b, const answer *found,
                   const char *fault) {
  if (!fault) return true;
  uint64_t x = seed;
  printf("seed %llu: kinds %d, %d of sizes %g, %g: distance %.10g, %d contacts: %s; points of the "
         "distance off by %g, %g, along the normal %g\n",
         (unsigned long long)seed, a->def.kind, b->def.kind, a->size, b->size, found->gap.distance,
         found->ncontact, fault, off_surface(a, found->gap.point[0], &x),
         off_surface(b, found->gap.point[1], &x),
         separation(a, b, found->gap.normal) - found->gap.distance);
  return false;
}

/* ---- drawn pairs ----------------------------------------------------------------------------- */

static const nsds_shape_kind kinds[] = {NSDS_CYLINDER, NSDS_CONE, NSDS_ELLIPSOID, NSDS_SPHERE,
                                        NSDS_CAPSULE,  NSDS_BOX,  NSDS_HULL};

/* Puts b where it is `off` apart from a along n, which leads to a, beside by `side`. */
static void put_apart(solid *a, solid *b, const double *n, const double *side, double off) {
  for (int i = 0; i < 3; ++i) a->x[i] = b->x[i] + side[i];
  double s = separation(a, b, n);
  for (int i = 0; i < 3; ++i) a->x[i] += (off - s) * n[i];
}

/* Over or beyond an end: the first axes of both shapes are nearly one line. */
static void draw_ends(uint64_t *x, solid *a, solid *b) {
  double d[3], tilt = random_in(x, 0, 4) < 1 ? 0.0 : pow(10.0, random_in(x, -9, -0.7)), n[3];
  double yaw[4] = {cos(1.0), sin(1.0), 0, 0}, turn[4], half = random_in(x, -pi, pi);
  yaw[0] = cos(half), yaw[1] = sin(half);
  draw_unit(x, d);
  for (int i = 0; i < 3; ++i) turn[1 + i] = sin(0.5 * tilt) * d[i];
  turn[0] = cos(0.5 * tilt);
  product(b->def.quaternion, turn, a->def.quaternion);
  product(a->def.quaternion, yaw, a->def.quaternion);
  if (random_in(x, 0, 2) < 1)
    product(a->def.quaternion, (const double[]){0, 0, 1, 0}, a->def.quaternion);
  set_up(a);
  set_up(b);
  double sign = random_in(x, 0, 2) < 1 ? -1.0 : 1.0, wide = b->def.radius;
  for (int i = 0; i < 3; ++i) n[i] = sign * b->R[i];
  double part = random_in(x, 0, 3), at = random_in(x, -pi, pi), side[3];
  part = part < 1.0 ? 0.0 : part < 2.0 ? random_in(x, 0, 1) : random_in(x, 0.9, 1.01);
  if (b->def.kind == NSDS_CONE && sign > 0.0) wide = b->def.top_radius;
  if (b->def.kind == NSDS_BOX) wide = b->def.half[1];
  for (int i = 0; i < 3; ++i)
    side[i] = part * wide * (cos(at) * b->R[3 + i] + sin(at) * b->R[6 + i]);
  double off = pow(10.0, random_in(x, -8, -0.3)) * fmin(a->size, b->size);
  put_apart(a, b, n, side, random_in(x, 0, 2) < 1 ? off : -0.05 * off);
}

static void draw_pair(uint64_t *x, solid *a, solid *b) {
  double n[3], family = random_in(x, 0, 3), like = 1.0;
  bool ends = family < 2.0;
  if (family > 1.5 && family < 2.5) like = pow(10.0, random_in(x, -3, 3));
  draw_solid(x, kinds[(int)random_in(x, 0, 3)], 1.0, ends, b);
  draw_solid(x, kinds[(int)random_in(x, 0, 7)], like, ends, a);
  if (ends) {
    for (int i = 0; i < 3; ++i) b->x[i] = random_in(x, -1, 1);
    if (random_in(x, 0, 3) < 1) memcpy(b->def.quaternion, (double[]){1, 0, 0, 0}, 32);
    draw_ends(x, a, b);
  } else {
    set_up(a);
    set_up(b);
    draw_unit(x, n);
    put_apart(a, b, n, (const double[]){0, 0, 0}, random_in(x, -0.1, 0.3) * fmin(a->size, b->size));
  }
}

/* The largest separation found by climbing from many directions. */
static double search(const solid *a, const solid *b, uint64_t *seed) {
  double best = -INFINITY;
  for (int start = 0; start < 60; ++start) {
    double n[3], here;
    draw_unit(seed, n);
    here = separation(a, b, n);
    for (double step = 0.3; step > 1e-7;) {
      double m[3], d[3];
      bool better = false;
      for (int k = 0; k < 8 && !better; ++k) {
        draw_unit(seed, d);
        for (int i = 0; i < 3; ++i) m[i] = n[i] + step * d[i];
        unit(m);
        double s = separation(a, b, m);
        if (s > here) here = s, better = true, memcpy(n, m, sizeof n);
      }
      if (!better) step *= 0.5;
    }
    best = fmax(best, here);
  }
  return best;
}

static bool check_pair(uint64_t seed) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 7u;
  solid a, b;
  answer found, turned;
  draw_pair(&x, &a, &b);
  ask(&a, &b, false, seed % 2 == 0, &found);
  const char *fault = fault_of_gap(&a, &b, &found, &x);
  bool line_a = a.def.kind != NSDS_SPHERE && a.def.kind != NSDS_ELLIPSOID,
       line_b = b.def.kind != NSDS_ELLIPSOID;
  if (!fault)
    fault = fault_of_contacts(&a, &b, &found, line_a && line_b && found.ncontact <= 2, &x);
  ask(&a, &b, true, false, &turned);
  swap_gap(&turned.gap);
  double tolerance = tolerance_of(&a, &b, found.gap.distance);
  if (!fault && !same_gap(&turned.gap, &found.gap))
    fault = "another answer if the shapes change places";
  if (!fault) {
    const char *again = fault_of_gap(&a, &b, &turned, &x);
    if (again) fault = "wrong if the shapes change places", found = turned;
  }
  if (!fault && found.gap.distance < 0.0 && seed % 16 == 0 &&
      search(&a, &b, &x) > found.gap.distance + tolerance)
    fault = "a larger separation exists";
  return report(seed, &a, &b, &found, fault);
}

static void points_lie_on_both_surfaces(void **state) {
  (void)state;
  long wrong = 0;
  for (long k = 0; k < count; ++k) wrong += !check_pair(first_seed + (uint64_t)k);
  printf("%ld drawn pairs, %ld wrong\n", count, wrong);
  assert_int_equal(wrong, 0);
}

/* Polytopes that could not grow further kept a wrong direction; a shape just beyond the rim of a
 * disc took the normal of the disc. Far beside a disc its normal was
 * taken for the direction to its rim. The far end of a capsule that
 * leads away from a disc was taken for a part of its line. Nearest points of two lines that cross were
 * the ends of the lines. A direction near the
 * normal of a face was taken for it. */
static void pairs_that_were_wrong(void **state) {
  (void)state;
  static const uint64_t seeds[] = {36992,  200544, 259991, 355877, 472585, 775146,
                                   835622, 851135, 879590, 885510, 942695, 976997};
  for (size_t k = 0; k < sizeof seeds / sizeof *seeds; ++k) assert_true(check_pair(seeds[k]));
}

/* ---- triangles ------------------------------------------------------------------------------- */

static const char *fault_with_triangle(const solid *a, const solid *b, const answer *found,
                                       uint64_t *seed) {
  const nsds_shape_gap *gap = &found->gap;
  if (found->status) return "no distance";
  if (!isfinite(gap->distance)) return "distance is no number";
  if (gap->distance > 0.0) return fault_of_gap(a, b, found, seed);
  if (!(fabs(length_of(gap->normal) - 1.0) < 1e-12)) return "normal is not of length 1";
  if (search(a, b, seed) > tolerance_of(a, b, gap->distance))
    return "overlap of shapes that are apart";
  return NULL;
}

static bool check_triangle(uint64_t seed) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 11u;
  solid a, b;
  answer found, turned;
  draw_solid(&x, kinds[(int)random_in(&x, 0, 7)], pow(10.0, random_in(&x, -1, 0.5)), false, &a);
  draw_solid(&x, NSDS_TRIANGLES, 1.0, false, &b);
  for (int i = 0; i < 3; ++i) a.x[i] = random_in(&x, -2, 2);
  set_up(&a);
  set_up(&b);
  ask(&a, &b, false, false, &found);
  ask(&a, &b, true, false, &turned);
  const char *fault = fault_with_triangle(&a, &b, &found, &x);
  swap_gap(&turned.gap);
  if (!fault && !same_gap(&turned.gap, &found.gap))
    fault = "another answer if the shapes change places";
  return report(seed, &a, &b, &found, fault);
}

static void triangles_have_two_sides_for_distances(void **state) {
  (void)state;
  long wrong = 0;
  for (long k = 0; k < count / 4; ++k) wrong += !check_triangle(first_seed + (uint64_t)k);
  printf("%ld drawn shapes beside triangles, %ld wrong\n", count / 4, wrong);
  assert_int_equal(wrong, 0);
}

/* Rounded boxes that overlap a triangle beside its edge: their contacts of a step are apart. */
static void overlaps_beside_an_edge_are_overlaps(void **state) {
  (void)state;
  assert_true(check_triangle(134929) && check_triangle(136856));
}

/* The common area of a hull's face and a triangle, almost parallel, was taken for their nearest points. */
static void points_beside_a_flat_face_are_nearest(void **state) {
  (void)state;
  assert_true(check_triangle(600691));
}

/* A point behind a triangle, and a ball around it, see the triangle. */
static void points_behind_a_triangle_see_it(void **state) {
  (void)state;
  uint64_t x = 5;
  for (int k = 0; k < 300; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    solid b;
    draw_solid(&x, NSDS_TRIANGLES, 1.0, false, &b);
    set_up(&b);
    nsds_contact_set *set = nsds_shapes(
        m, &(nsds_shapes_def){.law = nsds_newton_impact(m, 0.0), .nshape = 1, .shape = &b.def});
    double p[3], l[3];
    nsds_shape_hit hit;
    int found[1];
    for (int i = 0; i < 3; ++i) p[i] = random_in(&x, -2, 2);
    for (int i = 0; i < 3; ++i) l[i] = dot(b.R + 3 * i, p);
    double off = off_triangle(l, (const double(*)[3])b.vertex);
    assert_ok(m, nsds_shapes_nearest(set, p, 0.0, NULL, &hit));
    assert_int_equal(hit.shape, 0);
    assert_near(hit.distance, off, 1e-12);
    assert_near(off_surface(&b, hit.point, &x), 0.0, 1e-12);
    assert_int_equal(nsds_shapes_in_ball(set, p, 1.01 * off, NULL, 1, found), 1);
    assert_int_equal(nsds_shapes_in_ball(set, p, 0.99 * off, NULL, 1, found), 0);
    nsds_model_destroy(m);
  }
}

/* ---- one of each fault ----------------------------------------------------------------------- */

/* A standing can, or another shape whose first axis leads up. */
static solid standing(nsds_shape_kind kind, double radius, double half, double yaw) {
  const double up[4] = {sqrt(0.5), 0, -sqrt(0.5), 0};
  solid s = {.def = {.kind = kind, .radius = radius, .half = {half, half, half}}};
  product(up, (const double[]){cos(0.5 * yaw), sin(0.5 * yaw), 0, 0}, s.def.quaternion);
  return s;
}

static void a_ball_over_the_rim_touches_below_itself(void **state) {
  (void)state;
  for (int k = 0; k < 200; ++k)
    for (double part = 0.9; part <= 1.0; part += 0.0125) {
      solid can = standing(NSDS_CYLINDER, 1.0, 1.0, 0.0314 * k);
      solid ball = {.def = {.kind = NSDS_SPHERE, .radius = 0.1, .quaternion = {1}},
                    .x = {0.6 * part, 0.8 * part, 1.1}};
      answer found;
      set_up(&can);
      set_up(&ball);
      ask(&ball, &can, false, true, &found);
      assert_near(found.gap.distance, 0.0, 1e-12);
      assert_near(hypot(found.gap.point[0][0] - ball.x[0], found.gap.point[0][1] - ball.x[1]), 0.0,
                  1e-9);
      assert_int_equal(found.ncontact, 1);
      assert_near(found.contact[0].point[0], ball.x[0], 1e-9);
      assert_near(found.contact[0].point[1], ball.x[1], 1e-9);
    }
}

static void flush_ends_have_four_contacts(void **state) {
  (void)state;
  uint64_t x = 3;
  for (int k = 0; k < 1200; ++k) {
    static const nsds_shape_kind ends[] = {NSDS_CYLINDER, NSDS_CONE, NSDS_HULL};
    double tilt = k % 4 == 0 ? 0.0 : pow(10.0, random_in(&x, -9, -2)), turn[4] = {cos(0.5 * tilt)};
    double off = k % 3 == 0 ? 0.0 : random_in(&x, 0, 0.06), way = random_in(&x, -pi, pi);
    solid low = standing(NSDS_CYLINDER, 0.1, 0.1, random_in(&x, 0, 6));
    solid top =
        standing(ends[k % 3], random_in(&x, 0, 2) < 1 ? 0.1 : 0.07, 0.1, random_in(&x, 0, 6));
    if (k % 3 == 1) top.def.top_radius = 0.05;
    if (k % 3 == 2) put_hull_prism(&top, 16);
    turn[1] = sin(0.5 * tilt) * cos(2.0 * way);
    turn[2] = sin(0.5 * tilt) * sin(2.0 * way);
    product(turn, top.def.quaternion, top.def.quaternion);
    set_up(&low);
    set_up(&top);
    put_apart(&top, &low, (const double[]){0, 0, 1},
              (const double[]){off * cos(way), off * sin(way), 0}, -1e-7);
    answer found;
    ask(&top, &low, k % 2, true, &found);
    if (found.ncontact != 4)
      fail_msg("%d contacts, kind %d, tilt %g, off %g", found.ncontact, ends[k % 3], tilt, off);
  }
}

static void on_the_axis_of_a_cone_normals_have_length_one(void **state) {
  (void)state;
  uint64_t x = 4;
  for (int k = 0; k < 4000; ++k) {
    double slope = pow(10.0, random_in(&x, -1, 2)), half = 0.1, sign = k % 2 ? -1.0 : 1.0;
    solid cone = {.def = {.kind = NSDS_CONE,
                          .radius = 2.0 * half * slope + 0.05,
                          .top_radius = 0.05,
                          .half = {half}}};
    solid ball = {.def = {.kind = NSDS_SPHERE, .radius = 0.02, .quaternion = {1}}};
    if (k % 4 > 1) cone.def.radius = 0.05, cone.def.top_radius = 2.0 * half * slope + 0.05;
    for (int i = 0; i < 3; ++i) cone.x[i] = random_in(&x, -1, 1);
    draw_attitude(&x, cone.def.quaternion);
    set_up(&cone);
    set_up(&ball);
    for (int i = 0; i < 3; ++i) ball.x[i] = cone.x[i] + sign * 0.15 * cone.R[i];
    answer found;
    ask(&ball, &cone, false, false, &found);
    assert_int_equal(found.status, NSDS_OK);
    assert_near(length_of(found.gap.normal), 1.0, 1e-12);
    assert_near(found.gap.distance, 0.03, 1e-12);
  }
}

/* ---- rest ------------------------------------------------------------------------------------ */

/* A stack of coins of one kind with drawn yaws on the ground, run for `steps`. Returns how far a coin
 * is off its place at most. */
static double stack_off(nsds_shape_kind kind, int n, double r, double half, double off, double h,
                        long steps, uint64_t seed) {
  enum { most = 12 };
  uint64_t x = seed;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *body[most];
  solid coin[most];
  nsds_shape_def shape[most + 1] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0.0}}};
  double from[most][7], worst = 0.0;
  for (int k = 0; k < n; ++k) {
    coin[k] = standing(kind, r, half, random_in(&x, 0, 6));
    if (kind == NSDS_CONE) coin[k].def.top_radius = 0.9 * r;
    if (kind == NSDS_HULL) put_hull_prism(&coin[k], 16);
    coin[k].def.vertex = &coin[k].vertex[0][0];
    nsds_shape_def own = coin[k].def;
    double way = random_in(&x, -pi, pi);
    memcpy(from[k], (double[]){off * cos(way), off * sin(way), (2 * k + 1) * half * (1 - 1e-6)},
           24);
    memcpy(from[k] + 3, own.quaternion, 32);
    memcpy(own.quaternion, (double[]){1, 0, 0, 0}, 32);
    nsds_mass mass;
    assert_ok(m, nsds_mass_properties(
                     m, &(nsds_mass_def){.nshape = 1, .shape = &own, .density = 8e3}, &mass));
    for (int i = 0; i < 3; ++i) own.position[i] = -mass.center[i];
    from[k][2] += mass.center[0];
    body[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){
               .mass = mass.mass, .inertia = mass.inertia, .q0 = from[k], .gravity = {0, 0, -g}});
    own.ds = body[k];
    shape[1 + k] = own;
  }
  assert_non_null(nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1,
                                                    .material = (nsds_material[]){{.mu = 0.5}},
                                                    .nshape = n + 1,
                                                    .shape = shape}));
  run(m, &(nsds_time_stepping_def){.t1 = 100.0, .h = h}, steps);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 3; ++i) worst = fmax(worst, fabs(nsds_q(body[k])[i] - from[k][i]));
  nsds_model_destroy(m);
  return worst;
}

static void ten_coins_stay(void **state) {
  (void)state;
  assert_between(stack_off(NSDS_CYLINDER, 10, 0.012, 0.001, 0.0, 1e-3, 1000, 1), 0.0, 1e-8);
}

static void drawn_stacks_stay(void **state) {
  (void)state;
  static const nsds_shape_kind ends[] = {NSDS_CYLINDER, NSDS_CONE, NSDS_HULL};
  uint64_t x = first_seed + 12345u;
  long wrong = 0, stacks = count / 100;
  for (long k = 0; k < stacks; ++k) {
    double r = pow(10.0, random_in(&x, -2, 0)), half = r * pow(10.0, random_in(&x, -1, 0));
    double off = random_in(&x, 0, 2) < 1 ? 0.0 : random_in(&x, 0, 0.1) * r;
    int n = 2 + (int)random_in(&x, 0, 4);
    double worst = stack_off(ends[k % 3], n, r, half, off, 1e-3, 100, (uint64_t)k + 1);
    if (worst <= 1e-7 * r) continue;
    printf("stack %ld of %d, kind %d, r %g, half %g, off %g: moves by %g\n", k, n, ends[k % 3], r,
           half, off, worst);
    ++wrong;
  }
  printf("%ld drawn stacks, %ld move\n", stacks, wrong);
  assert_int_equal(wrong, 0);
}

/* A frictionless ball near the rim of a can has its force through its center. */
static void a_ball_rests_near_the_rim(void **state) {
  (void)state;
  for (int k = 0; k < 16; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    solid can = standing(NSDS_CYLINDER, 0.3, 0.5, 0.4 * k);
    const double q[7] = {0.94 * 0.3, 0, 0.55, 1}, inertia[9] = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3};
    nsds_ds *ball = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1, .inertia = inertia, .q0 = q, .gravity = {0, 0, -g}});
    nsds_shapes(
        m, &(nsds_shapes_def){.nmaterial = 1,
                              .material = (nsds_material[]){{.mu = 0.0}},
                              .nshape = 2,
                              .shape = (nsds_shape_def[]){
                                  can.def, {.kind = NSDS_SPHERE, .radius = 0.05, .ds = ball}}});
    run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 200);
    for (int i = 0; i < 3; ++i) {
      assert_near(nsds_q(ball)[i], q[i], 1e-9);
      assert_near(nsds_v(ball)[3 + i], 0.0, 1e-9);
    }
    nsds_model_destroy(m);
  }
}

/* A can of radius r and half height 2 r on an equal can on a ramp tips where the slope exceeds 1/2. */
static double can_turns(double slope, double yaw) {
  const double r = 0.1, half = 0.2, lean = atan(slope);
  const double ramp[4] = {cos(0.5 * lean), 0, -sin(0.5 * lean), 0};
  nsds_model *m = nsds_model_create(NULL);
  solid can = standing(NSDS_CYLINDER, r, half, yaw), under = standing(NSDS_CYLINDER, r, 0.1, 0.2);
  nsds_shape_def own = can.def;
  double n[3] = {-sin(lean), 0, cos(lean)}, q[7];
  nsds_mass mass;
  memcpy(own.quaternion, (double[]){1, 0, 0, 0}, 32);
  nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = &own, .density = 1e3}, &mass);
  for (int i = 0; i < 3; ++i) {
    q[i] = half * (1.0 - 1e-7) * n[i];
    under.def.position[i] = -0.1 * n[i];
  }
  product(ramp, can.def.quaternion, q + 3);
  product(ramp, under.def.quaternion, under.def.quaternion);
  own.ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = mass.mass, .inertia = mass.inertia, .q0 = q, .gravity = {0, 0, -g}});
  nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1,
                                    .material = (nsds_material[]){{.mu = 2.0}},
                                    .nshape = 2,
                                    .shape = (nsds_shape_def[]){own, under.def}});
  run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3}, 400);
  double same = 0.0;
  for (int i = 0; i < 4; ++i) same += nsds_q(own.ds)[3 + i] * q[3 + i];
  nsds_model_destroy(m);
  return 2.0 * acos(fmin(1.0, fabs(same)));
}

static void a_can_on_a_can_tips_at_its_slope(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    assert_between(can_turns(0.49, 0.05 + 0.4 * k), 0.0, 1e-3);
    assert_between(can_turns(0.53, 0.05 + 0.4 * k), 0.01, 10.0);
  }
}

/* ---- needles --------------------------------------------------------------------------------- */

static void needles_have_their_moments(void **state) {
  (void)state;
  for (double r = 1e-5; r > 1e-10; r *= 0.1) {
    const struct {
      nsds_shape_def def;
      double volume, axial; /* axial moment of mass 1 over r^2 */
    } needle[] = {
        {{.kind = NSDS_CYLINDER, .radius = r, .half = {1}}, 2.0 * pi * r * r, 0.5},
        {{.kind = NSDS_CONE, .radius = r, .top_radius = r, .half = {1}}, 2.0 * pi * r * r, 0.5},
        {{.kind = NSDS_CONE, .radius = r, .half = {1}}, 2.0 / 3.0 * pi * r * r, 0.3},
        {{.kind = NSDS_ELLIPSOID, .half = {1, r, r}}, 4.0 / 3.0 * pi * r * r, 0.4},
        {{.kind = NSDS_BOX, .half = {1, r, r}}, 8.0 * r * r, 2.0 / 3.0}};
    for (int k = 0; k < 5; ++k) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_mass mass;
      assert_ok(m,
                nsds_mass_properties(
                    m, &(nsds_mass_def){.nshape = 1, .shape = &needle[k].def, .mass = 1}, &mass));
      assert_near(mass.volume / needle[k].volume, 1.0, 1e-12);
      assert_near(mass.inertia[0] / (r * r) / needle[k].axial, 1.0, 1e-12);
      nsds_model_destroy(m);
    }
    const nsds_shape_def capsule = {.kind = NSDS_CAPSULE, .radius = r, .half = {1}};
    nsds_model *m = nsds_model_create(NULL);
    nsds_mass mass;
    assert_ok(m, nsds_mass_properties(
                     m, &(nsds_mass_def){.nshape = 1, .shape = &capsule, .mass = 1}, &mass));
    assert_near(mass.inertia[0] / (r * r), 0.5, 1.01 * r);
    nsds_model_destroy(m);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_lie_on_both_surfaces),
      cmocka_unit_test(pairs_that_were_wrong),
      cmocka_unit_test(overlaps_beside_an_edge_are_overlaps),
      cmocka_unit_test(points_beside_a_flat_face_are_nearest),
      cmocka_unit_test(triangles_have_two_sides_for_distances),
      cmocka_unit_test(points_behind_a_triangle_see_it),
      cmocka_unit_test(a_ball_over_the_rim_touches_below_itself),
      cmocka_unit_test(flush_ends_have_four_contacts),
      cmocka_unit_test(on_the_axis_of_a_cone_normals_have_length_one),
      cmocka_unit_test(ten_coins_stay),
      cmocka_unit_test(drawn_stacks_stay),
      cmocka_unit_test(a_ball_rests_near_the_rim),
      cmocka_unit_test(a_can_on_a_can_tips_at_its_slope),
      cmocka_unit_test(needles_have_their_moments)};
  return cmocka_run_group_tests_name("kernel.shapes_nearest", tests, NULL, NULL);
}
