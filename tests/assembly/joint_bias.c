/*
 * d^2y/dt^2 of joints at constant velocities, which event-driven simulation asks for, against
 * differences of H V along the motion: every kind, with the world and with a second body, in space
 * and in the plane, in configurations far from the closed one.
 */
#include "rates.h"

#include "joint.h"

static void try_kind(nsds_joint_kind kind, int bodies, bool flat, uint64_t *seed) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2] = {NULL, NULL};
  for (int b = 0; b < bodies; ++b) ds[b] = random_body(m, flat, seed);
  nsds_joint_def def = {.kind = kind,
                        .ds = {ds[0], ds[1]},
                        .point = {0.1, -0.2, 0.3},
                        .other = {0.5, 0.1, -0.4},
                        .axis = {0.3, 0.4, -1.2},
                        .reversed = true};
  nsds_relation *relation = nsds_relation_find(nsds_joint(m, &def), "test");
  assert_non_null(relation);
  for (int b = 0; b < bodies; ++b) random_state(seed, ds[b]);
  char what[80];
  snprintf(what, sizeof what, "kind %d, %d bodies%s", (int)kind, bodies,
           flat ? " in the plane" : "");
  check_second_rate(relation, ds, bodies, what);
  nsds_model_destroy(m);
}

static void bias_is_the_second_rate(void **state) {
  (void)state;
  uint64_t seed = 12;
  for (int kind = NSDS_JOINT_BALL; kind <= NSDS_JOINT_SLIDE; ++kind)
    for (int k = 0; k < 80; ++k) {
      bool flat = k % 4 >= 2;
      if (!flat || kind != NSDS_JOINT_CYLINDRICAL)
        try_kind((nsds_joint_kind)kind, 1 + k % 2, flat, &seed);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bias_is_the_second_rate)};
  return cmocka_run_group_tests_name("assembly.joint_bias", tests, NULL, NULL);
}
