/*
 * Boxes, hulls and capsules before each other in space, event-driven. Closed forms; drawn heaps, in
 * which nothing may overlap and no energy may come from nowhere; the same heaps saved.
 *
 *   event_contact_polytopes [COUNT [FIRST]]     drawn models, default 6 from seed 1
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;
static int drawn = 6;
static uint64_t first = 1, number;

static nsds_simulation *exact(nsds_model *model, double t1, double h) {
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1,
                                                        .output_period = h,
                                                        .relative_tolerance = 1e-12,
                                                        .absolute_tolerance = 1e-13,
                                                        .root_panels = 4});
  assert_sound(model);
  return s;
}

static nsds_ds *body(nsds_model *model, double mass, const double J[3], const double q[7],
                     const double v[6]) {
  const double inertia[9] = {[0] = J[0], [4] = J[1], [8] = J[2]};
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){
                 .mass = mass, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
}

static nsds_contact_set *touch(nsds_model *m, double e, double mu, int n,
                               const nsds_shape_def *shape) {
  nsds_law *law =
      mu > 0.0 ? nsds_newton_impact_friction(
                     m, &(nsds_newton_impact_friction_def){.dimension = 3, .mu = mu, .e_n = e})
               : nsds_newton_impact(m, e);
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.dimension = 3, .law = law, .nshape = n, .shape = shape});
  assert_sound(m);
  return set;
}

/* Steps to the next nonsmooth event. */
static void step_to_event(nsds_model *m, nsds_simulation *s) {
  do assert_ok(m, nsds_step(s));
  while (!(nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH));
}

/* Writes q: a place, and a turn about an axis of the world. */
static void placed(double x, double y, double z, int axis, double angle, double q[7]) {
  const double at[7] = {x, y, z, cos(0.5 * angle)};
  memcpy(q, at, sizeof at);
  q[4 + axis] = sin(0.5 * angle);
}

/* ---- closed forms -------------------------------------------------------------------------------- */

/* A box whose centre is beyond the edge of a table tips about the edge, held by friction: w^2 =
 * 2 m g (d sin + h - h cos) / (J + m (d^2 + h^2)). The table's edge is along y or turned by an angle,
 * the box is narrower or wider than the table. */
static void a_box_tips_over_the_edge_of_a_table(void **state) {
  (void)state;
  const double a = 0.4, h = 0.1, m0 = 1.3, J = m0 * (a * a + h * h) / 3.0;
  for (int k = 0; k < 6; ++k) {
    double d = 0.05 + 0.03 * k, inertia = J + m0 * (d * d + h * h), turn = 0.3 * (k % 3);
    double q[7], wide = k % 2 ? 0.3 : 3.0, c = cos(turn), s0 = sin(turn);
    placed(d * c, d * s0, h, 2, turn, q);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body(m, m0, (double[]){0.5 * J, J, J}, q, NULL);
    nsds_shape_def shape[2] = {{.kind = NSDS_BOX,
                                .half = {2.0, wide, 0.5},
                                .position = {-2.0 * c, -2.0 * s0, -0.5},
                                .quaternion = {cos(0.5 * turn), 0.0, 0.0, sin(0.5 * turn)}},
                               {.kind = NSDS_BOX, .ds = box, .half = {a, 0.5, h}}};
    touch(m, 0.0, 0.9, 2, shape);
    nsds_simulation *s = exact(m, 0.3, 0.002);
    double last = 0.0;
    for (int i = 0; i < 60 && last < 0.3; ++i) {
      assert_ok(m, nsds_step(s));
      const double *p = nsds_q(box), *v = nsds_v(box);
      double x = p[0] * c + p[1] * s0, along = v[0] * c + v[1] * s0;
      double angle = 2.0 * asin(sqrt(p[4] * p[4] + p[5] * p[5]));
      double square = 2.0 * m0 * g * (d * sin(angle) + h - h * cos(angle)) / inertia;
      double kinetic = 0.5 * m0 * (along * along + v[2] * v[2]) +
                       0.5 * (0.5 * J * v[3] * v[3] + J * v[4] * v[4] + J * v[5] * v[5]);
      assert_near(2.0 * kinetic / inertia, square, 1e-8);
      assert_near(x, d * cos(angle) + h * sin(angle), 1e-8);
      assert_near(p[2], h * cos(angle) - d * sin(angle), 1e-8);
      last = angle;
    }
    assert_true(last > 0.02);
    nsds_model_destroy(m);
  }
}

