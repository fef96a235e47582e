/*
 * Cylinders, cones and ellipsoids. The other side is written here: the largest separation of two
 * shapes by search over all directions, and closed forms of their motion.
 *
 *     kernel_shapes_round [COUNT [SEED]]   draws COUNT pairs (400) from SEED (1) on
 */
#include "support.h"

#include <nsds/mass.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdlib.h>

static long count = 400;
static uint64_t first_seed = 1;

static const double g = 9.81, pi = 3.14159265358979323846;

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(double *a) {
  double length = sqrt(dot(a, a));
  for (int i = 0; i < 3; ++i) a[i] /= length;
}

static void rotation(const double *e, double *R) {
  const double M[9] = {1 - 2 * (e[2] * e[2] + e[3] * e[3]), 2 * (e[1] * e[2] + e[0] * e[3]),
                       2 * (e[1] * e[3] - e[0] * e[2]),     2 * (e[1] * e[2] - e[0] * e[3]),
                       1 - 2 * (e[1] * e[1] + e[3] * e[3]), 2 * (e[2] * e[3] + e[0] * e[1]),
                       2 * (e[1] * e[3] + e[0] * e[2]),     2 * (e[2] * e[3] - e[0] * e[1]),
                       1 - 2 * (e[1] * e[1] + e[2] * e[2])};
  memcpy(R, M, sizeof M);
}

/* ---- separation written anew ----------------------------------------------------------------- */

typedef struct solid {
  nsds_shape_def def;
  double x[3], R[9], vertex[12][3];
  int nvertex;
} solid;

static double take_most(const solid *s, const double *d) {
  double most = -INFINITY;
  for (int k = 0; k < s->nvertex; ++k) most = fmax(most, dot(d, s->vertex[k]));
  return most;
}

/* The largest d.x of the shape, about the world's origin. */
static double reaches(const solid *s, const double *d) {
  const nsds_shape_def *k = &s->def;
  double l[3], h = dot(d, s->x), w;
  for (int i = 0; i < 3; ++i) l[i] = dot(s->R + 3 * i, d);
  w = sqrt(l[1] * l[1] + l[2] * l[2]);
  switch (k->kind) {
  case NSDS_CYLINDER: return h + fabs(l[0]) * k->half[0] + k->radius * w;
  case NSDS_CONE:
    return h + fmax(-l[0] * k->half[0] + k->radius * w, l[0] * k->half[0] + k->top_radius * w);
  case NSDS_ELLIPSOID:
    for (int i = 0; i < 3; ++i) l[i] *= k->half[i];
    return h + sqrt(dot(l, l));
  case NSDS_SPHERE: return h + k->radius;
  case NSDS_CAPSULE: return h + k->radius + fabs(l[0]) * k->half[0];
  case NSDS_BOX:
    for (int i = 0; i < 3; ++i) h += fabs(l[i]) * k->half[i];
    return h + k->radius;
  default: return h + k->radius + take_most(s, l);
  }
}

static double separation(const solid *a, const solid *b, const double *n) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  return -reaches(a, back) - reaches(b, n);
}

/* Climbs from a direction by smaller and smaller steps. */
static double climb_from(const solid *a, const solid *b, const double *start, uint64_t *seed) {
  double n[3] = {start[0], start[1], start[2]}, best = separation(a, b, n);
  for (double step = 0.1; step > 1e-13;) {
    double p[3] = {0.0}, q[3], turn = random_in(seed, 0.0, 6.28);
    bool better = false;
    p[fabs(n[0]) < 0.5 ? 0 : 1] = 1.0;
    double along = dot(p, n);
    for (int i = 0; i < 3; ++i) p[i] -= along * n[i];
    unit(p);
    q[0] = n[1] * p[2] - n[2] * p[1];
    q[1] = n[2] * p[0] - n[0] * p[2];
    q[2] = n[0] * p[1] - n[1] * p[0];
    for (int k = 0; k < 12 && !better; ++k) {
      double c = step * cos(turn + k * 0.5236), s = step * sin(turn + k * 0.5236), m[3];
      for (int i = 0; i < 3; ++i) m[i] = n[i] + c * p[i] + s * q[i];
      unit(m);
      double value = separation(a, b, m);
      if (value > best) best = value, memcpy(n, m, sizeof n), better = true;
    }
    if (!better) step *= 0.6;
  }
  return best;
}

