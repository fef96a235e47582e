/*
 * Smooth motion between events, see ode.h: the parts that all methods share.
 */
#include "numerics/ode/ode.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/text/format.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"
#include "numerics/ode/runge_kutta_state.h"
#include "numerics/ode/sundials.h"
#include "numerics/store.h"

#include <stdio.h>

static const nsds_ode_method *const methods[] = {
    &nsds_auto_ode, &nsds_dormand_prince, &nsds_esdirk,
#if NSDS_HAVE_SUNDIALS
    &nsds_arkode,   &nsds_cvode,
#endif
    NULL,
};

const char *nsds_ode_method_name(int k) {
  int count = (int)(sizeof methods / sizeof *methods) - 1;
  return k >= 0 && k < count ? methods[k]->name : NULL;
}

const char *nsds_ode_method_names(char text[nsds_ode_names_size]) {
  int length = 0;
  for (int k = 0; methods[k] && length < nsds_ode_names_size; ++k)
    length += snprintf(text + length, (size_t)(nsds_ode_names_size - length), "%s%s",
                       k > 0 ? ", " : "", methods[k]->name);
  if (!NSDS_HAVE_SUNDIALS && length < nsds_ode_names_size)
    snprintf(text + length, (size_t)(nsds_ode_names_size - length),
             "; arkode and cvode come with SUNDIALS (libsundials-dev)");
  return text;
}

/* ---- creation ---- */

static nsds_status check_options(nsds_ode *ode) {
  nsds_ode_options *o = &ode->options;
  const struct {
    const char *name;
    double value;
    bool positive;
  } field[] = {{"relative_tolerance", o->relative_tolerance, true},
               {"absolute_tolerance", o->absolute_tolerance, true},
               {"first_step", o->first_step, false},
               {"largest_step", o->largest_step, false},
               {"root_tolerance", o->root_tolerance, false}};
  for (size_t k = 0; k < sizeof field / sizeof *field; ++k)
    if (!(field[k].value >= 0.0) || !isfinite(field[k].value) ||
        (field[k].positive && field[k].value == 0.0))
      return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "%s is %g; it has to be finite and %s 0",
                           field[k].name, field[k].value, field[k].positive ? ">" : ">=");
  if (o->root_panels < 1)
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "root_panels is %d; at least 1 is needed",
                         o->root_panels);
  if (o->max_steps < 1)
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "max_steps is %lld; at least 1 is needed",
                         (long long)o->max_steps);
  return NSDS_OK;
}

static nsds_status take_options(nsds_ode *ode, const nsds_ode_options *options) {
  nsds_ode_options *o = &ode->options;
  if (options) *o = *options;
  if (!o->method) o->method = methods[0]->name;
  o->relative_tolerance = nsds_or_default(o->relative_tolerance, 1e-8);
  o->absolute_tolerance = nsds_or_default(o->absolute_tolerance, 1e-10);
  if (o->root_panels == 0) o->root_panels = 1;
  if (o->max_steps == 0) o->max_steps = 100000;
  for (int k = 0; methods[k]; ++k)
    if (strcmp(o->method, methods[k]->name) == 0) ode->method = methods[k];
  if (ode->method) return check_options(ode);
  char names[nsds_ode_names_size];
  return nsds_fail(ode->context, NSDS_ERROR_ARGUMENT,
                   "integration: method \"%s\" is not known; this build has %s", o->method,
                   nsds_ode_method_names(names));
}

static nsds_status check_problem(nsds_ode *ode, int n, int roots) {
  const nsds_ode_problem *problem = &ode->problem;
  if (n < 0 || roots < 0)
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL,
                         "%d states and %d root functions; both have "
                         "to be >= 0",
                         n, roots);
  if (n > 0 && !problem->rhs)
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "rhs is NULL, with n = %d states", n);
  if (roots > 0 && !problem->root)
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "root is NULL, with %d root functions", roots);
  return NSDS_OK;
}

void nsds_ode_affine(nsds_ode *ode, const nsds_ode_rows *rows) {
  ode->affine = rows != NULL;
  if (rows) ode->rows = *rows;
}

void nsds_ode_quadratic(nsds_ode *ode, const double *rate) { ode->rate = rate; }

nsds_status nsds_ode_resize(nsds_ode *ode, int n, int roots) {
  nsds_status status = check_problem(ode, n, roots);
  if (status) return status;
  const nsds_cut cut[] = {NSDS_CUT(ode->x1, n),
                          NSDS_CUT(ode->x_at, n),
                          NSDS_CUT(ode->x_try, n),
                          NSDS_CUT(ode->search.sample, 5 * (size_t)roots),
                          NSDS_CUT(ode->search.band, roots),
                          NSDS_CUT(ode->search.g, roots),
                          NSDS_CUT(ode->search.watched, roots),
                          NSDS_CUT(ode->search.crossing, nsds_crossings * (size_t)roots),
                          NSDS_CUT(ode->search.found, roots),
                          NSDS_CUT(ode->search.active, roots),
                          NSDS_CUT(ode->search.open, roots)};
  status = NSDS_HOLD(&ode->store, cut);
  ++ode->resizes;
  ode->phase = NSDS_ODE_NOT_STARTED;
  nsds_ode_affine(ode, NULL);
  nsds_ode_quadratic(ode, NULL);
  nsds_search_relist(&ode->search);
  ode->search.nfound = 0;
  ode->search.t_found = NAN;
  int old = ode->problem.roots;
  if (!status) {
    ode->problem.n = n;
    ode->problem.roots = roots;
    status = ode->method->reserve(ode);
  }
  if (status) { /* only a resize can help */
    ode->cause = NSDS_ODE_FAILED_CALL;
    ode->problem.n = ode->problem.roots = 0;
    return status;
  }
  for (int i = old; i < roots; ++i) ode->search.watched[i] = (nsds_watched){0};
  for (int i = 0; i < roots; ++i)
    ode->search.watched[i].crossing = ode->search.crossing + (ptrdiff_t)nsds_crossings * i;
  return NSDS_OK;
}

static nsds_status make_self(nsds_ode *ode) {
  ode->self = nsds_alloc(ode->context, ode->method->name, 1, ode->method->self_size);
  return ode->self ? NSDS_OK : NSDS_ERROR_MEMORY;
}

nsds_ode *nsds_ode_create(nsds_context *context, const nsds_ode_problem *problem,
                          const nsds_ode_options *options) {
  if (!problem) {
    nsds_fail_null(context, "nsds_ode_create", "problem");
    return NULL;
  }
  nsds_ode *ode = NSDS_NEW(context, nsds_ode);
  if (!ode) return NULL;
  ode->context = ode->store.context = context;
  ode->problem = *problem;
  ode->limit = -INFINITY;
  ode->problem.roots = 0; /* until the memory is there */
  if (take_options(ode, options) || make_self(ode) ||
      nsds_ode_resize(ode, problem->n, problem->roots)) {
    nsds_ode_destroy(ode);
    return NULL;
  }
  return ode;
}

void nsds_ode_destroy(nsds_ode *ode) {
  if (!ode) return;
  if (ode->self && ode->method->destroy) ode->method->destroy(ode);
  nsds_release(ode->context, ode->self);
  nsds_store_release(&ode->store);
  nsds_release(ode->context, ode);
}
