/*
 * Reference trajectories of event-driven simulation. Allowances are those of the cards, which were
 * recomputed without a library.
 */
#include "scenes.h"
#include "support.h"

/* A ball between y = q and, where `ceiling` is not 0, y = ceiling - q. */
typedef struct room {
  nsds_model *model;
  nsds_ds *ball;
  nsds_interaction *floor, *ceiling;
} room;

static room make_room(double g, double q0, double v0, double ceiling, double e) {
  room r = {.model = nsds_model_create(NULL)};
  double one = 1.0, minus = -1.0, weight = -g;
  r.ball = nsds_lagrangian_linear(
      r.model, &(nsds_lagrangian_linear_def){
                   .ndof = 1, .mass = &one, .q0 = &q0, .v0 = &v0, .fext = &weight});
  nsds_law *law = nsds_newton_impact(r.model, e);
  nsds_relation *low = nsds_lagrangian_linear_relation(
      r.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  r.floor = nsds_connect(r.model, low, law, 1, &r.ball);
  if (ceiling == 0.0) return r;
  nsds_relation *high = nsds_lagrangian_linear_relation(
      r.model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &minus, .b = &ceiling});
  r.ceiling = nsds_connect(r.model, high, law, 1, &r.ball);
  return r;
}

static nsds_simulation *start(room *r, double t1, double h) {
  nsds_simulation *s = nsds_event_driven(
      r->model,
      &(nsds_event_driven_def){
          .t1 = t1, .output_period = h, .relative_tolerance = 1e-13, .absolute_tolerance = 1e-14});
  assert_sound(r->model);
  return s;
}

static bool nonsmooth(const nsds_simulation *s) {
  return (nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH) != 0;
}

/* The two rows of a nonsmooth event: before, after. */
static void bouncing_ball(void **state) {
  (void)state;
  table t = table_read("bouncing_ball_ed");
  room r = make_room(9.81, 1.0, 0.0, 0.0, 0.9);
  nsds_simulation *s = start(&r, 8.5, 0.005);
  double time = 0.0, q = 0.0, v = 0.0, p = 0.0;
  int row = 0, impacts = 0;
  while (nsds_step(s) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(s);
    time = worse(time, fabs(nsds_time(s) - table_at(&t, row, 0)));
    if (nonsmooth(s)) {
      ++impacts;
      v = worse(v, fabs(event->row[0].ydot_before - table_at(&t, row, 2)));
      p = worse(p, fabs(event->row[0].impulse - table_at(&t, row++, 3)));
    }
    q = worse(q, fabs(nsds_q(r.ball)[0] - table_at(&t, row, 1)));
    v = worse(v, fabs(nsds_v(r.ball)[0] - table_at(&t, row++, 2)));
  }
  assert_int_equal(row, t.rows);
  assert_int_equal(impacts, 44);
  /* the table is off by half of this; an error of an event's time grows by 1/e a bounce */
  assert_near(time, 0.0, 1e-11);
  assert_near(q, 0.0, 5e-13);
  assert_near(v, 0.0, 1e-10);
  assert_near(p, 0.0, 1e-11);
  nsds_model_destroy(r.model);
  table_free(&t);
}

static void resting_ball(void **state) {
  (void)state;
  table t = table_read("bouncing_ball_ed_resting");
  room r = make_room(9.81, 1.0, 0.0, 0.0, 0.0);
  nsds_simulation *s = start(&r, 8.5, 0.005);
  int row = 0;
  while (nsds_step(s) == NSDS_OK) {
    assert_near(nsds_time(s), table_at(&t, row, 0), 2e-13); /* the table's times are sums */
    if (nonsmooth(s)) {
      assert_near(nsds_simulation_event(s)->row[0].ydot_before, table_at(&t, row++, 2), 1e-14);
      assert_near(nsds_simulation_event(s)->row[0].impulse, table_at(&t, row, 3), 1e-14);
    }
    assert_near(nsds_q(r.ball)[0], table_at(&t, row, 1), 4e-15);
    assert_near(nsds_v(r.ball)[0], table_at(&t, row, 2), 1e-14);
    assert_near(nsds_lambda(r.floor)[0], table_at(&t, row++, 4), 1e-14);
  }
  assert_int_equal(row, t.rows);
  nsds_model_destroy(r.model);
  table_free(&t);
}