/* The largest separation: over many directions, then from the best of different regions. */
static double search(const solid *a, const solid *b, uint64_t *seed) {
  enum { directions = 2000, starts = 5 };
  double value[starts], from[starts][3], best = -INFINITY;
  for (int k = 0; k < starts; ++k) value[k] = -INFINITY;
  for (int i = 0; i < directions; ++i) {
    double z = 1.0 - (2.0 * i + 1.0) / directions, r = sqrt(1.0 - z * z),
           turn = i * 2.39996322972865;
    double n[3] = {r * cos(turn), r * sin(turn), z}, s = separation(a, b, n);
    int at = -1;
    for (int k = 0; at < 0 && k < starts; ++k)
      if (value[k] > -INFINITY && dot(from[k], n) > 0.9) at = k;
    for (int k = 0; at < 0 && k < starts; ++k)
      if (value[k] == -INFINITY) at = k;
    for (int k = 1; at < 0 && k < starts; ++k) at = 0;
    for (int k = 0; k < starts; ++k)
      if (at < 0 || (dot(from[at], n) <= 0.9 && value[k] < value[at])) at = k;
    if (s > value[at]) value[at] = s, memcpy(from[at], n, sizeof n);
  }
  for (int k = 0; k < starts; ++k)
    if (value[k] > -INFINITY) best = fmax(best, climb_from(a, b, from[k], seed));
  return best;
}

/* ---- drawn pairs ----------------------------------------------------------------------------- */

static void draw_attitude(uint64_t *seed, double *q) {
  double square = 0.0;
  for (int i = 0; i < 4; ++i) q[i] = random_in(seed, -1, 1), square += q[i] * q[i];
  for (int i = 0; i < 4; ++i) q[i] /= sqrt(square);
}

static void draw_solid(uint64_t *seed, bool round, solid *s) {
  static const nsds_shape_kind kinds[] = {NSDS_CYLINDER, NSDS_CONE, NSDS_ELLIPSOID, NSDS_SPHERE,
                                          NSDS_CAPSULE,  NSDS_BOX,  NSDS_HULL};
  double size = pow(10.0, random_in(seed, -1.0, 1.0));
  *s = (solid){.def = {.kind = kinds[(int)random_in(seed, 0, round ? 3 : 7)]}};
  nsds_shape_def *d = &s->def;
  for (int i = 0; i < 3; ++i) d->half[i] = size * random_in(seed, 0.05, 1.5);
  d->radius = size * random_in(seed, 0.2, 1.0);
  if (d->kind == NSDS_CONE) {
    double choice = random_in(seed, 0, 3);
    d->top_radius = choice < 1.0 ? 0.0 : choice < 1.2 ? d->radius : size * random_in(seed, 0, 1);
    if (choice > 2.8) d->radius = 0.0;
  }
  if (d->kind == NSDS_BOX || d->kind == NSDS_HULL)
    d->radius = random_in(seed, 0, 2) < 1 ? 0 : d->radius;
  if (d->kind == NSDS_HULL)
    for (s->nvertex = 4 + (int)random_in(seed, 0, 8), d->nvertex = 0; d->nvertex < s->nvertex;
         ++d->nvertex)
      for (int i = 0; i < 3; ++i) s->vertex[d->nvertex][i] = size * random_in(seed, -1, 1);
  d->vertex = &s->vertex[0][0];
  draw_attitude(seed, d->quaternion);
  if (random_in(seed, 0, 4) < 1) memcpy(d->quaternion, (double[]){1, 0, 0, 0}, 4 * sizeof(double));
  rotation(d->quaternion, s->R);
}

static double size_of(const solid *s) {
  double size = 0.0;
  for (int k = 0; k < 6; ++k) {
    double d[3] = {0.0};
    d[k / 2] = k % 2 ? -1.0 : 1.0;
    size = fmax(size, reaches(s, d) - dot(d, s->x));
  }
  return size;
}

/* The library's distance of two shapes of bodies. */
static double library_gap(const solid *a, const solid *b, nsds_shape_gap *gap, bool turned) {
  static const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nsds_model *m = nsds_model_create(NULL);
  const solid *all[2] = {turned ? b : a, turned ? a : b};
  nsds_shape_def shape[2];
  for (int k = 0; k < 2; ++k) {
    double q[7] = {all[k]->x[0], all[k]->x[1], all[k]->x[2], 1.0};
    shape[k] = all[k]->def;
    shape[k].ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q});
  }
  nsds_contact_set *set = nsds_shapes(
      m, &(nsds_shapes_def){.law = nsds_newton_impact(m, 0.0), .nshape = 2, .shape = shape});
  assert_non_null(set);
  assert_int_equal(nsds_shapes_gap(set, 0, 1, gap), NSDS_OK);
  double distance = gap->distance;
  if (turned)
    for (int i = 0; i < 3; ++i) gap->normal[i] = -gap->normal[i];
  nsds_model_destroy(m);
  return distance;
}

