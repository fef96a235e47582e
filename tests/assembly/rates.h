/* What the tests of d^2y/dt^2 share: random states, and differences of H V along the motion. */
#ifndef NSDS_TEST_ASSEMBLY_RATES_H
#define NSDS_TEST_ASSEMBLY_RATES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/modeling/modeling.h"

#include <nsds/rigid_body.h>

/* In [-1, 1]. */
static inline double random_number(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline void random_state(uint64_t *seed, nsds_ds *ds) {
  double q[7], v[6], length = 0.0;
  for (int k = 0; k < 7; ++k) q[k] = random_number(seed);
  for (int k = 0; k < 6; ++k) v[k] = random_number(seed);
  for (int k = 3; k < 7; ++k) length += q[k] * q[k];
  for (int k = 3; k < 7; ++k) q[k] /= sqrt(length);
  assert_int_equal(nsds_set_state(ds, q, v), NSDS_OK);
}

/* Coordinates of both bodies after a time along their velocities. */
static inline void gather(nsds_ds *const *ds, int bodies, double time, double *q, double *v) {
  for (int b = 0; b < bodies; ++b) {
    int nq = nsds_nq(ds[b]), nv = nsds_nv(ds[b]);
    double step[6];
    nsds_arguments in = nsds_ds_point(ds[b], 0.0, nsds_q(ds[b]), nsds_v(ds[b]));
    for (int k = 0; k < nv; ++k) step[k] = time * nsds_v(ds[b])[k];
    if (ds[b]->ops->advance) ds[b]->ops->advance(ds[b]->self, &in, step, q);
    else
      for (int k = 0; k < nq; ++k) q[k] = in.q[k] + step[k];
    memcpy(v, nsds_v(ds[b]), (size_t)nv * sizeof *v);
    q += nq;
    v += nv;
  }
}

static inline void rates(const nsds_relation *relation, const double *q, const double *v,
                         double *ydot) {
  double H[6 * 18];
  nsds_arguments in = {.q = q, .v = v, .nq = relation->nq, .nv = relation->nv};
  assert_int_equal(relation->ops->gradient_v(relation->self, &in, H), NSDS_OK);
  for (int i = 0; i < relation->ny; ++i) {
    ydot[i] = 0.0;
    for (int j = 0; j < relation->nv; ++j) ydot[i] += H[i + relation->ny * j] * v[j];
  }
}

static inline nsds_ds *random_body(nsds_model *m, bool flat, uint64_t *seed) {
  static const double sphere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  nsds_ds *ds = flat ? nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0})
                     : nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = sphere});
  random_state(seed, ds);
  return ds;
}

/* The bias of a relation at the state of its bodies. */
static inline void check_second_rate(const nsds_relation *relation, nsds_ds *const *ds, int bodies,
                                     const char *what) {
  double q[21], v[18], before[6], after[6], bias[6];
  const double d = 1e-5;
  gather(ds, bodies, -d, q, v);
  rates(relation, q, v, before);
  gather(ds, bodies, d, q, v);
  rates(relation, q, v, after);
  gather(ds, bodies, 0.0, q, v);
  nsds_arguments in = {.q = q, .v = v, .nq = relation->nq, .nv = relation->nv};
  assert_int_equal(relation->ops->bias(relation->self, &in, bias), NSDS_OK);
  for (int i = 0; i < relation->ny; ++i) {
    double expected = (after[i] - before[i]) / (2.0 * d), scale = 1.0 + fabs(expected);
    if (!(fabs(bias[i] - expected) <= 1e-6 * scale * scale)) /* the angle's may be large */
      fail_msg("%s, row %d: %.9g instead of %.9g", what, i, bias[i], expected);
  }
}

#endif
