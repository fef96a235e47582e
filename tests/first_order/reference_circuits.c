/*
 * Reference trajectories of circuits with diodes. Each table was recomputed without a library from
 * the data of its card; the allowance is ten times the difference which that re-computation showed,
 * unless the card states another figure.
 */
#include "circuits.h"
#include "support.h"
#include "static_schemes.h"

static const double pi = 3.14159265358979323846;

static nsds_simulation *start(nsds_model *model, double t1, double h, double theta,
                              nsds_scheme_kind scheme, double gamma) {
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = t1, .h = h, .first_order = scheme_of(scheme, theta, gamma)});
  assert_sound(model);
  return simulation;
}

/* The first row of the circuits is the initial state with lambda = 0, whatever y is. */
static void circuit_rlcd(void **state) {
  (void)state;
  table t = table_read("circuit_rlcd");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  circuit_scene s = scene_rlcd(model, 1e-2, 1e-6, 1e3, 10.0, 0.0);
  nsds_simulation *simulation = start(model, 5e-3, 1e-5, 0.5000000000001, NSDS_EULER_MOREAU, 0.0);
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    deviation_note(&d, k, 1, nsds_x(s.circuit)[0]);
    deviation_note(&d, k, 2, nsds_x(s.circuit)[1]);
    deviation_note(&d, k, 3, -nsds_y(s.diodes)[0]);
    deviation_note(&d, k, 4, nsds_lambda(s.diodes)[0]);
  }
  deviation_check(&d, "RLCD: t", 0, 0, 1, 1e-16);
  deviation_check(&d, "RLCD: v", 1, 1, 1, 4.1e-13);
  deviation_check(&d, "RLCD: i", 2, 2, 1, 4.4e-15);
  deviation_check(&d, "RLCD: y", 3, 3, 1, 4e-13);
  deviation_check(&d, "RLCD: lambda", 4, 4, 1, 4.1e-16);
  nsds_model_destroy(model);
  table_free(&t);
}

/* x = (charge, current) and the law at the middle of the step; the energy that the circuit stores
 * and the resistor dissipates stays the same to rounding. */
static void circuit_rlcd_theta_gamma(void **state) {
  (void)state;
  const double L = 1.0, C = 1.0 / (4.0 * pi * pi), R = 10.0, h = 0.05;
  table t = table_read("circuit_rlcd_theta_gamma");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *circuit = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2,
                                            .x0 = (double[]){1.0, 1.0},
                                            .A = (double[]){0.0, 1.0 / (L * C), -1.0, 0.0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 2,
                                                     .C = (double[]){1.0 / C, 0.0},
                                                     .D = (double[]){R},
                                                     .B = (double[]){1.0, 0.0}});
  nsds_interaction *diode = nsds_connect(model, relation, nsds_complementarity(model), 1, &circuit);
  nsds_simulation *simulation = start(model, 5.0, h, 0.5, NSDS_FULL_THETA_GAMMA, 0.5);
  const double *x = nsds_x(circuit), *lambda = nsds_lambda(diode);
  double dissipated = 0.0;
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    double stored = 0.5 * (x[0] * x[0] / C + L * x[1] * x[1]);
    dissipated += h * R * lambda[0] * lambda[0];
    const double row[] = {nsds_time(simulation),
                          x[0],
                          x[1],
                          -(x[0] / C + R * lambda[0]),
                          lambda[0],
                          0.0,
                          stored,
                          dissipated,
                          stored + dissipated};
    for (int c = 0; c < 9; ++c) deviation_note(&d, k, c, row[c]);
    assert_near(row[8], 20.2392088021787, 1e-13 + 1e-12);
  }
  deviation_check(&d, "RLCD theta-gamma: t", 0, 0, 1, 1e-14);
  deviation_check(&d, "RLCD theta-gamma: x", 1, 2, 1, 7.1e-14);
  deviation_check(&d, "RLCD theta-gamma: y", 3, 3, 1, 4.9e-13);
  deviation_check(&d, "RLCD theta-gamma: lambda", 4, 4, 1, 4.2e-14);
  deviation_check(&d, "RLCD theta-gamma: energies", 6, 8, 1, 2.2e-13);
  nsds_model_destroy(model);
  table_free(&t);
}

/* Both tables of the bridge start with zeros in place of y and lambda. */
static void bridge(const char *name, nsds_scheme_kind scheme, double gamma,
                   const double allowed[4]) {
  const double L = 1e-2, C = 1e-6, R = 1e3, h = 1e-6;
  table t = table_read(name);
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  circuit_scene s = scene_diode_bridge(model, L, C, R, 10.0);
  nsds_simulation *simulation = start(model, 5e-3, h, 0.5, scheme, gamma);
  const double *x = nsds_x(s.circuit), *y = nsds_y(s.diodes), *lambda = nsds_lambda(s.diodes);
  bool energies = scheme == NSDS_FULL_THETA_GAMMA;
  double dissipated = 0.0;
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    deviation_note(&d, k, 1, x[0]);
    deviation_note(&d, k, 2, x[1]);
    deviation_note(&d, k, 3, k > 0 ? y[0] : 0.0);
    deviation_note(&d, k, 4, -lambda[0]);
    deviation_note(&d, k, 5, -lambda[1]);
    deviation_note(&d, k, 6, lambda[2]);
    if (energies) {
      double stored = 0.5 * (C * x[0] * x[0] + L * x[1] * x[1]);
      dissipated += h * (lambda[0] + lambda[1]) * (lambda[0] + lambda[1]) / R;
      deviation_note(&d, k, 7, stored);
      deviation_note(&d, k, 8, dissipated);
      deviation_note(&d, k, 9, stored + dissipated);
      assert_near(stored + dissipated, 5e-5, 1e-15);
    } else deviation_note(&d, k, 7, k > 0 ? y[0] + lambda[2] : 0.0);
  }
  deviation_check(&d, "bridge: t", 0, 0, 1, 1e-15);
  deviation_check(&d, "bridge: v", 1, 1, 1, allowed[0]);
  deviation_check(&d, "bridge: i", 2, 2, 1, allowed[1]);
  deviation_check(&d, "bridge: reverse voltages", 4, 5, 1, allowed[0]);
  deviation_check(&d, "bridge: currents", 3, 6, 3, allowed[2]);
  deviation_check(&d, energies ? "bridge: energies" : "bridge: load current", 7, energies ? 9 : 7,
                  1, allowed[3]);
  nsds_model_destroy(model);
  table_free(&t);
}

static void diode_bridge(void **state) {
  (void)state;
  bridge("diode_bridge", NSDS_EULER_MOREAU, 0.0, (double[4]){2.7e-12, 2.7e-14, 1.9e-14, 1.9e-14});
}

static void diode_bridge_theta_gamma(void **state) {
  (void)state;
  bridge("diode_bridge_theta_gamma", NSDS_FULL_THETA_GAMMA, 0.5,
         (double[4]){3e-11, 3e-13, 3e-14, 9e-17});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(circuit_rlcd),
      cmocka_unit_test(circuit_rlcd_theta_gamma),
      cmocka_unit_test(diode_bridge),
      cmocka_unit_test(diode_bridge_theta_gamma),
  };
  return cmocka_run_group_tests_name("first_order.reference_circuits", tests, NULL, NULL);
}
