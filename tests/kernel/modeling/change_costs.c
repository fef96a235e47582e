/*
 * A change costs what has changed: calls of the user's functions are counted after parameters and
 * states of one of a hundred systems were set, interactions connected and removed, and in steps in
 * which most contacts are not active.
 */
#include "support.h"

enum { bodies = 100 };

typedef struct counts {
  long mass, force, gap, gap_q;
} counts;

static nsds_status mass(void *self, const nsds_arguments *in, double *M) {
  ++((counts *)self)->mass;
  M[0] = in->z[0];
  return NSDS_OK;
}

static nsds_status force(void *self, const nsds_arguments *in, double *F) {
  ++((counts *)self)->force;
  F[0] = -9.81 * in->z[0];
  return NSDS_OK;
}

static nsds_status gap(void *self, const nsds_arguments *in, double *y) {
  ++((counts *)self)->gap;
  y[0] = in->q[0] - in->z[1];
  return NSDS_OK;
}

static nsds_status gap_q(void *self, const nsds_arguments *in, double *H) {
  (void)in;
  ++((counts *)self)->gap_q;
  H[0] = 1.0;
  return NSDS_OK;
}

static const nsds_second_order_ops body_ops = {.type = "body", .mass = mass, .force = force};
static const nsds_relation_ops floor_ops = {.type = "floor", .output = gap, .jacobian_q = gap_q};

typedef struct scene {
  nsds_model *model;
  nsds_ds *ds[bodies];
  nsds_relation *relation[bodies];
  nsds_interaction *ia[bodies];
  nsds_law *law;
  nsds_simulation *simulation;
  counts of[bodies];
} scene;

/* Bodies of constant mass and weight above floors of their own, affine or not. */
static void build(scene *s, bool affine, double height) {
  *s = (scene){.model = nsds_model_create(NULL)};
  s->law = nsds_newton_impact(s->model, 0.5);
  for (int k = 0; k < bodies; ++k) {
    s->ds[k] = nsds_custom_second_order(
        s->model, &(nsds_custom_second_order_def){.ops = &body_ops,
                                                  .self = &s->of[k],
                                                  .ndof = 1,
                                                  .q0 = (double[]){k % 10 == 0 ? 0.0 : height},
                                                  .mass = {.constant = true},
                                                  .affine = true,
                                                  .force_constant = true,
                                                  .nz = 1,
                                                  .z = (double[]){1.0 + 0.01 * k}});
    s->relation[k] = nsds_custom_relation(
        s->model,
        &(nsds_custom_relation_def){
            .ops = &floor_ops, .self = &s->of[k], .ny = 1, .nq = 1, .affine = affine, .nz = 1});
    s->ia[k] = nsds_connect(s->model, s->relation[k], s->law, 1, &s->ds[k]);
  }
  s->simulation = nsds_time_stepping(s->model, &(nsds_time_stepping_def){.t1 = 1e3, .h = 1e-3});
  assert_sound(s->model);
}

static void forget(scene *s) { memset(s->of, 0, sizeof s->of); }

/* Calls for system `which` since forget(); none for the others. */
static counts calls_of(const scene *s, int which) {
  static const counts none;
  for (int k = 0; k < bodies; ++k)
    if (k != which && memcmp(&s->of[k], &none, sizeof none) != 0)
      fail_msg("system %d was called for a change of %d", k, which);
  return which < 0 ? none : s->of[which];
}