/* A box slides without friction over the edge of a table, and tips when its centre has passed it. */
static void a_box_slides_off_and_tips(void **state) {
  (void)state;
  const double a = 0.3, b = 0.1, J = (a * a + b * b) / 3.0;
  for (int k = 1; k <= 4; ++k) {
    double v = 0.25 * k, wide = k % 2 ? 0.1 : 0.5;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body(m, 1.0, (double[]){J, J, J}, (double[]){-0.5, 0.0, b, 1, 0, 0, 0},
                        (double[]){v, 0, 0, 0, 0, 0});
    nsds_shape_def shape[2] = {
        {.kind = NSDS_BOX, .ds = box, .half = {a, 0.25, b}},
        {.kind = NSDS_BOX, .half = {0.6, wide, 0.5}, .position = {-0.6, 0.0, -0.5}}};
    touch(m, 0.0, 0.0, 2, shape);
    nsds_simulation *s = exact(m, 0.5 / v + 0.1, 0.0);
    while (nsds_time(s) < 0.5 / v - 1e-8) assert_ok(m, nsds_step(s));
    assert_near(nsds_time(s), 0.5 / v, 1e-9);
    assert_near(nsds_q(box)[0], 0.0, 1e-9);
    assert_near(nsds_q(box)[2], b, 1e-9);
    while (nsds_q(box)[5] < 1e-4) assert_ok(m, nsds_step(s)); /* it tips forward, about the edge */
    const double *q = nsds_q(box), *w = nsds_v(box);
    double turn = 2.0 * asin(q[5]);
    assert_near(sin(turn) * -q[0] + cos(turn) * -q[2], -b, 1e-8);
    double kinetic = 0.5 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] +
                            J * (w[3] * w[3] + w[4] * w[4] + w[5] * w[5]));
    assert_near(kinetic + g * (q[2] - b), 0.5 * v * v, 1e-9);
    nsds_model_destroy(m);
  }
}

/* A box dropped flat on a fixed box: narrower, equal, wider, crossing it, turned, beside the
 * middle. */
static void a_box_dropped_flat_on_a_box(void **state) {
  (void)state;
  static const double half[][2] = {{0.2, 0.2}, {0.4, 0.4}, {0.7, 0.7}, {0.8, 0.2}, {0.3, 0.6}};
  for (int k = 0; k < 5; ++k)
    for (int side = 0; side < 4; ++side) {
      double e = 0.5, h = 0.35, t = sqrt(2.0 * h / g), q[7];
      placed(0.05 * side, 0.03 * side, 0.1 + h, 2, side == 3 ? 0.4 : 0.0, q);
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *box = body(m, 1.0, (double[]){0.05, 0.04, 0.06}, q, NULL);
      nsds_shape_def shape[2] = {
          {.kind = NSDS_BOX, .ds = box, .half = {half[k][0], half[k][1], 0.1}},
          {.kind = NSDS_BOX, .half = {0.4, 0.4, 0.5}, .position = {0.0, 0.0, -0.5}}};
      touch(m, e, 0.0, 2, shape);
      nsds_simulation *s = exact(m, 3.0, 0.0);
      step_to_event(m, s);
      assert_near(nsds_time(s), t, 1e-9);
      assert_near(nsds_v(box)[2], e * g * t, 1e-9);
      for (int i = 3; i < 6; ++i) assert_near(nsds_v(box)[i], 0.0, 1e-8);
      assert_int_equal(nsds_run(s), NSDS_END);
      assert_near(nsds_q(box)[2], 0.1, 1e-8); /* at rest */
      for (int i = 4; i < 6; ++i) assert_near(nsds_q(box)[i], 0.0, 1e-8);
      nsds_model_destroy(m);
    }
}

