/*
 * Runs under nonsmooth RATTLE that continue from a snapshot in another model. Both problems of a step share
 * a solver: it took the factor of one for the other where their stamps met, which happened in other steps
 * of the restored run.
 */
#include "support.h"

/* A pendulum on a hinge with a drawn axis. */
static nsds_simulation *drawn_pendulum(long seed, nsds_model *model, nsds_ds **ds) {
  uint64_t draw = (uint64_t)seed;
  double J[9] = {random_in(&draw, 0.2, 0.4), 0, 0, 0, 0.3, 0, 0, 0, 0.25}, q0[7] = {0.0},
         size = 0.0;
  for (int k = 0; k < 3; ++k) q0[k] = random_in(&draw, -1.0, 1.0);
  for (int k = 3; k < 7; ++k) q0[k] = random_in(&draw, -1.0, 1.0);
  for (int k = 3; k < 7; ++k) size += q0[k] * q0[k];
  for (int k = 3; k < 7; ++k) q0[k] /= sqrt(size);
  *ds = nsds_rigid_body(
      model,
      &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q0, .gravity = {0.0, 0.0, -9.81}});
  nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE, .ds = {*ds}};
  for (int k = 0; k < 3; ++k) hinge.axis[k] = random_in(&draw, 0.1, 1.0);
  for (int k = 0; k < 3; ++k) hinge.point[k] = random_in(&draw, -1.0, 1.0);
  nsds_connect(model, nsds_joint(model, &hinge), nsds_equality(model), 1, ds);
  assert_sound(model);
  return nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 0.4, .h = 5e-3, .second_order = nsds_rattle()});
}

static void a_restored_run_has_the_same_bits(void **state) {
  (void)state;
  for (long seed = 1; seed <= 300; ++seed) {
    nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
    nsds_ds *ds[2];
    nsds_simulation *whole = drawn_pendulum(seed, model[0], &ds[0]),
                    *half = drawn_pendulum(seed, model[1], &ds[1]);
    for (int k = 0; k < 20; ++k) assert_int_equal(nsds_step(whole), NSDS_OK);
    nsds_snapshot *saved = nsds_snapshot_take(whole);
    assert_int_equal(nsds_snapshot_restore(half, saved), NSDS_OK);
    for (int k = 0; k < 10; ++k) {
      assert_int_equal(nsds_step(whole), NSDS_OK);
      assert_int_equal(nsds_step(half), NSDS_OK);
      if (memcmp(nsds_v(ds[0]), nsds_v(ds[1]), 6 * sizeof(double)))
        fail_msg("pendulum %ld, step %d: other bits", seed, k);
    }
    nsds_snapshot_destroy(saved);
    nsds_model_destroy(model[0]);
    nsds_model_destroy(model[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_restored_run_has_the_same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
