/*
 * d^2y/dt^2 of joints at constant velocities, which event-driven simulation asks for, against
 * differences of H V along the motion: every kind, with the world and with a second body, in space
 * and in the plane, in configurations far from the closed one.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "joint.h"

#include <nsds/rigid_body.h>

static const double sphere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* In [-1, 1]. */
static double random_number(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void random_state(uint64_t *seed, nsds_ds *ds) {
  double q[7], v[6], length = 0.0;
  for (int k = 0; k < 7; ++k) q[k] = random_number(seed);
  for (int k = 0; k < 6; ++k) v[k] = random_number(seed);
  for (int k = 3; k < 7; ++k) length += q[k] * q[k];
  for (int k = 3; k < 7; ++k) q[k] /= sqrt(length);
  assert_int_equal(nsds_set_state(ds, q, v), NSDS_OK);
}

/* Coordinates of both bodies after a time along their velocities. */
static void gather(nsds_ds *const *ds, int bodies, double time, double *q, double *v) {
  for (int b = 0; b < bodies; ++b) {
    int nq = nsds_nq(ds[b]), nv = nsds_nv(ds[b]);
    double step[6];
    nsds_in in = nsds_ds_point(ds[b], 0.0, nsds_q(ds[b]), nsds_v(ds[b]));
    for (int k = 0; k < nv; ++k) step[k] = time * nsds_v(ds[b])[k];
    if (ds[b]->ops->advance) ds[b]->ops->advance(ds[b]->self, &in, step, q);
    else
      for (int k = 0; k < nq; ++k) q[k] = in.q[k] + step[k];
    memcpy(v, nsds_v(ds[b]), (size_t)nv * sizeof *v);
    q += nq;
    v += nv;
  }
}

static void rates(const nsds_relation *relation, const double *q, const double *v, double *ydot) {
  double H[6 * 12];
  nsds_in in = {.q = q, .v = v, .nq = relation->nq, .nv = relation->nv};
  assert_int_equal(relation->ops->gradient_v(relation->self, &in, H), NSDS_OK);
  for (int i = 0; i < relation->ny; ++i) {
    ydot[i] = 0.0;
    for (int j = 0; j < relation->nv; ++j) ydot[i] += H[i + relation->ny * j] * v[j];
  }
}

static void try_kind(nsds_joint_kind kind, int bodies, bool flat, uint64_t *seed) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2] = {NULL, NULL};
  for (int b = 0; b < bodies; ++b) {
    ds[b] = flat ? nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0})
                 : nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = sphere});
    random_state(seed, ds[b]);
  }
  nsds_joint_def def = {.kind = kind,
                        .ds = {ds[0], ds[1]},
                        .point = {0.1, -0.2, 0.3},
                        .other = {0.5, 0.1, -0.4},
                        .axis = {0.3, 0.4, -1.2},
                        .reversed = true};
  nsds_relation *relation = nsds_relation_find(nsds_joint(m, &def), "test");
  assert_non_null(relation);
  for (int b = 0; b < bodies; ++b) random_state(seed, ds[b]);
  double q[14], v[12], before[6], after[6], bias[6];
  const double d = 1e-5;
  gather(ds, bodies, -d, q, v);
  rates(relation, q, v, before);
  gather(ds, bodies, d, q, v);
  rates(relation, q, v, after);
  gather(ds, bodies, 0.0, q, v);
  nsds_in in = {.q = q, .v = v, .nq = relation->nq, .nv = relation->nv};
  assert_int_equal(relation->ops->bias(relation->self, &in, bias), NSDS_OK);
  for (int i = 0; i < relation->ny; ++i) {
    double expected = (after[i] - before[i]) / (2.0 * d), scale = 1.0 + fabs(expected);
    if (!(fabs(bias[i] - expected) <= 1e-6 * scale * scale)) /* the angle's may be large */
      fail_msg("kind %d, %d bodies%s, row %d: %.9g instead of %.9g", (int)kind, bodies,
               flat ? " in the plane" : "", i, bias[i], expected);
  }
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
