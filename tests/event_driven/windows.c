/* Windows of time stepping within an event-driven simulation. */
#include "support.h"

typedef struct ball {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *floor;
} ball;

/* 2 kg at 1 m over the floor, g = 10. */
static ball make(double e) {
  ball b = {.model = nsds_model_create(NULL)};
  b.ds = nsds_lagrangian_linear(b.model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                       .mass = (double[]){2.0},
                                                                       .q0 = (double[]){1.0},
                                                                       .fext = (double[]){-20.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      b.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  b.floor = nsds_connect(b.model, gap, nsds_newton_impact(b.model, e), 1, &b.ds);
  assert_sound(b.model);
  return b;
}

static nsds_simulation *drive(const ball *b, nsds_event_driven_def def) {
  nsds_simulation *s = nsds_event_driven(b->model, &def);
  assert_sound(b->model);
  return s;
}

static unsigned kind(const nsds_simulation *s) { return nsds_simulation_event(s)->kind; }

/* The series of impacts ends at (1 + e) / (1 - e) sqrt(2 y0 / g) = 1.342 s, in the window. */
static void rest_within_a_window(void **state) {
  (void)state;
  ball b = make(0.5);
  nsds_simulation *s = drive(&b, (nsds_event_driven_def){.t1 = 3.0});
  for (int k = 0; k < 3; ++k) assert_ok(b.model, nsds_step(s));
  double t = nsds_time(s), v = nsds_v(b.ds)[0];
  assert_ok(b.model, nsds_event_window(s, 0.5, 100));
  assert_int_equal(kind(s), NSDS_EVENT_WINDOW);
  assert_near(nsds_time(s), t + 0.5, 1e-15);
  assert_int_equal(nsds_simulation_event(s)->windows, 1);
  assert_near(nsds_impulse(b.floor)[0], 20.0 * 0.5 + 2.0 * (nsds_v(b.ds)[0] - v), 1e-12);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_int_equal(nsds_simulation_event(s)->nonsmooth, 3); /* closed from the window on */
  assert_true(nsds_y(b.floor)[0] == 0.0 && nsds_v(b.ds)[0] == 0.0);
  assert_near(nsds_lambda(b.floor)[0], 20.0, 1e-12);
  nsds_model_destroy(b.model);
}

/* A window is time stepping with the same steps, bit by bit. */
static void same_as_time_stepping(void **state) {
  (void)state;
  ball a = make(0.7), b = make(0.7);
  nsds_simulation *events = drive(&a, (nsds_event_driven_def){.t1 = 4.0});
  nsds_simulation *steps =
      nsds_time_stepping(b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1.0 / 256});
  assert_ok(a.model, nsds_event_window(events, 1.0, 256));
  assert_int_equal(nsds_run(steps), NSDS_END);
  assert_true(nsds_q(a.ds)[0] == nsds_q(b.ds)[0] && nsds_v(a.ds)[0] == nsds_v(b.ds)[0]);
  nsds_model_destroy(a.model);
  nsds_model_destroy(b.model);
}

/* With e = 1 over a floor 1e-4 m below there are 112 impacts in a second: more than allowed. */
static void crowded_events_take_a_window(void **state) {
  (void)state;
  ball b = make(1.0);
  assert_ok(b.model, nsds_set_state(b.ds, (double[]){1e-4}, NULL));
  nsds_simulation *s = drive(
      &b,
      (nsds_event_driven_def){.t1 = 2.0, .output_period = 1.0, .max_events = 50, .window = 0.25});
  nsds_status status;
  int windows = 0;
  while ((status = nsds_step(s)) == NSDS_OK) {
    windows += (kind(s) & NSDS_EVENT_WINDOW) != 0;
    assert_true(nsds_q(b.ds)[0] > -2e-3 && nsds_q(b.ds)[0] < 4e-3);
  }
  assert_int_equal(status, NSDS_END);
  assert_in_range(windows, 2, 6);
  assert_int_equal(nsds_simulation_event(s)->windows, windows);
  nsds_model_destroy(b.model);
}

/* It ends where something is due, and the rest of it is not made up for. */
static void ends_at_the_clock(void **state) {
  (void)state;
  ball b = make(0.5);
  nsds_simulation *s = drive(&b, (nsds_event_driven_def){.t1 = 1.0, .output_period = 0.25});
  assert_ok(b.model, nsds_event_window(s, 0.4, 10));
  assert_near(nsds_time(s), 0.25, 0.0);
  assert_int_equal(kind(s), NSDS_EVENT_WINDOW | NSDS_EVENT_GRID);
  assert_ok(b.model, nsds_event_window(s, 0.1, 10));
  assert_near(nsds_time(s), 0.35, 1e-15);
  assert_ok(b.model, nsds_step(s));
  assert_near(nsds_time(s), sqrt(0.2), 1e-4); /* the impact, after time stepping */
  nsds_model_destroy(b.model);
}

/* A contact that carries a load at the end of a window goes on doing so. */
static void stays_closed_after_a_window(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2, /* a mass on a pedestal that moves away */
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .stiffness = (double[]){0.0, 0.0, 0.0, 100.0},
                                           .q0 = (double[]){0.0, -0.3},
                                           .fext = (double[]){-10.0, -10.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, -1.0}});
  assert_ok(model, nsds_set_state(ds, (double[]){-0.3, -0.3}, NULL));
  nsds_interaction *contact = nsds_connect(model, gap, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 3.0});
  assert_sound(model);
  assert_ok(model, nsds_event_window(s, 0.05, 50));
  assert_true(nsds_lambda(contact)[0] > 0.0);
  /* Together: 2 q'' = -100 q - 20, so q = -0.2 - 0.1 cos(w t), w^2 = 50; the pedestal leaves when
   * q'' = -10, which is q = 0: never, as q <= -0.1. */
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_int_equal(nsds_simulation_event(s)->nonsmooth, 0);
  double q = -0.2 - 0.1 * cos(sqrt(50.0) * 3.0);
  assert_near(nsds_q(ds)[0], q, 2e-4);
  assert_near(nsds_y(contact)[0], 0.0, 1e-12);
  nsds_model_destroy(model);
}

