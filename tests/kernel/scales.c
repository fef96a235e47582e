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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_at_rest_in_all_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
