/*
 * A theta, a gamma and a W for each system; g and f at x_{k+theta}, (8.4) to (8.6): against
 * simulations of one system each, and the equations of a step solved by a few lines of Newton.
 */
#include "support.h"
#include "static_schemes.h"

#include <stdio.h>

static const double h = 0.1;

/* ---- one system among others ----------------------------------------------------------------- */

static int pull(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] * in->q[0] * in->q[0] + 0.3 * in->v[0] - cos(in->t);
  return 0;
}

static int cubic(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = cos(in->t) - in->x[0] * in->x[0] * in->x[0];
  return 0;
}

static int mass_of_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + sin(in->q[0]);
  return 0;
}

enum { nkind = 4 };

/* A system of kind k; all of them under a floor or a diode that closes now and then. */
static nsds_ds *make(nsds_model *model, int kind) {
  static const double one[] = {1.0}, minus[] = {-1.0}, stiff[] = {4.0};
  nsds_ds *ds =
      kind == 0 ? nsds_lagrangian_linear(model,
                                         &(nsds_lagrangian_linear_def){
                                             .ndof = 1, .q0 = one, .mass = one, .stiffness = stiff})
      : kind == 1
          ? nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                          .q0 = one,
                                                          .mass_fn = mass_of_q,
                                                          .fint.fn = pull,
                                                          .fint.jac_q_fn = nsds_differences,
                                                          .fint.jac_v_fn = nsds_differences})
      : kind == 2
          ? nsds_first_order_linear(
                model, &(nsds_first_order_linear_def){.n = 1, .x0 = one, .A = minus, .b = minus})
          : nsds_first_order(model,
                             &(nsds_first_order_def){
                                 .n = 1, .x0 = one, .f_fn = cubic, .jac_f_x_fn = nsds_differences});
  if (kind < 2)
    nsds_connect(model,
                 nsds_lagrangian_linear_relation(
                     model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one}),
                 nsds_newton_impact(model, 0.5), 1, &ds);
  else
    nsds_connect(
        model,
        nsds_first_order_linear_relation(
            model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = one, .B = one}),
        nsds_complementarity(model), 1, &ds);
  return ds;
}

/* Theta and gamma of each system. */
static const struct {
  double theta, gamma;
} own[nkind] = {{1.0, 0.9}, {0.8, 0.5}, {0.6, 0.7}, {0.0, 0.9}};

static nsds_discretisation own_scheme(const nsds_ds *ds, int k) {
  return nsds_nq(ds) ? nsds_moreau_jean(own[k].theta, own[k].gamma)
                     : nsds_theta_gamma(own[k].theta, own[k].gamma);
}

static double state_of(const nsds_ds *ds) { return nsds_nq(ds) ? nsds_q(ds)[0] : nsds_x(ds)[0]; }

static void each_system_as_if_alone(void **state) {
  (void)state;
  nsds_model *together = nsds_model_create(NULL), *alone[nkind];
  nsds_simulation *s[nkind], *all;
  nsds_ds *a[nkind], *b[nkind];
  for (int k = 0; k < nkind; ++k) {
    a[k] = make(together, k);
    assert_ok(together, nsds_ds_discretise(a[k], own_scheme(a[k], k)));
    alone[k] = nsds_model_create(NULL);
    b[k] = make(alone[k], k);
    s[k] = nsds_time_stepping(
        alone[k],
        &(nsds_time_stepping_def){.t1 = 4.0,
                                  .h = h,
                                  .first_order = nsds_theta_gamma(own[k].theta, own[k].gamma),
                                  .second_order = nsds_moreau_jean(own[k].theta, own[k].gamma),
                                  .newton = {.residual = 1e-13}});
  }
  all = nsds_time_stepping(together,
                           &(nsds_time_stepping_def){.t1 = 4.0,
                                                     .h = h,
                                                     .first_order = nsds_theta_gamma(0.5, 0.9),
                                                     .second_order = nsds_moreau_jean(0.5, 0.9),
                                                     .newton = {.residual = 1e-13}});
  while (nsds_step(all) == NSDS_OK)
    for (int k = 0; k < nkind; ++k) {
      assert_ok(alone[k], nsds_step(s[k]));
      assert_near(state_of(a[k]), state_of(b[k]), 1e-11);
    }
  assert_sound(together);
  assert_int_equal(nsds_step_count(all), 40);
  /* and back to what the simulation says */
  for (int k = 0; k < nkind; ++k)
    assert_ok(together, nsds_ds_discretise(a[k], (nsds_discretisation){0}));
  nsds_model_destroy(together);
  for (int k = 0; k < nkind; ++k) nsds_model_destroy(alone[k]);
}