/* A box turned by 45 degrees about x falls with its edge on the edge of one turned about y: the
 * edges cross at an arm a along x. P = (1 + e) v / (1/m + a^2 / Jy). */
static void edges_strike_each_other(void **state) {
  (void)state;
  const double pi = acos(-1.0), e = 0.6, half = 0.2, root = half * sqrt(2.0), mass = 1.4;
  const double J[3] = {0.02, 0.03, 0.03};
  for (int k = 0; k < 6; ++k) {
    double a = 0.025 * k, b = 0.03 * (k % 3), h = 0.2, v = sqrt(2.0 * g * h), q[7];
    placed(a, b, root + h, 0, 0.25 * pi, q);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body(m, mass, J, q, NULL);
    nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .ds = box, .half = {half, half, half}},
                               {.kind = NSDS_BOX,
                                .half = {half, half, half},
                                .position = {0.0, 0.0, -root},
                                .quaternion = {cos(pi / 8.0), 0.0, sin(pi / 8.0), 0.0}}};
    touch(m, e, 0.0, 2, shape);
    nsds_simulation *s = exact(m, 3.0, 0.0);
    step_to_event(m, s);
    double P = (1.0 + e) * v / (1.0 / mass + a * a / J[1]);
    assert_near(nsds_time(s), v / g, 1e-9);
    assert_near(nsds_v(box)[2], -v + P / mass, 1e-9);
    assert_near(hypot(nsds_v(box)[4], nsds_v(box)[5]), a * P / J[1], 1e-8); /* the box is turned */
    nsds_model_destroy(m);
  }
}

/* ---- drawn bodies -------------------------------------------------------------------------------- */

enum { most_vertices = 8, most_axes = 6, most_bodies = 4 };

typedef enum family { SHARP, ROUNDED } family;

/* A convex core with a radius: its vertices, the normals of its faces and its directions of edges. */
typedef struct solid {
  nsds_shape_kind kind;
  int nv, nn, nd;
  double v[3 * most_vertices], n[3 * most_axes], d[3 * most_axes], half[3], radius, size;
} solid;

static void put(double *at, double x, double y, double z) { at[0] = x, at[1] = y, at[2] = z; }

