/*
 * Rows that were at zero and are moved away: by the program, in an event or between steps, or by an
 * impact elsewhere; relays with one bound under impacts; rows that leave their bounds together;
 * forces that jump where an event is. Against closed forms.
 */
#include "support.h"

#define ONE(...) ((const double[]){__VA_ARGS__})

static nsds_simulation *start(nsds_model *model, double t1) {
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1});
  assert_sound(model);
  return s;
}

static nsds_ds *mass(nsds_model *model, double q, double v, double force) {
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = &q, .v0 = &v, .mass = ONE(1.0), .fext = &force});
}

static nsds_relation *place(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = ONE(1.0)});
}

static nsds_interaction *relay(nsds_model *model, nsds_ds *ds, double lower, double upper) {
  return nsds_connect(model, place(model), nsds_relay(model, 1, &lower, &upper), 1, &ds);
}

/* The gap between two masses, the second behind the first. */
static void meet(nsds_model *model, double e, nsds_ds *behind, nsds_ds *before) {
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = ONE(-1.0, 1.0)});
  nsds_connect(model, gap, nsds_newton_impact(model, e), 2, (nsds_ds *[]){behind, before});
}

/* ---- by the program ---- */

static int stay(nsds_simulation *s, void *user) {
  (void)s, (void)user;
  return 0;
}

static nsds_relation *shifted; /* y = x - z */
static nsds_ds *thrown;

static int step_down(nsds_simulation *s, void *user) {
  (void)s;
  return nsds_relation_set_z(shifted, 1, user) ? -1 : 0;
}

static int throw_it(nsds_simulation *s, void *user) {
  (void)s;
  bool first = nsds_x(thrown) != NULL;
  return (first ? nsds_set_x(thrown, user) : nsds_set_state(thrown, NULL, user)) ? -1 : 0;
}

/* dx/dt = -1 + lambda, 0 <= x - z perpendicular to lambda >= 0, at rest until z is another. */
static void parameter_of_a_closed_diode(void **state) {
  (void)state;
  static const double to[] = {-1.0, 0.3}, expected[] = {-0.5, 0.3};
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds =
        nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .b = ONE(-1.0)});
    shifted = nsds_first_order_linear_relation(
        model,
        &(nsds_first_order_linear_relation_def){
            .ny = 1, .nx = 1, .nZ = 1, .C = ONE(1.0), .B = ONE(1.0), .F = ONE(-1.0), .nz = 1});
    nsds_interaction *diode = nsds_connect(model, shifted, nsds_complementarity(model), 1, &ds);
    nsds_simulation *s = start(model, 1.5);
    nsds_simulation_at(
        s, &(nsds_event_def){.time = 1.0, .call = step_down, .user = (void *)(uintptr_t)&to[k]});
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_x(ds)[0], expected[k], 1e-9);
    assert_near(nsds_lambda(diode)[0], k, 1e-9);
    nsds_model_destroy(model);
  }
}

/* At rest by dry friction, or at x = 0, until the program gives it another state. */
static void state_of_a_closed_row(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; ++kind) {
    nsds_model *model = nsds_model_create(NULL);
    double one = 1.0, weight = kind == 2 ? -1.0 : 0.0;
    if (kind == 0) {
      thrown = mass(model, 0.0, 0.0, 0.0);
      relay(model, thrown, -0.5, 0.5);
    } else {
      thrown = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .b = &weight});
      nsds_relation *x = nsds_first_order_linear_relation(
          model,
          &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = ONE(1.0), .B = ONE(1.0)});
      nsds_connect(model, x,
                   kind == 2 ? nsds_complementarity(model)
                             : nsds_relay(model, 1, ONE(-1.0), ONE(1.0)),
                   1, &thrown);
    }
    nsds_simulation *s = start(model, 1.5);
    nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = throw_it, .user = &one});
    assert_int_equal(nsds_run(s), NSDS_END);
    if (kind == 0) {
      assert_near(nsds_q(thrown)[0], 0.4375, 1e-9);
      assert_near(nsds_v(thrown)[0], 0.75, 1e-9);
    } else {
      assert_near(nsds_x(thrown)[0], 0.5, 1e-9);
    }
    nsds_model_destroy(model);
  }
}

