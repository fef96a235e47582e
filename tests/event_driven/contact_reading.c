/*
 * Contacts as programs read them, in event-driven simulation: of every geometry that can be followed
 * points, frames, impulses of events and forces between them agree with the motion (balance.h).
 */
#include "balance.h"

#include <nsds/event_driven.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static const double g = 9.81;

static nsds_law *law_of(nsds_model *model, int dimension, int rows) {
  if (rows == 1) return nsds_newton_impact(model, 0.4);
  return nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = 0.3, .e_n = 0.4});
}

/* Whether friction is about to stop a contact: its direction bends ever faster until then. */
static bool about_to_stick(const balance *b) {
  bool about = false;
  nsds_contact_info c;
  for (nsds_contact_iterator at = nsds_model_contacts(b->model); nsds_next_contact(&at, &c);) {
    double slip = c.rows == 3 ? hypot(c.ydot[1], c.ydot[2]) : c.rows == 2 ? fabs(c.ydot[1]) : 0.0;
    about = about || (slip > 1e-9 && slip < 0.05 && c.force[0] > 0.0);
  }
  return about;
}

/* To the end by halves of events: impulses against jumps, forces against what is between, the mean of
 * those at its ends but for what they bend. */
static void follow(balance *b, double t1, double h, double bend) {
  nsds_simulation *s =
      nsds_event_driven(b->model, &(nsds_event_driven_def){.t1 = t1,
                                                           .output_period = h,
                                                           .relative_tolerance = 1e-12,
                                                           .absolute_tolerance = 1e-13,
                                                           .root_panels = 4});
  long seen = 0, jumps = 0, pushes = 0;
  assert_sound(b->model);
  for (bool first = true; nsds_event_ahead(s); first = false) {
    double from = nsds_time(s);
    balance_note_forces(b);
    bool sticks = about_to_stick(b);
    assert_true(nsds_event_meet(s) >= 0);
    b->time = nsds_time(s) - from;
    const double *f = b->body[0].force;
    bool pushed = fabs(f[0]) + fabs(f[1]) + fabs(f[2]) > 0.1;
    if (!first && !sticks) balance_check_forces(b, 1e-9 + bend * pow(b->time, 3));
    pushes += pushed && b->time > 0.1 * h;
    balance_check_rates(b, ARMS_NOW, 1e-9);
    balance_note(b);
    assert_true(nsds_event_process(s) >= 0);
    b->time = 0.0;
    balance_check_rates(b, ARMS_NOW, 1e-9);
    long events = nsds_simulation_event(s)->nonsmooth;
    if (events > seen) {
      b->largest = 0.0;
      balance_check(b, ARMS_NOW, false, 1e-9);
      jumps += b->largest > 1e-3;
    }
    seen = events;
  }
  assert_true(jumps > 0 && b->contacts > 0);
  assert_true(pushes > 3);
}

/* Balls roll and strike on an incline. */
static void balls(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension) {
    balance b = balance_begin(dimension, 0.0, -g, 0.0);
    nsds_ds *ds[2];
    const double M[9] = {[0] = 2.0, [4] = 2.0, [8] = 2.0}, M2[4] = {2.0, 0, 0, 2.0};
    for (int k = 0; k < 2; ++k) {
      const double up = 0.5 + 0.2 * k;
      const double q[3] = {0.6 * up - 1.2 * 0.8 * k, 0.8 * up + 1.2 * 0.6 * k, 0.01 * k};
      ds[k] = nsds_lagrangian_linear(
          b.model, &(nsds_lagrangian_linear_def){.ndof = dimension,
                                                 .mass = dimension == 3 ? M : M2,
                                                 .q0 = q,
                                                 .v0 = (double[]){k ? 0.8 : 0.0, -k, 0.0},
                                                 .fext = (double[]){0.0, -2.0 * g, 0.0}});
      balance_adopt(&b, ds[k], 2.0);
    }
    nsds_balls(b.model, &(nsds_balls_def){.law = nsds_newton_impact(b.model, 0.2),
                                          .count = 2,
                                          .ds = ds,
                                          .dimension = dimension,
                                          .radius = 0.5,
                                          .normal = (double[]){0.6, 0.8, 0.0},
                                          .pairs = true});
    follow(&b, 0.6, 1e-2, 1e3);
    nsds_model_destroy(b.model);
  }
}