static void cross(const double *a, const double *b, double *c) {
  put(c, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void make_box(solid *p, double a, double b, double c) {
  *p = (solid){.kind = NSDS_BOX, .nv = 8, .nn = 3, .nd = 3, .half = {a, b, c}};
  for (int k = 0; k < 8; ++k) put(p->v + 3 * k, k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c);
  for (int k = 0; k < 3; ++k) p->n[4 * k] = p->d[4 * k] = 1.0;
  p->size = sqrt(a * a + b * b + c * c);
}

/* A tetrahedron with drawn corners. */
static void make_tetrahedron(solid *p, uint64_t *seed) {
  static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  static const int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  static const int edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  *p = (solid){.kind = NSDS_HULL, .nv = 4, .nn = 4, .nd = 6, .size = 0.35};
  double middle[3] = {0};
  for (int k = 0; k < 12; ++k) p->v[k] = (corner[k / 3][k % 3] + random_in(seed, -0.3, 0.3)) * 0.15;
  for (int k = 0; k < 12; ++k) middle[k % 3] += 0.25 * p->v[k];
  for (int k = 0; k < 12; ++k) p->v[k] -= middle[k % 3];
  for (int e = 0; e < 6; ++e)
    for (int i = 0; i < 3; ++i)
      p->d[3 * e + i] = p->v[3 * edge[e][1] + i] - p->v[3 * edge[e][0] + i];
  for (int f = 0; f < 4; ++f) {
    double one[3], other[3];
    for (int i = 0; i < 3; ++i) {
      one[i] = p->v[3 * face[f][1] + i] - p->v[3 * face[f][0] + i];
      other[i] = p->v[3 * face[f][2] + i] - p->v[3 * face[f][0] + i];
    }
    cross(one, other, p->n + 3 * f);
  }
}

static void make_capsule(solid *p, double half, double radius) {
  *p = (solid){.kind = half > 0.0 ? NSDS_CAPSULE : NSDS_SPHERE,
               .nv = half > 0.0 ? 2 : 1,
               .half = {half},
               .radius = radius,
               .size = half + radius};
  put(p->v, half, 0.0, 0.0);
  put(p->v + 3, -half, 0.0, 0.0);
}

static void draw_solid(solid *p, family of, uint64_t *seed) {
  double draw = random_in(seed, 0.0, 1.0);
  if (of == SHARP && draw < 0.4) make_tetrahedron(p, seed);
  else if (of == SHARP || draw < 0.4)
    make_box(p, random_in(seed, 0.08, 0.25), random_in(seed, 0.08, 0.25),
             random_in(seed, 0.08, 0.25));
  else
    make_capsule(p, draw < 0.85 ? random_in(seed, 0.05, 0.25) : 0.0, random_in(seed, 0.05, 0.15));
}

static nsds_shape_def shape_of(const solid *p, nsds_ds *ds) {
  nsds_shape_def shape = {.kind = p->kind, .ds = ds, .radius = p->radius};
  memcpy(shape.half, p->half, sizeof shape.half);
  if (p->kind == NSDS_HULL) shape.nvertex = p->nv, shape.vertex = p->v;
  return shape;
}

static void draw_attitude(uint64_t *seed, double *q) {
  double square = 0.0;
  for (int k = 0; k < 4; ++k) {
    q[k] = random_in(seed, -1, 1);
    square += q[k] * q[k];
  }
  for (int k = 0; k < 4; ++k) q[k] /= sqrt(square);
}

static nsds_ds *draw_body(nsds_model *m, const solid *p, double mass, double z, double spread,
                          uint64_t *seed) {
  double J = 0.3 * mass * p->size * p->size, q[7], v[6];
  put(q, random_in(seed, -spread, spread), random_in(seed, -spread, spread), z);
  draw_attitude(seed, q + 3);
  for (int k = 0; k < 6; ++k) v[k] = random_in(seed, -1, 1);
  return body(m, mass, (double[]){J, 1.2 * J, 0.9 * J}, q, v);
}

/* Compares two motions until impacts follow so closely that errors grow. */
static void same_motion(nsds_model *const m[2], nsds_simulation *const s[2], nsds_ds *const ds[2],
                        const char *of) {
  bool same = true;
  for (int i = 1; i <= 50 && same; ++i) {
    for (int j = 0; j < 2; ++j)
      while (nsds_time(s[j]) < 0.02 * i - 1e-9)
        if (nsds_step(s[j]) < 0)
          fail_msg("%s %d, side %d: %s", of, (int)number, j,
                   nsds_error_message(nsds_model_context(m[j])));
    same = nsds_simulation_event(s[0])->nonsmooth < 10;
    for (int c = 0; same && c < 7; ++c)
      if (fabs(nsds_q(ds[0])[c] - nsds_q(ds[1])[c]) > 1e-6)
        fail_msg("%s %d at %g: q[%d] is %.12g and %.12g", of, (int)number, nsds_time(s[0]), c,
                 nsds_q(ds[0])[c], nsds_q(ds[1])[c]);
  }
}

/* A drawn body falls on a wide box, or on a half space: the same motion. */
static void drawn_on_a_wide_box(void **state) {
  (void)state;
  for (int k = 0; k < 2 * drawn; ++k) {
    number = first + (uint64_t)k;
    nsds_model *m[2];
    nsds_simulation *s[2];
    nsds_ds *ds[2];
    solid p;
    for (int j = 0; j < 2; ++j) {
      uint64_t seed = 7919 * number + 5;
      draw_solid(&p, k % 2 ? SHARP : ROUNDED, &seed);
      double e = random_in(&seed, 0.0, 0.8),
             mu = random_in(&seed, 0.0, 1.0) < 0.4 ? 0.0 : random_in(&seed, 0.05, 0.8);
      m[j] = nsds_model_create(NULL);
      ds[j] = draw_body(m[j], &p, 1.0, 0.6, 1.0, &seed);
      nsds_shape_def shape[2] = {shape_of(&p, ds[j]),
                                 {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
      if (j == 1)
        shape[1] = (nsds_shape_def){.kind = NSDS_BOX, .half = {8, 8, 1}, .position = {0, 0, -1}};
      touch(m[j], e, mu, 2, shape);
      s[j] = exact(m[j], 1.0, 0.02);
    }
    same_motion(m, s, ds, "body");
    for (int j = 0; j < 2; ++j) nsds_model_destroy(m[j]);
  }
}

/* A drawn body falls on a wide box, or on four boxes that lie flush; and a box of two halves, or of
 * one piece. */
static void drawn_over_seams(void **state) {
  (void)state;
  for (int k = 0; k < 2 * drawn; ++k) {
    number = first + (uint64_t)k;
    nsds_model *m[2];
    nsds_simulation *s[2];
    nsds_ds *ds[2];
    for (int j = 0; j < 2; ++j) {
      solid p;
      uint64_t seed = 6007 * number + 5;
      bool halves = k % 2;
      draw_solid(&p, k % 4 < 2 ? SHARP : ROUNDED, &seed);
      if (halves) make_box(&p, 0.2, 0.15, 0.1);
      double e = random_in(&seed, 0.0, 0.8),
             mu = random_in(&seed, 0.0, 1.0) < 0.4 ? 0.0 : random_in(&seed, 0.05, 0.8);
      m[j] = nsds_model_create(NULL);
      ds[j] = draw_body(m[j], &p, 1.0, 0.6, 0.2, &seed);
      nsds_shape_def shape[6] = {shape_of(&p, ds[j])};
      int n = 1;
      if (halves && j == 1) {
        shape[n] = shape[0];
        shape[0].half[0] = shape[n].half[0] = 0.1;
        shape[0].position[0] = 0.1;
        shape[n++].position[0] = -0.1;
      }
      for (int part = 0; part < (j == 1 && !halves ? 4 : 1); ++part)
        shape[n++] = (nsds_shape_def){.kind = NSDS_BOX,
                                      .half = {8, 8, 1},
                                      .position = {part & 1 ? -8 : 8, part & 2 ? -8 : 8, -1}};
      if (n == 2 || halves) {
        memcpy(shape[n - 1].position, (double[]){0, 0, -1}, sizeof shape[0].position);
        shape[n - 1].half[0] = shape[n - 1].half[1] = 16;
      }
      touch(m[j], e, mu, n, shape);
      s[j] = exact(m[j], 1.0, 0.02);
    }
    same_motion(m, s, ds, "body over seams");
    for (int j = 0; j < 2; ++j) nsds_model_destroy(m[j]);
  }
}

/* A box slides over seams of the floor with constant speed, turned by an angle. */
static void a_box_slides_over_seams(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    double q[7], v[6] = {1.0, 0.3, 0, 0, 0, 0};
    placed(-0.6, -0.2, 0.1, 2, 0.35 * k, q);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body(m, 1.0, (double[]){0.02, 0.02, 0.02}, q, v);
    nsds_shape_def shape[5] = {{.kind = NSDS_BOX, .ds = box, .half = {0.2, 0.15, 0.1}}};
    for (int part = 0; part < 4; ++part)
      shape[1 + part] = (nsds_shape_def){.kind = NSDS_BOX,
                                         .half = {8, 8, 1},
                                         .position = {part & 1 ? -8 : 8, part & 2 ? -8 : 8, -1}};
    touch(m, 0.0, 0.0, 5, shape);
    nsds_simulation *s = exact(m, 1.2, 0.0);
    if (nsds_run(s) != NSDS_END)
      fail_msg("turned by %g, at %g: %s", 0.35 * k, nsds_time(s),
               nsds_error_message(nsds_model_context(m)));
    assert_near(nsds_q(box)[0], 0.6, 1e-9);
    assert_near(nsds_q(box)[1], 0.16, 1e-9);
    assert_near(nsds_q(box)[2], 0.1, 1e-9);
    for (int i = 0; i < 6; ++i) assert_near(nsds_v(box)[i], v[i], 1e-9);
    nsds_model_destroy(m);
  }
}

/* Regression: corners that arrive together. A box thrown along x, turned about y, stays in the plane
 * of x and z for ever; rounding chose one of two corners. */
static void two_corners_share_an_impact(void **state) {
  (void)state;
  for (int k = 0; k < 2 * drawn; ++k) {
    number = first + (uint64_t)k;
    uint64_t seed = 31 * number + 7;
    double a = random_in(&seed, 0.15, 0.5), b = random_in(&seed, 0.15, 0.5),
           c = random_in(&seed, 0.15, 0.5), e = random_in(&seed, 0.1, 0.7),
           mu = random_in(&seed, 0.05, 1.2), turn = k % 2 ? random_in(&seed, -1, 1) : 0.0, q[7];
    double v[6] = {random_in(&seed, -2, 2)};
    placed(0, 0, a * fabs(sin(turn)) + c * cos(turn) + random_in(&seed, 0.02, 0.4), 1, turn, q);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body(
        m, 1.0, (double[]){(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3}, q, v);
    nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .ds = box, .half = {a, b, c}},
                               {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
    if (k % 4 < 2)
      shape[1] = (nsds_shape_def){.kind = NSDS_BOX, .half = {20, 20, 1}, .position = {0, 0, -1}};
    touch(m, e, mu, 2, shape);
    nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 3});
    assert_int_equal(nsds_run(s), NSDS_END);
    static const int across[] = {1, 4, 6}; /* y, and turns about x and z */
    for (int i = 0; i < 3; ++i)
      if (fabs(nsds_q(box)[across[i]]) > 1e-7)
        fail_msg("box %d: q[%d] is %g", (int)number, across[i], nsds_q(box)[across[i]]);
    nsds_model_destroy(m);
  }
}

/* ---- drawn heaps --------------------------------------------------------------------------------- */

static void turned(const double *q, const double *x, double *y) {
  const double *u = q + 4;
  double once[3], twice[3];
  cross(u, x, once);
  for (int i = 0; i < 3; ++i) once[i] += q[3] * x[i];
  cross(u, once, twice);
  for (int i = 0; i < 3; ++i) y[i] = x[i] + 2.0 * twice[i];
}

static double overlap_along(const solid *a, const double *qa, const solid *b, const double *qb,
                            const double *n) {
  double low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY, x[3];
  for (int k = 0; k < a->nv; ++k) {
    turned(qa, a->v + 3 * k, x);
    low = fmin(low, dot(x, n) + dot(qa, n));
    high = fmax(high, dot(x, n) + dot(qa, n));
  }
  for (int k = 0; k < b->nv; ++k) {
    turned(qb, b->v + 3 * k, x);
    least = fmin(least, dot(x, n) + dot(qb, n));
    most = fmax(most, dot(x, n) + dot(qb, n));
  }
  return fmax(least - high, low - most) / sqrt(dot(n, n));
}

/* The largest separation of two polytopes along normals of faces and products of edges. */
static double apart_along(const solid *a, const double *qa, const solid *b, const double *qb) {
  double most = -INFINITY, n[3], d[3], e[3];
  for (int k = 0; k < a->nn; ++k) {
    turned(qa, a->n + 3 * k, n);
    most = fmax(most, overlap_along(a, qa, b, qb, n));
  }
  for (int k = 0; k < b->nn; ++k) {
    turned(qb, b->n + 3 * k, n);
    most = fmax(most, overlap_along(a, qa, b, qb, n));
  }
  for (int k = 0; k < a->nd; ++k)
    for (int j = 0; j < b->nd; ++j) {
      turned(qa, a->d + 3 * k, d);
      turned(qb, b->d + 3 * j, e);
      cross(d, e, n);
      if (dot(n, n) > 1e-10 * dot(d, d) * dot(e, e))
        most = fmax(most, overlap_along(a, qa, b, qb, n));
    }
  return most;
}

/* The distance of a point from a core: exact for points and boxes, by a search on segments. */
static double distance_from(const solid *b, const double *qb, const double *x) {
  double back[7] = {0, 0, 0, qb[3], -qb[4], -qb[5], -qb[6]}, way[3], y[3], square = 0.0;
  for (int i = 0; i < 3; ++i) way[i] = x[i] - qb[i];
  turned(back, way, y);
  for (int i = 0; i < 3; ++i) {
    double half = b->half[i];
    double out = fmax(fabs(y[i]) - half, 0.0);
    square += out * out;
  }
  return sqrt(square);
}

/* The distance of the segment of a from the core of b, by golden section: it is convex. */
static double segment_distance(const solid *a, const double *qa, const solid *b, const double *qb) {
  double low = -1.0, high = 1.0, value[2], x[3], axis[3];
  turned(qa, a->v, axis);
  for (int pass = 0; pass < 90; ++pass) {
    double at[2] = {high - 0.6180339887498949 * (high - low),
                    low + 0.6180339887498949 * (high - low)};
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 3; ++i) x[i] = qa[i] + at[k] * axis[i];
      value[k] = distance_from(b, qb, x);
    }
    if (value[0] < value[1]) high = at[1];
    else low = at[0];
  }
  return fmin(value[0], value[1]);
}

