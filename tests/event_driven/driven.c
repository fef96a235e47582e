/*
 * Prescribed velocities in event-driven simulation: closed forms, the forces that hold them, beside
 * relations that say the same by time, and what happens where they jump.
 */
#include "support.h"

#include <nsds/joint.h>
#include <nsds/rigid_body.h>

static const double g = 9.81;
static const int first[] = {0};

static nsds_simulation *simulate(nsds_model *model, double t1, double h) {
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){
          .t1 = t1, .output_period = h, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(model);
  return s;
}

static void step_until(nsds_simulation *s, nsds_model *model, unsigned kind) {
  do assert_ok(model, nsds_step(s));
  while (!(nsds_simulation_event(s)->kind & kind));
}

/* ---- a ball on a table that is shaken, q = a sin(w t) ---- */

static const double a = 0.02, w = 30.0; /* a w^2 = 1.8 g */

static int shake(const nsds_arguments *in, double *v, void *user) {
  (void)user;
  v[0] = a * w * cos(w * in->t);
  return 0;
}

typedef struct shaken {
  nsds_model *model;
  nsds_ds *table, *ball;
  nsds_interaction *contact;
} shaken;

static shaken create_table(double e) {
  shaken t = {.model = nsds_model_create(NULL)};
  t.table =
      nsds_lagrangian_linear(t.model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                    .mass = (double[]){5.0},
                                                                    .fext = (double[]){-5.0 * g},
                                                                    .prescribed.n = 1,
                                                                    .prescribed.index = first,
                                                                    .prescribed.fn = shake});
  t.ball =
      nsds_lagrangian_linear(t.model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                    .v0 = (double[]){a * w},
                                                                    .mass = (double[]){2.0},
                                                                    .fext = (double[]){-2.0 * g}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      t.model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
  t.contact =
      nsds_connect(t.model, gap, nsds_newton_impact(t.model, e), 2, (nsds_ds *[]){t.table, t.ball});
  assert_sound(t.model);
  return t;
}

/* The ball leaves at a w^2 sin(w t) = g, lands on a root of its flight, and is at rest again. */
static void shaken_table(void **state) {
  (void)state;
  shaken t = create_table(0.0);
  nsds_simulation *s = simulate(t.model, 1.0, 1e-3);
  double leaves = asin(g / (a * w * w)) / w, q0 = a * sin(w * leaves), v0 = a * w * cos(w * leaves);
  while (!(nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH)) {
    assert_near(nsds_q(t.table)[0], a * sin(w * nsds_time(s)), 1e-11);
    assert_near(nsds_q(t.ball)[0], a * sin(w * nsds_time(s)), 1e-11);
    double force = 2.0 * (g - a * w * w * sin(w * nsds_time(s)));
    if (nsds_time(s) > 0.0) {
      assert_near(nsds_lambda(t.contact)[0], force, 1e-7);
      assert_near(nsds_prescribed_force(t.table)[0],
                  5.0 * (g - a * w * w * sin(w * nsds_time(s))) + force, 1e-7);
    }
    assert_ok(t.model, nsds_step(s));
  }
  assert_near(nsds_time(s), leaves, 1e-9);
  step_until(s, t.model, NSDS_EVENT_IMPACT);
  double lands = nsds_time(s), flight = lands - leaves;
  assert_near(q0 + v0 * flight - 0.5 * g * flight * flight, a * sin(w * lands), 1e-10);
  assert_near(nsds_q(t.ball)[0], a * sin(w * lands), 1e-10);
  assert_near(nsds_v(t.ball)[0], a * w * cos(w * lands), 1e-9);
  assert_near(nsds_v(t.table)[0], a * w * cos(w * lands), 1e-15);
  assert_near(nsds_impulse(t.contact)[0], 2.0 * (a * w * cos(w * lands) - v0 + g * flight), 1e-8);
  assert_status(t.model, nsds_run(s), NSDS_END);
  nsds_model_destroy(t.model);
}

static int height(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] - a * sin(w * in->t);
  return 0;
}