/* Two masses on one rod, of theta 1 and 1/2: v is common, so that (m1 + m2 + h c1 th1 + h^2 k1
 * th1^2 + ...) dv = the sum of both right-hand sides. */
static void two_thetas_in_one_interaction(void **state) {
  (void)state;
  const double m[] = {1.0, 3.0}, c[] = {0.5, 0.1}, k[] = {7.0, 2.0}, theta[] = {1.0, 0.5};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int i = 0; i < 2; ++i) {
    ds[i] = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){
            .ndof = 1, .q0 = (double[]){1.0}, .mass = &m[i], .damping = &c[i], .stiffness = &k[i]});
    nsds_ds_discretise(ds[i], nsds_moreau_jean(theta[i], 1.0));
  }
  nsds_connect(model,
               nsds_lagrangian_linear_relation(model,
                                               &(nsds_lagrangian_linear_relation_def){
                                                   .ny = 1, .nq = 2, .H = (double[]){1.0, -1.0}}),
               nsds_equality(model), 2, ds);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 3.0, .h = h});
  double q[2] = {1.0, 1.0}, v = 0.0;
  while (nsds_step(s) == NSDS_OK) {
    double W = 0.0, rhs = 0.0;
    for (int i = 0; i < 2; ++i) {
      double ht = h * theta[i];
      W += m[i] + ht * c[i] + ht * ht * k[i];
      rhs -= (h * c[i] + h * ht * k[i]) * v + h * k[i] * q[i];
    }
    double next = v + rhs / W;
    for (int i = 0; i < 2; ++i) q[i] += h * (theta[i] * next + (1.0 - theta[i]) * v);
    v = next;
    for (int i = 0; i < 2; ++i) {
      assert_near(nsds_v(ds[i])[0], v, 1e-12);
      assert_near(nsds_q(ds[i])[0], q[i], 1e-12);
    }
  }
  assert_sound(model);
  nsds_model_destroy(model);
}

static int spring_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - in->q[1] + 0.1 * in->lambda[0];
  return 0;
}

static int spring_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  out[1] = -1.0;
  return 0;
}

static int spring_l(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 0.1;
  return 0;
}

static void what_cannot_work_together_is_refused(void **state) {
  (void)state;
  const double one[] = {1.0};
  for (int c = 0; c < 2; ++c) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds[2];
    if (c == 0) {
      for (int i = 0; i < 2; ++i)
        ds[i] =
            nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one});
      nsds_connect(model,
                   nsds_lagrangian_relation(
                       model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                              .nq = 2,
                                                              .output_fn = spring_h,
                                                              .jac_output_q_fn = spring_q,
                                                              .jac_output_lambda_fn = spring_l}),
                   nsds_complementarity(model), 2, ds);
    } else {
      ds[0] = nsds_first_order_linear(
          model, &(nsds_first_order_linear_def){.name = "tank", .n = 1, .A = one});
    }
    const nsds_discretisation other =
        c == 0 ? nsds_moreau_jean(0.75, 0.5) : nsds_full_theta_gamma(0.75, 0.4);
    assert_ok(model, nsds_ds_discretise(ds[0], other));
    const nsds_time_stepping_def def = {.t1 = 1.0,
                                        .h = h,
                                        .first_order = nsds_full_theta_gamma(0.5, 0.5),
                                        .second_order = nsds_moreau_jean(0.5, 0.5)};
    assert_null(nsds_time_stepping(model, &def));
    assert_words(nsds_error_message(nsds_model_context(model)),
                 ((const char *[]){c == 0 ? "compliant" : "tank", c == 0 ? "theta" : "gamma"}), 2);
    nsds_error_clear(nsds_model_context(model));
    assert_ok(model, nsds_ds_discretise(ds[0], (nsds_discretisation){0}));
    assert_non_null(nsds_time_stepping(model, &def));
    assert_status(model,
                  nsds_ds_discretise(ds[0], c == 0 ? nsds_moreau_jean(1.5, 1.0)
                                                   : nsds_full_theta_gamma(1.5, 0.5)),
                  NSDS_ERROR_VALUE);
    nsds_model_destroy(model);
  }
}

