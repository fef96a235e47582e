/*
 * Nonsmooth first-order systems whose motion is known: at walls, under relays and saturations,
 * with mixed laws.
 */
#include "support.h"
#include "switching.h"

/* ---- a wall through a relation of type 1 ---- */

/* h(x) = x - z */
static int wall_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] - in->z[0];
  return 0;
}

static int one(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int wall_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0];
  return 0;
}

static nsds_relation *wall(nsds_model *model, double place) {
  return nsds_first_order_relation(model,
                                   &(nsds_first_order_relation_def){.name = "wall",
                                                                    .ny = 1,
                                                                    .nx = 1,
                                                                    .output_fn = wall_h,
                                                                    .jac_output_x_fn = one,
                                                                    .input_fn = wall_g,
                                                                    .jac_input_lambda_fn = one,
                                                                    .nz = 1,
                                                                    .z = &place});
}

/* dx/dt = -1 + r from x = 1: x stops at 0.5, where h vanishes and not x, and lambda is 1 there. */
static void wall_of_type_1(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1.0}, .b = (double[]){-1.0}});
  nsds_interaction *contact =
      nsds_connect(model, wall(model, 0.5), nsds_complementarity(model), 1, &ds);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.03});
  assert_sound(model);
  const double *x = nsds_x(ds), *lambda = nsds_lambda(contact), *y = nsds_y(contact);
  assert_near(y[0], 0.5, 0.0);
  for (int k = 1; nsds_step(simulation) == NSDS_OK; ++k) {
    double t = nsds_time(simulation);
    assert_near(x[0], fmax(0.5, 1.0 - t), 1e-14);
    assert_near(y[0], x[0] - 0.5, 0.0);
    assert_between(lambda[0], 0.0, 1.0 + 1e-14);
    if (t < 0.5) assert_near(lambda[0], 0.0, 1e-14);
    if (t > 0.5 + 0.03) assert_near(lambda[0], 1.0, 1e-13);
    assert_near(nsds_r(ds)[0], lambda[0], 0.0);
  }
  assert_sound(model);
  assert_near(nsds_time(simulation), 1.0, 1e-15);
  nsds_model_destroy(model);
}

/* The system nonlinear and the relation linear and time-invariant, everything else left to
 * defaults: dx/dt = -x^3 + r above a floor, x(t) = 1/sqrt(1 + 2t) down to it and r = floor^3 there.
 */
static int cubic(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->x[0] * in->x[0] * in->x[0];
  return 0;
}

static int cubic_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -3.0 * in->x[0] * in->x[0];
  return 0;
}

static void nonlinear_system_on_a_floor(void **state) {
  (void)state;
  const double level = 0.5, h = 1e-3, arrival = 0.5 * (1.0 / (level * level) - 1.0);
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order(
      model,
      &(nsds_first_order_def){.n = 1, .x0 = (double[]){1.0}, .f_fn = cubic, .jac_f_x_fn = cubic_x});
  nsds_relation *floor = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){
          .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}, .e = (double[]){-level}});
  nsds_interaction *contact = nsds_connect(model, floor, nsds_complementarity(model), 1, &ds);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 3.0, .h = h});
  assert_sound(model);
  while (nsds_step(simulation) == NSDS_OK) {
    double t = nsds_time(simulation);
    assert_true(nsds_simulation_info(simulation)->newton_converged);
    assert_near(nsds_x(ds)[0], t < arrival ? 1.0 / sqrt(1.0 + 2.0 * t) : level, 2e-7);
    if (t < arrival) assert_near(nsds_lambda(contact)[0], 0.0, 1e-9);
    if (t > arrival + h) assert_near(nsds_lambda(contact)[0], level * level * level, 1e-9);
  }
  assert_near(nsds_time(simulation), 3.0, 1e-12);
  nsds_model_destroy(model);
}

/* ---- relays ---- */

/* h(x) = x + x^3, g(lambda) = sinh(lambda): monotone, not linear. */
static int odd_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] + in->x[0] * in->x[0] * in->x[0];
  return 0;
}

static int odd_h_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 3.0 * in->x[0] * in->x[0];
  return 0;
}

static int odd_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = sinh(in->lambda[0]);
  return 0;
}

static int odd_g_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = cosh(in->lambda[0]);
  return 0;
}

/* dx/dt = 0.4 + sinh(lambda), a relay on x + x^3: with lambda = -1 x falls at a constant rate; on
 * x = 0 it stays, where sinh(lambda) = -0.4. */
