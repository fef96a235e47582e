/*
 * What the parameters of a simulation mean, each against the formula it stands for: theta, gamma,
 * predict_once, gamma_prediction, and the tests that end Newton's iteration.
 */
#include "scenes.h"
#include "support.h"

/* The contact takes part exactly from the first step with y + gamma_p h dy/dt <= 0. */
static long first_active_step(double height, bool said, double ahead) {
  const double h = 7e-3;
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, height, 0.5);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 2.0,
                                       .h = h,
                                       .activation = said ? nsds_activation(ahead, 1e-12)
                                                          : (nsds_activation_test){0}});
  assert_sound(model);
  bool expected;
  do {
    expected = nsds_q(scene.ball)[0] + ahead * h * nsds_v(scene.ball)[0] <= 0.0;
    assert_ok(model, nsds_step(simulation));
    assert_int_equal(nsds_is_active(scene.floor), expected);
    assert_int_equal(nsds_simulation_info(simulation)->active, expected);
    assert_int_equal(nsds_impulse(scene.floor)[0] > 0.0, expected);
  } while (!expected);
  long first = nsds_step_count(simulation);
  nsds_model_destroy(model);
  return first;
}

static void gap_prediction(void **state) {
  (void)state;
  bool differ[3] = {false};
  for (double height = 1.0; height < 1.1; height += 0.01) {
    long zero = first_active_step(height, true, 0.0);
    long by_default = first_active_step(height, false, 0.5);
    long half = first_active_step(height, true, 0.5), one = first_active_step(height, true, 1.0);
    assert_int_equal(by_default, half);
    assert_true(zero >= half && half >= one && one > first_active_step(height, true, 3.0));
    differ[0] = differ[0] || zero > half;
    differ[1] = differ[1] || half > one;
    differ[2] = differ[2] || zero == half;
  }
  assert_true(differ[0] && differ[1] && differ[2]); /* each in some of the falls */
}

/* theta = 0, left out (1/2), 1/4 and 1 against the recursion of a linear oscillator. */
static void theta_means_what_it_says(void **state) {
  (void)state;
  const nsds_discretisation given[] = {
      nsds_moreau_jean(0.0, 1.0), {0}, nsds_moreau_jean(0.25, 1.0), nsds_moreau_jean(1.0, 1.0)};
  const double meant[] = {0.0, 0.5, 0.25, 1.0};
  const double m = 2.0, c = 0.3, k = 5.0, f = -1.0, h = 0.01;
  for (int n = 0; n < 4; ++n) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                              .q0 = (double[]){1.0},
                                                                              .v0 = (double[]){0.5},
                                                                              .mass = &m,
                                                                              .damping = &c,
                                                                              .stiffness = &k,
                                                                              .fext = &f});
    nsds_simulation *simulation = nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .second_order = given[n]});
    assert_sound(model);
    double q = 1.0, v = 0.5, theta = meant[n];
    while (nsds_step(simulation) == NSDS_OK) {
      double W = m + h * theta * c + h * h * theta * theta * k;
      double next = v + h * (f - c * v - k * q - h * theta * k * v) / W;
      q += h * (theta * next + (1.0 - theta) * v);
      v = next;
      assert_near(nsds_q(ds)[0], q, 1e-13);
      assert_near(nsds_v(ds)[0], v, 1e-13);
    }
    assert_sound(model);
    assert_near(nsds_time(simulation), 1.0, 0.0);
    assert_int_equal(nsds_step_count(simulation), 100);
    nsds_model_destroy(model);
  }
}

/* ---- gamma: where M and H are taken ---- */

static int mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + in->q[0] * in->q[0];
  return 0;
}

typedef struct place {
  double gamma;
  bool once;
} place;

static const place places[] = {{1.0, false}, {0.0, false}, {0.5, false},
                               {0.5, true},  {1.0, true},  {1.0, false}};
enum { place_count = sizeof places / sizeof *places };