static double gap_of(const solid *a, const double *qa, const solid *b, const double *qb) {
  if (a->radius == 0.0 && b->radius == 0.0) return apart_along(a, qa, b, qb);
  double distance =
      a->radius > 0.0 ? segment_distance(a, qa, b, qb) : segment_distance(b, qb, a, qa);
  return distance - a->radius - b->radius;
}

typedef struct heap {
  nsds_model *model;
  nsds_simulation *s;
  solid p[most_bodies];
  nsds_ds *ds[most_bodies];
  double mass[most_bodies];
  int n;
} heap;

static heap draw_heap(void) {
  uint64_t seed = 104729 * number + 11;
  heap h = {.model = nsds_model_create(NULL)};
  h.n = 2 + (int)random_in(&seed, 0.0, most_bodies - 2 + 0.99);
  nsds_shape_def shape[most_bodies + 1] = {
      {.kind = NSDS_BOX, .half = {0.5, 0.5, 0.5}, .position = {0, 0, -0.5}}};
  for (int i = 0; i < h.n; ++i) {
    draw_solid(&h.p[i], number % 2 ? SHARP : ROUNDED, &seed);
    h.mass[i] = random_in(&seed, 0.5, 2.0);
    h.ds[i] = draw_body(h.model, &h.p[i], h.mass[i], 0.5 + 0.8 * i, 0.2, &seed);
    shape[i + 1] = shape_of(&h.p[i], h.ds[i]);
  }
  double e = random_in(&seed, 0.0, 0.6), mu = random_in(&seed, 0.0, 1.0) < 0.3 ? 0.0 : 0.4;
  touch(h.model, e, mu, h.n + 1, shape);
  h.s = nsds_event_driven(
      h.model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.02, .root_panels = 4});
  assert_sound(h.model);
  return h;
}

