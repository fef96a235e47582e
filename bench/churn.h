/*
 * The scene of the cases churn_ts and churn_set_ts: rigid bodies of six degrees of freedom that
 * rest on the ground with one contact each.
 *
 * The load of a body is along the row H of its contact, which balances it; the gap starts at
 * -2^-20, so that no contact opens by rounding.
 */
#ifndef NSDS_BENCH_CHURN_H
#define NSDS_BENCH_CHURN_H

#include "stepping.h"

static const double churn_H[6] = {0.0, 0.0, 1.0, 0.1, -0.2, 0.0};

/* Body k, side by side with the others; NULL on failure. */
static inline nsds_ds *churn_body(nsds_model *model, int k) {
  const double inertia[6] = {2.0, 2.0, 2.0, 0.3, 0.4, 0.5};
  double mass[36] = {0.0}, load[6], q[6] = {0.0, 0.0, -0x1p-20, 0.0, 0.0, 0.0};
  for (int i = 0; i < 6; ++i) {
    mass[7 * i] = inertia[i];
    load[i] = -2.0 * 9.81 * churn_H[i];
  }
  q[0] = k;
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .name = "body", .ndof = 6, .q0 = q, .mass = mass, .fext = load});
}

/* The gap of a body to the ground, as a relation. */
static inline nsds_relation *churn_gap(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.name = "gap", .ny = 1, .nq = 6, .H = churn_H});
}

static inline stepping *churn_start(nsds_model *model, long steps) {
  return (stepping *)stepping_start(
      model, steps,
      (nsds_time_stepping_def){.h = 1e-3, .second_order = nsds_moreau_jean(0.5, 1.0)});
}

#endif
