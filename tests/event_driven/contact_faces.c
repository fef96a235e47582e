/*
 * Shapes with faces before each other, event-driven: balls before faces, edges and corners, polygons
 * of the plane before polygons. Closed forms; drawn polygons on a wide box beside a half space; drawn
 * heaps, in which nothing may overlap and no energy may come from nowhere; the same heaps saved.
 *
 *   event_contact_faces [COUNT [FIRST]]     drawn models, default 10 from seed 1
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;
static int drawn = 10;
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

static nsds_ds *body_2d(nsds_model *model, double mass, double inertia, const double q[3],
                        const double v[3]) {
  return nsds_rigid_body_2d(
      model, &(nsds_rigid_body_2d_def){
                 .mass = mass, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, -g}});
}

static nsds_contact_set *touch(nsds_model *m, int dimension, double e, double mu, int n,
                               const nsds_shape_def *shape) {
  nsds_law *law =
      mu > 0.0
          ? nsds_newton_impact_friction(
                m, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = mu, .e_n = e})
          : nsds_newton_impact(m, e);
  nsds_contact_set *set = nsds_shapes(
      m, &(nsds_shapes_def){.dimension = dimension, .law = law, .nshape = n, .shape = shape});
  assert_sound(m);
  return set;
}

/* Steps to the next nonsmooth event. */
static void step_to_event(nsds_model *m, nsds_simulation *s) {
  do assert_ok(m, nsds_step(s));
  while (!(nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH));
}

/* ---- balls --------------------------------------------------------------------------------------- */

/* The time from angle a, at rest, to b on a circle of radius r: t = int dx / sqrt(2 g / r (cos a -
 * cos x)), with x = a + u^2. */
static double fall_time(double r, double a, double b) {
  enum { n = 2000 };
  double sum = 0.0, most = sqrt(b - a);
  for (int k = 0; k <= n; ++k) {
    double u = most * k / n, x = a + u * u;
    double f = u > 0.0 ? 2.0 * u / sqrt(2.0 * g / r * (cos(a) - cos(x)))
                       : 2.0 / sqrt(2.0 * g / r * sin(a));
    sum += (k == 0 || k == n ? 1.0 : k % 2 ? 4.0 : 2.0) * f;
  }
  return sum * most / n / 3.0;
}

/* A ball on the edge of a fixed box leaves it where cos = 2/3 cos(start); in space and in the plane. */
static void a_ball_leaves_an_edge(void **state) {
  (void)state;
  const double J[9] = {[0] = 0.01, [4] = 0.01, [8] = 0.01}, r = 0.2;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int k = 1; k <= 5; ++k) {
      double a = 0.1 * k, x = 0.5 + r * sin(a), z = r * cos(a), end = acos(2.0 / 3.0 * cos(a));
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *ball =
          dimension == 2
              ? body_2d(m, 1.0, 0.01, (double[]){x, z, 0.0}, NULL)
              : nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                          .inertia = J,
                                                          .q0 = (double[]){x, 0.1, z, 1, 0, 0, 0},
                                                          .gravity = {0, 0, -g}});
      nsds_shape_def shape[2] = {{.kind = NSDS_SPHERE, .ds = ball, .radius = r},
                                 {.kind = NSDS_BOX, .half = {0.5, 0.5, 0.5}}};
      shape[1].position[dimension - 1] = -0.5;
      touch(m, dimension, 0.0, 0.0, 2, shape);
      nsds_simulation *s = exact(m, 2.0, 0.0);
      step_to_event(m, s);
      double t = fall_time(r, a, end);
      assert_near(nsds_time(s), t, 1e-9);
      assert_near(nsds_q(ball)[0], 0.5 + r * sin(end), 1e-9);
      assert_near(nsds_q(ball)[dimension - 1], r * cos(end), 1e-9);
      nsds_model_destroy(m);
    }
}

/* A ball slides over the edge of a table. It flies off at once if v^2 > g r, or follows the edge to
 * cos = 2/3 + v^2 / (3 g r). */
static void a_ball_slides_over_an_edge(void **state) {
  (void)state;
  const double r = 0.2;
  for (int k = 1; k <= 8; ++k) {
    double v = 0.4 * k, part = v * v / (g * r);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ball = body_2d(m, 1.0, 0.01, (double[]){-0.3, r, 0.0}, (double[]){v, 0.0, 0.0});
    nsds_shape_def shape[2] = {{.kind = NSDS_SPHERE, .ds = ball, .radius = r},
                               {.kind = NSDS_BOX, .half = {0.5, 0.5}, .position = {-0.5, -0.5}}};
    touch(m, 2, 0.0, 0.0, 2, shape);
    nsds_simulation *s = exact(m, 2.0, 0.0);
    while (nsds_q(ball)[0] < -1e-8) assert_ok(m, nsds_step(s)); /* the face ends here */
    assert_near(nsds_time(s), 0.3 / v, 1e-9);
    assert_near(nsds_q(ball)[0], 0.0, 1e-9);
    if (part > 1.0) {
      double t = nsds_time(s);
      assert_ok(m, nsds_step(s));
      t = nsds_time(s) - t;
      assert_true(t > 0.0);
      assert_near(nsds_q(ball)[1], r - 0.5 * g * t * t, 1e-9);
    } else {
      step_to_event(m, s);
      double c = 2.0 / 3.0 + part / 3.0;
      assert_near(nsds_q(ball)[0], r * sqrt(1.0 - c * c), 1e-9);
      assert_near(nsds_q(ball)[1], r * c, 1e-9);
      assert_near(hypot(nsds_v(ball)[0], nsds_v(ball)[1]), sqrt(v * v + 2.0 * g * r * (1.0 - c)),
                  1e-9);
    }
    nsds_model_destroy(m);
  }
}