static double energy(const heap *h) {
  double sum = 0.0;
  for (int k = 0; k < h->n; ++k)
    sum += nsds_kinetic_energy(h->ds[k]) + h->mass[k] * g * nsds_q(h->ds[k])[2];
  return sum;
}

static void advance(heap *h) {
  if (nsds_step(h->s) < 0)
    fail_msg("heap %d at %g: %s", (int)number, nsds_time(h->s),
             nsds_error_message(nsds_model_context(h->model)));
}

static void check_apart(const heap *h) {
  static const double floor_at[7] = {0, 0, -0.5, 1};
  solid ground;
  make_box(&ground, 0.5, 0.5, 0.5);
  for (int i = 0; i < h->n; ++i)
    for (int j = -1; j < i; ++j) {
      const double *qi = nsds_q(h->ds[i]), *qj = j < 0 ? floor_at : nsds_q(h->ds[j]);
      double gap = gap_of(&h->p[i], qi, j < 0 ? &ground : &h->p[j], qj);
      if (gap < -1e-6)
        fail_msg("heap %d at %g: bodies %d and %d overlap by %g", (int)number, nsds_time(h->s), i,
                 j, -gap);
    }
}

/* Bodies fall on a box and on each other. None may sink in, and no energy may appear. */
static void drawn_heaps(void **state) {
  (void)state;
  for (int k = 0; k < drawn; ++k) {
    number = first + (uint64_t)k;
    heap h = draw_heap();
    double before = energy(&h);
    while (nsds_time(h.s) < 1.0 - 1e-9) {
      advance(&h);
      double now = energy(&h);
      if (now > before + 1e-6)
        fail_msg("heap %d at %g: energy rises by %g", (int)number, nsds_time(h.s), now - before);
      before = now;
      check_apart(&h);
    }
    nsds_model_destroy(h.model);
  }
}

