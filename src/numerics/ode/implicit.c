/* Implicit methods out of SUNDIALS, see implicit.h. */
#include "implicit.h"

#include <stdio.h>

/* In ulp of t. Shorter steps than the first are not asked of SUNDIALS, which finds them too close;
 * shorter ones than the second, which it may take where f refuses longer ones, lead nowhere. */
static const double line_ulps = 64.0, shortest_ulps = 4.0;

static void unmake(nsds_implicit *implicit) {
  if (implicit->n > 0) implicit->ops->unmake(implicit);
  implicit->n = 0;
}

nsds_status nsds_implicit_reserve(nsds_ode *ode, const nsds_implicit_ops *ops) {
  nsds_implicit *implicit = ode->self;
  if (!implicit) {
    ode->self = implicit = NSDS_NEW(ode->context, nsds_implicit);
    if (!implicit) return NSDS_ERROR_MEMORY;
    implicit->ode = ode;
    implicit->ops = ops;
  }
  int n = ode->problem.n;
  if (n == implicit->n) return NSDS_OK;
  unmake(implicit);
  nsds_status status = nsds_grow(ode->context, &implicit->slope, &implicit->slope_capacity,
                                 (size_t)n, sizeof(double));
  if (status || n == 0) return status;
  implicit->n = n; /* what is made in part is unmade too */
  if (ops->make(implicit)) return NSDS_OK;
  unmake(implicit);
  return nsds_fail(ode->context, NSDS_ERROR_MEMORY,
                   "integration (%s): out of memory for %d states%s%s", ode->method->name, n,
                   implicit->said[0] ? ": " : "", implicit->said);
}

void nsds_implicit_destroy(nsds_ode *ode) {
  nsds_implicit *implicit = ode->self;
  if (!implicit) return;
  unmake(implicit);
  nsds_release(ode->context, implicit->slope);
  nsds_release(ode->context, implicit);
}

nsds_status nsds_implicit_start(nsds_ode *ode, double step) {
  nsds_implicit *implicit = ode->self;
  implicit->restart = true;
  implicit->wish = step;
  return NSDS_OK;
}

/* ---- what SUNDIALS calls ---- */

int nsds_implicit_rhs(nsds_implicit *implicit, double t, const double *x, double *dx) {
  int result = nsds_ode_rhs(implicit->ode, fmin(t, implicit->limit), x, dx);
  if (result < 0) implicit->result = result;
  if (result > 0) {
    implicit->refusal = implicit->ode->cause;
    implicit->refused_at = t;
  }
  return result;
}

int nsds_implicit_jacobian(nsds_implicit *implicit, double t, const double *x, double *J) {
  int result = nsds_ode_jacobian(implicit->ode, fmin(t, implicit->limit), x, J);
  if (result < 0) implicit->result = result;
  return result;
}

void nsds_implicit_said(int code, const char *module, const char *function, char *text,
                        void *self) {
  nsds_implicit *implicit = self;
  if (code < 0)
    snprintf(implicit->said, sizeof implicit->said, "%s, %s: %s", module, function, text);
}

/* ---- steps ---- */

/* A few ulp: on the tangent. */
static int step_on_line(nsds_ode *ode, double limit) {
  nsds_implicit *implicit = ode->self;
  double h = limit - ode->t1;
  int result = nsds_ode_rhs(ode, ode->t1, ode->x1, implicit->slope);
  if (result > 0) return nsds_ode_fail_step_size(ode, ode->t1);
  if (result < 0) return result;
  for (int i = 0; i < implicit->n; ++i) ode->x1[i] += h * implicit->slope[i];
  implicit->line = implicit->restart = true;
  ode->t0 = ode->t1;
  ode->t1 = limit;
  ++ode->count.steps;
  return 0;
}

static bool restart(nsds_implicit *implicit) {
  const nsds_ode_options *options = &implicit->ode->options;
  double step = implicit->wish > 0.0 ? implicit->wish : implicit->begun ? 0.0 : options->first_step;
  implicit->begun = true;
  implicit->restart = false;
  implicit->failed_tests = 0;
  return implicit->ops->restart(implicit, step);
}

static int failed(nsds_implicit *implicit, nsds_implicit_outcome outcome) {
  nsds_ode *ode = implicit->ode;
  if (outcome == NSDS_IMPLICIT_CALLBACK && implicit->result < 0) return implicit->result;
  if (outcome == NSDS_IMPLICIT_SMALL) {
    double distance = fabs(implicit->refused_at - ode->t1);
    bool near = distance <= 1e-8 * fmax(fabs(ode->t1), fabs(implicit->limit));
    ode->cause = near ? implicit->refusal : NSDS_ODE_FAILED_NOT;
    return nsds_ode_fail_step_size(ode, ode->t1);
  }
  return nsds_ode_fail(ode, NSDS_ODE_FAILED_METHOD, "at t = %.17g: %s", ode->t1,
                       implicit->said[0] ? implicit->said : "no reason given");
}

int nsds_implicit_step(nsds_ode *ode, double limit) {
  nsds_implicit *implicit = ode->self;
  int result = nsds_ode_try(ode);
  if (result) return result;
  double ulp = nsds_ode_ulp(fmax(fabs(ode->t1), fabs(limit)));
  if (limit - ode->t1 <= line_ulps * ulp) return step_on_line(ode, limit);
  double t = ode->t1;
  long failed_tests = 0;
  implicit->limit = limit;
  implicit->result = 0;
  implicit->said[0] = '\0';
  nsds_implicit_outcome outcome = NSDS_IMPLICIT_OTHER;
  if (!implicit->restart || restart(implicit))
    outcome = implicit->ops->step(implicit, limit, &t, ode->x1, &failed_tests);
  if (outcome == NSDS_IMPLICIT_DONE && t < limit && t - ode->t1 < shortest_ulps * ulp)
    outcome = NSDS_IMPLICIT_SMALL;
  if (outcome != NSDS_IMPLICIT_DONE) return failed(implicit, outcome);
  implicit->line = false;
  ode->count.rejected += failed_tests - implicit->failed_tests;
  implicit->failed_tests = failed_tests;
  ode->t0 = ode->t1;
  ode->t1 = limit - t <= 4.0 * ulp ? limit : t;
  ++ode->count.steps;
  return 0;
}

void nsds_implicit_dense(nsds_ode *ode, double t, double *x) {
  nsds_implicit *implicit = ode->self;
  if (!implicit->line) {
    implicit->ops->dense(implicit, t, x);
    return;
  }
  for (int i = 0; i < implicit->n; ++i) x[i] = ode->x1[i] - (ode->t1 - t) * implicit->slope[i];
}
