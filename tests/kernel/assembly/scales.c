/*
 * Steps in all units: three bodies lie on each other and on the ground, and a force of one's own
 * pushes the topmost. Masses lie up to ten decades apart, steps from 1e-9 to 1e3 s: the bodies
 * stay, and every contact carries what lies above it,
 *
 *   P_k = h (F + g sum_{j >= k} m_j).
 *
 * A fall of g h^2 lies far below the rounding of a gap, so that activation needs its tolerance.
 */
#include "support.h"

static double column_error(double ratio, double h, double force) {
  enum { n = 3 };
  const double g = 10.0, mass[n] = {1.0, ratio, 1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body[n];
  for (int k = 0; k < n; ++k) {
    double load = -g * mass[k] - (k == n - 1 ? force : 0.0), q0 = k;
    body[k] = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &mass[k], .fext = &load, .q0 = &q0});
  }
  static const double up[1] = {1.0}, between[2] = {-1.0, 1.0}, length = -1.0;
  nsds_relation *ground = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = up});
  nsds_relation *pair = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = between, .b = &length});
  nsds_law *law = nsds_newton_impact(model, 0.0);
  nsds_interaction *contact[n] = {nsds_connect(model, ground, law, 1, body)};
  for (int k = 1; k < n; ++k) contact[k] = nsds_connect(model, pair, law, 2, body + k - 1);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 10.0 * h,
                                       .h = h,
                                       .second_order = nsds_moreau_jean(1.0, 1.0),
                                       .activation = nsds_activation(0.5, 1e-14)});
  nsds_status status = nsds_run(simulation);
  if (status != NSDS_END)
    fail_msg("mass ratio %g, h = %g: %s", ratio, h, nsds_error_message(nsds_model_context(model)));
  double error = 0.0, above = force;
  for (int k = n - 1; k >= 0; --k) {
    above += g * mass[k];
    error = fmax(error, fabs(nsds_impulse(contact[k])[0] / (h * above) - 1.0));
    error = fmax(error, fabs(nsds_v(body[k])[0]) * mass[k] / (h * above)); /* of what it bears */
  }
  nsds_model_destroy(model);
  return error;
}

static void columns_at_rest_in_all_units(void **state) {
  (void)state;
  double worst = 0.0;
  for (int decade = -10; decade <= 10; decade += 2)
    for (double h = 1e-9; h < 2e3; h *= 1e3)
      for (int f = 0; f < 3; ++f)
        worst = fmax(worst, column_error(pow(10.0, decade), h, f == 0 ? 0.0 : f == 1 ? 1e-8 : 1e8));
  print_message("             largest relative error %.2g\n", worst);
  assert_true(worst <= 1e-6);
}

static int pull(const nsds_arguments *in, double *f, void *user) {
  const double *mass = user;
  f[0] = *mass * (40.0 * sinh(in->q[0]) + 0.3 * in->v[0] * in->v[0]);
  return 0;
}
static int pull_q(const nsds_arguments *in, double *f, void *user) {
  const double *mass = user;
  f[0] = *mass * 40.0 * cosh(in->q[0]);
  return 0;
}
static int pull_v(const nsds_arguments *in, double *f, void *user) {
  const double *mass = user;
  f[0] = *mass * 0.6 * in->v[0];
  return 0;
}

/* A mass on a spring that is not linear, in units of mass 2^k: Newton's method ends at the same
 * bits. */
static void motion_in_all_units_of_mass(void **state) {
  (void)state;
  double q = 0.0, v = 0.0;
  for (int k = -200; k <= 200; k += 40) {
    double mass = ldexp(1.0, k), q0 = 1.0;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian(
        m, &(nsds_lagrangian_def){
               .ndof = 1, .mass = &mass, .q0 = &q0, .fint = {pull, pull_q, pull_v}, .user = &mass});
    nsds_simulation *s = nsds_time_stepping(
        m, &(nsds_time_stepping_def){
               .t1 = 1.0, .h = 0.01, .second_order = nsds_moreau_jean(0.5, 1.0)});
    assert_sound(m);
    assert_status(m, nsds_run(s), NSDS_END);
    if (k == -200) q = nsds_q(ds)[0], v = nsds_v(ds)[0];
    if (nsds_q(ds)[0] != q || nsds_v(ds)[0] != v)
      fail_msg("units of 2^%d: q off by %g, v by %g", k, nsds_q(ds)[0] - q, nsds_v(ds)[0] - v);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_at_rest_in_all_units),
                                     cmocka_unit_test(motion_in_all_units_of_mass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