/* A snapshot goes on in a new model with the same bits, and so does a state that is saved and
 * restored; halves of events give the bits of whole ones. */
static void saved_heaps(void **state) {
  (void)state;
  static const char file[] = "contact_polytopes.nsds";
  for (int k = 0; k < (drawn + 5) / 6; ++k) {
    number = first + (uint64_t)k;
    heap one = draw_heap(), halves = draw_heap();
    for (int step = 0; nsds_time(one.s) < 0.9; ++step) {
      advance(&one);
      assert_ok(halves.model, nsds_event_meet(halves.s));
      assert_ok(halves.model, nsds_event_process(halves.s));
      assert_true(state_hash(halves.model, 0) == state_hash(one.model, 0));
      if (step % 8) continue;
      assert_ok(one.model, nsds_snapshot_save(one.s, file));
      assert_ok(one.model, nsds_simulation_save(one.s));
      for (int i = 0; i < 3; ++i) advance(&one);
      uint64_t hash = state_hash(one.model, 0);
      heap other = draw_heap();
      assert_ok(other.model, nsds_snapshot_load(other.s, file));
      for (int i = 0; i < 3; ++i) advance(&other);
      if (state_hash(other.model, 0) != hash)
        fail_msg("heap %d: a snapshot before %g goes on differently", (int)number,
                 nsds_time(other.s));
      nsds_model_destroy(other.model);
      assert_ok(one.model, nsds_simulation_restore(one.s));
      for (int i = 0; i < 3; ++i) advance(&one);
      assert_true(state_hash(one.model, 0) == hash);
      assert_ok(one.model, nsds_simulation_restore(one.s));
    }
    nsds_model_destroy(one.model);
    nsds_model_destroy(halves.model);
  }
  remove(file);
}

int main(int argc, char **argv) {
  if (argc > 1) drawn = atoi(argv[1]);
  if (argc > 2) first = (uint64_t)strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_strike_each_other),
      cmocka_unit_test(a_box_dropped_flat_on_a_box),
      cmocka_unit_test(a_box_tips_over_the_edge_of_a_table),
      cmocka_unit_test(a_box_slides_off_and_tips),
      cmocka_unit_test(two_corners_share_an_impact),
      cmocka_unit_test(a_box_slides_over_seams),
      cmocka_unit_test(drawn_on_a_wide_box),
      cmocka_unit_test(drawn_over_seams),
      cmocka_unit_test(drawn_heaps),
      cmocka_unit_test(saved_heaps),
  };
  int failed = cmocka_run_group_tests_name("event_driven.contact_polytopes", tests, NULL, NULL);
  if (failed) printf("the last drawn model has number %llu\n", (unsigned long long)number);
  return failed;
}