/* A circuit by zero-order hold beside one by the theta-gamma scheme of the simulation. */
static void a_scheme_of_its_own(void **state) {
  (void)state;
  nsds_model *together = nsds_model_create(NULL), *alone[2];
  nsds_ds *a[2], *b[2];
  nsds_simulation *s[2];
  for (int k = 0; k < 2; ++k) {
    a[k] = make(together, 2);
    alone[k] = nsds_model_create(NULL);
    b[k] = make(alone[k], 2);
    s[k] = nsds_time_stepping(
        alone[k], &(nsds_time_stepping_def){.t1 = 3.0,
                                            .h = h,
                                            .first_order = k == 0 ? nsds_zero_order_hold()
                                                                  : nsds_euler_moreau(0.5)});
  }
  assert_ok(together, nsds_ds_set_integrator(a[0], nsds_integrator_named("zero-order hold")));
  assert_status(together, nsds_ds_set_integrator(a[1], nsds_integrator_named("Moreau-Jean")),
                NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(together));
  assert_null(nsds_integrator_named("zero order"));
  nsds_simulation *all = nsds_time_stepping(together, &(nsds_time_stepping_def){.t1 = 3.0, .h = h});
  double apart = 0.0;
  while (nsds_step(all) == NSDS_OK)
    for (int k = 0; k < 2; ++k) {
      assert_ok(alone[k], nsds_step(s[k]));
      assert_near(nsds_x(a[k])[0], nsds_x(b[k])[0], 1e-13);
      apart = fmax(apart, fabs(nsds_x(a[0])[0] - nsds_x(a[1])[0]));
    }
  assert_sound(together);
  assert_true(apart > 1e-5);
  nsds_model_destroy(together);
  for (int k = 0; k < 2; ++k) nsds_model_destroy(alone[k]);
}

/* ---- (8.4) to (8.6) -------------------------------------------------------------------------- */

/* dx/dt = cos t - x^3 + lambda (1 + x^2), 0 = lambda + sin x - t/2 */
static int curved_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0] + sin(in->x[0]) - 0.5 * in->t;
  return 0;
}

static int unit(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int curved_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0] * (1.0 + in->x[0] * in->x[0]) + 0.1 * in->t;
  return 0;
}

typedef struct variant {
  nsds_scheme_kind scheme;
  bool input_at_theta, f_at_theta;
} variant;

static const double theta = 0.7, gamma_ = 0.6;

/* What is left of the equations of a step from (t, x, r) to z, with lambda from 0 = h; *next is r
 * at its end. */
static double step_residual(const variant *k, double t, double x, double r, double z,
                            double *next) {
  bool full = k->scheme == NSDS_FULL_THETA_GAMMA;
  double g = k->scheme == NSDS_EULER_MOREAU ? 1.0 : gamma_, sigma = full ? g : 1.0;
  double ts = t + sigma * h, xs = sigma * z + (1.0 - sigma) * x, t1 = t + h;
  double lambda = 0.5 * ts - sin(xs), mean = theta * z + (1.0 - theta) * x;
  double xg = k->input_at_theta ? mean : xs, tg = k->input_at_theta ? t1 : ts;
  *next = lambda * (1.0 + xg * xg) + 0.1 * tg;
  double input = full ? *next : g * *next + (1.0 - g) * r;
  double f = k->f_at_theta ? cos(t1) - mean * mean * mean
                           : theta * (cos(t1) - z * z * z) + (1.0 - theta) * (cos(t) - x * x * x);
  return z - x - h * f - h * input;
}

