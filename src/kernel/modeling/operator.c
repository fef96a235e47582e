/*
 * Calls user functions and computes Jacobians by central differences:
 *
 *   order 2: [f(x+d) - f(x-d)] / 2d                        d = eps^(1/3) max(1,|x|)
 *   order 4: [8 (f(x+d) - f(x-d)) - (f(x+2d) - f(x-2d))] / 12d,   d = eps^(1/5) max(1,|x|)
 *
 * The steps balance truncation and rounding.
 */
#include "kernel/modeling/operator.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"

int nsds_zero(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return 0;
}

/* nsds_call_jacobian() recognizes this function by its address. A direct call has nothing to
 * differentiate. */
int nsds_differences(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return -1;
}

nsds_status nsds_caller_reserve(nsds_caller *caller, int rows, int columns) {
  caller->scratch = nsds_alloc_for(caller->context, caller->label, "difference quotients",
                                   4 * (size_t)rows + (size_t)columns, sizeof *caller->scratch);
  return caller->scratch ? NSDS_OK : NSDS_ERROR_MEMORY;
}

/* Calls a function with its own data, if it has any. */
static NSDS_NOINLINE int call_own(const nsds_caller *caller, nsds_operator function,
                                  const nsds_arguments *in, double *out, void *user) {
  nsds_arguments at = *in;
  for (int k = 0; k < caller->nown; ++k) {
    const nsds_own_data *own = &caller->own[k];
    if (own->function != function) continue;
    if (own->user) user = own->user;
    if (own->nz > 0) {
      at.z = own->z;
      at.nz = own->nz;
    }
  }
  return function(&at, out, user);
}

nsds_status nsds_call(const nsds_caller *caller, const char *name, nsds_operator function,
                      const nsds_arguments *in, double *out, int n, void *user) {
  nsds_zero_doubles(out, (size_t)n);
  int code = NSDS_LIKELY(caller->nown == 0) ? function(in, out, user)
                                            : call_own(caller, function, in, out, user);
  if (NSDS_UNLIKELY(code != 0))
    return nsds_fail(caller->context, code < 0 ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK,
                     "%s: %s returned %d at t = %.17g (0 is success)", caller->label, name, code,
                     in->t);
  int bad = nsds_first_nonfinite(out, n);
  if (NSDS_UNLIKELY(bad >= 0))
    return nsds_fail(caller->context, NSDS_ERROR_CALLBACK,
                     "%s: %s wrote %g to entry %d at t = %.17g; entries must be finite",
                     caller->label, name, out[bad], bad, in->t);
  return NSDS_OK;
}

nsds_status nsds_call_or_copy(const nsds_caller *caller, const char *name, nsds_operator function,
                              const double *constant, const nsds_arguments *in, double *out, int n,
                              void *user) {
  if (function) return nsds_call(caller, name, function, in, out, n, user);
  for (int k = 0; k < n; ++k) out[k] = constant ? constant[k] : 0.0;
  return NSDS_OK;
}

int nsds_variable_length(const nsds_arguments *in, nsds_variable variable) {
  switch (variable) {
  case NSDS_WRT_Q: return in->nq;
  case NSDS_WRT_V: return in->nv;
  case NSDS_WRT_LAMBDA: return in->nlambda;
  case NSDS_WRT_X: return in->nx;
  case NSDS_WRT_XDOT: return in->nxdot;
  case NSDS_WRT_T: return 1;
  }
  return 0;
}

nsds_status nsds_difference_quotient(const nsds_caller *caller, const nsds_jacobian_pair *pair,
                                     const nsds_arguments *in, int order, double *out) {
  int rows = pair->rows, n = nsds_variable_length(in, pair->variable);
  nsds_arguments at = *in;
  const double *source = &in->t;
  double *x = caller->scratch + 4 * rows;
  switch (pair->variable) {
  case NSDS_WRT_Q: source = in->q, at.q = x; break;
  case NSDS_WRT_V: source = in->v, at.v = x; break;
  case NSDS_WRT_LAMBDA: source = in->lambda, at.lambda = x; break;
  case NSDS_WRT_X: source = in->x, at.x = x; break;
  case NSDS_WRT_XDOT: source = in->xdot, at.xdot = x; break;
  case NSDS_WRT_T: break;
  }
  memcpy(x, source, (size_t)n * sizeof *x);
  const double shift[4] = {1.0, -1.0, 2.0, -2.0};
  for (int j = 0; j < n; ++j) {
    double step =
        (order == 2 ? NSDS_EPSILON_TO_THIRD : NSDS_EPSILON_TO_FIFTH) * fmax(1.0, fabs(source[j]));
    for (int s = 0; s < order; ++s) {
      x[j] = source[j] + shift[s] * step;
      if (pair->variable == NSDS_WRT_T) at.t = x[j];
      nsds_status status = nsds_call(caller, pair->name, pair->function, &at,
                                     caller->scratch + s * rows, rows, pair->user);
      if (status) return status;
    }
    x[j] = source[j];
    const double *f = caller->scratch;
    for (int i = 0; i < rows; ++i) {
      double first = f[i] - f[i + rows];
      out[i + j * rows] = order == 2
                              ? first / (2.0 * step)
                              : (8.0 * first - (f[i + 2 * rows] - f[i + 3 * rows])) / (12.0 * step);
    }
  }
  return NSDS_OK;
}

nsds_status nsds_call_jacobian(const nsds_caller *caller, const nsds_jacobian_pair *pair,
                               const nsds_arguments *in, double *out) {
  if (pair->jacobian == nsds_differences) return nsds_difference_quotient(caller, pair, in, 2, out);
  return nsds_call(caller, pair->name, pair->jacobian, in, out,
                   pair->rows * nsds_variable_length(in, pair->variable), pair->user);
}