/* One slides and rolls on a plane, another one strikes it and the plane. */
static void spheres(void **state) {
  (void)state;
  for (int rows = 1; rows <= 3; rows += 2) {
    balance b = balance_begin(3, 1.0, 0.5, -g);
    const double radii[] = {0.3, 0.2};
    nsds_ds *ds[2] = {
        balance_add(&b, 1.0, 0.04, (double[]){0, 0, 0.3}, (double[]){1.0, 0, 0, 2.0, -3.0, 1.0}),
        balance_add(&b, 2.0, 0.05, (double[]){0.9, 0.1, 0.4},
                    (double[]){-1.0, 0, 0.5, 1.0, 2.0, -4.0})};
    nsds_plane floor = {{0, 0, 1}, 0};
    nsds_contact_set *set =
        nsds_spheres(b.model, &(nsds_spheres_def){.law = law_of(b.model, 3, rows),
                                                  .count = 2,
                                                  .ds = ds,
                                                  .radii = radii,
                                                  .nplane = 1,
                                                  .plane = &floor});
    follow(&b, 0.5, 1e-3, 1e4);
    nsds_contact_info c;
    for (nsds_contact_iterator at = nsds_set_contacts(set); nsds_next_contact(&at, &c);) {
      const double *x = nsds_q(c.ds[0]);
      double r = radii[c.shape[0]] + (c.ds[1] ? 0.5 * c.y[0] : 0.0);
      assert_near(hypot(hypot(x[0] - c.point[0], x[1] - c.point[1]), x[2] - c.point[2]), r, 1e-12);
      assert_true(c.ds[1] || (c.shape[1] == 2 && c.normal[2] == 1.0));
    }
    nsds_model_destroy(b.model);
  }
}

static const double corner[][3] = {
    {0.3, 0, -0.2}, {-0.3, 0, -0.2}, {0, 0.4, -0.2}, {0, -0.3, -0.2}, {0.1, 0.05, 0.25}};
static const double corner_2d[][2] = {{-0.3, -0.2}, {0.3, -0.2}, {0.05, 0.25}};

/* One falls on a half space and tumbles, after another one of the same shape began to slide there. */
static void shapes_of(int dimension, nsds_shape_kind kind, int rows) {
  int up = dimension - 1;
  bool space = dimension == 3;
  balance b = balance_begin(dimension, 1.0, 0.0, 0.0);
  b.gravity[up] = -g;
  double x[2][3] = {{0.0}, {3.0}}, v[2][6] = {{1.0}, {0.5, 0.0, 0.0, 1.0, 0.5, -1.5}};
  double down = kind == NSDS_BOX ? (space ? 0.15 : 0.2) : 0.2;
  x[0][up] = down;
  x[1][up] = down + 0.3;
  if (!space) v[1][2] = 1.5;
  nsds_shape_def shape[3] = {{.kind = kind, .half = {0.25, 0.2, 0.15}}};
  if (kind == NSDS_SPHERE || kind == NSDS_CAPSULE) shape[0].radius = 0.2;
  if (kind == NSDS_HULL) {
    shape[0].vertex = space ? corner[0] : corner_2d[0];
    shape[0].nvertex = space ? 5 : 3;
  }
  shape[1] = shape[0];
  shape[2] = (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, !space, space}}};
  for (int k = 0; k < 2; ++k) shape[k].ds = balance_add(&b, 1.0 + k, 0.04 + 0.03 * k, x[k], v[k]);
  nsds_shapes(b.model, &(nsds_shapes_def){.dimension = dimension,
                                          .law = law_of(b.model, dimension, rows),
                                          .nshape = 3,
                                          .shape = shape});
  follow(&b, 0.4, 1e-2, 1e3);
  nsds_model_destroy(b.model);
}

static void shapes_before_half_spaces(void **state) {
  (void)state;
  for (int kind = NSDS_SPHERE; kind <= NSDS_HULL; ++kind)
    for (int dimension = 2; dimension <= 3; ++dimension) {
      shapes_of(dimension, (nsds_shape_kind)kind, 1);
      if (kind == NSDS_SPHERE || dimension == 2)
        shapes_of(dimension, (nsds_shape_kind)kind, dimension);
    }
}

/* Balls and discs off the centres of bodies, among each other, on scenery and on a floor. */
static void shapes_among_each_other(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int rows = 1; rows <= dimension; rows += dimension - 1) {
      int up = dimension - 1;
      balance b = balance_begin(dimension, 0.0, 0.0, 0.0);
      b.gravity[up] = -g;
      double x[2][3] = {{0.0}, {0.05}};
      x[0][up] = 0.3;
      x[1][up] = 1.1;
      nsds_shape_def shape[4] = {{.kind = NSDS_SPHERE, .radius = 0.3, .position = {0.02}},
                                 {.kind = NSDS_SPHERE, .radius = 0.2, .position = {0.0, 0.01}},
                                 {.kind = NSDS_SPHERE, .radius = 0.4, .position = {-0.75}},
                                 {.kind = NSDS_HALF_SPACE}};
      shape[2].position[up] = 0.5;
      shape[3].plane.normal[up] = 1.0;
      for (int k = 0; k < 2; ++k)
        shape[k].ds = balance_add(&b, 1.0 + k, 0.04 + 0.03 * k, x[k],
                                  (double[]){-1.5 * k, 0.0, 0.5, 0.4, 0.3, 0.2});
      nsds_shapes(b.model, &(nsds_shapes_def){.dimension = dimension,
                                              .law = law_of(b.model, dimension, rows),
                                              .nshape = 4,
                                              .shape = shape,
                                              .reach = 0.1});
      follow(&b, 0.6, 1e-2, 1e3);
      nsds_model_destroy(b.model);
    }
}