/* Returns false if the distance of a pair is not that of the search, or changes in any digit if the
 * shapes change places. */
static bool check_distance(uint64_t seed, const solid *a, const solid *b, uint64_t *x) {
  nsds_shape_gap gap, back;
  double size = fmax(size_of(a), size_of(b));
  double other = search(a, b, x), mine = library_gap(a, b, &gap, false);
  double turned = library_gap(a, b, &back, true), along = separation(a, b, gap.normal);
  bool fine = mine >= other - 1e-9 * size && fabs(mine - along) <= 1e-9 * size && mine == turned &&
              fabs(dot(gap.normal, gap.normal) - 1.0) < 1e-12;
  if (!fine)
    printf("seed %llu: kinds %d %d, size %g: %.15g, by search %.15g, along its normal %.15g, "
           "turned %.15g\n",
           (unsigned long long)seed, a->def.kind, b->def.kind, size, mine, other, along, turned);
  return fine;
}

/* Draws a pair near touching; returns false if its distance is not that of the search. */
static bool check_pair(uint64_t seed) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 1u;
  solid a, b;
  draw_solid(&x, true, &a);
  draw_solid(&x, false, &b);
  double way[3], size = fmax(size_of(&a), size_of(&b)), near = 0.0, far = 4.0 * size;
  for (int i = 0; i < 3; ++i) way[i] = random_in(&x, -1, 1);
  if (random_in(&x, 0, 4) < 1) way[0] = way[1] = 0.0;
  unit(way);
  while (far - near > 1e-3 * size) { /* where they touch, roughly */
    double middle = 0.5 * (near + far), n[3], most = -INFINITY;
    for (int i = 0; i < 3; ++i) a.x[i] = middle * way[i];
    for (int k = 0; k < 200; ++k) {
      for (int i = 0; i < 3; ++i) n[i] = random_in(&x, -1, 1) + (k % 2 ? 3.0 * way[i] : 0.0);
      unit(n);
      most = fmax(most, separation(&a, &b, n));
    }
    if (most > 0.0) far = middle;
    else near = middle;
  }
  double off = pow(10.0, random_in(&x, -6.0, -0.3)) * fmin(size_of(&a), size_of(&b));
  off = near + (random_in(&x, 0, 2) < 1 ? -off : off);
  for (int i = 0; i < 3; ++i) a.x[i] = off * way[i];
  return check_distance(seed, &a, &b, &x);
}

/* Makes lengths of a shape longer or shorter: all by `scale`, one of them by `thin`. */
static void scale_solid(solid *s, double scale, double thin, int which) {
  nsds_shape_def *d = &s->def;
  for (int i = 0; i < 3; ++i) d->half[i] *= i == which ? scale * thin : scale;
  d->radius *= which == 1 ? scale * thin : scale;
  d->top_radius *= which == 1 ? scale * thin : scale;
  for (int k = 0; k < s->nvertex; ++k)
    for (int i = 0; i < 3; ++i) s->vertex[k][i] *= i == which ? scale * thin : scale;
}

/* Draws shapes of one center, or nearly so, whose axes are often parallel or at right angles, with sizes
 * of 1e-6 to 1e5. All directions along a circle or more may be equally good then, and the search ends in
 * one of several maxima that differ by its tolerance. */
