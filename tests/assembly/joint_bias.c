/*
 * d^2y/dt^2 of joints at constant velocities, which event-driven simulation asks for, against
 * differences of H V along the motion: every kind, with the world and with a second body, in space
 * and in the plane, in configurations far from the closed one.
 */
#include "../kernel/any_joint.h"
#include "kernel/modeling/handle.h"
#include "rates.h"

#include "kernel/modeling/graph.h"

#include <nsds/joint.h>

static void try_kind(nsds_joint_kind kind, int bodies, bool flat, uint64_t *seed) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2] = {NULL, NULL};
  for (int b = 0; b < bodies; ++b) ds[b] = nsds_ds_find(random_body(m, flat, seed), "test");
  any_joint_def def = {.kind = kind,
                       .ds = {ds[0], ds[1]},
                       .point = {0.1, -0.2, 0.3},
                       .other = {0.5, 0.1, -0.4},
                       .axis = {0.3, 0.4, -1.2},
                       .reversed = true};
  nsds_relation *relation = nsds_relation_find(any_joint(m, &def), "test");
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
  for (int kind = NSDS_JOINT_BALL; kind <= (int)ANY_SLIDE; ++kind)
    for (int k = 0; k < 80; ++k) {
      bool flat = k % 4 >= 2;
      if (kind != NSDS_JOINT_GEAR && (!flat || any_joint_in_plane(kind)))
        try_kind((nsds_joint_kind)kind, 1 + k % 2, flat, &seed);
    }
}

/* Gears on a carrier, on the world, and with one of them the world. */
static void try_gears(bool second, bool carrier, bool flat, uint64_t *seed) {
  nsds_model *m = nsds_model_create(NULL);
  any_joint_def def = {.kind = NSDS_JOINT_GEAR,
                       .axis = {0.3, 0.4, -1.2},
                       .other_axis = {0.5, -1.0, 0.3},
                       .teeth = {12, 42},
                       .reversed = true};
  nsds_ds *ds[3];
  int bodies = 0;
  for (int k = 0; k < 3; ++k)
    if (k == 0 || (k == 1 ? second : carrier))
      ds[bodies++] = def.ds[k] = nsds_ds_find(random_body(m, flat, seed), "test");
  nsds_relation *relation = nsds_relation_find(any_joint(m, &def), "test");
  assert_non_null(relation);
  for (int b = 0; b < bodies; ++b) random_state(seed, ds[b]);
  check_second_rate(relation, ds, bodies, flat ? "gears in the plane" : "gears");
  nsds_model_destroy(m);
}

static void of_gears_too(void **state) {
  (void)state;
  uint64_t seed = 13;
  for (int k = 0; k < 120; ++k) try_gears(k % 3 != 0, k % 3 != 1, k / 3 % 2, &seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bias_is_the_second_rate),
                                     cmocka_unit_test(of_gears_too)};
  return cmocka_run_group_tests_name("assembly.joint_bias", tests, NULL, NULL);
}