/* A ball dropped on the corner of a block that floats: both move as the law says. */
static void a_ball_strikes_a_free_corner(void **state) {
  (void)state;
  const double r = 0.1, h = 0.4, M = 2.0, J = 0.3, e = 0.7;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ball =
      nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                      .inertia = 0.01,
                                                      .q0 = (double[]){0.0, 2.0, 0.0},
                                                      .v0 = (double[]){0.0, -1.0, 0.0}});
  nsds_ds *block = nsds_rigid_body_2d(
      m, &(nsds_rigid_body_2d_def){
             .mass = M, .inertia = J, .q0 = (double[]){0.0, 0.0, 0.25 * acos(-1.0)}});
  nsds_shape_def shape[2] = {{.kind = NSDS_SPHERE, .ds = ball, .radius = r},
                             {.kind = NSDS_BOX, .ds = block, .half = {h, h}}};
  touch(m, 2, e, 0.0, 2, shape);
  nsds_simulation *s = exact(m, 3.0, 0.0);
  step_to_event(m, s);
  double top = h * sqrt(2.0);
  assert_near(nsds_time(s), 2.0 - r - top, 1e-9);
  double P = (1.0 + e) / (1.0 + 1.0 / M);
  assert_near(nsds_v(ball)[1], -1.0 + P, 1e-9);
  assert_near(nsds_v(block)[1], -P / M, 1e-9);
  assert_near(nsds_v(block)[2], 0.0, 1e-9);
  nsds_model_destroy(m);
}

/* ---- boxes --------------------------------------------------------------------------------------- */

/* A box slides without friction over the edge of a table, and tips when its centre has passed it. */
static void a_box_slides_off_and_tips(void **state) {
  (void)state;
  const double a = 0.3, b = 0.1, J = (a * a + b * b) / 3.0;
  for (int k = 1; k <= 4; ++k) {
    double v = 0.25 * k;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body_2d(m, 1.0, J, (double[]){-0.5, b, 0.0}, (double[]){v, 0.0, 0.0});
    nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .ds = box, .half = {a, b}},
                               {.kind = NSDS_BOX, .half = {0.6, 0.5}, .position = {-0.6, -0.5}}};
    touch(m, 2, 0.0, 0.0, 2, shape);
    nsds_simulation *s = exact(m, 0.5 / v + 0.1, 0.0);
    step_to_event(m, s);
    /* the force of the corner behind has come to zero; both forces are known on the way */
    assert_near(nsds_time(s), 0.5 / v, 1e-9);
    assert_near(nsds_q(box)[0], 0.0, 1e-9);
    assert_near(nsds_q(box)[2], 0.0, 1e-9);
    while (nsds_q(box)[2] > -1e-4) assert_ok(m, nsds_step(s)); /* it tips forward, about the edge */
    double turn = nsds_q(box)[2], x = nsds_q(box)[0], z = nsds_q(box)[1];
    /* the edge is on the lower face: (0, 0) - centre has the height -b in the box */
    assert_near(-sin(turn) * -x + cos(turn) * -z, -b, 1e-8);
    /* energy, and no force along the floor: the normal force has turned the velocity */
    const double *w = nsds_v(box);
    double kinetic = 0.5 * (w[0] * w[0] + w[1] * w[1] + J * w[2] * w[2]);
    assert_near(kinetic + g * (z - b), 0.5 * v * v, 1e-9);
    nsds_model_destroy(m);
  }
}

/* A box whose centre is beyond the edge of a table tips about the edge, held by friction: w^2 =
 * 2 m g (d sin + h - h cos) / (J + m (d^2 + h^2)). */
