/*
 * Nothing that is not finite gets into a state, y or dy/dt by a step that succeeds: what relations
 * of the user's own return, and what overflows on the way.
 */
#include "support.h"

#include <float.h>

typedef enum spoiled { Y, GRADIENT, Y_T, spoiled_count } spoiled;

typedef struct bad {
  spoiled what;
  double value, from; /* from this time on */
} bad;

static nsds_status output(void *self, const nsds_arguments *in, double *y) {
  const bad *b = self;
  y[0] = in->q[0];
  y[1] = in->q[0] + 1.0;
  if (b->what == Y && in->t >= b->from) y[1] = b->value;
  return NSDS_OK;
}

static nsds_status gradient(void *self, const nsds_arguments *in, double *H) {
  const bad *b = self;
  H[0] = H[1] = 1.0;
  if (b->what == GRADIENT && in->t >= b->from) H[1] = b->value;
  return NSDS_OK;
}

static nsds_status output_t(void *self, const nsds_arguments *in, double *ht) {
  const bad *b = self;
  ht[0] = ht[1] = 0.0;
  if (b->what == Y_T && in->t >= b->from) ht[1] = b->value;
  return NSDS_OK;
}

static const nsds_relation_ops ops = {
    .type = "spoiled", .output = output, .jacobian_q = gradient, .jacobian_t = output_t};

static void a_relation_of_the_users_own(void **state) {
  (void)state;
  const double values[] = {NAN, INFINITY, -INFINITY}, one = 1.0;
  for (int k = 0; k < 3 * spoiled_count; ++k) {
    bad b = {.what = (spoiled)(k % spoiled_count), .value = values[k / 3], .from = 0.055};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ball = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .q0 = &one});
    nsds_relation *r = nsds_custom_relation(
        model, &(nsds_custom_relation_def){.ops = &ops, .self = &b, .ny = 2, .nq = 1});
    nsds_interaction *ia = nsds_connect(model, r, nsds_newton_impact(model, 0.0), 1, &ball);
    nsds_interaction_set_name(ia, "far floor");
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
    assert_sound(model);
    nsds_status status = NSDS_OK;
    while (!status && nsds_time(s) < 0.2) {
      status = nsds_step(s);
      for (int i = 0; i < 2; ++i) {
        assert_true(isfinite(nsds_y(ia)[i]));
        assert_true(isfinite(nsds_ydot(ia)[i]));
      }
    }
    const char *const words[] = {"t = 0.0", status == NSDS_ERROR_VALUE ? "far floor" : NULL};
    assert_true(status == NSDS_ERROR_VALUE || status == NSDS_ERROR_CALLBACK);
    assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
    assert_near(nsds_time(s), 0.05, 1e-15);
    nsds_error_clear(nsds_model_context(model));
    b.from = HUGE_VAL; /* the cause is gone */
    assert_ok(model, nsds_step(s));
    nsds_model_destroy(model);
  }
}

/* ---- laws of the user's own ---- */

typedef enum saying { MU, LOWER, MEMORY, COMPLIANCE, saying_count } saying;

typedef struct spoiled_law {
  saying what;
  double value; /* in the place of what is right where `on` */
  bool on;
  double lower[2], upper[2];
} spoiled_law;

static double said(const spoiled_law *l, saying what, double right) {
  return l->on && l->what == what ? l->value : right;
}

static void spoiled_block(void *self, nsds_block *block) {
  spoiled_law *l = self;
  if (l->what == LOWER) {
    block->set = NSDS_SET_BOX;
    l->lower[0] = -1e9, l->lower[1] = said(l, LOWER, -1e9);
    l->upper[0] = l->upper[1] = 1e9;
    block->lower = l->lower, block->upper = l->upper;
  } else {
    block->set = NSDS_SET_COULOMB;
    block->mu = said(l, MU, 0.3);
  }
}

static void spoiled_memory(void *self, const double *ydot, double *q) {
  q[0] += said(self, MEMORY, 0.5) * ydot[0];
}

static void spoiled_compliance(void *self, double *D, int ld) {
  D[1 + ld] += said(self, COMPLIANCE, 0.1);
}

static void a_law_of_the_users_own(void **state) {
  (void)state;
  static const nsds_law_ops law_ops = {.type = "spoiled law",
                                       .block = spoiled_block,
                                       .restitution = spoiled_memory,
                                       .compliance = spoiled_compliance};
  static const double mass[4] = {1.0, 0.0, 0.0, 1.0}, v0[2] = {-1.0, 2.0};
  const double values[] = {NAN, INFINITY, -INFINITY, -1.0};
  for (int k = 0; k < 4 * saying_count; ++k) {
    spoiled_law l = {.what = (saying)(k % saying_count), .value = values[k / saying_count]};
    bool harmless = l.value == -1.0 && (l.what == MEMORY || l.what == LOWER);
    if (harmless || (l.what == LOWER && l.value == -INFINITY)) continue; /* a bound may be that */
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *body = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = mass, .v0 = v0});
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 2, .H = mass});
    nsds_law *law =
        nsds_custom_law(model, &(nsds_custom_law_def){.ops = &law_ops, .self = &l, .size = 2});
    nsds_connect(model, r, law, 1, &body);
    nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01}, 2);
    l.on = true;
    assert_ok(model, nsds_simulation_set_h(s, 0.005)); /* all of the law is asked for again */
    snapshot before = snapshot_take(model);
    for (int attempt = 0; attempt < 2; ++attempt) {
      nsds_status status = nsds_step(s);
      assert_true(status == NSDS_ERROR_CALLBACK || status == NSDS_ERROR_VALUE);
      assert_int_equal(nsds_error(nsds_model_context(model)), status);
      const char *const words[] = {"law spoiled law", l.what == MU       ? "mu"
                                                      : l.what == LOWER  ? "lower[1]"
                                                      : l.what == MEMORY ? "restitution"
                                                                         : "compliance"};
      assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
      snapshot_check(&before, model, "a step that a law failed");
      nsds_error_clear(nsds_model_context(model));
    }
    l.on = false;
    assert_ok(model, nsds_step(s));
    snapshot_free(&before);
    nsds_model_destroy(model);
  }
}

