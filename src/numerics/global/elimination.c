/*
 * Elimination by a regularised saddle point system and the method of multipliers (Hestenes 1969;
 * Powell 1969): with the small Delta of saddle.h
 *
 *     M v - G lambda = f,   G^T v + Delta lambda = -b + Delta lambda_before,
 *
 * whose rows G^T v + b are left with Delta (lambda_before - lambda). An eigenvalue s of the scaled
 * G^T M^-1 G shrinks its part by delta / (delta + s) in a step; s = 0 does no harm where the rows
 * do not contradict each other.
 */
#include "elimination.h"
#include "solver_internal.h"

#include <float.h>

enum { most_steps = 30 }; /* of multipliers: rows that agree take two or three */

static const double delta = 1e-9;    /* beside d: small, and far above the rounding of factors */
static const double must_fall = 0.5; /* what is left, in a step before another is made */

static const nsds_sparse none = {0};

static nsds_status check_definite(nsds_elimination *e, nsds_store *store,
                                  const nsds_global_problem *problem) {
  if (problem->p == 0) return nsds_saddle_definite(&e->saddle);
  nsds_status status = nsds_saddle_load(&e->mass, store, &problem->M, &none, &none);
  return status ? status : nsds_saddle_definite(&e->mass);
}

nsds_status nsds_elimination_factor(nsds_elimination *e, nsds_store *store,
                                    const nsds_global_problem *problem) {
  size_t nv = (size_t)problem->nv, p = (size_t)problem->p;
  const nsds_cut cut[] = {NSDS_CUT(e->given, nv + p), NSDS_CUT(e->y, p)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_saddle_load(&e->saddle, store, &problem->M, &problem->G, &none);
  if (!status) status = check_definite(e, store, problem);
  return status ? status : nsds_saddle_factor(&e->saddle, NULL, delta);
}

/* The largest entry in the scaled unit. */
static double size_of(const nsds_elimination *e, const double *x) {
  double most = 0.0;
  for (int k = 0; k < e->saddle.nv + e->saddle.m; ++k)
    most = fmax(most, fabs(x[k]) * e->saddle.scale[k]);
  return most;
}

/* One step from the multipliers in e->y; what is left of the equality rows. */
static double step(nsds_elimination *e, double *x) {
  const nsds_saddle *s = &e->saddle;
  double most = 0.0;
  memcpy(x, e->given, (size_t)(s->nv + s->m) * sizeof *x);
  for (int j = 0; j < s->m; ++j)
    x[s->nv + j] = -x[s->nv + j] + nsds_saddle_d(s, j) * delta * e->y[j];
  nsds_saddle_solve(&e->saddle, x);
  for (int j = 0; j < s->m; ++j) {
    double lambda = x[s->nv + j] = -x[s->nv + j];
    most = fmax(most, delta * fabs(lambda - e->y[j]) / s->scale[s->nv + j]);
    e->y[j] = lambda;
  }
  return most;
}

double nsds_eliminate(nsds_elimination *e, double *x) {
  const nsds_saddle *s = &e->saddle;
  double size = size_of(e, x), before = INFINITY, left = 0.0;
  memcpy(e->given, x, (size_t)(s->nv + s->m) * sizeof *x);
  memset(e->y, 0, (size_t)s->m * sizeof *e->y);
  for (int k = 0; k < most_steps; ++k) {
    left = step(e, x);
    if (left <= DBL_EPSILON * size || (k > 1 && !(left < must_fall * before))) break;
    before = left;
  }
  return left > 0.0 ? left / size : 0.0;
}