static void a_box_tips_over_the_edge_of_a_table(void **state) {
  (void)state;
  const double a = 0.4, h = 0.1, J = 1.3 * (a * a + h * h) / 3.0;
  for (int k = 1; k <= 6; ++k) {
    double d = 0.04 * k, inertia = J + 1.3 * (d * d + h * h);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body_2d(m, 1.3, J, (double[]){d, h, 0.0}, NULL);
    nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .half = {2.0, 0.5}, .position = {-2.0, -0.5}},
                               {.kind = NSDS_BOX, .ds = box, .half = {a, h}}};
    touch(m, 2, 0.0, 0.9, 2, shape);
    nsds_simulation *s = exact(m, 0.3, 0.002);
    double last = 0.0;
    for (int i = 0; i < 60 && -nsds_q(box)[2] < 0.3; ++i) {
      assert_ok(m, nsds_step(s));
      double angle = -nsds_q(box)[2], w = -nsds_v(box)[2];
      double square = 2.0 * 1.3 * g * (d * sin(angle) + h - h * cos(angle)) / inertia;
      assert_near(w * w, square, 1e-8);
      /* the pivot keeps its place on the lower face */
      assert_near(nsds_q(box)[0], d * cos(angle) + h * sin(angle), 1e-8);
      assert_near(nsds_q(box)[1], h * cos(angle) - d * sin(angle), 1e-8);
      last = angle;
    }
    assert_true(last > 0.02);
    nsds_model_destroy(m);
  }
}

/* A box dropped flat on a fixed or a free box: narrower, equal, wider, and beside the middle. */
static void a_box_dropped_flat_on_a_box(void **state) {
  (void)state;
  static const double width[] = {0.2, 0.4, 0.7};
  for (int k = 0; k < 3; ++k)
    for (int side = 0; side < 3; ++side) {
      double e = 0.5, x = 0.1 * side, h = 0.35, t = sqrt(2.0 * h / g);
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *box = body_2d(m, 1.0, 0.05, (double[]){x, 0.1 + h, 0.0}, NULL);
      nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .ds = box, .half = {width[k], 0.1}},
                                 {.kind = NSDS_BOX, .half = {0.4, 0.5}, .position = {0.0, -0.5}}};
      touch(m, 2, e, 0.0, 2, shape);
      nsds_simulation *s = exact(m, 5.0, 0.0);
      step_to_event(m, s);
      assert_near(nsds_time(s), t, 1e-9);
      assert_near(nsds_v(box)[1], e * g * t, 1e-9);
      assert_near(nsds_v(box)[2], 0.0, 1e-9);
      assert_near(nsds_v(box)[0], 0.0, 0.0);
      assert_int_equal(nsds_run(s), NSDS_END);
      assert_near(nsds_q(box)[1], 0.1, 1e-9); /* at rest */
      assert_near(nsds_q(box)[2], 0.0, 1e-9);
      nsds_model_destroy(m);
    }
}

/* A box dropped on one corner: P = (1 + e) m v / (1 + m r^2 / J). */
static void a_box_dropped_on_a_corner(void **state) {
  (void)state;
  const double a = 0.3, b = 0.2, J = 0.04, e = 0.6;
  for (int k = 1; k <= 6; ++k) {
    double angle = 0.2 * k, h = 0.3, low = -a * sin(angle) - b * cos(angle),
           arm = -a * cos(angle) + b * sin(angle), v = sqrt(2.0 * g * h);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = body_2d(m, 1.0, J, (double[]){0.1, h - low, angle}, NULL);
    nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .ds = box, .half = {a, b}},
                               {.kind = NSDS_BOX, .half = {1.0, 0.5}, .position = {0.0, -0.5}}};
    touch(m, 2, e, 0.0, 2, shape);
    nsds_simulation *s = exact(m, 5.0, 0.0);
    step_to_event(m, s);
    double P = (1.0 + e) * v / (1.0 + arm * arm / J);
    assert_near(nsds_time(s), v / g, 1e-9);
    assert_near(nsds_v(box)[1], -v + P, 1e-9);
    assert_near(nsds_v(box)[2], arm * P / J, 1e-8);
    nsds_model_destroy(m);
  }
}

/* Three boxes on each other stay, with the forces of their weights. */
static void a_stack_rests(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *box[3];
  nsds_shape_def shape[4] = {{.kind = NSDS_BOX, .half = {1.0, 0.5}, .position = {0.0, -0.5}}};
  for (int k = 0; k < 3; ++k) {
    box[k] = body_2d(m, 1.0 + k, 0.1, (double[]){0.02 * k, 0.1 + 0.2 * k, 0.0}, NULL);
    shape[k + 1] = (nsds_shape_def){.kind = NSDS_BOX, .ds = box[k], .half = {0.3, 0.1}};
  }
  nsds_contact_set *set = touch(m, 2, 0.0, 0.5, 4, shape);
  nsds_simulation *s = exact(m, 1.0, 0.1);
  assert_int_equal(nsds_run(s), NSDS_END);
  double load = 0.0;
  for (int k = 0; k < nsds_contact_set_count(set); ++k) {
    nsds_contact_info info;
    assert_ok(m, nsds_contact_set_get(set, k, &info));
    load += info.force[0];
  }
  assert_near(load, g * (6.0 + 5.0 + 3.0), 1e-7);
  for (int k = 0; k < 3; ++k) {
    assert_near(nsds_q(box[k])[0], 0.02 * k, 1e-9);
    assert_near(nsds_q(box[k])[1], 0.1 + 0.2 * k, 1e-9);
    assert_near(nsds_q(box[k])[2], 0.0, 1e-9);
  }
  nsds_model_destroy(m);
}

