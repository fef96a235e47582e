/* Attitudes in long runs: quaternions stay of length 1, whatever the integrator. */
#include "support.h"

#include <nsds/rigid_body.h>

static const double inertia[9] = {[0] = 1.0, [4] = 2.0, [8] = 3.5};

static nsds_ds *top(nsds_model *model, const double spin[3]) {
  nsds_ds *ds = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = inertia,
                                    .v0 = (double[6]){0, 0, 0, spin[0], spin[1], spin[2]}});
  assert_sound(model);
  return ds;
}

static double length(const nsds_ds *ds) {
  const double *p = nsds_q(ds) + 3;
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
}

/* R J w in the world. */
static void momentum(const nsds_ds *ds, double L[3]) {
  const double *p = nsds_q(ds) + 3, *w = nsds_v(ds) + 3;
  double b[3], u[3];
  for (int k = 0; k < 3; ++k) b[k] = inertia[4 * k] * w[k];
  for (int k = 0; k < 3; ++k) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    u[k] = 2.0 * (p[1 + i] * b[j] - p[1 + j] * b[i]);
  }
  for (int k = 0; k < 3; ++k) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    L[k] = b[k] + p[0] * u[k] + p[1 + i] * u[j] - p[1 + j] * u[i];
  }
}

/* A free top that tumbles; its attitude can be read and set at any time. */
static void stays_of_length_one(const char *integrator, double t1, double h) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = top(model, (double[3]){0.3, 6.0, 0.6});
  double first[3], last[3];
  momentum(ds, first);
  nsds_simulation *s = nsds_event_driven(
      model, &(nsds_event_driven_def){.t1 = t1, .output_period = h, .integrator = integrator});
  if (integrator && !s) { /* a build without SUNDIALS */
    nsds_model_destroy(model);
    return;
  }
  assert_sound(model);
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) assert_near(length(ds), 1.0, 2e-15);
  assert_status(model, status, NSDS_END);
  momentum(ds, last);
  for (int k = 0; k < 3; ++k) assert_near(last[k], first[k], 1e-4);
  assert_ok(model, nsds_set_state(ds, nsds_q(ds), nsds_v(ds)));
  nsds_model_destroy(model);
}

static void long_run(void **state) {
  (void)state;
  stays_of_length_one(NULL, 600.0, 0.7);
  stays_of_length_one(NULL, 300.0, 0.0);
  stays_of_length_one("arkode", 60.0, 0.7);
  stays_of_length_one("cvode", 60.0, 0.7);
}

/* Each step of the integration ends at length 1: an error that grew with time would be seen in
 * the momentum, which R(p) stretches. */
static void far_on(void **state) {
  (void)state;
  double L[2][3];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = top(model, (double[3]){0.3, 6.0, 0.6});
    momentum(ds, L[0]);
    nsds_simulation *s =
        nsds_event_driven(model, &(nsds_event_driven_def){.t1 = k ? 600.0 : 60.0,
                                                          .relative_tolerance = 1e-11,
                                                          .absolute_tolerance = 1e-12});
    assert_status(model, nsds_run(s), NSDS_END);
    momentum(ds, L[1]);
    for (int i = 0; i < 3; ++i) assert_near(L[1][i], L[0][i], 2e-7);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_run),
      cmocka_unit_test(far_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