static int one(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

static int sinks(const nsds_arguments *in, double *rate, void *user) {
  (void)user;
  rate[0] = -a * w * cos(w * in->t);
  return 0;
}

/* The same table as a relation in time. */
static void as_a_relation_in_time(void **state) {
  (void)state;
  shaken t = create_table(0.6);
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                  .v0 = (double[]){a * w},
                                                                  .mass = (double[]){2.0},
                                                                  .fext = (double[]){-2.0 * g}});
  nsds_relation *gap = nsds_lagrangian_relation(
      model,
      &(nsds_lagrangian_relation_def){
          .ny = 1, .nq = 1, .output_fn = height, .jac_output_q_fn = one, .jac_output_t_fn = sinks});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.6), 1, &ball);
  assert_sound(model);
  nsds_simulation *s[] = {simulate(t.model, 0.6, 0.01), simulate(model, 0.6, 0.01)};
  for (int k = 1; k <= 60; ++k) {
    while (nsds_time(s[0]) < 0.01 * k - 1e-9) assert_ok(t.model, nsds_step(s[0]));
    while (nsds_time(s[1]) < 0.01 * k - 1e-9) assert_ok(model, nsds_step(s[1]));
    assert_near(nsds_q(t.ball)[0], nsds_q(ball)[0], 1e-7); /* errors grow from impact to impact */
  }
  assert_int_equal(nsds_simulation_event(s[0])->nonsmooth, nsds_simulation_event(s[1])->nonsmooth);
  assert_true(nsds_simulation_event(s[0])->nonsmooth > 3);
  nsds_model_destroy(model);
  nsds_model_destroy(t.model);
}

/* ---- a pendulum on a cart that is driven ---- */

enum { cart = 3, bob = 2 }; /* masses */
static const double length = 0.7;

static int coupled_mass(const nsds_arguments *in, double *M, void *user) {
  double c = bob * length * cos(in->q[1]);
  (void)user;
  M[0] = cart + bob;
  M[1] = M[2] = c;
  M[3] = bob * length * length;
  return 0;
}

static int inner_force(const nsds_arguments *in, double *F, void *user) {
  (void)user;
  F[0] = -bob * length * sin(in->q[1]) * in->v[1] * in->v[1];
  F[1] = bob * g * length * sin(in->q[1]);
  return 0;
}

static int sway(const nsds_arguments *in, double *v, void *user) {
  (void)user;
  v[0] = 0.3 * 4.0 * cos(4.0 * in->t);
  return 0;
}

static int swayed(const nsds_arguments *in, double *F, void *user) {
  (void)user;
  F[0] = bob * length * (g * sin(in->q[0]) - 0.3 * 16.0 * sin(4.0 * in->t) * cos(in->q[0]));
  return 0;
}

static void driven_pivot(void **state) {
  (void)state;
  nsds_model *m[] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  nsds_ds *ds[2];
  ds[0] = nsds_lagrangian(m[0], &(nsds_lagrangian_def){.ndof = 2,
                                                       .q0 = (double[]){0.0, 0.4},
                                                       .mass_fn = coupled_mass,
                                                       .fint.fn = inner_force,
                                                       .fint.jac_q_fn = nsds_differences,
                                                       .fint.jac_v_fn = nsds_differences,
                                                       .prescribed.n = 1,
                                                       .prescribed.index = first,
                                                       .prescribed.fn = sway});
  ds[1] = nsds_lagrangian(m[1], &(nsds_lagrangian_def){.ndof = 1,
                                                       .q0 = (double[]){0.4},
                                                       .mass = (double[]){bob * length * length},
                                                       .fint.fn = swayed,
                                                       .fint.jac_q_fn = nsds_differences,
                                                       .fint.jac_v_fn = nsds_zero});
  assert_sound(m[0]);
  assert_sound(m[1]);
  nsds_simulation *s[] = {simulate(m[0], 3.0, 0.05), simulate(m[1], 3.0, 0.05)};
  for (int k = 1; k <= 60; ++k) {
    for (int j = 0; j < 2; ++j) {
      nsds_status status = nsds_step(s[j]);
      assert_true(status == NSDS_OK || status == NSDS_END);
    }
    double t = nsds_time(s[0]), angle = nsds_q(ds[1])[0], rate = nsds_v(ds[1])[0];
    double x2 = -0.3 * 16.0 * sin(4.0 * t);
    double angle2 = -(g * sin(angle) + x2 * cos(angle)) / length;
    assert_near(nsds_q(ds[0])[0], 0.3 * sin(4.0 * t), 1e-11);
    assert_near(nsds_v(ds[0])[0], 1.2 * cos(4.0 * t), 1e-14);
    assert_near(nsds_q(ds[0])[1], angle, 1e-9);
    assert_near(nsds_v(ds[0])[1], rate, 1e-9);
    assert_near(nsds_prescribed_force(ds[0])[0],
                (cart + bob) * x2 + bob * length * (cos(angle) * angle2 - sin(angle) * rate * rate),
                1e-8);
    assert_near(nsds_prescribed_force(ds[0])[1], 0.0, 0.0);
  }
  nsds_model_destroy(m[0]);
  nsds_model_destroy(m[1]);
}

/* ---- bodies ---- */

static int along_x(const nsds_arguments *in, double *v, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < 6; ++k) v[k] = k == 0 ? 2.0 : 0.0;
  return 0;
}