/* ---- drawn polygons ------------------------------------------------------------------------------ */

enum { most_corners = 6, most_bodies = 5 };

typedef struct polygon {
  int n; /* 1: a disc */
  double x[3 * most_corners], radius;
} polygon;

/* A disc, or a polygon with its corners on a circle, counterclockwise. */
static polygon draw_polygon(uint64_t *seed) {
  polygon p = {.n = (int)random_in(seed, 1.0, most_corners + 0.99),
               .radius = random_in(seed, 0.1, 0.3)};
  if (p.n < 3) p.n = 1;
  double start = random_in(seed, 0.0, 1.0);
  for (int k = 0; p.n > 1 && k < p.n; ++k) {
    double angle = start + 2.0 * acos(-1.0) * (k + random_in(seed, -0.25, 0.25)) / p.n;
    p.x[2 * k] = p.radius * cos(angle);
    p.x[2 * k + 1] = p.radius * sin(angle);
  }
  return p;
}

static nsds_shape_def shape_of(const polygon *p, nsds_ds *ds) {
  if (p->n == 1) return (nsds_shape_def){.kind = NSDS_SPHERE, .ds = ds, .radius = p->radius};
  return (nsds_shape_def){.kind = NSDS_HULL, .ds = ds, .nvertex = p->n, .vertex = p->x};
}

/* A drawn polygon falls on a wide box, fixed or before a driven one, beside a half space: the same
 * motion. */
static void drawn_on_a_wide_box(void **state) {
  (void)state;
  for (int k = 0; k < drawn; ++k) {
    number = first + (uint64_t)k;
    uint64_t seed = 7919 * number + 5;
    polygon p = draw_polygon(&seed);
    double q[3] = {random_in(&seed, -1, 1), random_in(&seed, 0.3, 0.8), random_in(&seed, -3, 3)};
    double v[3] = {random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -4, 4)};
    double e = random_in(&seed, 0.0, 0.8),
           mu = random_in(&seed, 0.0, 1.0) < 0.4 ? 0.0 : random_in(&seed, 0.05, 0.8);
    nsds_model *m[2];
    nsds_simulation *s[2];
    nsds_ds *ds[2];
    for (int j = 0; j < 2; ++j) {
      m[j] = nsds_model_create(NULL);
      ds[j] = body_2d(m[j], 1.0, 0.4 * p.radius * p.radius, q, v);
      nsds_shape_def shape[2] = {shape_of(&p, ds[j]),
                                 {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 1}}}};
      if (j == 1)
        shape[1] = (nsds_shape_def){.kind = NSDS_BOX, .half = {8.0, 1.0}, .position = {0.0, -1.0}};
      touch(m[j], 2, e, mu, 2, shape);
      s[j] = exact(m[j], 1.0, 0.02);
    }
    bool same = true; /* until impacts follow so closely that errors grow */
    for (int i = 1; i <= 50 && same; ++i) {
      for (int j = 0; j < 2; ++j)
        while (nsds_time(s[j]) < 0.02 * i - 1e-9)
          if (nsds_step(s[j]) < 0)
            fail_msg("model %d, side %d: %s", (int)number, j,
                     nsds_error_message(nsds_model_context(m[j])));
      same = nsds_simulation_event(s[0])->nonsmooth < 12;
      for (int c = 0; same && c < 3; ++c)
        if (fabs(nsds_q(ds[0])[c] - nsds_q(ds[1])[c]) > 1e-6)
          fail_msg("model %d at %g: q[%d] is %.12g and %.12g, %ld and %ld events", (int)number,
                   nsds_time(s[0]), c, nsds_q(ds[0])[c], nsds_q(ds[1])[c],
                   nsds_simulation_event(s[0])->nonsmooth, nsds_simulation_event(s[1])->nonsmooth);
    }
    for (int j = 0; j < 2; ++j) nsds_model_destroy(m[j]);
  }
}

/* Corner k of a body in the world. */
static void corner(const polygon *p, const double *q, int k, double x[2]) {
  double c = cos(q[2]), s = sin(q[2]);
  x[0] = q[0] + (p->n > 1 ? c * p->x[2 * k] - s * p->x[2 * k + 1] : 0.0);
  x[1] = q[1] + (p->n > 1 ? s * p->x[2 * k] + c * p->x[2 * k + 1] : 0.0);
}

static double segment_distance(const double *a, const double *b, const double *c) {
  double d[2] = {b[0] - a[0], b[1] - a[1]}, w[2] = {c[0] - a[0], c[1] - a[1]};
  double along = (d[0] * w[0] + d[1] * w[1]) / (d[0] * d[0] + d[1] * d[1]);
  along = fmin(1.0, fmax(0.0, along));
  return hypot(w[0] - along * d[0], w[1] - along * d[1]);
}

