/*
 * Iterate and gradient of the projected gradient methods, see gradient.h. The outer iteration on
 * the shift is the fixed point of Acary, Cadoux, Lemarechal & Malick (ZAMM 91, 2011), solved
 * inexactly.
 */
#include "gradient.h"
#include "blockwise.h"

static const double shift_accuracy = 0.1; /* of the natural residual at the last renewal */

/* | z - P(z - R g) |, zero at a solution for the held shift. */
static double natural_residual(const nsds_gradient *t, double *trial) {
  double sum = 0.0;
  for (int i = 0; i < t->n; ++i) trial[i] = t->z[i] - t->r[i] * t->g[i];
  nsds_project(t->problem, trial, trial);
  for (int i = 0; i < t->n; ++i) sum += (t->z[i] - trial[i]) * (t->z[i] - trial[i]) / t->r[i];
  return sqrt(sum);
}

/* s = s(w), w = g - s. */
static void shift(nsds_gradient *t, double *trial) {
  for (int i = 0; i < t->n; ++i) t->g[i] -= t->s[i];
  nsds_shift(t->problem, t->g, t->s);
  for (int i = 0; i < t->n; ++i) {
    double w = t->g[i];
    t->g[i] = t->s[i];
    t->s[i] -= w;
  }
  t->renewal = natural_residual(t, trial);
}

bool nsds_gradient_renew(nsds_gradient *t, double *trial) {
  if (!t->shifts || natural_residual(t, trial) > shift_accuracy * t->renewal) return false;
  shift(t, trial);
  return true;
}

void nsds_gradient_refresh(nsds_gradient *t) {
  nsds_problem_multiply(t->problem, t->z, t->g, t->work);
  for (int i = 0; i < t->n; ++i) t->g[i] += t->s[i];
}

nsds_gradient nsds_gradient_start(nsds_solver *solver, const nsds_problem *problem,
                                  const double *z) {
  size_t n = (size_t)problem->n;
  double *scratch = solver->toolbox->scratch;
  nsds_gradient t = {.problem = problem,
                     .linear = *problem,
                     .n = problem->n,
                     .z = scratch,
                     .g = scratch + n,
                     .d = scratch + 2 * n,
                     .Md = scratch + 3 * n,
                     .s = scratch + 4 * n,
                     .r = scratch + 5 * n,
                     .zero = scratch + 6 * n,
                     .work = solver->toolbox->certify_work,
                     .shifts = (solver->toolbox->sets & nsds_shifted_sets) != 0};
  memset(t.zero, 0, n * sizeof *t.zero);
  memset(t.s, 0, n * sizeof *t.s);
  t.linear.q = t.zero;
  nsds_metric(problem, t.r, t.g);
  memcpy(t.z, z, n * sizeof *z);
  nsds_gradient_refresh(&t);
  if (t.shifts) shift(&t, t.d);
  return t;
}

void nsds_gradient_project(nsds_gradient *t, double alpha) {
  for (int i = 0; i < t->n; ++i) t->d[i] = t->z[i] - alpha * t->r[i] * t->g[i];
  nsds_project(t->problem, t->d, t->d);
  for (int i = 0; i < t->n; ++i) t->d[i] -= t->z[i];
}

/* At most -d.d / alpha by the projection; near a solution with g other than 0 rounding leaves only
 * that of the sum. */
double nsds_gradient_slope(const nsds_gradient *t, double alpha) {
  return fmin(nsds_dot(t->n, t->g, t->d), -nsds_dot_z(t->n, t->r, t->d, t->d) / alpha);
}

void nsds_gradient_advance(nsds_gradient *t, double lambda) {
  for (int i = 0; i < t->n; ++i) {
    t->z[i] += lambda * t->d[i];
    t->g[i] += lambda * t->Md[i];
  }
}