static bool check_concentric(uint64_t seed) {
  static const double axes[3][4] = {{1, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {0.6, 0, 0, 0.8}};
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 3u;
  solid a, b;
  double scale = pow(10.0, random_in(&x, -5.0, 4.0)), like = pow(10.0, random_in(&x, -1, 1));
  draw_solid(&x, true, &a);
  draw_solid(&x, false, &b);
  scale_solid(&a, scale, pow(10.0, random_in(&x, -3, 0)), (int)random_in(&x, 0, 9));
  scale_solid(&b, scale * like, pow(10.0, random_in(&x, -3, 0)), (int)random_in(&x, 0, 9));
  if (random_in(&x, 0, 3) < 2) memcpy(a.def.quaternion, b.def.quaternion, sizeof(double[4]));
  if (random_in(&x, 0, 3) < 1) {
    memcpy(a.def.quaternion, axes[(int)random_in(&x, 0, 3)], sizeof(double[4]));
    memcpy(b.def.quaternion, axes[(int)random_in(&x, 0, 3)], sizeof(double[4]));
  }
  rotation(a.def.quaternion, a.R);
  rotation(b.def.quaternion, b.R);
  double off = random_in(&x, 0, 2) < 1 ? 0.0 : pow(10.0, random_in(&x, -12, -1));
  for (int i = 0; i < 3; ++i) {
    double center = random_in(&x, 0, 2) < 1 ? 0.0 : scale * random_in(&x, -1, 1);
    b.x[i] = center;
    a.x[i] = center + off * fmin(size_of(&a), size_of(&b)) * random_in(&x, -1, 1);
  }
  return check_distance(seed, &a, &b, &x);
}

static void distances_are_those_of_a_search(void **state) {
  (void)state;
  long wrong = 0;
  for (long k = 0; k < count; ++k) wrong += !check_pair(first_seed + (uint64_t)k);
  printf("%ld drawn pairs, %ld wrong\n", count, wrong);
  assert_int_equal(wrong, 0);
}

/* Shapes d apart, one of which moves by x: the normal turns by at most x / d, as the gradient of a distance
 * from a convex body does (both bodies together are one: their difference). */
static bool check_normal(uint64_t seed) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 5u;
  solid a, b;
  nsds_shape_gap from, to;
  double way[3], size, turn = 0.0, moved = 0.0;
  draw_solid(&x, true, &a);
  draw_solid(&x, false, &b);
  size = size_of(&a) + size_of(&b);
  for (int i = 0; i < 3; ++i) way[i] = random_in(&x, -1, 1);
  unit(way);
  for (int i = 0; i < 3; ++i) a.x[i] = random_in(&x, 0.5, 3.0) * size * way[i];
  double d = library_gap(&a, &b, &from, false);
  if (d < 1e-3 * size) return true;
  double step = pow(10.0, random_in(&x, -6, -0.5)) * d;
  for (int i = 0; i < 3; ++i) {
    double by = step * random_in(&x, -1, 1);
    a.x[i] += by;
    moved += by * by;
  }
  double least = fmin(d, library_gap(&a, &b, &to, false));
  for (int i = 0; i < 3; ++i) turn += pow(to.normal[i] - from.normal[i], 2);
  if (sqrt(turn) <= sqrt(moved) / least + 1e-7 * size / least) return true;
  printf("seed %llu: kinds %d %d, %g apart: the normal turns by %g over %g\n",
         (unsigned long long)seed, a.def.kind, b.def.kind, d, sqrt(turn), sqrt(moved));
  return false;
}

static void normals_are_continuous(void **state) {
  (void)state;
  long wrong = 0;
  for (long k = 0; k < 5 * count; ++k) wrong += !check_normal(first_seed + (uint64_t)k);
  printf("%ld drawn moves, %ld wrong\n", 5 * count, wrong);
  assert_int_equal(wrong, 0);
}

static void distances_of_one_center_are_those_of_a_search(void **state) {
  (void)state;
  long wrong = 0;
  for (long k = 0; k < count; ++k) wrong += !check_concentric(first_seed + (uint64_t)k);
  wrong += !check_concentric(3987); /* the best direction is a third of a circle away */
  printf("%ld drawn pairs of one center, %ld wrong\n", count, wrong);
  assert_int_equal(wrong, 0);
}

/* ---- motion ---------------------------------------------------------------------------------- */

typedef struct world {
  nsds_model *m;
  nsds_ds *ds;
  nsds_contact_set *set;
  nsds_simulation *s;
} world;

/* A body of one shape over scenery, with friction. */
static world open_world(const nsds_shape_def *own, const double *q0, const double *v0, int scenery,
                        const nsds_shape_def *ground, double mu, double h, double t1) {
  world w = {.m = nsds_model_create(NULL)};
  nsds_mass mass;
  nsds_shape_def shape[8] = {*own};
  assert_int_equal(
      nsds_mass_properties(w.m, &(nsds_mass_def){.nshape = 1, .shape = own, .mass = 2.0}, &mass),
      NSDS_OK);
  w.ds = nsds_rigid_body(
      w.m,
      &(nsds_rigid_body_def){
          .mass = mass.mass, .inertia = mass.inertia, .q0 = q0, .v0 = v0, .gravity = {0, 0, -g}});
  shape[0].ds = w.ds;
  for (int k = 0; k < scenery; ++k) shape[1 + k] = ground[k];
  w.set =
      nsds_shapes(w.m, &(nsds_shapes_def){.law = nsds_newton_impact_friction(
                                              w.m, &(nsds_newton_impact_friction_def){.mu = mu}),
                                          .nshape = 1 + scenery,
                                          .shape = shape,
                                          .reach = 0.05});
  w.s = nsds_time_stepping(w.m, &(nsds_time_stepping_def){.t1 = t1, .h = h, .tolerance = 1e-12});
  if (!w.s) fail_msg("%s", nsds_error_message(nsds_model_context(w.m)));
  return w;
}