/* The grid's rows; of nonsmooth events the first 60, behind which the table has lost digits. */
static void two_contacts(void **state) {
  (void)state;
  table t = table_read("bouncing_ball_ed_two_contacts");
  room r = make_room(10.0, 1.0, 10.0, 1.5, 0.8);
  nsds_simulation *s = start(&r, 10.0, 0.01);
  double q = 0.0, v = 0.0, time = 0.0, after = 0.0, limit = NAN;
  int row = 1, events = 0;
  while (nsds_step(s) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(s);
    if (event->kind & NSDS_EVENT_ACCUMULATION) limit = event->row[0].limit_time;
    if (nonsmooth(s) && ++events <= 60) {
      int at = row;
      while (at < t.rows - 1 && table_at(&t, at, 0) != table_at(&t, at + 1, 0)) ++at;
      time = worse(time, fabs(nsds_time(s) - table_at(&t, at, 0)));
      after = worse(after, fabs(nsds_v(r.ball)[0] - table_at(&t, at + 1, 2)));
      row = at + 2;
    }
    if (!(event->kind & NSDS_EVENT_GRID)) continue;
    int at = 0;
    while (fabs(table_at(&t, at, 0) - nsds_time(s)) > 1e-9) ++at;
    if (at > 0 && table_at(&t, at - 1, 0) == table_at(&t, at, 0)) continue;
    q = worse(q, fabs(nsds_q(r.ball)[0] - table_at(&t, at, 1)));
    v = worse(v, fabs(nsds_v(r.ball)[0] - table_at(&t, at, 2)));
  }
  assert_near(q, 0.0, 1e-11);
  assert_near(v, 0.0, 6e-11);
  assert_near(time, 0.0, 3e-9);
  assert_near(after, 0.0, 3e-9);
  assert_near(limit, 6.2072372420863110, 1e-11); /* parabolas in 60 digits */
  assert_near(nsds_lambda(r.floor)[0], 10.0, 1e-13);
  assert_near(nsds_q(r.ball)[0], 0.0, 0.0);
  nsds_model_destroy(r.model);
  table_free(&t);
}

static int length(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = 1.0 - in->q[0] * in->q[0] - in->q[1] * in->q[1];
  return 0;
}

static int length_q(const nsds_arguments *in, double *H, void *user) {
  (void)user;
  H[0] = -2.0 * in->q[0];
  H[1] = -2.0 * in->q[1];
  return 0;
}

static int length_bias(const nsds_arguments *in, double *bias, void *user) {
  (void)user;
  bias[0] = -2.0 * (in->v[0] * in->v[0] + in->v[1] * in->v[1]);
  return 0;
}

/* Columns 5 to 7 are not the motion's, says the card. */
static void check_pendulum(nsds_operator bias) {
  table t = table_read("pendulum_ed");
  nsds_model *model = nsds_model_create(NULL);
  double pi = acos(-1.0);
  nsds_ds *mass = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .q0 = (double[]){sin(pi / 3.0), cos(pi / 3.0)},
                                           .fext = (double[]){0.0, 9.81}});
  nsds_relation *string = nsds_lagrangian_relation(
      model,
      &(nsds_lagrangian_relation_def){
          .ny = 1, .nq = 2, .output_fn = length, .jac_output_q_fn = length_q, .bias_fn = bias});
  nsds_interaction *tie = nsds_connect(model, string, nsds_newton_impact(model, 0.9), 1, &mass);
  room r = {.model = model};
  nsds_simulation *s = start(&r, 10.0, 0.01);
  double q = 0.0, v = 0.0, f = 0.0;
  for (int row = 1; row < t.rows; ++row) {
    assert_ok(model, nsds_step(s));
    assert_int_equal(nonsmooth(s), false);
    for (int k = 0; k < 2; ++k) {
      q = worse(q, fabs(nsds_q(mass)[k] - table_at(&t, row, 1 + k)));
      v = worse(v, fabs(nsds_v(mass)[k] - table_at(&t, row, 3 + k)));
    }
    f = worse(f, fabs(nsds_lambda(tie)[0] - table_at(&t, row, 9)));
  }
  assert_near(q, 0.0, 2e-11);
  assert_near(v, 0.0, 5e-11);
  assert_near(f, 0.0, 2e-10);
  assert_near(nsds_y(tie)[0], 0.0, 1e-11);
  nsds_model_destroy(model);
  table_free(&t);
}

static void pendulum(void **state) {
  (void)state;
  check_pendulum(length_bias);
}

static void pendulum_by_differences(void **state) {
  (void)state;
  check_pendulum(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bouncing_ball),
                                     cmocka_unit_test(resting_ball), cmocka_unit_test(two_contacts),
                                     cmocka_unit_test(pendulum),
                                     cmocka_unit_test(pendulum_by_differences)};
  return cmocka_run_group_tests_name("event_driven.reference_events", tests, NULL, NULL);
}