/* Returns the largest separation of two polygons along normals of a. With a disc b: its distance. */
static double separation(const polygon *a, const double *qa, const polygon *b, const double *qb) {
  double most = -INFINITY, nearest = INFINITY, x[2], y[2], z[2];
  if (a->n == 1 && b->n == 1) return hypot(qa[0] - qb[0], qa[1] - qb[1]) - a->radius - b->radius;
  for (int k = 0; a->n > 1 && k < a->n; ++k) {
    corner(a, qa, k, x);
    corner(a, qa, (k + 1) % a->n, y);
    double n[2] = {y[1] - x[1], x[0] - y[0]}, length = hypot(n[0], n[1]), least = INFINITY;
    for (int j = 0; j < b->n; ++j) {
      corner(b, qb, j, z);
      least = fmin(least, ((z[0] - x[0]) * n[0] + (z[1] - x[1]) * n[1]) / length);
      nearest = fmin(nearest, segment_distance(x, y, z));
    }
    most = fmax(most, least);
  }
  if (b->n == 1) return (most > 0.0 ? nearest : most) - b->radius;
  return most;
}

static double energy(nsds_ds *const *ds, const double *mass, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += nsds_kinetic_energy(ds[k]) + mass[k] * g * nsds_q(ds[k])[1];
  return sum;
}

typedef struct heap {
  nsds_model *model;
  nsds_simulation *s;
  polygon p[most_bodies];
  nsds_ds *ds[most_bodies];
  double mass[most_bodies];
  int n;
} heap;

static heap draw_heap(void) {
  uint64_t seed = 104729 * number + 11;
  heap h = {.model = nsds_model_create(NULL)};
  h.n = 2 + (int)random_in(&seed, 0.0, most_bodies - 2 + 0.99);
  nsds_shape_def shape[most_bodies + 1] = {
      {.kind = NSDS_BOX, .half = {0.8, 0.5}, .position = {0.0, -0.5}}};
  for (int i = 0; i < h.n; ++i) {
    h.p[i] = draw_polygon(&seed);
    h.mass[i] = random_in(&seed, 0.5, 2.0);
    h.ds[i] =
        body_2d(h.model, h.mass[i], 0.4 * h.mass[i] * h.p[i].radius * h.p[i].radius,
                (double[]){random_in(&seed, -0.3, 0.3), 0.4 + 0.65 * i, random_in(&seed, -3, 3)},
                (double[]){random_in(&seed, -1, 1), 0.0, random_in(&seed, -2, 2)});
    shape[i + 1] = shape_of(&h.p[i], h.ds[i]);
  }
  double e = random_in(&seed, 0.0, 0.6), mu = random_in(&seed, 0.0, 1.0) < 0.3 ? 0.0 : 0.4;
  touch(h.model, 2, e, mu, h.n + 1, shape);
  h.s = nsds_event_driven(
      h.model, &(nsds_event_driven_def){.t1 = 1.2, .output_period = 0.02, .root_panels = 4});
  assert_sound(h.model);
  return h;
}

static void advance(heap *h) {
  if (nsds_step(h->s) < 0)
    fail_msg("heap %d at %g: %s", (int)number, nsds_time(h->s),
             nsds_error_message(nsds_model_context(h->model)));
}

static void check_apart(const heap *h) {
  for (int i = 0; i < h->n; ++i)
    for (int j = 0; j < i; ++j) {
      const double *qi = nsds_q(h->ds[i]), *qj = nsds_q(h->ds[j]);
      double gap =
          fmax(separation(&h->p[i], qi, &h->p[j], qj), separation(&h->p[j], qj, &h->p[i], qi));
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
    double before = energy(h.ds, h.mass, h.n);
    while (nsds_time(h.s) < 1.2 - 1e-9) {
      advance(&h);
      double now = energy(h.ds, h.mass, h.n);
      if (now > before + 1e-6)
        fail_msg("heap %d at %g: energy rises by %g", (int)number, nsds_time(h.s), now - before);
      before = now;
      check_apart(&h);
    }
    nsds_model_destroy(h.model);
  }
}

/* A snapshot at each event goes on in a new model with the same bits, and so does a state that is
 * saved and restored; halves of events give the bits of whole ones. */