/* M(q*)(v+ - v) = h F with q* = q + h gamma [(1 - theta) v + theta v+], or q + h gamma v. */
static void place_of_the_mass(void **state) {
  (void)state;
  const double h = 0.05, force = 3.0, theta = 0.5;
  double last[place_count];
  for (int k = 0; k < place_count; ++k) {
    const place *p = &places[k];
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                                .q0 = (double[]){-1.0},
                                                                .v0 = (double[]){1.0},
                                                                .mass_fn = mass,
                                                                .fext = &force});
    nsds_simulation *simulation = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){
            .t1 = 1.0,
            .h = h,
            .second_order = p->once ? nsds_with_predict_once(nsds_moreau_jean(theta, p->gamma))
                                    : nsds_moreau_jean(theta, p->gamma)});
    assert_sound(model);
    double q = -1.0, v = 1.0;
    while (nsds_step(simulation) == NSDS_OK) {
      double next = v;
      for (int i = 0; i < 60; ++i) {
        double at = q + h * p->gamma * (p->once ? v : (1.0 - theta) * v + theta * next);
        next = v + h * force / (1.0 + at * at);
      }
      q += h * (theta * next + (1.0 - theta) * v);
      v = next;
      assert_near(nsds_q(ds)[0], q, 1e-9);
      assert_near(nsds_v(ds)[0], v, 1e-9);
    }
    assert_sound(model);
    last[k] = v;
    nsds_model_destroy(model);
  }
  for (int i = 0; i < place_count; ++i) /* only the first and the last are the same */
    for (int j = 0; j < i; ++j)
      assert_int_equal(fabs(last[i] - last[j]) < 1e-8, i == place_count - 1 && j == 0);
}

static int circle(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] * in->q[0] + in->q[1] * in->q[1] - 1.0;
  return 0;
}

static int circle_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->q[0];
  out[1] = 2.0 * in->q[1];
  return 0;
}

/* H(q*) v+ = 0 at the end of every step, with the same q*. */
static void place_of_the_jacobian(void **state) {
  (void)state;
  const double h = 0.02, theta = 0.5;
  for (int k = 0; k < place_count; ++k) {
    const place *p = &places[k];
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .q0 = (double[]){1.0, 0.0},
                                             .v0 = (double[]){0.0, 1.5},
                                             .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                             .fext = (double[]){0.0, -9.81}});
    nsds_relation *rod = nsds_lagrangian_relation(
        model, &(nsds_lagrangian_relation_def){
                   .ny = 1, .nq = 2, .output_fn = circle, .jac_output_q_fn = circle_q});
    nsds_connect(model, rod, nsds_equality(model), 1, &ds);
    nsds_simulation *simulation = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){
            .t1 = 0.5,
            .h = h,
            .second_order = p->once ? nsds_with_predict_once(nsds_moreau_jean(theta, p->gamma))
                                    : nsds_moreau_jean(theta, p->gamma)});
    assert_sound(model);
    const double *q = nsds_q(ds), *v = nsds_v(ds);
    double before[4] = {q[0], q[1], v[0], v[1]};
    while (nsds_step(simulation) == NSDS_OK) {
      double residual = 0.0;
      for (int i = 0; i < 2; ++i) {
        double mean = p->once ? before[2 + i] : (1.0 - theta) * before[2 + i] + theta * v[i];
        residual += (before[i] + h * p->gamma * mean) * v[i];
      }
      assert_near(residual, 0.0, 1e-7);
      for (int i = 0; i < 2; ++i) before[i] = q[i], before[2 + i] = v[i];
    }
    assert_sound(model);
    nsds_model_destroy(model);
  }
}

/* ---- Newton's tests ---- */

static int stiff(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2000.0 * sin(3.0 * in->q[0]) + in->v[0] * fabs(in->v[0]);
  return 0;
}

static nsds_ds *stiff_system(nsds_model *model) {
  return nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "stiff",
                                                       .ndof = 1,
                                                       .q0 = (double[]){0.3},
                                                       .v0 = (double[]){4.0},
                                                       .mass = (double[]){1.0},
                                                       .fint.fn = stiff,
                                                       .fint.jac_q_fn = nsds_differences,
                                                       .fint.jac_v_fn = nsds_differences});
}