static void run_all(world *w) {
  nsds_status status = NSDS_OK;
  while (!(status = nsds_step(w->s))) continue;
  if (status != NSDS_END) fail_msg("%s", nsds_error_message(nsds_model_context(w->m)));
}

static const nsds_shape_def half_space = {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0.0}};

/* A cylinder with its axis along y rolls along x. */
static double rolled_speed(int scenery, const nsds_shape_def *ground) {
  const double r = 0.2, turned = 0.70710678118654752440;
  const nsds_shape_def cylinder = {.kind = NSDS_CYLINDER, .radius = r, .half = {0.3}};
  world w =
      open_world(&cylinder, (const double[]){0, 0, r, turned, 0, 0, turned},
                 (const double[]){1.0, 0, 0, 1.0 / r, 0, 0}, scenery, ground, 0.5, 2e-3, 10.0);
  nsds_shape_hit hit;
  /* the axis is the body's x, turned to y: the world's rate about y is the body's about x */
  assert_int_equal(nsds_shapes_nearest(w.set, (const double[]){0, 0, 1.0}, 0.0, NULL, &hit),
                   NSDS_OK);
  run_all(&w);
  double speed = nsds_v(w.ds)[0], x = nsds_q(w.ds)[0];
  assert_between(x, 10.0 - 1e-3, 10.0 + 1e-3);
  nsds_model_destroy(w.m);
  return speed;
}

static void a_cylinder_rolls_on_a_plane(void **state) {
  (void)state;
  assert_near(rolled_speed(1, &half_space), 1.0, 1e-9);
}

static void a_cylinder_rolls_over_seams(void **state) {
  (void)state;
  enum { strips = 25 };
  double vertex[2 * (strips + 1)][3];
  int face[2 * strips][3];
  for (int k = 0; k <= strips; ++k)
    for (int j = 0; j < 2; ++j) {
      vertex[2 * k + j][0] = -1.0 + 0.5 * k;
      vertex[2 * k + j][1] = j ? 2.0 : -2.0;
      vertex[2 * k + j][2] = 0.0;
    }
  for (int k = 0; k < strips; ++k) {
    int *f = face[2 * k], *h = face[2 * k + 1];
    f[0] = 2 * k, f[1] = 2 * k + 2, f[2] = 2 * k + 3;
    h[0] = 2 * k, h[1] = 2 * k + 3, h[2] = 2 * k + 1;
  }
  const nsds_shape_def mesh = {.kind = NSDS_TRIANGLES,
                               .nvertex = 2 * (strips + 1),
                               .vertex = &vertex[0][0],
                               .nface = 2 * strips,
                               .face = &face[0][0]};
  assert_near(rolled_speed(1, &mesh), 1.0, 1e-6);
}

static void a_cylinder_rolls_on_boxes(void **state) {
  (void)state;
  nsds_shape_def box[6];
  for (int k = 0; k < 6; ++k)
    box[k] = (nsds_shape_def){
        .kind = NSDS_BOX, .half = {1.0, 2.0, 0.5}, .position = {2.0 * k, 0.0, -0.5}};
  assert_near(rolled_speed(6, box), 1.0, 1e-6);
}

/* An ellipsoid rocks about its lowest point: with the radius of curvature R = a^2 / c there,
 * w^2 = m g (R - c) / (J + m c^2). */
static void an_ellipsoid_rocks_at_its_frequency(void **state) {
  (void)state;
  const double a = 0.5, c = 0.3, b = 0.4, tilt = 1e-4, h = 1e-4;
  const nsds_shape_def egg = {.kind = NSDS_ELLIPSOID, .half = {a, b, c}};
  const double Jyy = 2.0 * (a * a + c * c) / 5.0, R = a * a / c;
  double rate = sqrt(2.0 * g * (R - c) / (Jyy + 2.0 * c * c)), turns = 0.0, before = tilt,
         from = 0.0;
  world w = open_world(&egg, (const double[]){0, 0, c, cos(0.5 * tilt), 0, sin(0.5 * tilt), 0},
                       (const double[6]){0}, 1, &half_space, 10.0, h, 12.0 * pi / rate);
  nsds_status status;
  while (!(status = nsds_step(w.s))) {
    double now = 2.0 * nsds_q(w.ds)[5];
    if (before > 0.0 && now <= 0.0) {
      double t = nsds_time(w.s) - h * now / (now - before);
      if (from > 0.0) turns += 1.0;
      else from = t;
      if (turns == 5.0) {
        assert_near(2.0 * pi * turns / (t - from), rate, 1e-3 * rate);
        break;
      }
    }
    before = now;
  }
  assert_int_equal(status, NSDS_OK);
  nsds_model_destroy(w.m);
}

