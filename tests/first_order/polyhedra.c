/*
 * The normal cone to a polyhedron between first-order systems.
 */
#include "support.h"

/* dx/dt = lambda, lambda in the polyhedron given; x(0) as given. */
static nsds_simulation *descent(nsds_model *model, nsds_law *law, const double *x0, nsds_ds **ds,
                                nsds_interaction **ia) {
  const double identity[] = {1.0, 0.0, 0.0, 1.0};
  *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 2, .x0 = x0});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){.ny = 2, .nx = 2, .C = identity, .B = identity});
  *ia = nsds_connect(model, relation, law, 1, ds);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1.0 / 64.0});
  assert_sound(model);
  return simulation;
}

/*
 * In the diamond |lambda_1| + |lambda_2| <= 1, lambda is the corner against the larger component of
 * x: from (1, 0.4) that component falls at the rate 1 down to the other, then both fall at 1/2 with
 * lambda in the middle of an edge, until both vanish at t = 1.4.
 */
static void normal_cone_to_a_diamond(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const double H[] = {1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0}, K[] = {-1.0, -1.0, -1.0, -1.0};
  nsds_ds *ds;
  nsds_interaction *ia;
  nsds_simulation *simulation =
      descent(model, nsds_normal_cone(model, 2, 4, H, K), (double[]){1.0, 0.4}, &ds, &ia);
  const double *x = nsds_x(ds), *lambda = nsds_lambda(ia), h = 1.0 / 64.0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double t = nsds_time(simulation);
    double larger = t < 0.6 ? 1.0 - t : fmax(0.0, 0.4 - 0.5 * (t - 0.6));
    assert_near(x[0], larger, 1e-13);
    assert_near(x[1], fmin(0.4, larger), 1e-13);
    if (t < 0.6) assert_near(lambda[0], -1.0, 1e-12);
    if (t > 0.6 + h && t < 1.4) assert_near(lambda[1], -0.5, 1e-11);
    if (t > 1.4 + h) assert_near(fabs(lambda[0]) + fabs(lambda[1]), 0.0, 1e-11);
    assert_between(fabs(lambda[0]) + fabs(lambda[1]), 0.0, 1.0 + 1e-12);
  }
  assert_status(model, status, NSDS_END);
  nsds_model_destroy(model);
}

/* A square written as a polyhedron is a relay. */
static void normal_cone_to_a_square(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const double H[] = {1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0}, K[] = {-1.0, -1.0, -1.0, -1.0};
  const double bound[] = {1.0, 1.0}, minus[] = {-1.0, -1.0}, x0[] = {1.3, -0.7};
  nsds_ds *ds[2];
  nsds_interaction *ia[2];
  descent(model, nsds_normal_cone(model, 2, 4, H, K), x0, &ds[0], &ia[0]);
  nsds_simulation *simulation =
      descent(model, nsds_relay(model, 2, minus, bound), x0, &ds[1], &ia[1]);
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK)
    for (int i = 0; i < 2; ++i) {
      assert_near(nsds_x(ds[0])[i], nsds_x(ds[1])[i], 1e-13);
      assert_near(nsds_lambda(ia[0])[i], nsds_lambda(ia[1])[i], 1e-11);
    }
  assert_status(model, status, NSDS_END);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_cone_to_a_diamond),
      cmocka_unit_test(normal_cone_to_a_square),
  };
  return cmocka_run_group_tests_name("first_order.polyhedra", tests, NULL, NULL);
}