static void saved_heaps(void **state) {
  (void)state;
  static const char file[] = "contact_faces.nsds";
  for (int k = 0; k < (drawn + 9) / 10; ++k) {
    number = first + (uint64_t)k;
    heap one = draw_heap(), halves = draw_heap();
    while (nsds_time(one.s) < 1.1) {
      advance(&one);
      assert_ok(halves.model, nsds_event_meet(halves.s));
      assert_ok(halves.model, nsds_event_process(halves.s));
      assert_true(state_hash(halves.model, 0) == state_hash(one.model, 0));
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

/* ---- balls and blocks in space ------------------------------------------------------------------- */

static nsds_ds *body_3d(nsds_model *model, double mass, const double J[3], const double q[7],
                        const double v[6]) {
  const double inertia[9] = {[0] = J[0], [4] = J[1], [8] = J[2]};
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){
                 .mass = mass, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
}

/* The centre of a ball in the body of a block, whose distance from the box then is known. */
static double box_distance(const double *block, const double half[3], const double *ball) {
  const double *p = block + 3, d[3] = {ball[0] - block[0], ball[1] - block[1], ball[2] - block[2]};
  double w = p[0], x = p[1], y = p[2], z = p[3], c[3], outside = 0.0, inside = -INFINITY;
  const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int j = 0; j < 3; ++j) {
    c[j] = fabs(R[0][j] * d[0] + R[1][j] * d[1] + R[2][j] * d[2]) - half[j];
    outside += c[j] > 0.0 ? c[j] * c[j] : 0.0;
    inside = fmax(inside, c[j]);
  }
  return inside > 0.0 ? sqrt(outside) : inside;
}

/* Balls fall on a block that lies on a floor, tumbles and is thrown about. */
static void drawn_balls_on_blocks(void **state) {
  (void)state;
  enum { balls = 3 };
  for (int k = 0; k < drawn; ++k) {
    number = first + (uint64_t)k;
    uint64_t seed = 65537 * number + 3;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[balls + 1];
    double half[3], p[4], norm = 0.0, mass[balls + 1], radius[balls];
    for (int j = 0; j < 3; ++j) half[j] = random_in(&seed, 0.1, 0.4);
    for (int j = 0; j < 4; ++j) p[j] = random_in(&seed, -1, 1), norm += p[j] * p[j];
    for (int j = 0; j < 4; ++j) p[j] /= sqrt(norm);
    mass[balls] = random_in(&seed, 0.5, 4.0);
    double a = half[0] * half[0], b = half[1] * half[1], c = half[2] * half[2];
    double J[3] = {mass[balls] * (b + c) / 3, mass[balls] * (a + c) / 3, mass[balls] * (a + b) / 3};
    ds[balls] = body_3d(m, mass[balls], J, (double[]){0, 0, 0.8, p[0], p[1], p[2], p[3]},
                        (double[]){0, 0, 0, random_in(&seed, -3, 3), random_in(&seed, -3, 3), 0});
    nsds_shape_def shape[balls + 2] = {
        {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}},
        {.kind = NSDS_BOX, .ds = ds[balls], .half = {half[0], half[1], half[2]}}};
    for (int i = 0; i < balls; ++i) {
      double r = radius[i] = random_in(&seed, 0.05, 0.2);
      mass[i] = random_in(&seed, 0.2, 2.0);
      double I = 0.4 * mass[i] * r * r;
      ds[i] = body_3d(m, mass[i], (double[]){I, I, I},
                      (double[]){random_in(&seed, -0.3, 0.3), random_in(&seed, -0.3, 0.3),
                                 1.6 + 0.5 * i, 1, 0, 0, 0},
                      NULL);
      shape[i + 2] = (nsds_shape_def){.kind = NSDS_SPHERE, .ds = ds[i], .radius = r};
    }
    double e = random_in(&seed, 0.0, 0.8),
           mu = random_in(&seed, 0.0, 1.0) < 0.4 ? 0.0 : random_in(&seed, 0.05, 0.6);
    touch(m, 3, e, mu, balls + 2, shape);
    nsds_simulation *s = nsds_event_driven(
        m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.02, .root_panels = 4});
    assert_sound(m);
    double before = INFINITY;
    while (nsds_time(s) < 1.0 - 1e-9) {
      if (nsds_step(s) < 0)
        fail_msg("balls %d at %g: %s", (int)number, nsds_time(s),
                 nsds_error_message(nsds_model_context(m)));
      double now = 0.0;
      for (int i = 0; i <= balls; ++i)
        now += nsds_kinetic_energy(ds[i]) + mass[i] * g * nsds_q(ds[i])[2];
      if (now > before + 1e-6)
        fail_msg("balls %d at %g: energy rises by %g", (int)number, nsds_time(s), now - before);
      before = now;
      for (int i = 0; i < balls; ++i) {
        double gap = box_distance(nsds_q(ds[balls]), half, nsds_q(ds[i])) - radius[i];
        if (gap < -1e-6)
          fail_msg("balls %d at %g: ball %d overlaps by %g", (int)number, nsds_time(s), i, -gap);
      }
    }
    nsds_model_destroy(m);
  }
}