/* A cone of half angle a lies on its side and rolls around its tip at the rate W. With the contact
 * line along e, its angular velocity is -W cos a / sin a e. Returns by how much of a turn the center
 * is off after one turn. */
static double cone_off(double h) {
  const double half = 0.2, r = 0.15, W = 1.0, H = 2.0 * half, a = atan(r / H), s = sin(a),
               c = cos(a);
  const nsds_shape_def cone = {
      .kind = NSDS_CONE, .radius = r, .half = {half}, .position = {0.5 * half}};
  /* axes of the body: x to the tip, y along W x e; e is the world's x */
  const double turn = 0.5 * (pi + a),
               q[7] = {0.75 * H * c, 0, 0.75 * H * s, cos(turn), 0, -sin(turn), 0};
  double R[9], rate[3] = {-W * c / s, 0, 0}, v[6] = {0, 0.75 * H * c * W, 0};
  rotation(q + 3, R);
  assert_near(R[0], -c, 1e-12);
  assert_near(R[2], -s, 1e-12);
  for (int i = 0; i < 3; ++i) v[3 + i] = dot(R + 3 * i, rate);
  world w = open_world(&cone, q, v, 1, &half_space, 2.0, h, 2.0 * pi / W);
  run_all(&w);
  double off = atan2(nsds_q(w.ds)[1], nsds_q(w.ds)[0]) / (2.0 * pi);
  assert_near(hypot(nsds_q(w.ds)[0], nsds_q(w.ds)[1]), q[0], 1e-3);
  nsds_model_destroy(w.m);
  return fabs(off);
}

static void a_cone_rolls_around_its_tip(void **state) {
  (void)state;
  double coarse = cone_off(4e-3), fine = cone_off(1e-3);
  assert_between(fine, 0.0, 2e-3); /* the step is of order one */
  assert_between(fine, 0.0, 0.3 * coarse);
}

/* ---- one of each ----------------------------------------------------------------------------- */

static void moments_are_closed_forms(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_mass mass;
  const nsds_shape_def cone = {.kind = NSDS_CONE, .radius = 0.3, .half = {0.4}};
  nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = &cone, .density = 1.0}, &mass);
  const double V = pi * 0.09 * 0.8 / 3.0;
  assert_near(mass.volume, V, 1e-14);
  assert_near(mass.center[0], -0.4 + 0.2, 1e-14);
  assert_near(mass.inertia[0], 0.3 * V * 0.09, 1e-14);
  assert_near(mass.inertia[4], 3.0 / 80.0 * V * (4.0 * 0.09 + 0.64), 1e-14);
  const nsds_shape_def cylinder = {.kind = NSDS_CYLINDER, .radius = 0.3, .half = {0.4}};
  nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = &cylinder, .mass = 2.0}, &mass);
  assert_near(mass.volume, pi * 0.09 * 0.8, 1e-14);
  assert_near(mass.inertia[0], 0.09, 1e-14);
  assert_near(mass.inertia[8], 2.0 / 12.0 * (3.0 * 0.09 + 0.64), 1e-14);
  const nsds_shape_def egg = {.kind = NSDS_ELLIPSOID, .half = {0.2, 0.3, 0.4}};
  nsds_mass_properties(m, &(nsds_mass_def){.nshape = 1, .shape = &egg, .mass = 5.0}, &mass);
  assert_near(mass.inertia[0], 0.09 + 0.16, 1e-14);
  assert_near(mass.inertia[4], 0.04 + 0.16, 1e-14);
  nsds_model_destroy(m);
}

