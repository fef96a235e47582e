/*
 * The motion, see ode.h. The method takes steps, and each step is searched for roots panel by
 * panel, up to `at`. A searched panel keeps its roots, so that going on behind a root costs
 * nothing. If g asks for a smaller step, the step is repeated from `at` with a quarter of its
 * remaining length.
 */
#include "numerics/ode/advance.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"
#include "numerics/ode/roots.h"

nsds_status nsds_ode_start(nsds_ode *ode, double t, const double *x) {
  int n = ode->problem.n;
  int bad = n > 0 ? nsds_first_nonfinite(x, n) : -1;
  if (!isfinite(t))
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "a start at t = %g; it has to be finite", t);
  if (bad >= 0)
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "a start with x[%d] = %g; it has to be finite",
                         bad, x[bad]);
  if (n > 0 && x != ode->x_at) memmove(ode->x_at, x, (size_t)n * sizeof *x);
  if (n > 0) memcpy(ode->x1, ode->x_at, (size_t)n * sizeof *x);
  ode->t0 = ode->t1 = ode->at = t;
  ode->tried = 0;
  ode->cause = NSDS_ODE_FAILED_NOT;
  ++ode->count.restarts;
  ode->wish = 0.0;
  nsds_roots_start(ode, t);
  nsds_status status = ode->method->start(ode, 0.0);
  ode->phase = status ? NSDS_ODE_NOT_STARTED : NSDS_ODE_STARTED;
  return status;
}

void nsds_ode_watch(nsds_ode *ode, int i, nsds_root_direction direction) {
  if (i < 0 || i >= ode->problem.roots) return;
  nsds_watched *watched = &ode->search.watched[i];
  if (watched->watch == direction) return;
  nsds_roots_pass(ode, ode->at);
  if (watched->watch == NSDS_ROOT_OFF) nsds_watched_renew(watched);
  watched->watch = direction;
  nsds_search_set_ahead(&ode->search, false);
  nsds_search_relist(&ode->search);
}

void nsds_ode_forget(nsds_ode *ode) {
  if (ode->method->forget) ode->method->forget(ode);
}

void nsds_ode_limit(nsds_ode *ode, double t) { ode->limit = t; }

void nsds_ode_side(nsds_ode *ode, int i, int side) {
  if (i >= 0 && i < ode->problem.roots) ode->search.watched[i].known = side;
}

void nsds_ode_list_watched(nsds_ode *ode) {
  ode->search.nactive = 0;
  for (int i = 0; i < ode->problem.roots; ++i)
    if (ode->search.watched[i].watch != NSDS_ROOT_OFF)
      ode->search.active[ode->search.nactive++] = i;
  ode->search.listed = true;
}

static bool watches(nsds_ode *ode) {
  if (!ode->search.listed) nsds_ode_list_watched(ode);
  return ode->search.nactive > 0;
}

static void advance_arrive(nsds_ode *ode, double t) {
  nsds_ode_dense(ode, t, ode->x_at);
  ode->at = t;
}

/* Repeats the step from `at`, with a quarter of its remaining length. */
static int retreat(nsds_ode *ode) {
  double step = 0.25 * (ode->t1 - ode->at);
  if (!(step > 16.0 * nsds_ode_ulp(ode->t1)))
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_ROOT,
                         "the root functions ask for smaller steps at t = %.17g, and have refused "
                         "%.3g; no smaller one is possible",
                         ode->at, 4.0 * step);
  nsds_roots_retreat(ode);
  ode->wish = step;
  ode->t0 = ode->t1 = ode->at;
  if (ode->problem.n > 0) memcpy(ode->x1, ode->x_at, (size_t)ode->problem.n * sizeof *ode->x1);
  return ode->method->start(ode, step);
}

static double panel_end(const nsds_ode *ode, double t) {
  int panels = ode->options.root_panels;
  double h = ode->t1 - ode->t0;
  for (int k = 1; k < panels; ++k) {
    double end = ode->t0 + h * k / panels;
    if (end > t) return end;
  }
  return ode->t1;
}

/* Finds the next root of the panel that holds `at`, or of a new panel behind it. */
static NSDS_NOINLINE int look_ahead(nsds_ode *ode) {
  bool inside = ode->search.from < ode->search.to && ode->at < ode->search.to;
  int result =
      inside ? nsds_roots_late(ode) : nsds_roots_panel(ode, ode->at, panel_end(ode, ode->at));
  if (!result) result = nsds_roots_next(ode, &ode->search.next);
  nsds_search_set_ahead(&ode->search, !result);
  return result;
}

