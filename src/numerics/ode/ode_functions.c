/*
 * The functions of the problem, called with care, and failures of the integration.
 */
#include "numerics/ode/ode_functions.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/text/format.h"

#include <stdio.h>

/* ---- failures ---- */

nsds_status nsds_ode_fail(nsds_ode *ode, nsds_ode_cause cause, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  nsds_format_message(text, sizeof text, format, arguments);
  va_end(arguments);
  ode->cause = cause;
  nsds_status status = cause == NSDS_ODE_FAILED_NOT_FINITE ? NSDS_ERROR_VALUE
                       : cause == NSDS_ODE_FAILED_CALL     ? NSDS_ERROR_ARGUMENT
                       : cause == NSDS_ODE_FAILED_RHS || cause == NSDS_ODE_FAILED_ROOT ||
                               cause == NSDS_ODE_FAILED_JACOBIAN
                           ? NSDS_ERROR_CALLBACK
                           : NSDS_ERROR_INTEGRATION;
  return nsds_fail(ode->context, status, "integration (%s): %s", ode->method->name, text);
}

nsds_status nsds_ode_fail_step_size(nsds_ode *ode, double t) {
  if (ode->stopped) return NSDS_STOPPED;
  nsds_ode_cause why = ode->cause;
  if (why == NSDS_ODE_FAILED_NOT_FINITE)
    return nsds_ode_fail(ode, why,
                         "entry %d of the right-hand side is not finite behind t = %.17g, however "
                         "small the step; it has to be defined there",
                         ode->bad_entry, t);
  if (why == NSDS_ODE_FAILED_RHS)
    return nsds_ode_fail(ode, why,
                         "the right-hand side asks for smaller steps at t = %.17g, and there are "
                         "no smaller ones",
                         t);
  return nsds_ode_fail(ode, NSDS_ODE_FAILED_STEP_SIZE,
                       "at t = %.17g no step is small enough for the tolerances (relative %.3g, "
                       "absolute %.3g): the right-hand side jumps or grows without bound there, or "
                       "they are below rounding",
                       t, ode->options.relative_tolerance, ode->options.absolute_tolerance);
}

nsds_status nsds_ode_try(nsds_ode *ode) {
  if (ode->stopped || nsds_stops(ode->context)) return NSDS_STOPPED;
  if (ode->tried++ < ode->options.max_steps) return NSDS_OK;
  return nsds_ode_fail(ode, NSDS_ODE_FAILED_MAX_STEPS,
                       "max_steps = %lld steps have come to t = %.17g only; allow more, or larger "
                       "errors%s",
                       (long long)ode->options.max_steps, ode->t1,
                       ode->count.stiff ? "; the problem is stiff: an implicit method would need "
                                          "fewer"
                                        : "");
}

/* ---- the functions of the problem ---- */

/* Reports that a function of the problem has failed, unless the function has recorded its own
 * message. */
static int ode_failed(nsds_ode *ode, nsds_ode_cause cause, const char *what, double t, int result,
                      unsigned long failures) {
  bool known = result >= NSDS_ERROR_INTEGRATION;
  nsds_status status = known ? (nsds_status)result : NSDS_ERROR_CALLBACK;
  ode->cause = cause;
  if (nsds_failures(ode->context) != failures) return status;
  return nsds_fail(ode->context, status, "integration (%s): the %s failed at t = %.17g with %d%s%s",
                   ode->method->name, what, t, result, known ? ": " : "",
                   known ? nsds_status_text(status) : "");
}

/* Calls the right-hand side, or forms it where the rate is known. */
static int ode_slopes(nsds_ode *ode, double t, const double *x, double *dx) {
  nsds_ode_problem *problem = &ode->problem;
  if (!ode->rate) return problem->rhs(problem->self, t, x, dx);
  size_t half = (size_t)problem->n / 2;
  nsds_copy_doubles(dx, x + half, half);
  nsds_copy_doubles(dx + half, ode->rate, half);
  return 0;
}