/* A ball that is moved along strikes one at rest: v+ = (1 + e) V, and keeps its own speed. */
static void paddle(void **state) {
  (void)state;
  static const int all[] = {0, 1, 2, 3, 4, 5};
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] =
        nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                      .inertia = J,
                                                      .q0 = (double[]){2.0 * k, 0, 0, 1, 0, 0, 0},
                                                      .prescribed.n = k == 0 ? 6 : 0,
                                                      .prescribed.index = k == 0 ? all : NULL,
                                                      .prescribed.fn = k == 0 ? along_x : NULL});
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.5});
  nsds_spheres(model, &(nsds_spheres_def){.law = law, .count = 2, .ds = ds, .radius = 0.5});
  nsds_simulation *s = simulate(model, 1.0, 0.0);
  step_until(s, model, NSDS_EVENT_IMPACT);
  assert_near(nsds_time(s), 0.5, 1e-12);
  assert_near(nsds_v(ds[1])[0], 3.0, 1e-12);
  assert_near(nsds_v(ds[0])[0], 2.0, 0.0);
  assert_status(model, nsds_run(s), NSDS_END);
  assert_near(nsds_q(ds[1])[0], 3.5, 1e-11);
  assert_near(nsds_q(ds[0])[0], 2.0, 1e-11);
  nsds_model_destroy(model);
}

static int turn(const nsds_arguments *in, double *v, void *user) {
  (void)user;
  v[0] = v[1] = 0.0;
  v[2] = 5.0 + 2.0 * sin(3.0 * in->t);
  return 0;
}

/* A body that is turned about a ball joint at distance r: the joint carries m r sqrt(w^4 + w'^2), the
 * drive (J + m r^2) w'. */
static void crank(void **state) {
  (void)state;
  static const int angular[] = {3, 4, 5};
  const double mass = 2.0, r = 0.5, J[9] = {[0] = 0.1, [4] = 0.2, [8] = 0.3};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = mass,
                                                    .inertia = J,
                                                    .q0 = (double[]){r, 0, 0, 1, 0, 0, 0},
                                                    .v0 = (double[]){0, 5.0 * r, 0, 0, 0, 5.0},
                                                    .prescribed.n = 3,
                                                    .prescribed.index = angular,
                                                    .prescribed.fn = turn,
                                                    .explicit_gyroscopic = true});
  nsds_relation *joint = nsds_joint(model, &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {ds}});
  nsds_interaction *held = nsds_connect(model, joint, nsds_equality(model), 1, &ds);
  nsds_simulation *s = simulate(model, 2.0, 0.25);
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s), speed = 5.0 + 2.0 * sin(3.0 * t), rate = 6.0 * cos(3.0 * t);
    const double *f = nsds_lambda(held), *q = nsds_q(ds);
    assert_near(sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]),
                mass * r * sqrt(speed * speed * speed * speed + rate * rate), 1e-6);
    assert_near(nsds_prescribed_force(ds)[5], (J[8] + mass * r * r) * rate, 1e-6);
    assert_near(hypot(q[0], q[1]), r, 1e-10);
  }
  assert_sound(model);
  assert_near(nsds_time(s), 2.0, 0.0);
  nsds_model_destroy(model);
}

/* ---- a speed that the program switches ---- */

static int speed_of(const nsds_arguments *in, double *v, void *user) {
  (void)in;
  v[0] = *(const double *)user;
  return 0;
}

static int switch_on(nsds_simulation *s, void *user) {
  (void)s;
  *(double *)user = 1.5;
  return 0;
}

/* A block that rests against a pusher takes up its speed at once, by an impulse; with friction
 * against the floor it is pushed by mu m g from then on. */
static void switched_on(void **state) {
  (void)state;
  double speed = 0.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  ds[0] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                      .mass = (double[]){1.0},
                                                                      .prescribed.n = 1,
                                                                      .prescribed.index = first,
                                                                      .prescribed.fn = speed_of,
                                                                      .user = &speed});
  ds[1] = nsds_lagrangian_linear(model,
                                 &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){2.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
  nsds_relation *slip = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_interaction *contact = nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 2, ds);
  nsds_connect(model, slip, nsds_relay(model, 1, (double[]){-6.0}, (double[]){6.0}), 1, &ds[1]);
  nsds_simulation *s = simulate(model, 1.0, 0.25);
  assert_ok(model, nsds_simulation_at(
                       s, &(nsds_event_def){.time = 0.5, .call = switch_on, .user = &speed}));
  double impulse = 0.0;
  while (nsds_step(s) == NSDS_OK) impulse += nsds_impulse(contact)[0];
  assert_sound(model);
  assert_near(impulse, 2.0 * 1.5, 1e-12);
  assert_near(nsds_q(ds[0])[0], 0.75, 1e-11);
  assert_near(nsds_q(ds[1])[0], 0.75, 1e-11);
  assert_near(nsds_v(ds[1])[0], 1.5, 1e-11);
  assert_near(nsds_lambda(contact)[0], 6.0, 1e-9);
  assert_near(nsds_prescribed_force(ds[0])[0], 6.0, 1e-9);
  nsds_model_destroy(model);
}