static void refused(void **state) {
  (void)state;
  ball b = make(0.5), c = make(0.5);
  nsds_simulation *s = drive(&b, (nsds_event_driven_def){.t1 = 1.0});
  nsds_simulation *steps =
      nsds_time_stepping(c.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_status(b.model, nsds_event_window(s, 0.0, 10), NSDS_ERROR_VALUE);
  assert_status(b.model, nsds_event_window(s, NAN, 10), NSDS_ERROR_VALUE);
  assert_status(b.model, nsds_event_window(s, 1e-300, 10), NSDS_ERROR_VALUE);
  assert_status(b.model, nsds_event_window(s, 0.1, 0), NSDS_ERROR_SIZE);
  assert_status(b.model, nsds_event_window(s, 0.1, -3), NSDS_ERROR_SIZE);
  assert_status(c.model, nsds_event_window(steps, 0.1, 10), NSDS_ERROR_UNSUPPORTED);
  assert_status(NULL, nsds_event_window(NULL, 0.1, 10), NSDS_ERROR_ARGUMENT);
  assert_near(nsds_q(b.ds)[0], 1.0, 0.0);
  nsds_model_destroy(b.model);
  nsds_model_destroy(c.model);
}

static int overflowing(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = in->t > 0.5 ? NAN : -10.0;
  return 0;
}

/* The model is as before the window. */
static void failing(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                              .mass = (double[]){1.0},
                                                              .q0 = (double[]){3.0},
                                                              .fext_fn = overflowing});
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_ok(model, nsds_event_window(s, 0.25, 10));
  double q = nsds_q(ds)[0], v = nsds_v(ds)[0];
  assert_status(model, nsds_event_window(s, 0.5, 10), NSDS_ERROR_CALLBACK);
  assert_near(nsds_time(s), 0.25, 0.0);
  assert_true(nsds_q(ds)[0] == q && nsds_v(ds)[0] == v);
  nsds_error_clear(nsds_model_context(model));
  assert_ok(model, nsds_event_window(s, 0.2, 10));
  nsds_model_destroy(model);
}

/* dx_1/dt = x_2, dx_2/dt = -3 sign(x_1) - sign(x_2), from (1, 0): turns ever shorter, by 1/sqrt(2)
 * each, to (0, 0) at 1.5 / (1 - 1/sqrt(2)); there x_1 is of relative degree 2, and time stepping
 * goes on. */
static void twisting_goes_on_at_rest(void **state) {
  (void)state;
  const double one[] = {1.0, 1.0}, minus[] = {-1.0, -1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .A = (double[]){0.0, 0.0, 1.0, 0.0}, .x0 = (double[]){1.0, 0.0}});
  nsds_relation *rows = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 2,
                                                     .nx = 2,
                                                     .C = (double[]){1.0, 0.0, 0.0, 1.0},
                                                     .B = (double[]){0.0, 3.0, 0.0, 1.0}});
  nsds_connect(model, rows, nsds_relay(model, 2, minus, one), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 6.0, .window = 0.1});
  assert_sound(model);
  double exact = 0.0;
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK)
    if (nsds_simulation_event(s)->windows == 0) exact = nsds_time(s);
  assert_int_equal(status, NSDS_END);
  assert_near(exact, 1.5 / (1.0 - sqrt(0.5)), 1e-5);
  for (int i = 0; i < 2; ++i) assert_near(nsds_x(ds)[i], 0.0, 1e-5);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rest_within_a_window),
                                     cmocka_unit_test(same_as_time_stepping),
                                     cmocka_unit_test(crowded_events_take_a_window),
                                     cmocka_unit_test(ends_at_the_clock),
                                     cmocka_unit_test(stays_closed_after_a_window),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(failing),
                                     cmocka_unit_test(twisting_goes_on_at_rest)};
  return cmocka_run_group_tests_name("event_driven.windows", tests, NULL, NULL);
}