/* A ray ends on the surface: the point there is at distance zero, and points before it outside. */
static void rays_end_on_surfaces(void **state) {
  (void)state;
  static const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int met = 0;
  for (uint64_t k = 1; k <= 300; ++k) {
    uint64_t x = k * 0x9E3779B97F4A7C15u;
    solid a;
    draw_solid(&x, true, &a);
    nsds_model *m = nsds_model_create(NULL);
    nsds_shape_def shape = a.def;
    const double q[7] = {0.1, 0.2, 0.3, 1.0};
    shape.ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1, .inertia = J, .q0 = q});
    nsds_contact_set *set = nsds_shapes(
        m, &(nsds_shapes_def){.law = nsds_newton_impact(m, 0.0), .nshape = 1, .shape = &shape});
    double size = size_of(&a);
    nsds_ray ray = {.length = 20.0 * size};
    for (int i = 0; i < 3; ++i) {
      ray.origin[i] = q[i] + size * random_in(&x, -4, 4);
      ray.direction[i] = q[i] + size * random_in(&x, -0.7, 0.7) - ray.origin[i];
    }
    nsds_shape_hit hit, near;
    assert_int_equal(nsds_shapes_cast(set, 1, &ray, &hit), NSDS_OK);
    unit(ray.direction);
    for (int part = 0; part <= 50; ++part) {
      double end = hit.shape >= 0 ? hit.distance : ray.length, p[3];
      for (int i = 0; i < 3; ++i) p[i] = ray.origin[i] + part / 50.0 * end * ray.direction[i];
      assert_int_equal(nsds_shapes_nearest(set, p, 0.0, NULL, &near), NSDS_OK);
      if (hit.shape < 0 || part < 50)
        assert_true(hit.distance == 0.0 || near.distance > -1e-9 * size);
      else if (hit.distance > 0.0) {
        assert_near(near.distance, 0.0, 1e-9 * size);
        assert_true(dot(hit.normal, ray.direction) <= 0.0);
        ++met;
      }
    }
    nsds_model_destroy(m);
  }
  assert_true(met > 100);
}

/* ---- piles ----------------------------------------------------------------------------------- */

enum { most_rows = 8, most_logs = most_rows * (most_rows + 1) / 2 };

typedef struct pile {
  int rows;
  double mass, mu, h, sunk; /* sunk: overlap of neighbors */
} pile;

/* Rows of logs, each with one log less than the row below. Returns by how much a log moves, over the
 * radius, and the largest speed. */
static double pile_moves(const pile *p, double t1, double *speed) {
  const double r = 0.1, half = 0.5, turned = 0.70710678118654752440, at = r - 0.5 * p->sunk;
  const double J[9] = {[0] = 0.5 * p->mass * r * r,
                       [4] = p->mass * (0.25 * r * r + half * half / 3.0),
                       [8] = p->mass * (0.25 * r * r + half * half / 3.0)};
  nsds_model *m = nsds_model_create(NULL);
  nsds_shape_def shape[most_logs + 1] = {half_space};
  double from[most_logs][7], off = 0.0;
  int n = 0;
  for (int row = 0; row < p->rows; ++row)
    for (int j = 0; j < p->rows - row; ++j, ++n) {
      const double q0[] = {
          (2 * j + row) * at, 0, (1.0 + row * sqrt(3.0)) * at, turned, 0, 0, turned};
      memcpy(from[n], q0, sizeof q0);
      nsds_ds *log = nsds_rigid_body(
          m,
          &(nsds_rigid_body_def){.mass = p->mass, .inertia = J, .q0 = q0, .gravity = {0, 0, -g}});
      shape[n + 1] =
          (nsds_shape_def){.kind = NSDS_CYLINDER, .ds = log, .radius = r, .half = {half}};
    }
  nsds_shapes(m, &(nsds_shapes_def){.law = nsds_newton_impact_friction(
                                        m, &(nsds_newton_impact_friction_def){.mu = p->mu}),
                                    .nshape = n + 1,
                                    .shape = shape});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = t1, .h = p->h});
  nsds_status status;
  *speed = 0.0;
  while (!(status = nsds_step(s)))
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < 6; ++j) *speed = fmax(*speed, fabs(nsds_v(nsds_ds_at(m, i))[j]));
  assert_status(m, status, NSDS_END);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j) off = fmax(off, fabs(nsds_q(nsds_ds_at(m, i))[j] - from[i][j]));
  nsds_model_destroy(m);
  return off / r;
}

/* Rounding once changed the names of contacts at the ends of logs, and the impulses were lost. In piles of
 * four rows and more the first solution of a step let the logs roll apart, which also solves it. And what
 * the tolerance of solvers leaves opened gaps within seconds. */
static void pyramids_of_logs_lie_still(void **state) {
  (void)state;
  for (uint64_t k = 1; k <= 12; ++k) {
    uint64_t x = k * 0x9E3779B97F4A7C15u;
    pile p = {.rows = 3 + (int)(k % 4)};
    if (k % 12 == 11) p.rows = most_rows;
    p.mass = pow(10.0, random_in(&x, -2, 3));
    p.mu = random_in(&x, 0.58, 0.9); /* above tan 30 degrees forces may lead straight down */
    p.h = pow(10.0, random_in(&x, -3.5, -2.5));
    p.sunk = k % 2 ? 0.0 : 2e-8;
    double speed, off = pile_moves(&p, 100.0 * p.h, &speed);
    if (!(off <= 1e-8 + 10.0 * p.rows * p.sunk && speed <= 1e-8)) /* overlap is led out */
      fail_msg("pile %llu, %d rows, mu %g, h %g: moves by %g, speed %g", (unsigned long long)k,
               p.rows, p.mu, p.h, off, speed);
  }
}

