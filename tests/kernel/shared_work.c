/*
 * A pile of spheres whose work is shared among threads: the same bits for any number of them, step
 * by step, of positions, velocities, contacts and impulses.
 */
#include "support.h"

#include <stdlib.h>

#ifndef NSDS_TEST_STEPS
#define NSDS_TEST_STEPS 100 /* fewer where a sanitizer looks at every access */
#endif

enum { edge = 8, count = edge * edge * edge, steps = NSDS_TEST_STEPS, most_threads = 4 };

static nsds_verdict take(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* Spheres that touch from the start, pushed aside, and one as large as many of them. */
static nsds_contact_set *build(nsds_model *model, nsds_ds **ds) {
  double radii[count + 1];
  uint64_t seed = 5;
  for (int k = 0; k <= count; ++k) {
    bool large = k == count;
    const int c[3] = {k % edge, k / edge % edge, k / edge / edge};
    double r = large ? 0.5 * edge : 0.5, m = large ? 100.0 : 1.0, J = 0.4 * m * r * r;
    double q[7] = {0.5 * edge, 0.5 * edge, 1.5 * edge, 1.0, 0.0, 0.0, 0.0};
    for (int i = 0; !large && i < 3; ++i) q[i] = c[i] + 0.5 + random_in(&seed, -1e-3, 1e-3);
    radii[k] = r;
    ds[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){.mass = m,
                                      .inertia = (double[9]){J, 0, 0, 0, J, 0, 0, 0, J},
                                      .q0 = q,
                                      .v0 = (double[6]){0.3, 0.1 * c[2], large ? -2.0 : 0.0},
                                      .gravity = {0.0, 0.0, -9.81}});
  }
  const nsds_plane floor = {{0.0, 0.0, 1.0}, 0.0};
  return nsds_spheres(model,
                      &(nsds_spheres_def){.law = nsds_newton_impact_friction(
                                              model, &(nsds_newton_impact_friction_def){.mu = 0.3}),
                                          .count = count + 1,
                                          .ds = ds,
                                          .radii = radii,
                                          .nplane = 1,
                                          .plane = &floor});
}

/* Hashes after every step. */
static void simulate(int threads, uint64_t *hash) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds **ds = calloc(count + 1, sizeof(nsds_ds *));
  nsds_contact_set *set = build(model, ds);
  assert_ok(model, nsds_context_set_threads(nsds_model_context(model), threads));
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 1e3, .h = 5e-3, .solver = "nsgs", .tolerance = 1e-6, .check_solver = take});
  assert_sound(model);
  nsds_solver_set(nsds_simulation_solver(simulation), "max_iterations", 25.0);
  for (int k = 0; k < steps; ++k) {
    assert_ok(model, nsds_step(simulation));
    assert_true(nsds_contact_set_count(set) > 1000); /* by colours */
    hash[k] = state_hash(model, (uint64_t)nsds_contact_set_count(set));
    for (int c = 0; c < nsds_contact_set_count(set); ++c) {
      nsds_contact_info info;
      assert_ok(model, nsds_contact_set_get(set, c, &info));
      hash[k] = (hash[k] ^ info.key) * UINT64_C(0x9E3779B97F4A7C15);
      for (int i = 0; i < 3; ++i) {
        uint64_t bits;
        memcpy(&bits, &info.impulse[i], sizeof bits);
        hash[k] = (hash[k] ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
      }
    }
  }
  nsds_model_destroy(model);
  free(ds);
}

static void the_number_of_threads_changes_no_bit(void **unused) {
  (void)unused;
  uint64_t one[steps], many[steps];
  simulate(1, one);
  assert_true(one[0] != one[1]);
  for (int threads = 2; threads <= most_threads; ++threads) {
    simulate(threads, many);
    for (int k = 0; k < steps; ++k)
      if (one[k] != many[k]) fail_msg("%d threads: other bits from step %d on", threads, k + 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_number_of_threads_changes_no_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