int nsds_ode_rhs(nsds_ode *ode, double t, const double *x, double *dx) {
  nsds_ode_problem *problem = &ode->problem;
  if (problem->n == 0) return 0;
  ++ode->count.rhs;
  unsigned long failures = nsds_failures(ode->context);
  int result = ode_slopes(ode, t, x, dx);
  if (result < 0)
    return ode_failed(ode, NSDS_ODE_FAILED_RHS, "right-hand side", t, result, failures);
  ode->cause = result > 0 ? NSDS_ODE_FAILED_RHS : NSDS_ODE_FAILED_NOT;
  if (result > 0) return NSDS_ODE_SMALLER;
  ode->bad_entry = nsds_first_nonfinite(dx, problem->n);
  if (ode->bad_entry < 0) return 0;
  ode->cause = NSDS_ODE_FAILED_NOT_FINITE;
  return NSDS_ODE_SMALLER;
}

int nsds_ode_jacobian(nsds_ode *ode, double t, const double *x, double *J) {
  nsds_ode_problem *problem = &ode->problem;
  unsigned long failures = nsds_failures(ode->context);
  int result = problem->jacobian(problem->self, t, x, J);
  if (result < 0) return ode_failed(ode, NSDS_ODE_FAILED_JACOBIAN, "Jacobian", t, result, failures);
  return result > 0 ? NSDS_ODE_SMALLER : 0;
}

int nsds_ode_g(nsds_ode *ode, double t, const double *x, double *g) {
  nsds_ode_problem *problem = &ode->problem;
  ++ode->count.root;
  unsigned long failures = nsds_failures(ode->context);
  int result = problem->root(problem->self, t, x, g);
  if (result < 0)
    return ode_failed(ode, NSDS_ODE_FAILED_ROOT, "root function", t, result, failures);
  return result > 0 ? NSDS_ODE_SMALLER : 0;
}

void nsds_ode_dense(nsds_ode *ode, double t, double *x) {
  size_t n = (size_t)ode->problem.n;
  if (n == 0) return;
  if (t == ode->t1) memcpy(x, ode->x1, n * sizeof *x);
  else if (t == ode->at) memcpy(x, ode->x_at, n * sizeof *x);
  else ode->method->dense(ode, t, x);
}

static double row_value(const nsds_ode_rows *rows, int i, const double *x) {
  double sum = rows->constant[i];
  for (int k = rows->start[i]; k < rows->start[i + 1]; ++k)
    sum += rows->value[k] * x[rows->column[k]];
  return sum;
}

static int check_watched(nsds_ode *ode, double t, const double *g) {
  double zero = 0.0;
  for (int k = 0; k < ode->search.nactive; ++k) zero += 0.0 * g[ode->search.active[k]];
  if (NSDS_LIKELY(zero == 0.0)) return 0;
  int k = 0;
  while (isfinite(g[ode->search.active[k]])) ++k;
  return nsds_ode_fail(ode, NSDS_ODE_FAILED_NOT_FINITE,
                       "root function %d is %g at t = %.17g; a function that is watched has to be "
                       "finite",
                       ode->search.active[k], g[ode->search.active[k]], t);
}

int nsds_ode_g_at(nsds_ode *ode, double t, double *g) {
  nsds_ode_dense(ode, t, ode->x_try);
  int result = 0;
  if (ode->affine) {
    double zero = 0.0;
    ++ode->count.root;
    for (int k = 0; k < ode->search.nactive; ++k) {
      double value = row_value(&ode->rows, ode->search.active[k], ode->x_try);
      g[ode->search.active[k]] = value;
      zero += value - value;
    }
    if (NSDS_LIKELY(zero == 0.0)) return 0;
  } else {
    result = nsds_ode_g(ode, t, ode->x_try, g);
  }
  return result ? result : check_watched(ode, t, g);
}

int nsds_ode_g_one(nsds_ode *ode, int i, double t, double *g) {
  const nsds_ode_rows *rows = &ode->rows;
  if (!ode->affine || !ode->method->sum) {
    int result = nsds_ode_g_at(ode, t, ode->search.g);
    *g = ode->search.g[i];
    return result;
  }
  ++ode->count.root;
  const double *x = t == ode->t1 ? ode->x1 : t == ode->at ? ode->x_at : NULL;
  int first = rows->start[i];
  *g = x ? row_value(rows, i, x)
         : ode->method->sum(ode, nsds_ode_part(ode, t), rows->constant[i],
                            rows->start[i + 1] - first, rows->column + first, rows->value + first);
  return 0;
}
