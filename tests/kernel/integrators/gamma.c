/*
 * gamma of second-order systems: where in the step M(q) and H are taken. Orders of convergence,
 * energy over 20 s, and drift of an equality, with theta = 1/2, written as a table (markdown) to
 * the file given as argument, from which docs/orders.md is made.
 */
#include "double_pendulum.h"
#include "support.h"

#include <stdio.h>

static const double g = 9.81;

/* ---- a double pendulum in its angles: M depends on q ----------------------------------------- */

static double energy(const double *q, const double *v) {
  double c = cos(q[0] - q[1]);
  return v[0] * v[0] + 0.5 * v[1] * v[1] + c * v[0] * v[1] - 2.0 * g * cos(q[0]) - g * cos(q[1]);
}

static void accelerate(const double *x, double *d) {
  double s = sin(x[0] - x[1]), c = cos(x[0] - x[1]);
  double a = -s * x[3] * x[3] - 2.0 * g * sin(x[0]), b = s * x[2] * x[2] - g * sin(x[1]);
  double det = 2.0 - c * c;
  d[0] = x[2];
  d[1] = x[3];
  d[2] = (a - c * b) / det;
  d[3] = (2.0 * b - c * a) / det;
}

/* Angles at t = 1 by Runge and Kutta. */
static void by_runge_kutta(double *x) {
  enum { steps = 20000 };
  double h = 1.0 / steps;
  x[0] = double_pendulum_start[0], x[1] = double_pendulum_start[1], x[2] = x[3] = 0.0;
  for (int n = 0; n < steps; ++n) {
    static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    double sum[4] = {0.0}, d[4] = {0.0}, y[4];
    for (int s = 0; s < 4; ++s) {
      for (int i = 0; i < 4; ++i) y[i] = x[i] + at[s] * h * d[i];
      accelerate(y, d);
      for (int i = 0; i < 4; ++i) sum[i] += weight[s] * d[i];
    }
    for (int i = 0; i < 4; ++i) x[i] += h / 6.0 * sum[i];
  }
}

typedef struct choice {
  const char *name;
  double gamma, gamma_mass;
} choice;

typedef struct result {
  double order, energy, error; /* double pendulum */
  double drift, drift_order, rod_order;
} result;

static double angle_error(const choice *c, double h, const double *exact) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = double_pendulum(model);
  run(model,
      &(nsds_time_stepping_def){
          .t1 = 1.0,
          .h = h,
          .second_order = nsds_with_gamma_mass(nsds_moreau_jean(0.5, c->gamma), c->gamma_mass)},
      0);
  double error = 0.0;
  for (int i = 0; i < 2; ++i) error = worse(error, fabs(nsds_q(ds)[i] - exact[i]));
  nsds_model_destroy(model);
  return error;
}

static double energy_error(const choice *c) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = double_pendulum(model);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 20.0,
                                       .h = 0.005,
                                       .second_order = nsds_with_gamma_mass(
                                           nsds_moreau_jean(0.5, c->gamma), c->gamma_mass)});
  double first = energy(nsds_q(ds), nsds_v(ds)), largest = 0.0;
  while (nsds_step(s) == NSDS_OK)
    largest = worse(largest, fabs(energy(nsds_q(ds), nsds_v(ds)) - first));
  assert_sound(model);
  nsds_model_destroy(model);
  return largest;
}

/* ---- a pendulum in the plane: H depends on q, dy/dt = 0 is imposed --------------------------- */

static int rod(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.5 * (in->q[0] * in->q[0] + in->q[1] * in->q[1] - 1.0);
  return 0;
}

static int rod_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0];
  out[1] = in->q[1];
  return 0;
}

/* Largest |y| over 20 s; the position at t = 1 in *x. */
static double rod_drift(const choice *c, double h, double *x) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){1.0, 0.0},
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .fext = (double[]){0.0, -g}});
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 2, .output_fn = rod, .jac_output_q_fn = rod_q, .name = "rod"});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 20.0,
                                       .h = h,
                                       .second_order = nsds_with_gamma_mass(
                                           nsds_moreau_jean(0.5, c->gamma), c->gamma_mass)});
  double largest = 0.0;
  while (nsds_step(s) == NSDS_OK) {
    largest = worse(largest, fabs(nsds_y(ia)[0]));
    if (fabs(nsds_time(s) - 1.0) < 0.5 * h) *x = nsds_q(ds)[0];
  }
  assert_sound(model);
  nsds_model_destroy(model);
  return largest;
}

/* ---- the table ------------------------------------------------------------------------------- */

enum { nchoice = 3 };

static const choice choices[nchoice] = {
    {"γ = 1 (default)", 1.0, 1.0}, {"γ = 1/2", 0.5, 0.5}, {"γ = 1, γ of M = 1/2", 1.0, 0.5}};
static result measured[nchoice];

static void measure(void **state) {
  (void)state;
  double exact[4];
  by_runge_kutta(exact);
  for (int k = 0; k < nchoice; ++k) {
    result *r = &measured[k];
    double coarse = angle_error(&choices[k], 0.005, exact), x[4], d[4];
    r->error = angle_error(&choices[k], 0.000625, exact);
    r->order = log(coarse / r->error) / log(8.0);
    r->energy = energy_error(&choices[k]);
    for (int n = 0; n < 4; ++n) d[n] = rod_drift(&choices[k], ldexp(0.02, -n), &x[n]);
    r->drift = d[2];
    r->drift_order = log(d[0] / d[3]) / log(8.0);
    r->rod_order = log(fabs(x[0] - x[1]) / fabs(x[2] - x[3])) / log(4.0);
    print_message(
        "             %-24s order %.2f (%.1e), energy off by %.1e J; rod: order %.2f, drift "
        "%.1e m, order %.2f\n",
        choices[k].name, r->order, r->error, r->energy, r->rod_order, r->drift, r->drift_order);
  }
}

/* M at the middle of the step has order 2 and keeps energy; H at its end keeps equalities. */
static void what_the_table_shows(void **state) {
  (void)state;
  assert_between(measured[0].order, 0.8, 1.2);
  for (int k = 1; k < nchoice; ++k) {
    assert_between(measured[k].order, 1.8, 2.2);
    assert_true(measured[k].energy < 1e-2 * measured[0].energy);
  }
  assert_true(measured[0].drift < 0.1 * measured[1].drift);
  assert_near(measured[2].drift, measured[0].drift, 1e-12); /* M is constant there */
}

static void write_table(FILE *out) {
  fprintf(out, "| | double pendulum: order (error) | energy off by [J] | rod: order | drift [m] | "
               "order of drift |\n|---|---|---|---|---|---|\n");
  for (int k = 0; k < nchoice; ++k)
    fprintf(out, "| %s | %.2f (%.1e) | %.1e | %.2f | %.1e | %.2f |\n", choices[k].name,
            measured[k].order, measured[k].error, measured[k].energy, measured[k].rod_order,
            measured[k].drift, measured[k].drift_order);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(measure),
                                     cmocka_unit_test(what_the_table_shows)};
  int failed = cmocka_run_group_tests_name("kernel.gamma", tests, NULL, NULL);
  FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
  if (out) write_table(out);
  return failed || (argc > 1 && !out) || (out && fclose(out) != 0);
}
