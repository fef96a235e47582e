/*
 * The schemes of second-order systems beside Moreau-Jean, which are Schatzman-Paoli, D1-minus and
 * RATTLE: what they tend to as h falls, against event-driven simulation; what happens between steps and in their
 * stages.
 */
#include "scenes.h"
#include "support.h"
#include "static_schemes.h"

static nsds_time_stepping_def with(nsds_scheme_kind scheme, double h, double t1) {
  return (nsds_time_stepping_def){
      .t1 = t1, .h = h, .second_order = scheme_of(scheme, 0.5, 1.0), .tolerance = 1e-12};
}

/* ---- the limit: a driven mass on a spring strikes a floor, and stays on it for a while ---------
 */

static int drive(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = 3.0 * sin(2.0 * in->t) - 1.0;
  return 0;
}

static nsds_ds *driven(nsds_model *model, double e) {
  nsds_ds *ds =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                  .q0 = (double[]){0.5},
                                                                  .mass = (double[]){1.0},
                                                                  .damping = (double[]){0.1},
                                                                  .stiffness = (double[]){1.5},
                                                                  .fext_fn = drive});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (const double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, e), 1, &ds);
  return ds;
}

enum { samples = 40 };

static void event_driven(double e, double *q) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = driven(model, e);
  nsds_simulation *s = nsds_event_driven(
      model, &(nsds_event_driven_def){.t1 = 0.25 * samples, .output_period = 0.25});
  assert_sound(model);
  nsds_status status = NSDS_OK;
  for (int n = 0; n < samples && status == NSDS_OK; ++n) {
    double target = 0.25 * (n + 1);
    while (nsds_time(s) < target && (status = nsds_step(s)) == NSDS_OK) continue;
    q[n] = nsds_q(ds)[0];
  }
  assert_sound(model);
  nsds_model_destroy(model);
}

/* Mean distance to that at multiples of 0.25 s. */
static double distance(nsds_scheme_kind scheme, double e, int parts, const double *exact) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = driven(model, e);
  nsds_time_stepping_def def = with(scheme, 0.25 / parts, 0.25 * samples);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  double sum = 0.0;
  for (int n = 0; n < samples; ++n) {
    for (int k = 0; k < parts; ++k) assert_ok(model, nsds_step(s));
    sum += fabs(nsds_q(ds)[0] - exact[n]) / samples;
  }
  nsds_model_destroy(model);
  return sum;
}

static void limit(void **state) {
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  const double e[] = {0.0, 0.4, 0.7};
  for (int n = 0; n < 3; ++n) {
    double exact[samples], d[2][2] = {{0.0}};
    event_driven(e[n], exact);
    for (int fine = 0; fine < 2; ++fine)
      for (int i = 0; i < 6; ++i) { /* where in a step an impact falls is a matter of chance */
        int parts = (fine ? 800 : 100) + (fine ? 8 : 1) * 7 * i;
        d[0][fine] += distance(scheme, e[n], parts, exact) / 6.0;
        d[1][fine] += distance(NSDS_MOREAU_JEAN, e[n], parts, exact) / 6.0;
      }
    double order = log(d[0][0] / d[0][1]) / log(8.0);
    print_message("             e = %.1f: %.1e from event-driven at h = 2.5 ms, %.1e at 0.31 ms "
                  "(order %.2f; Moreau-Jean %.1e)\n",
                  e[n], d[0][0], d[0][1], order, d[1][1]);
    assert_true(order > 0.7);
    assert_true(d[0][1] < 5.0 * d[1][1]);
  }
}

/* ---- between steps ------------------------------------------------------------------------------
 */

/* A saved state goes on with the same bits, also in the middle of an impact. */
static void saved_states(void **state) {
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.7);
  nsds_time_stepping_def def = with(scheme, 3e-3, 4.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  int struck = 0;
  for (int n = 0; n < 400; ++n) {
    assert_ok(model, nsds_step(s));
    bool now = nsds_impulse(scene.floor)[0] > 0.0;
    struck += now;
    if (n % 37 && !now) continue;
    assert_ok(model, nsds_simulation_save(s));
    snapshot after[3];
    for (int j = 0; j < 3; ++j) {
      assert_ok(model, nsds_step(s));
      after[j] = snapshot_take(model);
    }
    assert_ok(model, nsds_simulation_restore(s));
    for (int j = 0; j < 3; ++j) {
      assert_ok(model, nsds_step(s));
      snapshot_check(&after[j], model, "a step again");
      snapshot_free(&after[j]);
    }
    assert_ok(model, nsds_simulation_restore(s));
  }
  assert_true(struck > 1);
  nsds_model_destroy(model);
}

/* A state put in place by the program, that of another run, goes on as that run does. */
static void state_set_between_steps(void **state) {
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  nsds_model *model[2];
  ball_scene scene[2];
  nsds_simulation *s[2];
  nsds_time_stepping_def def = with(scheme, 3e-3, 4.0);
  for (int j = 0; j < 2; ++j) {
    model[j] = nsds_model_create(NULL);
    scene[j] = scene_bouncing_ball(model[j], 1.0, 0.0, 1.0 + j, 0.7);
    s[j] = nsds_time_stepping(model[j], &def);
  }
  for (int n = 0; n < 1000; ++n) {
    assert_ok(model[0], nsds_step(s[0]));
    assert_ok(model[1], nsds_step(s[1]));
    if (n >= 50) assert_near(nsds_q(scene[1].ball)[0], nsds_q(scene[0].ball)[0], 1e-12);
    if (n % 100 != 49) continue;
    assert_ok(model[1],
              nsds_set_state(scene[1].ball, nsds_q(scene[0].ball), nsds_v(scene[0].ball)));
  }
  for (int j = 0; j < 2; ++j) nsds_model_destroy(model[j]);
}