static void setting_one_refreshes_one(void **state) {
  (void)state;
  static scene s;
  build(&s, true, 1.0);
  assert_ok(s.model, nsds_step(s.simulation));
  forget(&s);
  for (int n = 0; n < 10; ++n) assert_ok(s.model, nsds_step(s.simulation));
  calls_of(&s, -1); /* an ordinary step calls nothing */

  for (int k = 1; k < bodies; k += 7) {
    double v = nsds_v(s.ds[k])[0];
    forget(&s);
    assert_ok(s.model, nsds_ds_set_z(s.ds[k], 1, (double[]){2.0 + k}));
    calls_of(&s, -1); /* not before it is needed */
    assert_ok(s.model, nsds_step(s.simulation));
    counts c = calls_of(&s, k);
    assert_int_equal(c.mass, 1);
    assert_int_equal(c.force, 1);
    assert_true(c.gap <= 2 && c.gap_q <= 2); /* its contact: coefficients, and y at the start */
    if (k % 10 != 0) assert_near(nsds_v(s.ds[k])[0], v - 9.81e-3, 1e-15);

    forget(&s);
    assert_ok(s.model, nsds_set_state(s.ds[k], (double[]){0.7}, NULL));
    assert_ok(s.model, nsds_step(s.simulation));
    c = calls_of(&s, k);
    assert_true(c.mass <= 1 && c.force <= 1 && c.gap <= 2 && c.gap_q <= 2);
    assert_near(nsds_y(s.ia[k])[0], nsds_q(s.ds[k])[0], 0.0);

    forget(&s);
    assert_ok(s.model, nsds_relation_set_z(s.relation[k], 1, (double[]){0.1}));
    assert_ok(s.model, nsds_step(s.simulation));
    c = calls_of(&s, k);
    assert_int_equal(c.mass + c.force, 0);
    assert_true(c.gap >= 1 && c.gap <= 2 && c.gap_q >= 1 && c.gap_q <= 2);
    assert_near(nsds_y(s.ia[k])[0], nsds_q(s.ds[k])[0] - 0.1, 0.0);
  }
  nsds_model_destroy(s.model);
}

static void connecting_and_removing_touches_nothing_else(void **state) {
  (void)state;
  static scene s;
  build(&s, true, 1.0);
  assert_ok(s.model, nsds_step(s.simulation));
  for (int k = 0; k < bodies; k += 9) {
    forget(&s);
    assert_ok(s.model, nsds_disconnect(s.ia[k]));
    assert_ok(s.model, nsds_step(s.simulation));
    calls_of(&s, -1);
    s.ia[k] = nsds_connect(s.model, s.relation[k], s.law, 1, &s.ds[k]);
    assert_ok(s.model, nsds_step(s.simulation));
    counts c = calls_of(&s, k);
    assert_int_equal(c.mass + c.force, 0);
    assert_true(c.gap <= 2 && c.gap_q <= 2);
    assert_near(nsds_y(s.ia[k])[0], nsds_q(s.ds[k])[0], 0.0);
  }
  nsds_model_destroy(s.model);
}

/* Relations that are not affine: a step calls h and its Jacobian once for y and dy/dt at its end,
 * and the Jacobian of active ones once per Newton iteration. */
static void inactive_contacts_are_not_linearised(void **state) {
  (void)state;
  static scene s;
  build(&s, false, 1.0);
  assert_ok(s.model, nsds_step(s.simulation));
  int active = 0;
  for (int n = 0; n < 100; ++n) {
    forget(&s);
    assert_ok(s.model, nsds_step(s.simulation));
    long passes = nsds_simulation_info(s.simulation)->newton_iterations;
    assert_true(passes >= 2);
    for (int k = 0; k < bodies; ++k) {
      bool on = nsds_is_active(s.ia[k]);
      active += on;
      assert_int_equal(s.of[k].gap, 1);
      assert_int_equal(s.of[k].gap_q, on ? 1 + passes : 1);
      assert_int_equal(s.of[k].mass + s.of[k].force, 0);
    }
  }
  assert_true(active >= 500 && active < 2000); /* every tenth rests on its floor */
  nsds_model_destroy(s.model);
}

/* Two simulations of one model step in turn: each sees what the other has done, so that the whole
 * is a run of alternating steps. */
