/*
 * The theta-gamma scheme at theta = gamma = 1/2 where lambda(t0) is not zero, started with r = 0
 * and with `initial_lambda`. Relative degree 0: 0 <= x + lambda - 2 _|_ lambda >= 0 and dx/dt = -x
 * + lambda, so x = 1 - exp(-2t): order 1 and order 2 in x. Relative degree 1: x_0 = cos t by a
 * multiplier lambda = cos t - sin t of dx_0/dt = -x_0 + lambda, and dx_1/dt = lambda: the mean of r
 * is right whatever r_0 is, but lambda swings about its value by lambda(t0) for ever.
 */
#include "support.h"

static nsds_interaction *degree_0(nsds_model *model, nsds_ds **ds) {
  *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = (double[]){-1.0}});
  const double one[1] = {1.0}, e[1] = {-2.0};
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = one, .D = one, .B = one, .e = e});
  return nsds_connect(model, relation, nsds_complementarity(model), 1, ds);
}

static int minus_cosine(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -cos(in->t);
  return 0;
}

static nsds_interaction *degree_1(nsds_model *model, nsds_ds **ds) {
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .x0 = (double[]){1.0, 0.0}, .A = (double[]){-1.0, 0.0, 0.0, 0.0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 2,
                                                     .C = (double[]){1.0, 0.0},
                                                     .B = (double[]){1.0, 1.0},
                                                     .e_fn = minus_cosine});
  return nsds_connect(model, relation, nsds_equality(model), 1, ds);
}

/* Errors of x and lambda at t = 1; lambda at the start is checked on the way. */
static double error(int degree, double h, bool initial_lambda, double *of_lambda) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds;
  nsds_interaction *ia = degree == 0 ? degree_0(model, &ds) : degree_1(model, &ds);
  nsds_simulation *s = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){
          .t1 = 1.0,
          .h = h,
          .first_order = initial_lambda ? nsds_with_initial_lambda(nsds_theta_gamma(0.5, 0.5))
                                        : nsds_theta_gamma(0.5, 0.5)});
  double exact = initial_lambda ? (degree == 0 ? 2.0 : 1.0) : 0.0;
  assert_near(nsds_lambda(ia)[0], exact, h / 250.0);
  assert_near(nsds_r(ds)[0], exact, h / 250.0);
  assert_near(nsds_time(s), 0.0, 0.0);
  assert_near(nsds_x(ds)[0], degree, 0.0); /* no step has been made */
  assert_int_equal(nsds_run(s), NSDS_END);
  double e =
      degree == 0 ? nsds_x(ds)[0] - (1.0 - exp(-2.0)) : nsds_x(ds)[1] - (sin(1.0) + cos(1.0) - 1.0);
  *of_lambda = fabs(nsds_lambda(ia)[0] - (degree == 0 ? 1.0 + exp(-2.0) : cos(1.0) - sin(1.0)));
  assert_sound(model);
  nsds_model_destroy(model);
  return fabs(e);
}

static void initial_lambda_gives_order_2(void **state) {
  (void)state;
  for (int degree = 0; degree < 2; ++degree)
    for (int with = 0; with < 2; ++with) {
      double l[2], e[2];
      for (int k = 0; k < 2; ++k) e[k] = error(degree, ldexp(1.0, -6 - k), with, &l[k]);
      print_message(
          "             degree %d, initial_lambda %d: order %.2f in x, lambda off by %.1e\n",
          degree, with, order_of(e[0], e[1]), l[1]);
      double order = degree == 0 && !with ? 1.0 : 2.0;
      assert_between(order_of(e[0], e[1]), order - 0.1, order + 0.2);
      if (degree == 1 && !with) assert_near(l[1], 1.0, 0.05);
      else assert_between(l[1], 0.0, with ? 5e-5 : 5e-3);
    }
}

/* A state set before the first step has its own lambda. */
static void initial_lambda_follows_set_x(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds;
  nsds_interaction *ia = degree_0(model, &ds);
  const nsds_time_stepping_def def = {
      .t1 = 1.0, .h = 0.125, .first_order = nsds_with_initial_lambda(nsds_theta_gamma(0.5, 0.5))};
  nsds_simulation *s = nsds_time_stepping(model, &def);
  assert_ok(model, nsds_set_x(ds, (double[]){1.5}));
  assert_ok(model, nsds_step(s));
  double x = nsds_x(ds)[0], lambda = nsds_lambda(ia)[0]; /* mean of r: 0.5 and lambda */
  assert_near(x - 1.5, 0.125 * 0.5 * (-1.5 - x + 0.5 + lambda), 1e-3 * 0.125);
  nsds_model_destroy(model);
}

static int input(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0];
  return 0;
}

static int raise_input(nsds_simulation *s, void *user) {
  (void)s;
  return nsds_ds_set_z(user, 1, (double[]){3.0}) ? -1 : 0;
}

/* dx/dt = z + lambda, x = 0: lambda is -z in every step, also after a step of z. */
static void initial_lambda_follows_inputs(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .b_fn = input, .nz = 1, .z = (double[]){1.0}});
  nsds_relation *x = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}});
  nsds_interaction *held = nsds_connect(model, x, nsds_equality(model), 1, &ds);
  nsds_simulation *s =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.0,
                                                          .h = 0.125,
                                                          .first_order = nsds_with_initial_lambda(
                                                              nsds_theta_gamma(0.5, 0.5))});
  nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = raise_input, .user = ds});
  while (nsds_step(s) == NSDS_OK)
    assert_near(nsds_lambda(held)[0], nsds_time(s) > 1.0 ? -3.0 : -1.0, 1e-12);
  assert_sound(model);
  nsds_model_destroy(model);
}

/* A program writes down where it is, and another goes on from there: r is as large as what the rest
 * of the state says only at the start. */
static void going_on_from_a_file(void **state) {
  (void)state;
  double x[2], r[2], force, exact[2];
  for (int part = 0; part < 2; ++part) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds;
    nsds_interaction *ia = degree_1(model, &ds);
    nsds_time_stepping_def def = {
        .t0 = 0.5 * part, .t1 = 1.0, .h = 0.0625, .first_order = nsds_theta_gamma(0.5, 0.5)};
    if (part == 1) {
      assert_ok(model, nsds_set_x(ds, x));
      assert_ok(model, nsds_set_r(ds, r));
      assert_ok(model, nsds_set_lambda(ia, &force));
    }
    nsds_simulation *s = nsds_time_stepping(model, &def);
    for (int k = 0; part == 0 && k < 8; ++k) assert_ok(model, nsds_step(s));
    if (part == 0) memcpy(x, nsds_x(ds), sizeof x);
    if (part == 0) memcpy(r, nsds_r(ds), sizeof r);
    if (part == 0) force = nsds_lambda(ia)[0];
    assert_status(model, nsds_run(s), NSDS_END);
    if (part == 0) memcpy(exact, nsds_x(ds), sizeof exact);
    for (int k = 0; k < 2; ++k) assert_near(nsds_x(ds)[k], exact[k], 1e-14);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(initial_lambda_gives_order_2),
      cmocka_unit_test(initial_lambda_follows_set_x),
      cmocka_unit_test(initial_lambda_follows_inputs),
      cmocka_unit_test(going_on_from_a_file),
  };
  return cmocka_run_group_tests_name("first_order.initial_lambda", tests, NULL, NULL);
}
