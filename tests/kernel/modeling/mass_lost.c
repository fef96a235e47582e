/*
 * Mass matrices that stop being positive definite while their system moves: an error that names the
 * system and M, in every driver and scheme, and the state from before. Until then the motion is right.
 */
#include "support.h"

/* One, two or three coordinates; M is diag(1, 1 - q, 1), or [1, b; b, 1] with b = q. */
typedef enum loss { vanishing, coupled, kinds } loss;

static int mass(const nsds_arguments *in, double *M, void *user) {
  loss kind = *(const loss *)user;
  int n = in->nv;
  for (int k = 0; k < n * n; ++k) M[k] = 0.0;
  for (int k = 0; k < n; ++k) M[k + n * k] = 1.0;
  if (kind == vanishing) M[n * n - 1] = 1.0 - in->q[0];
  else M[1] = M[n] = in->q[0];
  return 0;
}

typedef enum way { steps, d1_minus, parts, events, ways } way;

static nsds_simulation *start(nsds_model *m, nsds_ds *ds, way w) {
  if (w == events)
    return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 5.0, .output_period = 0.01});
  if (w == parts)
    assert_ok(m, nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 2)));
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 5.0,
                                   .h = 0.01,
                                   .second_order = w == d1_minus ? nsds_d1_minus()
                                                                 : nsds_moreau_jean(0.5, 1.0)});
}

/* A velocity of 1 along q[0] leads M out at q[0] = 1; the force on the others is none. */
static void moves_out_of_its_domain(void **state) {
  (void)state;
  for (loss kind = vanishing; kind < kinds; ++kind)
    for (way w = steps; w < ways; ++w)
      for (int n = kind == vanishing ? 1 : 2; n <= 3; ++n) {
        nsds_model *m = nsds_model_create(NULL);
        double q[3] = {0.0}, v[3] = {1.0, 0.0, 0.0};
        nsds_ds *ds = nsds_lagrangian(
            m, &(nsds_lagrangian_def){
                   .name = "lost", .ndof = n, .q0 = q, .v0 = v, .mass_fn = mass, .user = &kind});
        nsds_simulation *s = start(m, ds, w);
        assert_sound(m);
        nsds_status status = nsds_run(s);
        assert_int_equal(status, NSDS_ERROR_SINGULAR);
        assert_int_equal(nsds_error(nsds_model_context(m)), NSDS_ERROR_SINGULAR);
        assert_words(nsds_error_message(nsds_model_context(m)),
                     ((const char *[]){"system 'lost'", "M(q)", "not positive definite", "t = "}),
                     4);
        assert_between(nsds_time(s), 0.97, 1.0);
        assert_near(nsds_q(ds)[0], nsds_time(s), 1e-9);
        assert_near(nsds_v(ds)[0], 1.0, 1e-9);
        nsds_model_destroy(m);
      }
}

/* A force drives it there: steps pass over the zero of M, and name M. The rates of event-driven
 * simulation grow without bound before it, and no step of the integration is small enough. */
static int pull(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = -3.0 * in->q[0] - 2.0;
  return 0;
}

static int pull_q(const nsds_arguments *in, double *f, void *user) {
  (void)in, (void)user;
  f[0] = -3.0;
  return 0;
}

static int mass_of_q(const nsds_arguments *in, double *M, void *user) {
  (void)user;
  M[0] = 1.0 - in->q[0];
  return 0;
}

static void driven_out_of_its_domain(void **state) {
  (void)state;
  for (int w = 0; w < 3; ++w) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian(m, &(nsds_lagrangian_def){.name = "lost",
                                                            .ndof = 1,
                                                            .mass_fn = mass_of_q,
                                                            .fint.fn = pull,
                                                            .fint.jac_q_fn = pull_q,
                                                            .fint.jac_v_fn = nsds_zero});
    nsds_simulation *s =
        w == 2 ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 5.0, .output_period = 0.01})
               : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 5.0, .h = w ? 1e-3 : 0.05});
    assert_sound(m);
    nsds_status status = nsds_run(s);
    if (w == 2) assert_int_equal(status, NSDS_ERROR_INTEGRATION);
    else assert_int_equal(status, NSDS_ERROR_SINGULAR);
    if (w < 2)
      assert_words(nsds_error_message(nsds_model_context(m)),
                   ((const char *[]){"system 'lost'", "M(q)", "not positive definite"}), 3);
    assert_between(nsds_q(ds)[0], 0.5, 1.0);
    nsds_model_destroy(m);
  }
}

/* One that comes near to it, in units far apart, goes on. */
static int narrow(const nsds_arguments *in, double *M, void *user) {
  (void)user;
  double c = cos(in->q[0]);
  M[0] = 1.0, M[1] = M[2] = 1e-9 * 0.999999 * c, M[3] = 1e-18;
  return 0;
}

static void badly_scaled_but_definite(void **state) {
  (void)state;
  for (int w = 0; w < 2; ++w) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_lagrangian(
        m, &(nsds_lagrangian_def){.ndof = 2, .v0 = (double[]){1.0, 0.0}, .mass_fn = narrow});
    nsds_simulation *s =
        w ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.1, .output_period = 0.01})
          : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 0.1, .h = 0.001});
    assert_sound(m);
    assert_int_equal(nsds_run(s), NSDS_END);
    nsds_model_destroy(m);
  }
}

/* Zero-order hold is the exponential of M^-1 A: it names M, and not W. */
static void zero_order_hold_without_mass(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_first_order_linear(m, &(nsds_first_order_linear_def){.name = "algebraic",
                                                            .n = 2,
                                                            .mass = (double[]){1.0, 0.0, 0.0, 0.0},
                                                            .A = (double[]){-1.0, 0.0, 0.0, -1.0}});
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .first_order = nsds_zero_order_hold()});
  assert_null(s);
  const char *message = nsds_error_message(nsds_model_context(m));
  assert_words(message, ((const char *[]){"system 'algebraic': M is singular", "zero-order hold"}),
               2);
  assert_null(strstr(message, "W ="));
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves_out_of_its_domain),
      cmocka_unit_test(driven_out_of_its_domain),
      cmocka_unit_test(badly_scaled_but_definite),
      cmocka_unit_test(zero_order_hold_without_mass),
  };
  return cmocka_run_group_tests_name("kernel.mass_lost", tests, NULL, NULL);
}