static void simulations_of_one_model_see_each_other(void **state) {
  (void)state;
  for (int affine = 0; affine < 2; ++affine) {
    static scene s;
    build(&s, affine, 0.02);
    nsds_simulation *other = nsds_time_stepping(
        s.model, &(nsds_time_stepping_def){
                     .t1 = 1e3, .h = 2e-3, .second_order = nsds_moreau_jean(1.0, 1.0)});
    assert_sound(s.model);
    double q[bodies], v[bodies];
    memset(v, 0, sizeof v);
    for (int k = 0; k < bodies; ++k) q[k] = nsds_q(s.ds[k])[0];
    for (int n = 0; n < 200; ++n) {
      bool second = n % 3 == 1;
      double h = second ? 2e-3 : 1e-3, theta = second ? 1.0 : 0.5;
      if (n == 100) assert_ok(s.model, nsds_ds_set_z(s.ds[50], 1, (double[]){7.0}));
      assert_ok(s.model, nsds_step(second ? other : s.simulation));
      for (int k = 0; k < bodies; ++k) {
        double end = v[k] - 9.81 * h; /* one body: the law by hand, h e = 0.5 */
        if (q[k] + 0.5 * h * v[k] <= 0.0 && end + 0.5 * v[k] < 0.0) end = -0.5 * v[k];
        q[k] += h * theta * end + h * (1.0 - theta) * v[k];
        v[k] = end;
        assert_near(nsds_q(s.ds[k])[0], q[k], 1e-12);
        assert_near(nsds_v(s.ds[k])[0], v[k], 1e-12);
        assert_near(nsds_y(s.ia[k])[0], q[k], 1e-12);
        q[k] = nsds_q(s.ds[k])[0]; /* so that rounding decides nothing */
        v[k] = nsds_v(s.ds[k])[0];
      }
    }
    nsds_model_destroy(s.model);
  }
}

/* ---- whose time it is ---- */

static int moving_gap(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - in->t;
  return 0;
}

static int gap_slope(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int gap_rate(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = -1.0;
  return 0;
}

typedef struct reader {
  nsds_ds *ds;
  nsds_interaction *ia;
  double y;
} reader;

static int read_gap(nsds_simulation *simulation, void *user) {
  reader *r = user;
  (void)simulation;
  nsds_set_state(r->ds, (double[]){5.0}, NULL);
  r->y = nsds_y(r->ia)[0];
  return 0;
}

/* An event reads y at the time of its own simulation, wherever another one has gone since. */
static void events_have_the_time_of_their_simulation(void **state) {
  (void)state;
  reader r = {0};
  nsds_model *model = nsds_model_create(NULL);
  r.ds = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .q0 = (double[]){5.0}});
  nsds_relation *relation =
      nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                                      .nq = 1,
                                                                      .output_fn = moving_gap,
                                                                      .jac_output_q_fn = gap_slope,
                                                                      .jac_output_t_fn = gap_rate});
  r.ia = nsds_connect(model, relation, nsds_newton_impact(model, 0.0), 1, &r.ds);
  const nsds_time_stepping_def def = {.t1 = 2.0, .h = 0.125};
  nsds_simulation *a = run(model, &def, 2), *b = run(model, &def, 8);
  assert_near(nsds_time(b), 1.0, 0.0);
  assert_ok(model,
            nsds_simulation_at(a, &(nsds_event_def){.time = 0.25, .call = read_gap, .user = &r}));
  assert_ok(model, nsds_step(a));
  assert_near(r.y, 5.0 - 0.25, 0.0);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(setting_one_refreshes_one),
      cmocka_unit_test(connecting_and_removing_touches_nothing_else),
      cmocka_unit_test(inactive_contacts_are_not_linearised),
      cmocka_unit_test(simulations_of_one_model_see_each_other),
      cmocka_unit_test(events_have_the_time_of_their_simulation),
  };
  return cmocka_run_group_tests_name("kernel.change_costs", tests, NULL, NULL);
}