/* A ball rolls or slides without a sign of the seam between two fixed boxes that lie flush. */
static void a_ball_passes_a_seam(void **state) {
  (void)state;
  for (int k = 0; k < 6; ++k) {
    double mu = k % 2 ? 0.3 : 0.0, v = 0.5 + 0.3 * k, r = 0.1, I = 0.4 * r * r;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ball = body_3d(m, 1.0, (double[]){I, I, I}, (double[]){-0.4, 0.05, r, 1, 0, 0, 0},
                            (double[]){v, 0, 0, 0, mu > 0.0 ? v / r : 0.0, 0});
    nsds_shape_def shape[3] = {
        {.kind = NSDS_SPHERE, .ds = ball, .radius = r},
        {.kind = NSDS_BOX, .half = {0.5, 0.5, 0.5}, .position = {-0.5, 0.0, -0.5}},
        {.kind = NSDS_BOX, .half = {0.5, 0.5, 0.5}, .position = {0.5, 0.0, -0.5}}};
    touch(m, 3, 0.0, mu, 3, shape);
    nsds_simulation *s = exact(m, 0.8 / v, 0.05);
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_q(ball)[0], 0.4, 1e-8);
    assert_near(nsds_q(ball)[2], r, 1e-8);
    assert_near(nsds_v(ball)[0], v, 1e-8);
    assert_near(nsds_v(ball)[2], 0.0, 1e-8);
    nsds_model_destroy(m);
  }
}

static int lift(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 0.3;
  out[1] = 0.1;
  out[2] = 0.0;
  return 0;
}

/* A driven table carries a ball that slides to its edge: the motion is that on a fixed table in a
 * moving frame. */
static void a_ball_leaves_a_driven_table(void **state) {
  (void)state;
  for (int k = 1; k <= 4; ++k) {
    double v = 0.3 * k, r = 0.2, end[2][2];
    for (int moves = 0; moves < 2; ++moves) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *stage = nsds_rigid_body_2d(
          m,
          &(nsds_rigid_body_2d_def){
              .mass = 5.0,
              .inertia = 1.0,
              .q0 = (double[]){-0.5, -0.5, 0.0},
              .prescribed = {.n = 3, .index = (int[]){0, 1, 2}, .fn = moves ? lift : nsds_zero}});
      nsds_ds *ball = body_2d(m, 1.0, 0.01, (double[]){-0.2, r, 0.0},
                              (double[]){v + 0.3 * moves, 0.1 * moves, 0.0});
      nsds_shape_def shape[2] = {{.kind = NSDS_SPHERE, .ds = ball, .radius = r},
                                 {.kind = NSDS_BOX, .ds = stage, .half = {0.5, 0.5}}};
      touch(m, 2, 0.0, 0.0, 2, shape);
      nsds_simulation *s = exact(m, 0.2 / v + 0.3, 0.1);
      assert_int_equal(nsds_run(s), NSDS_END);
      for (int c = 0; c < 2; ++c)
        end[moves][c] = nsds_q(ball)[c] - moves * (c ? 0.1 : 0.3) * nsds_time(s);
      nsds_model_destroy(m);
    }
    assert_near(end[1][0], end[0][0], 1e-8);
    assert_near(end[1][1], end[0][1], 1e-8);
  }
}

/* ---- meshes -------------------------------------------------------------------------------------- */

enum { across = 6, most_faces = 2 * (across - 1) * (across - 1) };

/* The distance of x from a triangle: its corners p, p + u, p + v. */
static double triangle_distance(const double *p, const double *q, const double *r,
                                const double *x) {
  double least = INFINITY;
  const double *corner[] = {p, q, r};
  double u[3], v[3], w[3];
  for (int i = 0; i < 3; ++i) u[i] = q[i] - p[i], v[i] = r[i] - p[i], w[i] = x[i] - p[i];
  double uu = 0, uv = 0, vv = 0, wu = 0, wv = 0;
  for (int i = 0; i < 3; ++i) {
    uu += u[i] * u[i], uv += u[i] * v[i], vv += v[i] * v[i];
    wu += w[i] * u[i], wv += w[i] * v[i];
  }
  double det = uu * vv - uv * uv, a = (wu * vv - wv * uv) / det, b = (wv * uu - wu * uv) / det;
  if (a >= 0.0 && b >= 0.0 && a + b <= 1.0) {
    double square = 0.0;
    for (int i = 0; i < 3; ++i) square += pow(w[i] - a * u[i] - b * v[i], 2);
    least = sqrt(square);
  }
  for (int k = 0; k < 3; ++k) { /* the sides */
    const double *from = corner[k], *to = corner[(k + 1) % 3];
    double dd = 0.0, dw = 0.0, square = 0.0;
    for (int i = 0; i < 3; ++i) {
      dd += (to[i] - from[i]) * (to[i] - from[i]);
      dw += (to[i] - from[i]) * (x[i] - from[i]);
    }
    double at = fmin(1.0, fmax(0.0, dw / dd));
    for (int i = 0; i < 3; ++i) square += pow(x[i] - from[i] - at * (to[i] - from[i]), 2);
    least = fmin(least, sqrt(square));
  }
  return least;
}

/* A ball on a drawn mesh of hills, or a flat one. It sinks in nowhere and gains no energy; without
 * losses the energy stays; on a flat mesh the motion is that before a half space. */