/* A block that sticks on the ground, mu g = 1/2, is given a speed. */
static void speed_of_a_sticking_block(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension) {
    nsds_model *model = nsds_model_create(NULL);
    const int n = dimension;
    double M[9] = {0.0}, H[9] = {0.0}, force[3] = {0.0}, speed[3] = {1.0};
    for (int i = 0; i < n; ++i) {
      M[i + n * i] = 1.0;
      H[(i + 1) % n + n * i] = 1.0; /* tangents first among the coordinates */
    }
    force[n - 1] = -10.0;
    thrown = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = n, .mass = M, .fext = force});
    nsds_relation *ground = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = n, .nq = n, .H = H});
    nsds_law *law = nsds_newton_impact_friction(
        model, &(nsds_newton_impact_friction_def){.dimension = n, .mu = 0.05});
    nsds_interaction *contact = nsds_connect(model, ground, law, 1, &thrown);
    nsds_simulation *s = start(model, 1.5);
    nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = throw_it, .user = speed});
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_q(thrown)[0], 0.4375, 1e-9);
    assert_near(nsds_v(thrown)[0], 0.75, 1e-9);
    assert_near(nsds_lambda(contact)[1], -0.5, 1e-9);
    nsds_model_destroy(model);
  }
}

/* Two capacitors and an ideal wire: their charges become equal at once, at the start and later. */
static void wire_between_capacitors(void **state) {
  (void)state;
  for (int later = 0; later < 2; ++later)
    for (int kind = 0; kind < 2; ++kind) {
      nsds_model *model = nsds_model_create(NULL);
      double charge[] = {1.0, 0.0};
      thrown = nsds_first_order_linear(
          model, &(nsds_first_order_linear_def){.n = 2, .x0 = later ? NULL : charge});
      nsds_relation *wire = nsds_first_order_linear_relation(
          model, &(nsds_first_order_linear_relation_def){
                     .ny = 1, .nx = 2, .C = ONE(1.0, -1.0), .B = ONE(1.0, -1.0)});
      nsds_connect(model, wire,
                   kind ? nsds_relay(model, 1, ONE(-INFINITY), ONE(INFINITY))
                        : nsds_equality(model),
                   1, &thrown);
      nsds_simulation *s = start(model, 1.0);
      if (later)
        nsds_simulation_at(s, &(nsds_event_def){.time = 0.5, .call = throw_it, .user = charge});
      assert_int_equal(nsds_run(s), NSDS_END);
      for (int i = 0; i < 2; ++i) assert_near(nsds_x(thrown)[i], 0.5, 1e-12);
      nsds_model_destroy(model);
    }
}

/* ---- by impacts ---- */

/* A block at rest by dry friction takes the speed of one that meets it, and slides 1 m. */
static void impact_on_a_sticking_block(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = mass(model, -1.0, 1.0, 0.0), *block = mass(model, 0.0, 0.0, 0.0);
  meet(model, 1.0, ball, block);
  relay(model, block, -0.5, 0.5);
  nsds_simulation *s = start(model, 5.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_q(block)[0], 1.0, 1e-9);
  assert_near(nsds_v(block)[0], 0.0, 1e-9);
  nsds_model_destroy(model);
}

/* v >= 0 perpendicular to lambda >= 0, and v = 0: nothing goes backwards, neither hit nor at the
 * start. */