static void relay_through_a_nonlinear_relation(void **state) {
  (void)state;
  const double h = 1e-2, rate = sinh(1.0) - 0.4;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1.0}, .b = (double[]){0.4}});
  nsds_relation *relation = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.ny = 1,
                                              .nx = 1,
                                              .output_fn = odd_h,
                                              .jac_output_x_fn = odd_h_x,
                                              .input_fn = odd_g,
                                              .jac_input_lambda_fn = odd_g_lambda});
  nsds_interaction *relay = nsds_connect(
      model, relation, nsds_relay(model, 1, (double[]){-1.0}, (double[]){1.0}), 1, &ds);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 3.0, .h = h});
  assert_sound(model);
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double t = nsds_time(simulation), lambda = nsds_lambda(relay)[0];
    assert_near(nsds_x(ds)[0], fmax(0.0, 1.0 - rate * t), 1e-9);
    if (t < 1.0 / rate) assert_near(lambda, -1.0, 1e-12);
    if (t > 1.0 / rate + h) assert_near(sinh(lambda), -0.4, 1e-7);
  }
  assert_status(model, status, NSDS_END);
  nsds_model_destroy(model);
}

/* |x_1| + |x_2| falls at the rate 2 to the origin, through infinitely many quadrants. */
static void filippov_centre(void **state) {
  (void)state;
  for (int level = 0; level < 3; ++level) {
    double h = ldexp(1e-2, -2 * level), worst = 0.0;
    nsds_model *model = nsds_model_create(NULL);
    relay_scene s = scene_filippov(model, 0.7, 0.3);
    nsds_simulation *simulation =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h});
    assert_sound(model);
    nsds_status status;
    while ((status = nsds_step(simulation)) == NSDS_OK) {
      double t = nsds_time(simulation),
             size = fabs(nsds_x(s.system)[0]) + fabs(nsds_x(s.system)[1]);
      worst = worse(worst, fabs(size - fmax(0.0, 1.0 - 2.0 * t)));
    }
    assert_status(model, status, NSDS_END);
    print_message("             Filippov's centre: h = %8.2g: |x1|+|x2| off by %8.2g\n", h, worst);
    assert_between(worst, 0.0, 4.01 * h);
    for (int i = 0; i < 2; ++i) {
      assert_near(nsds_x(s.system)[i], 0.0, 1e-14); /* and rests there */
      assert_near(nsds_lambda(s.relay)[i], 0.0, 1e-10);
    }
    nsds_model_destroy(model);
  }
}

/* Bounds apart from each other per row, one of them infinite: a relay on one side, complementarity
 * and equality on the others. dx/dt = b + lambda, y = x. */
static void bounds_of_each_row(void **state) {
  (void)state;
  const double lower[] = {-1.0, 0.0, -INFINITY, -INFINITY},
               upper[] = {2.0, INFINITY, INFINITY, 0.0};
  const double b[] = {-3.0, -1.0, 4.0, 1.0}, x0[] = {1.0, 0.5, 0.25, -0.5};
  const double identity[16] = {[0] = 1.0, [5] = 1.0, [10] = 1.0, [15] = 1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 4, .x0 = x0, .b = b});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){.ny = 4, .nx = 4, .C = identity, .B = identity});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_relay(model, 4, lower, upper), 1, &ds);
  const double h = 1.0 / 64.0;
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h});
  assert_sound(model);
  const double *x = nsds_x(ds), *lambda = nsds_lambda(ia);
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double t = nsds_time(simulation);
    /* row 0 falls at 4, passes zero at 1/4, and goes on at 1: the bound 2 cannot hold it */
    assert_near(x[0], t < 0.25 ? 1.0 - 4.0 * t : -(t - 0.25), h * 4.0);
    if (t > 0.25 + h) assert_near(lambda[0], 2.0, 1e-13);
    assert_near(x[1], fmax(0.0, 0.5 - t), 1e-14);
    if (t > 0.5 + h) assert_near(lambda[1], 1.0, 1e-12);
    assert_near(x[2], 0.0, 1e-14);
    if (t > h) assert_near(lambda[2], -4.0, 1e-12);
    assert_near(x[3], fmin(0.0, -0.5 + t), 1e-14);
    if (t > 0.5 + h) assert_near(lambda[3], -1.0, 1e-12);
  }
  assert_status(model, status, NSDS_END);
  nsds_model_destroy(model);
}

/* A relay with infinite bounds is the mixed complementarity law: the same as an equality and a
 * complementarity law side by side. */