static nsds_discretisation scheme_of_variant(const variant *k) {
  nsds_discretisation scheme = scheme_of(k->scheme, theta, gamma_);
  if (k->input_at_theta) scheme = nsds_with_input_at_theta(scheme);
  return k->f_at_theta ? nsds_with_f_at_theta(scheme) : scheme;
}

static void variants_solve_their_equations(void **state) {
  (void)state;
  static const variant all[] = {
      {NSDS_EULER_MOREAU, true, false}, {NSDS_THETA_GAMMA, true, false},
      {NSDS_THETA_GAMMA, false, true},  {NSDS_THETA_GAMMA, true, true},
      {NSDS_EULER_MOREAU, false, true}, {NSDS_FULL_THETA_GAMMA, false, true}};
  for (size_t c = 0; c < sizeof all / sizeof *all; ++c) {
    const variant *k = &all[c];
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = make(model, 3);
    nsds_disconnect(nsds_interaction_at(model, 0));
    nsds_connect(
        model,
        nsds_first_order_relation(
            model, &(nsds_first_order_relation_def){.ny = 1,
                                                    .nx = 1,
                                                    .output_fn = curved_h,
                                                    .jac_output_x_fn = nsds_differences,
                                                    .jac_output_lambda_fn = unit,
                                                    .input_fn = curved_g,
                                                    .jac_input_lambda_fn = nsds_differences,
                                                    .jac_input_x_fn = nsds_differences}),
        nsds_equality(model), 1, &ds);
    nsds_simulation *s = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){
            .t1 = 2.0, .h = h, .first_order = scheme_of_variant(k), .newton = {.residual = 1e-13}});
    double x = 1.0, r = 0.0, t = 0.0;
    int most = 0;
    while (nsds_step(s) == NSDS_OK) {
      double z = x, next;
      for (int n = 0; n < 50; ++n) {
        double d = 1e-6, up, e = step_residual(k, t, x, r, z, &next);
        z -= e / ((step_residual(k, t, x, r, z + d, &up) - e) / d);
      }
      step_residual(k, t, x, r, z, &r);
      x = z;
      t = nsds_time(s);
      assert_near(nsds_x(ds)[0], x, 1e-10);
      int count = nsds_simulation_info(s)->newton_iterations;
      most = count > most ? count : most;
    }
    assert_sound(model);
    print_message("             variant %zu: at most %d iterations\n", c, most);
    assert_between(most, 2, 6);
    nsds_model_destroy(model);
  }
}

static void variants_are_refused_elsewhere(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  make(model, 2);
  const nsds_time_stepping_def wrong[] = {
      {.t1 = 1.0, .h = h, .first_order = nsds_with_input_at_theta(nsds_full_theta_gamma(0.5, 1.0))},
      {.t1 = 1.0, .h = h, .first_order = nsds_with_f_at_theta(nsds_zero_order_hold())}};
  for (int c = 0; c < 2; ++c) {
    assert_null(nsds_time_stepping(model, &wrong[c]));
    assert_words(nsds_error_message(nsds_model_context(model)),
                 ((const char *[]){c == 0 ? "nsds_with_input_at_theta()" : "nsds_with_f_at_theta()",
                                   c == 0 ? "nsds_full_theta_gamma()" : "nsds_zero_order_hold()",
                                   "nsds_theta_gamma()"}),
                 3);
    nsds_error_clear(nsds_model_context(model));
  }
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_system_as_if_alone),
                                     cmocka_unit_test(two_thetas_in_one_interaction),
                                     cmocka_unit_test(a_scheme_of_its_own),
                                     cmocka_unit_test(what_cannot_work_together_is_refused),
                                     cmocka_unit_test(variants_solve_their_equations),
                                     cmocka_unit_test(variants_are_refused_elsewhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
