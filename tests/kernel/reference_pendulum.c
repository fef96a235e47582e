/*
 * Reference trajectory of a nonlinear system: a pendulum attached to a slider between two walls.
 * The table was computed with a Newton matrix that is not the Jacobian; with the exact one, used
 * here, only the Newton tolerance of 1e-10 N s is left. The card gives the differences that makes
 * over the run: 5.8e-9 on q, 2.7e-8 on v. The height of the slider is noise below 2.2e-10.
 */
#include "support.h"

static const double g = 9.81;

/* q = (x, y, phi); masses and length 1 */

static int mass(const nsds_in *in, double *out, void *user) {
  (void)user;
  const double M[9] = {2.0, 0.0, cos(in->q[2]), 0.0, 1.0, 0.0, cos(in->q[2]), 0.0, 1.0};
  memcpy(out, M, sizeof M);
  return 0;
}

static int nnl(const nsds_in *in, double *out, void *user) {
  (void)user;
  out[0] = -in->v[2] * in->v[2] * sin(in->q[2]);
  return 0;
}

static int nnl_q(const nsds_in *in, double *out, void *user) {
  (void)user;
  out[0 + 3 * 2] = -in->v[2] * in->v[2] * cos(in->q[2]);
  return 0;
}

static int nnl_v(const nsds_in *in, double *out, void *user) {
  (void)user;
  out[0 + 3 * 2] = -2.0 * in->v[2] * sin(in->q[2]);
  return 0;
}

static int fint(const nsds_in *in, double *out, void *user) {
  (void)user;
  out[1] = g * in->q[1]; /* proportional to the height, as in the origin of the table */
  out[2] = g * sin(in->q[2]);
  return 0;
}

static int fint_q(const nsds_in *in, double *out, void *user) {
  (void)user;
  out[1 + 3 * 1] = g;
  out[2 + 3 * 2] = g * cos(in->q[2]);
  return 0;
}

typedef struct slider {
  nsds_model *model;
  nsds_ds *body;
  nsds_interaction *floor, *right, *left;
} slider;

static slider build(void) {
  slider s = {.model = nsds_model_create(NULL)};
  s.body = nsds_lagrangian(s.model, &(nsds_lagrangian_def){.name = "slider",
                                                           .ndof = 3,
                                                           .q0 = (double[]){0.1, 0.0, 0.1},
                                                           .v0 = (double[]){2.0, 0.0, 0.0},
                                                           .mass_fn = mass,
                                                           .nnl_fn = nnl,
                                                           .jac_nnl_q_fn = nnl_q,
                                                           .jac_nnl_v_fn = nnl_v,
                                                           .fint_fn = fint,
                                                           .jac_fint_q_fn = fint_q,
                                                           .jac_fint_v_fn = nsds_zero});
  const double H[3][3] = {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  const double b[3] = {0.0, 0.2375, -0.0125};
  nsds_law *impact = nsds_newton_impact(s.model, 0.5);
  nsds_interaction **contact[3] = {&s.floor, &s.right, &s.left};
  for (int k = 0; k < 3; ++k) {
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        s.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 3, .H = H[k], .b = &b[k]});
    *contact[k] = nsds_connect(s.model, gap, impact, 1, &s.body);
  }
  assert_sound(s.model);
  return s;
}

static void pendulum_slider(void **state) {
  (void)state;
  table t = table_read("pendulum_slider");
  deviation d = {.reference = &t};
  slider s = build();
  nsds_simulation *simulation =
      nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = 3.0,
                                                            .h = 1e-3,
                                                            .theta = 0.5,
                                                            .gamma_prediction = 1.0,
                                                            .newton_residual = 1e-10,
                                                            .newton_increment = HUGE_VAL,
                                                            .newton_max_iterations = 200});
  assert_sound(s.model);
  int impacts = 0, most_iterations = 0;
  for (int k = 1; k < t.rows; ++k) {
    assert_ok(s.model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    for (int i = 0; i < 3; ++i) {
      deviation_note(&d, k, 1 + i, nsds_q(s.body)[i]);
      deviation_note(&d, k, 4 + i, nsds_v(s.body)[i]);
    }
    deviation_note(&d, k, 7, nsds_y(s.floor)[0]);
    deviation_note(&d, k, 8, nsds_y(s.right)[0]);
    deviation_note(&d, k, 9, nsds_y(s.left)[0]);
    impacts += nsds_impulse(s.left)[0] > 0.0 || nsds_impulse(s.right)[0] > 0.0;
    int iterations = nsds_simulation_info(simulation)->newton_iterations;
    if (iterations > most_iterations) most_iterations = iterations;
  }
  assert_true(impacts > 5);                                  /* the walls are hit */
  assert_true(most_iterations >= 2 && most_iterations <= 4); /* quadratic convergence */
  deviation_check(&d, "slider: t", 0, 0, 1, 1e-14);
  deviation_check(&d, "slider: q1, q3", 1, 3, 2, 5.9e-9);
  deviation_check(&d, "slider: v1, v3", 4, 6, 2, 2.8e-8);
  deviation_check(&d, "slider: q2 (noise)", 2, 2, 1, 1e-9);
  deviation_check(&d, "slider: v2 (noise)", 5, 5, 1, 1e-9);
  deviation_check(&d, "slider: gap of the floor", 7, 7, 1, 1e-9);
  deviation_check(&d, "slider: gaps of the walls", 8, 9, 1, 5.9e-9);
  nsds_model_destroy(s.model);
  table_free(&t);
}

/* The Jacobians above are the right ones. */
static void jacobians_are_exact(void **state) {
  (void)state;
  slider s = build();
  nsds_jacobian_report report;
  assert_ok(s.model, nsds_set_state(s.body, (double[]){0.1, 0.2, 0.7}, (double[]){1.0, -1.0, 2.0}));
  assert_ok(s.model, nsds_check_jacobians(s.model, 0.0, 0.0, &report));
  assert_int_equal(report.checked, 4);
  nsds_model_destroy(s.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobians_are_exact),
      cmocka_unit_test(pendulum_slider),
  };
  return cmocka_run_group_tests_name("kernel.reference_pendulum", tests, NULL, NULL);
}