/* ---- what cannot be ---- */

static int sink(const nsds_arguments *in, double *v, void *user) {
  v[0] = -1.0;
  return in->t > *(const double *)user ? 3 : 0;
}

/* A drive that goes on through a floor, and one that fails, end the run with the state before. */
static void what_cannot_be(void **state) {
  (void)state;
  static const struct {
    double until;
    nsds_status status;
    const char *says;
    double stays;
  } cases[] = {{INFINITY, NSDS_ERROR_SOLVER, "problem of impulses in 1 rows was not solved", 1.0},
               {0.55, NSDS_ERROR_CALLBACK, "system 'press': prescribed.fn returned 3", 0.5}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    double until = cases[k].until;
    nsds_ds *ds =
        nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "press",
                                                                    .ndof = 1,
                                                                    .q0 = (double[]){1.0},
                                                                    .mass = (double[]){1.0},
                                                                    .prescribed.n = 1,
                                                                    .prescribed.index = first,
                                                                    .prescribed.fn = sink,
                                                                    .user = &until});
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
    nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
    nsds_simulation *s = simulate(model, 2.0, 0.1);
    nsds_status status = NSDS_OK;
    while (status == NSDS_OK) status = nsds_step(s);
    assert_int_equal(status, cases[k].status);
    assert_non_null(strstr(nsds_error_message(nsds_model_context(model)), cases[k].says));
    assert_between(nsds_time(s), cases[k].stays - 0.101, cases[k].stays + 1e-12);
    assert_near(nsds_q(ds)[0], 1.0 - nsds_time(s), 1e-12);
    nsds_model_destroy(model);
  }
}

/* ---- both drivers, and saved states ---- */

static double distance_at(double h, const double *exact, int count) {
  shaken t = create_table(0.4);
  nsds_simulation *s =
      nsds_time_stepping(t.model, &(nsds_time_stepping_def){.t1 = 0.5, .h = h, .tolerance = 1e-12});
  double sum = 0.0;
  for (int k = 1; k <= count; ++k) {
    while (nsds_time(s) < 0.5 * k / count - 0.5 * h) assert_true(nsds_step(s) >= 0);
    sum += fabs(nsds_q(t.ball)[0] - exact[k - 1]);
  }
  nsds_model_destroy(t.model);
  return sum / count;
}

static void time_stepping_tends_to_it(void **state) {
  (void)state;
  enum { count = 25 };
  double exact[count];
  shaken t = create_table(0.4);
  nsds_simulation *s = simulate(t.model, 0.5, 0.5 / count);
  for (int k = 1; k <= count; ++k) {
    while (nsds_time(s) < 0.5 * k / count - 1e-9) assert_true(nsds_step(s) >= 0);
    exact[k - 1] = nsds_q(t.ball)[0];
  }
  assert_sound(t.model);
  nsds_model_destroy(t.model);
  double coarse = distance_at(2e-4, exact, count), fine = distance_at(2.5e-5, exact, count);
  print_message("             time stepping, h = 2e-4 and 2.5e-5: %.1e, %.1e off\n", coarse, fine);
  assert_between(log2(coarse / fine) / 3.0, 0.7, 1.5);
}

static void same_bits_from_saved_states(void **state) {
  (void)state;
  shaken t = create_table(0.6);
  nsds_simulation *s = simulate(t.model, 0.6, 0.05);
  double q[2][2];
  for (int k = 0; k < 4; ++k) assert_ok(t.model, nsds_step(s));
  assert_ok(t.model, nsds_simulation_save(s));
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == 1) assert_ok(t.model, nsds_simulation_restore(s));
    for (int k = 0; k < 6; ++k) assert_ok(t.model, nsds_step(s));
    q[turn][0] = nsds_q(t.ball)[0];
    q[turn][1] = nsds_prescribed_force(t.table)[0];
  }
  for (int k = 0; k < 2; ++k) assert_true(q[0][k] == q[1][k]);
  nsds_model_destroy(t.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shaken_table),
      cmocka_unit_test(as_a_relation_in_time),
      cmocka_unit_test(driven_pivot),
      cmocka_unit_test(paddle),
      cmocka_unit_test(crank),
      cmocka_unit_test(switched_on),
      cmocka_unit_test(what_cannot_be),
      cmocka_unit_test(time_stepping_tends_to_it),
      cmocka_unit_test(same_bits_from_saved_states),
  };
  return cmocka_run_group_tests_name("event_driven.driven", tests, NULL, NULL);
}