static void a_pyramid_of_logs_lies_still_for_long(void **state) {
  (void)state;
  double speed;
  assert_between(pile_moves(&(pile){.rows = 4, .mass = 1.0, .mu = 0.6, .h = 1e-3}, 10.0, &speed),
                 0.0, 1e-9);
}

/* Friction could hold a body between two walls that just touch it, but nothing presses them on it. */
static void nothing_hangs_between_walls(void **state) {
  (void)state;
  const nsds_shape_def walls[] = {{.kind = NSDS_HALF_SPACE, .plane = {{1, 0, 0}, -0.5}},
                                  {.kind = NSDS_HALF_SPACE, .plane = {{-1, 0, 0}, -0.5}}};
  const nsds_shape_def shapes[] = {{.kind = NSDS_BOX, .half = {0.5, 0.3, 0.4}},
                                   {.kind = NSDS_CYLINDER, .radius = 0.3, .half = {0.5}},
                                   {.kind = NSDS_SPHERE, .radius = 0.5}};
  for (int k = 0; k < 3; ++k) {
    world w = open_world(&shapes[k], (const double[]){0, 0, 0, 1, 0, 0, 0}, (const double[6]){0}, 2,
                         walls, 0.6, 1e-3, 0.1);
    run_all(&w);
    assert_near(nsds_v(w.ds)[2], -0.1 * g, 1e-9);
    nsds_model_destroy(w.m);
  }
}

/* Stands, lies and leans: all come to rest, and bear their weight. */
static void round_bodies_come_to_rest(void **state) {
  (void)state;
  const nsds_shape_def shapes[] = {
      {.kind = NSDS_CYLINDER, .radius = 0.2, .half = {0.1}},
      {.kind = NSDS_CYLINDER, .radius = 0.1, .half = {0.4}},
      {.kind = NSDS_CONE, .radius = 0.2, .half = {0.2}},
      {.kind = NSDS_CONE, .radius = 0.2, .half = {0.2}, .top_radius = 0.1},
      {.kind = NSDS_ELLIPSOID, .half = {0.3, 0.25, 0.1}}};
  const nsds_shape_def box = {.kind = NSDS_BOX, .half = {20, 20, 1}, .position = {0, 0, -1}};
  for (int k = 0; k < 5; ++k)
    for (int on_box = 0; on_box < 2; ++on_box) {
      uint64_t x = 77u + (uint64_t)k;
      double q[7] = {0, 0, 0.6};
      draw_attitude(&x, q + 3);
      world w = open_world(&shapes[k], q, (const double[6]){0.1, 0, 0, 1, 2, 0}, 1,
                           on_box ? &box : &half_space, 0.5, 1e-3, 6.0);
      run_all(&w);
      double force = 0.0;
      nsds_contact_info c;
      for (int i = 0; i < nsds_contact_set_count(w.set); ++i) {
        assert_int_equal(nsds_contact_set_get(w.set, i, &c), NSDS_OK);
        force += c.impulse[0] * c.normal[2];
      }
      double off = fabs(force / (2.0 * g * 1e-3) - 1.0), z = nsds_q(w.ds)[2];
      if (!(off < 0.2 && z > 0.05 && z < 0.45))
        fail_msg("shape %d on %s: force off by %g, height %g", k, on_box ? "a box" : "a plane", off,
                 z);
      nsds_model_destroy(w.m);
    }
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_those_of_a_search),
      cmocka_unit_test(distances_of_one_center_are_those_of_a_search),
      cmocka_unit_test(normals_are_continuous),
      cmocka_unit_test(moments_are_closed_forms),
      cmocka_unit_test(rays_end_on_surfaces),
      cmocka_unit_test(a_cylinder_rolls_on_a_plane),
      cmocka_unit_test(a_cylinder_rolls_over_seams),
      cmocka_unit_test(a_cylinder_rolls_on_boxes),
      cmocka_unit_test(an_ellipsoid_rocks_at_its_frequency),
      cmocka_unit_test(a_cone_rolls_around_its_tip),
      cmocka_unit_test(pyramids_of_logs_lie_still),
      cmocka_unit_test(a_pyramid_of_logs_lies_still_for_long),
      cmocka_unit_test(nothing_hangs_between_walls),
      cmocka_unit_test(round_bodies_come_to_rest)};
  return cmocka_run_group_tests_name("kernel.shapes_round", tests, NULL, NULL);
}
