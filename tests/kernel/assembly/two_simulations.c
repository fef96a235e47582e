/*
 * Two simulations of one model: each goes on from the state that the other has left, whatever it
 * has kept of its own last step; while one is within a step the other is refused; and one may be
 * stepped by an event of the other.
 */
#include "support.h"

static const double one = 1.0;

static int fall(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->x[0] * in->x[0];
  return 0;
}

static int fall_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -2.0 * in->x[0];
  return 0;
}

static nsds_simulation *start(nsds_model *model, double h) {
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = h});
  assert_sound(model);
  return s;
}

/* The trapezoidal rule from x: y = x - h/2 (x^2 + y^2). */
static double trapezoid(double x, double h) {
  return (sqrt(1.0 + 2.0 * h * x - h * h * x * x) - 1.0) / h;
}

/* Forces at the start of a step are those of the present state, not of the last step. */
static void forces_are_of_the_present_state(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order(
      model,
      &(nsds_first_order_def){.n = 1, .x0 = (double[]){10.0}, .f_fn = fall, .jac_f_x_fn = fall_x});
  nsds_simulation *s[2] = {start(model, 0.01), start(model, 0.02)};
  for (int k = 0; k < 60; ++k) {
    int which = (k * k / 3) % 2;
    double x = nsds_x(ds)[0], h = which ? 0.02 : 0.01;
    assert_ok(model, nsds_step(s[which]));
    assert_near(nsds_x(ds)[0], trapezoid(x, h), 1e-10 * x);
  }
  nsds_model_destroy(model);
}

static nsds_ds *floor_and_ball(nsds_model *model, double height, double e, nsds_interaction **ia) {
  nsds_ds *ball = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = &one, .q0 = &height, .fext = (double[]){-10.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  *ia = nsds_connect(model, gap, nsds_newton_impact(model, e), 1, &ball);
  return ball;
}

/* Which contacts are active is told from the present y: in turn, two make the steps of one. */
static void contacts_are_of_the_present_state(void **state) {
  (void)state;
  enum { steps = 400 };
  nsds_model *model[2];
  nsds_ds *ball[2];
  nsds_interaction *ia[2];
  nsds_simulation *s[3];
  for (int k = 0; k < 2; ++k) {
    model[k] = nsds_model_create(NULL);
    ball[k] = floor_and_ball(model[k], 0.3, 0.6, &ia[k]);
  }
  s[0] = start(model[0], 0.005);
  s[1] = start(model[1], 0.005);
  s[2] = start(model[1], 0.005);
  int active = 0;
  for (int n = 0; n < steps; ++n) {
    assert_ok(model[0], nsds_step(s[0]));
    assert_ok(model[1], nsds_step(s[1 + n % 2]));
    assert_near(nsds_q(ball[1])[0], nsds_q(ball[0])[0], 0.0);
    assert_near(nsds_v(ball[1])[0], nsds_v(ball[0])[0], 0.0);
    assert_near(nsds_y(ia[1])[0], nsds_y(ia[0])[0], 0.0);
    assert_near(nsds_ydot(ia[1])[0], nsds_ydot(ia[0])[0], 0.0);
    assert_near(nsds_impulse(ia[1])[0], nsds_impulse(ia[0])[0], 0.0);
    assert_int_equal(nsds_is_active(ia[1]), nsds_is_active(ia[0]));
    active += nsds_is_active(ia[0]);
  }
  assert_true(active > 10 && active < steps - 10);
  nsds_model_destroy(model[0]);
  nsds_model_destroy(model[1]);
}

/* Between the stages of one the other can do nothing, and changes nothing. */
static void between_stages_the_other_is_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_interaction *ia;
  floor_and_ball(model, 0.0, 0.0, &ia);
  nsds_simulation *a = start(model, 0.01), *b = start(model, 0.01);
  nsds_context *context = nsds_model_context(model);
  assert_ok(model, nsds_simulation_save(b));
  for (int stage = 0; stage < 3; ++stage) {
    assert_ok(model, nsds_step_begin(a));
    if (stage > 0) assert_ok(model, nsds_step_solve(a));
    if (stage > 1) assert_ok(model, nsds_step_update(a));
    snapshot before = snapshot_take(model);
    nsds_status (*calls[])(nsds_simulation *) = {nsds_step, nsds_run, nsds_step_begin,
                                                 nsds_simulation_save, nsds_simulation_restore};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k)
      assert_status(model, calls[k](b), NSDS_ERROR_STATE);
    assert_status(model, nsds_simulation_set_h(b, 0.02), NSDS_ERROR_STATE);
    nsds_error_clear(context);
    nsds_simulation_destroy(b);
    assert_int_equal(nsds_error(context), NSDS_ERROR_STATE);
    nsds_error_clear(context);
    snapshot_check(&before, model, "between stages");
    snapshot_free(&before);
    assert_ok(model, nsds_step_reject(a));
  }
  assert_ok(model, nsds_step(b));
  nsds_model_destroy(model);
}

typedef struct helper {
  nsds_simulation *fine;
  nsds_interaction *ia;
  nsds_ds *ball;
  int calls;
} helper;

static int step_other(nsds_simulation *simulation, void *user) {
  helper *h = user;
  (void)simulation;
  ++h->calls;
  return nsds_step(h->fine) != NSDS_OK;
}

/* After an event that has stepped the other, what is read is of this simulation's time again. */
static int read_y(nsds_simulation *simulation, void *user) {
  helper *h = user;
  (void)simulation;
  assert_near(nsds_y(h->ia)[0], nsds_q(h->ball)[0], 0.0);
  return 0;
}

static void an_event_may_step_the_other(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  helper h = {0};
  h.ball = floor_and_ball(model, 0.2, 0.5, &h.ia);
  nsds_simulation *coarse = start(model, 0.01);
  h.fine = start(model, 0.001);
  assert_ok(model, nsds_simulation_sample(coarse, &(nsds_sampler_def){.period = 0.02,
                                                                      .phase = 0.01,
                                                                      .sample = step_other,
                                                                      .user = &h}));
  assert_ok(model, nsds_simulation_sample(
                       coarse, &(nsds_sampler_def){
                                   .period = 0.02, .phase = 0.01, .sample = read_y, .user = &h}));
  for (int n = 0; n < 100; ++n) assert_ok(model, nsds_step(coarse));
  assert_int_equal(h.calls, 50);
  assert_int_equal(nsds_step_count(h.fine), 50);
  assert_near(nsds_time(coarse), 1.0, 1e-12);
  assert_near(nsds_time(h.fine), 0.05, 1e-12);
  assert_between(nsds_q(h.ball)[0], -0.1, 0.2);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_are_of_the_present_state),
      cmocka_unit_test(contacts_are_of_the_present_state),
      cmocka_unit_test(between_stages_the_other_is_refused),
      cmocka_unit_test(an_event_may_step_the_other),
  };
  return cmocka_run_group_tests_name("kernel.two_simulations", tests, NULL, NULL);
}