static void interactions(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int rows = 1; rows <= dimension; rows += dimension - 1) {
      int up = dimension - 1;
      balance b = balance_begin(dimension, 1.0, 0.0, 0.0);
      b.gravity[up] = -g;
      double x[2][3] = {{0.0}, {0.5}}, n[3] = {0.0};
      x[0][up] = 0.3;
      x[1][up] = 0.9;
      n[up] = 1.0;
      nsds_law *law = law_of(b.model, dimension, rows);
      nsds_ds *ds[2];
      for (int k = 0; k < 2; ++k)
        ds[k] = balance_add(&b, 1.0 + k, 0.04, x[k], (double[]){-k, 0.0, 0.5, 1.0, 2.0, 3.0});
      nsds_connect(b.model,
                   nsds_sphere_plane_relation(
                       b.model, &(nsds_sphere_plane_relation_def){.dimension = dimension,
                                                                  .rows = rows,
                                                                  .radius = 0.3,
                                                                  .normal = {n[0], n[1], n[2]}}),
                   law, 1, ds);
      nsds_connect(b.model,
                   nsds_sphere_sphere_relation(
                       b.model, &(nsds_sphere_sphere_relation_def){.dimension = dimension,
                                                                   .rows = rows,
                                                                   .radius = {0.2, 0.3}}),
                   law, 2, (nsds_ds *[]){ds[1], ds[0]});
      follow(&b, 0.4, 1e-2, 1e3);
      nsds_model_destroy(b.model);
    }
}

/* ---- a geometry of a program's own ---- */

/* A disc on a line, frictionless, in the plane. */
typedef struct own {
  nsds_ds *ds;
  double radius;
} own;

static nsds_status own_find(void *self, double t, nsds_contacts *contacts) {
  const own *o = self;
  const double *q = nsds_q(o->ds);
  nsds_contact_place place = {
      .dimension = 2, .point = {q[0], 0.0, NAN}, .normal = {0, 1, NAN}, .shape = {4, 5}};
  (void)t;
  return nsds_contacts_add(contacts, &(nsds_contact_point){.ds = {o->ds},
                                                           .y = (double[]){q[1] - o->radius},
                                                           .H = (double[]){0, 1, 0},
                                                           .place = &place});
}

static nsds_status own_output(void *self, uint64_t key, const nsds_arguments *in, double *y) {
  (void)key;
  y[0] = in->q[1] - ((own *)self)->radius;
  return NSDS_OK;
}

static nsds_status own_gradient(void *self, uint64_t key, const nsds_arguments *in,
                                const double *found, double *H) {
  (void)self, (void)key, (void)in;
  memcpy(H, found, 3 * sizeof *H);
  return NSDS_OK;
}

static void own_place(void *self, uint64_t key, const nsds_arguments *in, const double *found,
                      nsds_contact_place *place) {
  (void)key, (void)found;
  place->dimension = 2;
  place->point[0] = in->q[0];
  place->point[1] = in->q[1] - ((own *)self)->radius;
  place->normal[1] = 1.0;
}

static double own_reach(void *self) { return ((own *)self)->radius; }

static double own_travel(void *self, const nsds_ds *ds, const double *q0, const double *q) {
  (void)self, (void)ds;
  return hypot(q[0] - q0[0], q[1] - q0[1]);
}

static nsds_geometry_ops own_ops = {.type = "own",
                                    .find = own_find,
                                    .output = own_output,
                                    .gradient_v = own_gradient,
                                    .reach = own_reach,
                                    .travel = own_travel};

static void own_geometry(void **state) {
  (void)state;
  for (int tells = 1; tells >= 0; --tells) {
    balance b = balance_begin(2, 1.0, -g, 0.0);
    own o = {.radius = 0.3};
    o.ds = balance_add(&b, 2.0, 0.05, (double[]){0, 0.35, 0}, (double[]){0.5, 0, 1.0});
    own_ops.place = tells ? own_place : NULL;
    nsds_contact_set *set = nsds_custom_contact_set(
        b.model,
        &(nsds_custom_contact_set_def){.ops = &own_ops, .self = &o, .law = law_of(b.model, 2, 1)});
    if (tells) follow(&b, 0.5, 1e-2, 1e3);
    else
      assert_ok(b.model, nsds_step(nsds_event_driven(
                             b.model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 1e-2})));
    nsds_contact_info c;
    assert_ok(b.model, nsds_contact_set_get(set, 0, &c));
    assert_int_equal(c.located, tells);
    if (tells) {
      assert_true(c.shape[0] == 4 && c.shape[1] == 5);
      assert_near(c.point[0], nsds_q(o.ds)[0], 0.0);
    }
    nsds_model_destroy(b.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls),
      cmocka_unit_test(spheres),
      cmocka_unit_test(shapes_before_half_spaces),
      cmocka_unit_test(shapes_among_each_other),
      cmocka_unit_test(interactions),
      cmocka_unit_test(own_geometry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
