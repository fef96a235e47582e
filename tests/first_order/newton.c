/*
 * Newton's method of a step: the error is squared from one iteration to the next where the data are
 * smooth, whatever kinds of systems and relations take part. The iterates are seen by stopping the
 * same step after 1, 2, 3, ... iterations.
 */
#include "network.h"

#include <stdio.h>

enum { most = 8 };

/* Increments of x in the first step after k = 1, 2, ... iterations; how many there were. */
static int increments(const net_plan *plan, uint64_t seed, nsds_time_stepping_def def, double *d) {
  def.newton.increment = 1e-13;
  def.newton.residual = 1e-13;
  def.newton.accept = true;
  for (int k = 1; k <= most; ++k) {
    network net;
    net_build(&net, plan, seed);
    def.newton.max_iterations = k;
    nsds_simulation *simulation = nsds_time_stepping(net.model, &def);
    assert_ok(net.model, nsds_step(simulation));
    const nsds_step_info *info = nsds_simulation_info(simulation);
    assert_int_equal(info->newton_iterations, k);
    d[k - 1] = info->newton_increment;
    bool done = info->newton_converged;
    net_free(&net);
    if (done) return k;
  }
  return most + 1;
}

/*
 * With d_k ~ C d_(k-1)^2 the quotient log(d_k/d_(k-1)) / log(d_(k-1)/d_(k-2)) is 2. It is taken
 * where d_k is above rounding; the last step of an exact solve of something linear is below it.
 */
static void check(const char *what, const net_plan *plan) {
  for (int s = 0; s < 3; ++s) {
    const nsds_time_stepping_def def[] = {
        {.t1 = 1.0, .h = 0.25},
        {.t1 = 1.0, .h = 0.25, .first_order = nsds_theta_gamma(0.5, 0.6)},
        {.t1 = 1.0, .h = 0.25, .first_order = nsds_full_theta_gamma(0.5, 0.5)}};
    double d[most + 1] = {0};
    int count = increments(plan, 3, def[s], d);
    print_message("             %-28s scheme %d: %d iterations, increments", what, s, count);
    for (int k = 0; k < count; ++k) print_message(" %.1e", d[k]);
    print_message("\n");
    assert_between(count, 3, 6);
    int judged = 0;
    for (int k = 2; k < count; ++k) {
      if (!(d[k] > 1e-14) || !(d[k - 1] < 0.1)) continue;
      double order = log(d[k] / d[k - 1]) / log(d[k - 1] / d[k - 2]);
      assert_between(order, 1.6, 3.5);
      ++judged;
    }
    assert_true(judged >= 1);
  }
}