static void newton_tolerances(void **state) {
  (void)state;
  static const struct {
    double residual, increment;
    int fewest, most;
  } cases[] = {{0.0, 0.0, 3, 6}, {1e6, HUGE_VAL, 1, 1}, {1e-3, HUGE_VAL, 2, 4}, {1e6, 1e-3, 2, 4}};
  int iterations[4];
  for (int k = 0; k < 4; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    stiff_system(model);
    nsds_simulation *simulation =
        run(model,
            &(nsds_time_stepping_def){
                .t1 = 1.0,
                .h = 0.02,
                .newton = {.residual = cases[k].residual, .increment = cases[k].increment}},
            1);
    const nsds_step_info *info = nsds_simulation_info(simulation);
    iterations[k] = info->newton_iterations;
    assert_true(info->newton_converged);
    assert_in_range(info->newton_iterations, cases[k].fewest, cases[k].most);
    if (cases[k].residual > 0.0) assert_true(info->newton_residual <= cases[k].residual);
    nsds_model_destroy(model);
  }
  assert_true(iterations[0] > iterations[2]);
}

/* By default the residual must fall below 1e-10 of the terms it is made of. */
static void default_residual(void **state) {
  (void)state;
  double v[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = stiff_system(model);
    nsds_simulation *simulation =
        run(model,
            &(nsds_time_stepping_def){
                .t1 = 1.0,
                .h = 0.01,
                .newton = {.residual = k == 0 ? 0.0 : 1e-13, .increment = HUGE_VAL}},
            1);
    v[k] = nsds_v(ds)[0];
    double terms = fabs(v[k]) + 0.01 * 2000.0; /* |M v| + |h F|, M = 1 */
    assert_between(nsds_simulation_info(simulation)->newton_residual, 0.0,
                   k == 0 ? 1e-10 * terms : 1e-13);
    nsds_model_destroy(model);
  }
  assert_near(v[0], v[1], 1e-9);
}

static void count_warnings(nsds_log_level level, const char *message, void *user) {
  if (level == NSDS_LOG_WARNING && strstr(message, "did not converge")) ++*(int *)user;
}

static void newton_that_does_not_converge(void **state) {
  (void)state;
  for (int accept = 0; accept < 2; ++accept) {
    int warnings = 0;
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.log = count_warnings, .log_user = &warnings});
    nsds_model *model = nsds_model_create(context);
    stiff_system(model);
    nsds_simulation *simulation = nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0,
                                         .h = 0.02,
                                         .newton = {.max_iterations = 2, .accept = accept},
                                         .max_halvings = NSDS_HALVE_NEVER});
    assert_sound(model);
    snapshot before = snapshot_take(model);
    assert_status(model, nsds_step(simulation), accept ? NSDS_OK : NSDS_ERROR_NEWTON);
    const nsds_step_info *info = nsds_simulation_info(simulation);
    assert_false(info->newton_converged);
    assert_int_equal(info->newton_iterations, 2);
    assert_int_equal(warnings, accept);
    if (accept) {
      assert_near(nsds_time(simulation), 0.02, 0.0);
      assert_non_null(strstr(nsds_last_message(context), "did not converge in 2 iterations"));
    } else {
      const char *words[] = {"t = 0.02", "2 iterations", "residual"};
      assert_words(nsds_error_message(context), words, 3);
      snapshot_check(&before, model, "a step that did not converge");
      /* smaller steps converge: the same simulation goes on with them */
      nsds_error_clear(context);
      assert_ok(model, nsds_simulation_set_h(simulation, 1e-6));
      assert_ok(model, nsds_step(simulation));
    }
    snapshot_free(&before);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theta_means_what_it_says),
      cmocka_unit_test(gap_prediction),
      cmocka_unit_test(place_of_the_mass),
      cmocka_unit_test(place_of_the_jacobian),
      cmocka_unit_test(newton_tolerances),
      cmocka_unit_test(default_residual),
      cmocka_unit_test(newton_that_does_not_converge),
  };
  return cmocka_run_group_tests_name("kernel.scheme_options", tests, NULL, NULL);
}