static void freewheel(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; ++kind) {
    nsds_model *model = nsds_model_create(NULL);
    double e = kind == 1 ? 0.5 : 0.0, hits = kind == 3 ? 0.0 : -1.0;
    nsds_ds *wheel = mass(model, 0.0, kind == 3 ? -1.0 : 0.0, 0.0);
    nsds_ds *ball = mass(model, 1.0, hits, 0.0);
    meet(model, e, wheel, ball);
    relay(model, wheel, kind == 2 ? -INFINITY : 0.0, INFINITY);
    nsds_simulation *s = start(model, 3.0);
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_v(wheel)[0], 0.0, 1e-12);
    assert_near(nsds_q(wheel)[0], 0.0, 1e-9);
    assert_near(nsds_v(ball)[0], kind == 3 ? 0.0 : e, 1e-12);
    nsds_model_destroy(model);
  }
}

/* A jump of one row takes the other to zero as well, where it needs none of its own. */
static void jump_that_serves_two(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 2, .x0 = ONE(-1.0, -2.0)});
  nsds_relation *rows = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 2, .nx = 2, .C = ONE(1.0, 0.0, 0.0, 1.0), .B = ONE(1.0, 0.5, 0.5, 1.0)});
  nsds_connect(model, rows, nsds_complementarity(model), 1, &ds);
  nsds_simulation *s = start(model, 1.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  for (int i = 0; i < 2; ++i) assert_near(nsds_x(ds)[i], 0.0, 1e-12);
  nsds_model_destroy(model);
}

/* ---- together ---- */

static int time_itself(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->t;
  return 0;
}

/* Two dry frictions on one mass, F = t: what each of them bears is open, but it moves at 0.8. */
static void two_relays_on_one_mass(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = ONE(1.0), .fext_fn = time_itself});
  relay(model, ds, -0.5, 0.5);
  relay(model, ds, -0.3, 0.3);
  nsds_simulation *s = start(model, 2.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_v(ds)[0], 0.72, 1e-9);
  nsds_model_destroy(model);
}

/* ---- forces that jump ---- */

static int nothing(nsds_simulation *s, void *user) {
  (void)s, (void)user;
  return 0;
}

static int pulled_later(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->t >= 1.0 ? 10.0 : -10.0;
  return 0;
}

/* Lies on the ground until it is pulled up, from the time of an event on. */
static void force_that_jumps_at_an_event(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = ONE(1.0), .fext_fn = pulled_later});
  nsds_connect(model, place(model), nsds_newton_impact(model, 0.5), 1, &ds);
  nsds_simulation *s = start(model, 2.0);
  nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = nothing});
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_q(ds)[0], 5.0, 1e-6);
  nsds_model_destroy(model);
}

static int square_wave(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = fmod(in->t, 1.0) < 0.5 ? 1.0 : -1.0;
  return 0;
}

/* L di/dt = u - R i + lambda, 0 <= i perpendicular to lambda: u jumps at the end of the run. */
static void voltage_that_jumps_at_the_end(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = ONE(-1.0), .b_fn = square_wave});
  nsds_relation *i = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = ONE(1.0), .B = ONE(1.0)});
  nsds_connect(model, i, nsds_complementarity(model), 1, &ds);
  nsds_simulation *s = start(model, 1.0);
  assert_int_equal(nsds_run(s), NSDS_END);
  /* 1 - exp(-t), then -1 + (2 - exp(-1/2)) exp(1/2 - t), which is zero at 0.83 */
  assert_near(nsds_x(ds)[0], 0.0, 1e-9);
  nsds_model_destroy(model);
}

/* ---- relative degrees ---- */

/* A relay of a plant of third order, by itself and as two complementary rows whose D couples them;
 * time stepping. */