/* y = H q of finite q and H. */
static void y_that_overflows(void **state) {
  (void)state;
  const double one = 1.0, steep = 1e200, fast = 1e110;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .q0 = &one, .v0 = &one});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &steep});
  nsds_interaction *ia = nsds_connect(model, r, nsds_newton_impact(model, 0.0), 1, &ball);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_ok(model, nsds_step(s));
  assert_ok(model, nsds_set_state(ball, NULL, &fast));
  const char *const words[] = {"interaction #0", "not finite", "dy/dt"};
  assert_status(model, nsds_step(s), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
  assert_near(nsds_time(s), 0.1, 0.0);
  nsds_error_clear(nsds_model_context(model));
  assert_ok(model, nsds_set_state(ball, NULL, &one));
  assert_ok(model, nsds_step(s));
  assert_true(isfinite(nsds_y(ia)[0]));
  nsds_model_destroy(model);
}

/* Normal cone laws whose matrices have no solution: a step that succeeds has impulses that answer a
 * load, not some of the size at which squares overflow. */
static void a_step_to_1e154_is_no_success(void **state) {
  (void)state;
  uint64_t seed = 1;
  int made = 0, failed = 0;
  for (int trial = 0; trial < 12; ++trial) {
    enum { most = 4 };
    int n = 2 + trial % 3;
    double D[most * most], C[most * most] = {0}, A[most * most] = {0}, e[most], K[most] = {0};
    for (int i = 0; i < n * n; ++i) D[i] = random_in(&seed, -1.0, 1.0);
    for (int i = 0; i < n; ++i) {
      C[i * (n + 1)] = 1.0;
      A[i * (n + 1)] = -1.0;
      D[i * (n + 1)] = random_in(&seed, 0.3, 1.0);
      e[i] = random_in(&seed, -1.0, 1.0);
    }
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = n, .A = A});
    nsds_relation *r = nsds_first_order_linear_relation(
        model,
        &(nsds_first_order_linear_relation_def){.ny = n, .nx = n, .C = C, .B = C, .D = D, .e = e});
    nsds_interaction *ia = nsds_connect(model, r, nsds_normal_cone(model, n, n, C, K), 1, &ds);
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
    assert_sound(model);
    nsds_status status = NSDS_OK;
    for (int k = 0; k < 3 && !status; ++k) {
      status = nsds_step(s);
      for (int i = 0; i < n; ++i)
        if (!status) assert_between(nsds_lambda(ia)[i], -1e12, 1e12);
    }
    ++*(status ? &failed : &made);
    if (status) assert_int_equal(status, NSDS_ERROR_SOLVER);
    nsds_model_destroy(model);
  }
  print_message("             %d models stepped, %d without a solution\n", made, failed);
  assert_true(made > 5);
}

/* A force that overflows below a contact with friction: the step names the body, and at once. */
static void forces_that_overflow_under_friction(void **state) {
  (void)state;
  const double J[9] = {[0] = 40.0, [4] = 40.0, [8] = 40.0}, slide[6] = {1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_law *law = nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3});
  nsds_relation *floor = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.radius = 1.0, .normal = {0, 0, 1}});
  for (int k = 0; k < 20; ++k) {
    nsds_ds *ds =
        nsds_rigid_body(model, &(nsds_rigid_body_def){.name = k == 7 ? "anvil" : NULL,
                                                      .mass = 100.0,
                                                      .inertia = J,
                                                      .q0 = (double[7]){3.0 * k, 0, 1, 1},
                                                      .v0 = slide,
                                                      .gravity = {0, 0, k == 7 ? -1e308 : -10.0}});
    nsds_connect(model, floor, law, 1, &ds);
  }
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  assert_sound(model);
  assert_status(model, nsds_step(s), NSDS_ERROR_VALUE);
  const char *const words[] = {"not finite", "interaction #7", "anvil"};
  assert_words(nsds_error_message(nsds_model_context(model)), words, 3);
  assert_int_equal(nsds_simulation_info(s)->solver.iterations, 0);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_relation_of_the_users_own),
      cmocka_unit_test(a_law_of_the_users_own),
      cmocka_unit_test(y_that_overflows),
      cmocka_unit_test(a_step_to_1e154_is_no_success),
      cmocka_unit_test(forces_that_overflow_under_friction),
  };
  return cmocka_run_group_tests_name("kernel.not_finite", tests, NULL, NULL);
}