#define REL(kind_, law_, ny_, ...)                                                                 \
  {                                                                                                \
    .kind = net_##kind_, .law = net_##law_, .ny = ny_,                                             \
    .nds = (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), .ds = {                              \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

static void quadratic_convergence(void **state) {
  (void)state;
  const net_plan system = {.nsystem = 1,
                           .n = {3},
                           .system = {net_general},
                           .nrelation = 1,
                           .relation = {REL(linear, equality, 1, 0)}};
  const net_plan type1 = {
      .nsystem = 1, .n = {2}, .nrelation = 1, .relation = {REL(type1, equality, 1, 0)}};
  const net_plan type2 = {
      .nsystem = 2, .n = {2, 1}, .nrelation = 1, .relation = {REL(type2, equality, 2, 0, 1)}};
  const net_plan general = {
      .nsystem = 3,
      .n = {2, 1, 2},
      .mass = {2, 1, 0},
      .system = {net_varying, net_linear, net_general},
      .nrelation = 2,
      .relation = {REL(general, equality, 2, 0, 1), REL(general, equality, 1, 1, 2)}};
  const net_plan contact = {.nsystem = 2, /* one active set throughout */
                            .n = {2, 2},
                            .system = {net_general, net_linear},
                            .nrelation = 1,
                            .relation = {REL(general, complementarity, 1, 0, 1)}};
  check("nonlinear system", &system);
  check("type 1", &type1);
  check("type 2", &type2);
  check("general, clusters", &general);
  check("complementarity", &contact);
}

/* One iteration where everything is linear, also with coefficients that vary with time. */
static void linear_models_take_one_pass(void **state) {
  (void)state;
  const net_plan plan = {
      .nsystem = 2,
      .n = {2, 3},
      .mass = {2, 1},
      .system = {net_varying, net_linear},
      .nrelation = 2,
      .relation = {REL(varying, complementarity, 2, 0, 1), REL(linear, equality, 1, 1)}};
  network net;
  net_build(&net, &plan, 5);
  nsds_simulation *simulation =
      nsds_time_stepping(net.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_step_info *info = nsds_simulation_info(simulation);
    assert_int_equal(info->newton_iterations, 1);
    assert_true(info->newton_converged);
    assert_int_equal(info->rows, 3);
  }
  assert_status(net.model, status, NSDS_END);
  net_free(&net);
}

/* A step that does not converge in the iterations allowed is refused with the figures, and nothing
 * has changed; where it may be halved it succeeds in smaller pieces. */
static void too_few_iterations(void **state) {
  (void)state;
  const net_plan plan = {.nsystem = 1,
                         .n = {3},
                         .system = {net_general},
                         .nrelation = 1,
                         .relation = {REL(general, complementarity, 2, 0)}};
  nsds_time_stepping_def def = {
      .t1 = 4.0, .h = 2.0, .newton = {.max_iterations = 4}, .max_halvings = NSDS_HALVE_NEVER};
  network net;
  net_build(&net, &plan, 7);
  nsds_simulation *simulation = nsds_time_stepping(net.model, &def);
  snapshot before = snapshot_take(net.model);
  assert_status(net.model, nsds_step(simulation), NSDS_ERROR_NEWTON);
  assert_words(nsds_error_message(nsds_model_context(net.model)),
               ((const char *[]){"4 iterations", "residual", "increment"}), 3);
  snapshot_check(&before, net.model, "a refused step");
  snapshot_free(&before);
  net_free(&net);
  net_build(&net, &plan, 7);
  def.max_halvings = 0;
  simulation = nsds_time_stepping(net.model, &def);
  assert_ok(net.model, nsds_step(simulation));
  assert_true(nsds_simulation_info(simulation)->substeps > 1);
  net_free(&net);
}

/* x follows 1000 + 0.3 sin(1000 t) by r = 1000 exp(lambda): x is given by the law at once, so that
 * only r = g tells how good lambda is; in the dynamics it stands times h beside M x. */
static int deviation_from_path(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] - 1000.0 - 0.3 * sin(1000.0 * in->t);
  return 0;
}

static int unity(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int exponential(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1000.0 * exp(in->lambda[0]);
  return 0;
}

static void lambda_is_as_exact_as_its_equation(void **state) {
  (void)state;
  const double h = 1e-4;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model,
      &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1000.0}, .A = (double[]){-1.0}});
  nsds_relation *relation = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.ny = 1,
                                              .nx = 1,
                                              .output_fn = deviation_from_path,
                                              .jac_output_x_fn = unity,
                                              .input_fn = exponential,
                                              .jac_input_lambda_fn = exponential});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 6e-3, .h = h, .first_order = nsds_euler_moreau(1.0)});
  double largest = 0.0, last = 1000.0;
  int iterations = 0;
  for (int k = 0; k < 60; ++k) {
    assert_ok(model, nsds_step(s));
    double x = nsds_x(ds)[0], r = (x - last) / h + x, exact = log(r / 1000.0);
    last = x;
    const nsds_step_info *info = nsds_simulation_info(s);
    if (info->newton_iterations > iterations) iterations = info->newton_iterations;
    largest = worse(fabs(nsds_lambda(ia)[0] - exact), largest);
    assert_between(info->newton_residual_r, 0.0, 1e-10 * 2.0 * r);
  }
  print_message("             lambda off by %.1e, at most %d iterations\n", largest, iterations);
  assert_between(largest, 0.0, 3e-10); /* dr / r is tested against 1e-10 of two terms of r */
  assert_between(iterations, 1, 4);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quadratic_convergence),
      cmocka_unit_test(linear_models_take_one_pass),
      cmocka_unit_test(too_few_iterations),
      cmocka_unit_test(lambda_is_as_exact_as_its_equation),
  };
  return cmocka_run_group_tests_name("first_order.newton", tests, NULL, NULL);
}