static void drawn_on_meshes(void **state) {
  (void)state;
  for (int k = 0; k < drawn; ++k) {
    number = first + (uint64_t)k;
    uint64_t seed = 6007 * number + 17;
    bool hilly = number % 3 > 0;
    double x[3 * across * across], r = random_in(&seed, 0.05, 0.2);
    int face[3 * most_faces], nface = 0;
    for (int i = 0; i < across * across; ++i) {
      x[3 * i] = -1.0 + 0.4 * (i / across) + random_in(&seed, -0.1, 0.1);
      x[3 * i + 1] = -1.0 + 0.4 * (i % across) + random_in(&seed, -0.1, 0.1);
      x[3 * i + 2] = hilly ? random_in(&seed, -0.15, 0.0) : 0.0;
    }
    for (int i = 0; i + 1 < across; ++i)
      for (int j = 0; j + 1 < across; ++j) {
        int a = across * i + j, b = a + across;
        const int two[6] = {a, b, b + 1, a, b + 1, a + 1};
        memcpy(face + 3 * nface, two, sizeof two);
        nface += 2;
      }
    double e = hilly && number % 2 ? 1.0 : random_in(&seed, 0.0, 0.8),
           mu = e < 1.0 && random_in(&seed, 0.0, 1.0) < 0.5 ? 0.4 : 0.0, J = 0.4 * r * r;
    double q[7] = {random_in(&seed, -0.3, 0.3), random_in(&seed, -0.3, 0.3), r + 0.3, 1, 0, 0, 0};
    double v[6];
    for (int i = 0; i < 6; ++i) v[i] = random_in(&seed, -0.6, 0.6);
    nsds_model *m[2];
    nsds_ds *ball[2];
    nsds_simulation *s[2];
    for (int j = 0; j < 2; ++j) {
      m[j] = nsds_model_create(NULL);
      ball[j] = body_3d(m[j], 1.0, (double[]){J, J, J}, q, v);
      nsds_shape_def shape[2] = {{.kind = NSDS_SPHERE, .ds = ball[j], .radius = r},
                                 {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
      if (j == 0)
        shape[1] = (nsds_shape_def){.kind = NSDS_TRIANGLES,
                                    .nvertex = across * across,
                                    .vertex = x,
                                    .nface = nface,
                                    .face = face};
      touch(m[j], 3, e, mu, 2, shape);
      s[j] = exact(m[j], 0.8, 0.02);
    }
    double start = nsds_kinetic_energy(ball[0]) + g * q[2], before = start;
    while (nsds_time(s[0]) < 0.8 - 1e-9) {
      assert_ok(m[0], nsds_step(s[0]));
      const double *at = nsds_q(ball[0]);
      double now = nsds_kinetic_energy(ball[0]) + g * at[2], gap = INFINITY;
      if (now > before + 1e-9 || (e == 1.0 && fabs(now - start) > 1e-8))
        fail_msg("mesh %d at %g: energy %.12g, before %.12g", (int)number, nsds_time(s[0]), now,
                 before);
      before = now;
      for (int f = 0; f < nface; ++f)
        gap = fmin(gap, triangle_distance(x + 3 * face[3 * f], x + 3 * face[3 * f + 1],
                                          x + 3 * face[3 * f + 2], at) -
                            r);
      if (gap < -1e-8)
        fail_msg("mesh %d at %g: sinks in by %g", (int)number, nsds_time(s[0]), -gap);
    }
    if (!hilly) {
      assert_int_equal(nsds_run(s[1]), NSDS_END);
      for (int i = 0; i < 3; ++i) assert_near(nsds_q(ball[0])[i], nsds_q(ball[1])[i], 1e-7);
    }
    for (int j = 0; j < 2; ++j) nsds_model_destroy(m[j]);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) drawn = atoi(argv[1]);
  if (argc > 2) first = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_leaves_an_edge),
      cmocka_unit_test(a_ball_slides_over_an_edge),
      cmocka_unit_test(a_ball_strikes_a_free_corner),
      cmocka_unit_test(a_box_slides_off_and_tips),
      cmocka_unit_test(a_box_tips_over_the_edge_of_a_table),
      cmocka_unit_test(a_box_dropped_flat_on_a_box),
      cmocka_unit_test(a_box_dropped_on_a_corner),
      cmocka_unit_test(a_stack_rests),
      cmocka_unit_test(drawn_on_a_wide_box),
      cmocka_unit_test(drawn_heaps),
      cmocka_unit_test(saved_heaps),
      cmocka_unit_test(drawn_balls_on_blocks),
      cmocka_unit_test(a_ball_passes_a_seam),
      cmocka_unit_test(drawn_on_meshes),
      cmocka_unit_test(a_ball_leaves_a_driven_table),
  };
  int failed = cmocka_run_group_tests_name("event_driven.contact_faces", tests, NULL, NULL);
  if (failed) printf("the last drawn model has number %llu\n", (unsigned long long)number);
  return failed;
}