/* Goes on to t_stop, to the end of the step or to a root, which sets *root. */
static int advance_search(nsds_ode *ode, double t_stop, bool *root) {
  while (ode->at < ode->t1 && ode->at < t_stop) {
    bool known = ode->search.ahead && ode->at < ode->search.to;
    if (!known && !watches(ode)) {
      ode->search.from = ode->search.to = ode->at;
      nsds_search_set_sampled(&ode->search, false);
      advance_arrive(ode, ode->t1 < t_stop ? ode->t1 : t_stop);
      return 0;
    }
    int result = known ? 0 : look_ahead(ode);
    if (result) return result;
    double end = ode->search.to < t_stop ? ode->search.to : t_stop;
    *root = ode->search.next <= end;
    if (*root) {
      nsds_search_set_ahead(&ode->search, false);
      advance_arrive(ode, nsds_roots_take(ode, ode->search.next));
      return 0;
    }
    advance_arrive(ode, end);
  }
  return 0;
}

/* Takes a step without states: only time passes. */
static int idle_step(nsds_ode *ode, double limit) {
  int result = nsds_ode_try(ode);
  double h = ode->options.largest_step > 0.0 ? ode->options.largest_step : INFINITY;
  if (ode->wish > 0.0) h = fmin(h, ode->wish);
  if (!result && !(ode->t1 + h > ode->t1)) result = nsds_ode_fail_step_size(ode, ode->t1);
  if (result) return result;
  ode->wish = 0.0;
  ode->t0 = ode->t1;
  ode->t1 = 1.01 * h < limit - ode->t1 ? ode->t1 + h : limit;
  ++ode->count.steps;
  return 0;
}

static int advance_advance(nsds_ode *ode, double t_stop) {
  bool root = false;
  for (;;) {
    int result = advance_search(ode, t_stop, &root);
    if (!result && root) return NSDS_ODE_ROOT;
    if (!result && ode->at >= t_stop) return NSDS_ODE_REACHED;
    if (result == NSDS_ODE_SMALLER) result = retreat(ode);
    if (result) return result;
    double limit = nsds_larger(ode->limit, t_stop);
    result = ode->problem.n > 0 ? ode->method->step(ode, limit) : idle_step(ode, limit);
    if (result) return result;
    if (ode->problem.stepped) ode->problem.stepped(ode->problem.self, ode->t1, ode->x1);
  }
}

void nsds_ode_stop(nsds_ode *ode) { ode->stopped = true; }

int nsds_ode_advance(nsds_ode *ode, double t_stop, double *t, double *x) {
  if (ode->phase == NSDS_ODE_NOT_STARTED) {
    ode->cause = NSDS_ODE_FAILED_CALL;
    return nsds_fail(ode->context, NSDS_ERROR_STATE,
                     "integration (%s): no start since creation, resize or failure",
                     ode->method->name);
  }
  if (isnan(t_stop))
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL, "t_stop is NaN; it has to be a time");
  ode->tried = 0;
  ode->stopped = false;
  ode->search.nfound = 0;
  ode->cause = NSDS_ODE_FAILED_NOT;
  int result = advance_advance(ode, t_stop);
  if (result >= 0) ode->cause = NSDS_ODE_FAILED_NOT;
  if (result < 0) ode->phase = NSDS_ODE_NOT_STARTED;
  *t = ode->at;
  nsds_copy_doubles(x, ode->x_at, (size_t)ode->problem.n);
  return result;
}

nsds_status nsds_ode_interpolate(nsds_ode *ode, double t, double *x) {
  if (!(t >= ode->t0 && t <= ode->t1))
    return nsds_ode_fail(ode, NSDS_ODE_FAILED_CALL,
                         "interpolation at t = %.17g; the last step goes from %.17g to %.17g", t,
                         ode->t0, ode->t1);
  nsds_ode_dense(ode, t, x);
  return NSDS_OK;
}

int nsds_ode_root_count(const nsds_ode *ode) { return ode->search.nfound; }

nsds_ode_root nsds_ode_root_at(const nsds_ode *ode, int k) {
  if (k < 0 || k >= ode->search.nfound) return (nsds_ode_root){-1, NSDS_ROOT_OFF};
  return ode->search.found[k];
}

const nsds_ode_counters *nsds_ode_count(const nsds_ode *ode) { return &ode->count; }

nsds_ode_cause nsds_ode_failure(const nsds_ode *ode) { return ode->cause; }