static void relay_as_complementary_rows(void **state) {
  (void)state;
  const double A[] = {0.0, 0.0, -6.0, 1.0, 0.0, -11.0, 0.0, 1.0, -6.0};
  double x[2];
  for (int rows = 1; rows <= 2; ++rows) {
    nsds_model *model = nsds_model_create(NULL);
    bool two = rows == 2;
    nsds_ds *plant = nsds_first_order_linear(
        model,
        &(nsds_first_order_linear_def){
            .n = 3, .A = A, .b = two ? ONE(0.0, 0.0, -1.0) : NULL, .x0 = ONE(1.0, 0.0, 0.0)});
    nsds_relation *relation = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){.ny = rows,
                                                       .nx = 3,
                                                       .C = two ? ONE(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
                                                                : ONE(1.0, 0.0, 0.0),
                                                       .B = ONE(0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
                                                       .D = two ? ONE(0.0, -1.0, 1.0, 0.0) : NULL,
                                                       .e = two ? ONE(0.0, 2.0) : NULL});
    nsds_law *law = two ? nsds_complementarity(model) : nsds_relay(model, 1, ONE(-1.0), ONE(1.0));
    nsds_connect(model, relation, law, 1, &plant);
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 5.0, .h = 1e-3});
    assert_sound(model);
    assert_int_equal(nsds_run(s), NSDS_END);
    x[rows - 1] = nsds_x(plant)[0];
    nsds_model_destroy(model);
  }
  assert_near(x[0], x[1], 1e-12);
}

/* ---- that come and go ---- */

static nsds_ds *tank(nsds_model *model, double x0) {
  return nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = ONE(-1.0), .b = ONE(-1.0), .x0 = &x0});
}

/* 0 <= x + D lambda perpendicular to lambda >= 0 */
static nsds_interaction *diode(nsds_model *model, nsds_ds *ds, double D) {
  nsds_relation *r = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = ONE(1.0), .B = ONE(1.0), .D = D > 0.0 ? &D : NULL});
  return nsds_connect(model, r, nsds_complementarity(model), 1, &ds);
}

/* What was closed was looked for at the places that rows had before: a crash. */
static void rows_take_other_places(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *a = tank(model, 0.3), *b = tank(model, 0.5);
  nsds_simulation *s = start(model, 100.0);
  nsds_interaction *first = diode(model, a, 0.2);
  diode(model, b, 0.0);
  nsds_simulation_at(s, &(nsds_event_def){.time = 20.0, .call = stay});
  while (nsds_time(s) < 20.0) assert_ok(model, nsds_step(s));
  assert_near(nsds_x(a)[0], -0.2 / 1.2, 1e-8); /* 0 = -x - 1 - x / D */
  assert_ok(model, nsds_disconnect(first));
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_x(a)[0], -1.0, 1e-8);
  assert_near(nsds_x(b)[0], 0.0, 1e-15);
  nsds_model_destroy(model);
}

/* Rows that have come since the last step are in no saved list of rows: it was read beyond its end. */
static void saved_before_rows_are_listed(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *a = tank(model, 0.3), *b = tank(model, 0.5);
  nsds_simulation *s = start(model, 2.0);
  diode(model, a, 0.2);
  diode(model, b, 0.0);
  diode(model, b, 0.1);
  assert_ok(model, nsds_simulation_save(s));
  double x[2][2];
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(nsds_run(s), NSDS_END);
    x[k][0] = nsds_x(a)[0];
    x[k][1] = nsds_x(b)[0];
    assert_ok(model, nsds_simulation_restore(s));
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_take_other_places),
      cmocka_unit_test(saved_before_rows_are_listed),
      cmocka_unit_test(parameter_of_a_closed_diode),
      cmocka_unit_test(state_of_a_closed_row),
      cmocka_unit_test(speed_of_a_sticking_block),
      cmocka_unit_test(wire_between_capacitors),
      cmocka_unit_test(impact_on_a_sticking_block),
      cmocka_unit_test(freewheel),
      cmocka_unit_test(jump_that_serves_two),
      cmocka_unit_test(two_relays_on_one_mass),
      cmocka_unit_test(force_that_jumps_at_an_event),
      cmocka_unit_test(voltage_that_jumps_at_the_end),
      cmocka_unit_test(relay_as_complementary_rows),
  };
  return cmocka_run_group_tests_name("event_driven.moved_rows", tests, NULL, NULL);
}