static void mixed_complementarity(void **state) {
  (void)state;
  const double A[] = {-1.0, 0.5, 0.2, -0.4, -2.0, 0.3, 0.1, 0.6, -1.0};
  const double C[2][3] = {{1.0, 0.3, 0.5}, {-0.2, 1.0, -0.4}};
  const double B[2][3] = {{1.0, 0.4, 0.3}, {-0.1, 1.0, -0.3}};
  const double b[] = {1.0, -2.0, 0.5}, e[] = {0.1, -0.3}, x0[] = {1.0, 1.0, 1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *together = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 3, .x0 = x0, .A = A, .b = b});
  nsds_ds *apart = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 3, .x0 = x0, .A = A, .b = b});
  double Ct[6];
  for (int k = 0; k < 6; ++k) Ct[k] = C[k % 2][k / 2];
  nsds_relation *both = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){
          .ny = 2, .nx = 3, .C = Ct, .D = (double[]){0.5, 0.0, 0.0, 0.2}, .B = B[0], .e = e});
  nsds_interaction *mixed = nsds_connect(
      model, both, nsds_relay(model, 2, (double[]){-INFINITY, 0.0}, (double[]){INFINITY, INFINITY}),
      1, &together);
  nsds_interaction *row[2];
  for (int i = 0; i < 2; ++i) {
    nsds_relation *relation = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                       .nx = 3,
                                                       .C = C[i],
                                                       .D = (double[]){i == 0 ? 0.5 : 0.2},
                                                       .B = B[i],
                                                       .e = &e[i]});
    row[i] = nsds_connect(model, relation,
                          i == 0 ? nsds_equality(model) : nsds_complementarity(model), 1, &apart);
  }
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 4.0, .h = 0.02});
  assert_sound(model);
  int touching = 0, steps = 0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    for (int k = 0; k < 3; ++k) assert_near(nsds_x(together)[k], nsds_x(apart)[k], 1e-12);
    for (int i = 0; i < 2; ++i) assert_near(nsds_lambda(mixed)[i], nsds_lambda(row[i])[0], 1e-11);
    assert_near(nsds_y(mixed)[0], 0.0, 1e-12);
    touching += nsds_lambda(mixed)[1] > 0.0;
    ++steps;
  }
  assert_status(model, status, NSDS_END);
  assert_between(touching, 1, steps - 1); /* both branches were met */
  nsds_model_destroy(model);
}

/* dx/dt = lambda = min(1, max(-1, -5 x)) from x = 1: a line down to x = 1/5, then e^(-5 t). */
static void saturation(void **state) {
  (void)state;
  double error[5];
  for (int level = 0; level < 5; ++level) {
    double h = ldexp(0.02, -level);
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){1.0}});
    nsds_relation *relation = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){
                   .ny = 1, .nx = 1, .C = (double[]){1.0}, .B = (double[]){1.0}});
    nsds_interaction *ia = nsds_connect(
        model, relation, nsds_saturation(model, 1, (double[]){-1.0}, (double[]){1.0}, 5.0), 1, &ds);
    nsds_simulation *simulation =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.0, .h = h});
    assert_sound(model);
    error[level] = 0.0;
    nsds_status status;
    while ((status = nsds_step(simulation)) == NSDS_OK) {
      double t = nsds_time(simulation), x = nsds_x(ds)[0];
      /* the law itself holds to rounding, y being x alone */
      assert_near(nsds_y(ia)[0], x, 0.0);
      assert_near(nsds_lambda(ia)[0], fmin(1.0, fmax(-1.0, -5.0 * x)), 1e-12);
      error[level] =
          worse(error[level], fabs(x - (t < 0.8 ? 1.0 - t : 0.2 * exp(-5.0 * (t - 0.8)))));
    }
    assert_status(model, status, NSDS_END);
    nsds_model_destroy(model);
  }
  print_message("             saturation: errors %.1e ... %.1e, order %.3f\n", error[0], error[4],
                order_of(error[3], error[4]));
  assert_between(order_of(error[3], error[4]), 0.9, 1.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wall_of_type_1),
      cmocka_unit_test(nonlinear_system_on_a_floor),
      cmocka_unit_test(relay_through_a_nonlinear_relation),
      cmocka_unit_test(filippov_centre),
      cmocka_unit_test(bounds_of_each_row),
      cmocka_unit_test(mixed_complementarity),
      cmocka_unit_test(saturation),
  };
  return cmocka_run_group_tests_name("first_order.closed_forms", tests, NULL, NULL);
}