static int fail_in; /* calls of `drive` until one fails; 0: none does */

static int drive_or_fail(const nsds_arguments *in, double *f, void *user) {
  return fail_in > 0 && --fail_in == 0 ? 1 : drive(in, f, user);
}

/* A step in stages whose function fails in some call can be ended all the same, with the bits of an
 * undisturbed one. */
static void stages_again(void **state) {
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  uint64_t hash[3] = {1, 1, 1};
  int failures = 0;
  for (int n = 0; n < 3; ++n) {
    nsds_model *model = nsds_model_create(NULL);
    const double one = 1.0;
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){
                   .ndof = 1, .q0 = &one, .mass = &one, .fext_fn = drive_or_fail});
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
    nsds_connect(model, gap, nsds_newton_impact(model, 0.3), 1, &ds);
    nsds_time_stepping_def def = with(scheme, 0.02, 8.0);
    nsds_simulation *s = nsds_time_stepping(model, &def);
    for (int step = 0; step < 400; ++step) {
      nsds_status status;
      assert_ok(model, nsds_step_begin(s));
      do {
        assert_ok(model, nsds_step_solve(s));
        fail_in = n;
        if ((status = nsds_step_update(s)) == NSDS_ERROR_CALLBACK) {
          ++failures;
          nsds_error_clear(nsds_model_context(model));
          fail_in = 0;
          status = nsds_step_update(s);
        }
        fail_in = 0;
      } while (status == NSDS_AGAIN);
      assert_ok(model, status);
      assert_ok(model, nsds_step_accept(s));
      hash[n] = state_hash(model, hash[n]);
    }
    nsds_model_destroy(model);
  }
  assert_true(failures >= 400);
  assert_true(hash[1] == hash[0] && hash[2] == hash[0]);
}

/* A step whose function fails is made in two halves; what comes of it stays as near. */
static void halving(void **state) {
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  double q[2];
  for (int n = 0; n < 2; ++n) {
    nsds_model *model = nsds_model_create(NULL);
    const double one = 1.0;
    nsds_ds *ds = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){
            .ndof = 1, .q0 = &one, .mass = &one, .stiffness = &one, .fext_fn = drive_or_fail});
    nsds_time_stepping_def def = with(scheme, 0.02, 4.0);
    def.max_halvings = 2;
    nsds_simulation *s = nsds_time_stepping(model, &def);
    for (int step = 0; step < 200; ++step) {
      fail_in = n == 1 && step % 7 == 0;
      assert_ok(model, nsds_step(s));
      assert_int_equal(nsds_simulation_info(s)->substeps, n == 1 && step % 7 == 0 ? 2 : 1);
    }
    q[n] = nsds_q(ds)[0];
    nsds_model_destroy(model);
  }
  assert_near(q[1], q[0], 1e-3);
  assert_true(q[1] != q[0]);
}

static void nothing_is_allocated(void **state) {
  const nsds_scheme_kind scheme = *(const nsds_scheme_kind *)*state;
  meter m0 = {0};
  nsds_context *context = meter_context(&m0);
  nsds_model *model = nsds_model_create(context);
  scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.7);
  nsds_time_stepping_def def = with(scheme, 3e-3, 3.0);
  nsds_simulation *s = nsds_time_stepping(model, &def);
  while (nsds_time(s) < 1.0) assert_ok(model, nsds_step(s)); /* the first impact is behind */
  long calls = m0.calls;
  while (nsds_step(s) == NSDS_OK) continue;
  assert_sound(model);
  assert_int_equal(m0.calls, calls);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

#define NSDS_OF(scheme, test)                                                                      \
  { #test " of " #scheme, test, NULL, NULL, (void *)(uintptr_t)&scheme }

static const nsds_scheme_kind positions = NSDS_SCHATZMAN_PAOLI, half = NSDS_D1_MINUS,
                              both = NSDS_RATTLE;

int main(void) {
  const struct CMUnitTest tests[] = {
      NSDS_OF(positions, limit),
      NSDS_OF(half, limit),
      NSDS_OF(both, limit),
      NSDS_OF(positions, saved_states),
      NSDS_OF(half, saved_states),
      NSDS_OF(both, saved_states),
      NSDS_OF(positions, state_set_between_steps),
      NSDS_OF(half, state_set_between_steps),
      NSDS_OF(both, state_set_between_steps),
      NSDS_OF(positions, stages_again),
      NSDS_OF(half, stages_again),
      NSDS_OF(both, stages_again),
      NSDS_OF(positions, halving),
      NSDS_OF(half, halving),
      NSDS_OF(both, halving),
      NSDS_OF(positions, nothing_is_allocated),
      NSDS_OF(half, nothing_is_allocated),
      NSDS_OF(both, nothing_is_allocated),
  };
  return cmocka_run_group_tests_name("kernel.second_order_schemes", tests, NULL, NULL);
}
