/*
 * The state of an integration as numbers, to go on with the same bits. The numbers are the last
 * step with its dense output, how far it has been searched, and the sides of the watched functions.
 * Impossible numbers are refused: times out of order, unknown sides or directions, numbers that are
 * not finite.
 */
#include "numerics/ode/ode_archive.h"

#include "base/archive.h"
#include "base/context.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"

static const char *const object = "the integration";

bool nsds_ode_resumable(const nsds_ode *ode) {
  return ode->phase == NSDS_ODE_STARTED && (ode->problem.n == 0 || ode->method->archive);
}

static void ode_archive_enum(nsds_archive *a, const char *what, nsds_root_direction *x) {
  int value = (int)*x;
  nsds_archive_size(a, object, what, &value, NSDS_ROOT_OFF, NSDS_ROOT_BOTH);
  if (a->mode == NSDS_ARCHIVE_READ) *x = (nsds_root_direction)value;
}

static void ode_archive_crossing(nsds_archive *a, nsds_crossing *c) {
  double *const number[] = {&c->before, &c->t, &c->g_before, &c->g, &c->shift};
  bool *const flag[] = {&c->located, &c->passed};
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k)
    nsds_archive_finite(a, object, "crossing", number[k], 1);
  for (size_t k = 0; k < sizeof flag / sizeof *flag; ++k) nsds_archive_bool(a, flag[k]);
  ode_archive_enum(a, "direction of a crossing", &c->direction);
}

/* Archives function i; samples and bands of watched functions must be finite. */
static void ode_archive_watched(nsds_archive *a, nsds_ode *ode, int i) {
  nsds_watched *w = &ode->search.watched[i];
  nsds_crossing none = {0};
  bool *const flag[] = {&w->fresh, &w->entered_fresh};
  int *const side[] = {&w->known, &w->side_first, &w->side};
  int watch = (int)w->watch, count = w->count;
  nsds_archive_size(a, object, "what is watched", &watch, NSDS_ROOT_OFF, NSDS_ROOT_BOTH);
  for (size_t k = 0; k < sizeof flag / sizeof *flag; ++k) nsds_archive_bool(a, flag[k]);
  for (size_t k = 0; k < sizeof side / sizeof *side; ++k)
    nsds_archive_int(a, object, "side of a function", side[k], -1, 1);
  nsds_archive_size(a, object, "crossings of a function", &count, 0, nsds_crossings);
  bool reads = a->mode == NSDS_ARCHIVE_READ;
  if (reads) w->watch = (nsds_root_direction)watch, w->count = count;
  for (int k = 0; k < count && !a->status; ++k)
    ode_archive_crossing(a, a->mode == NSDS_ARCHIVE_CHECK ? &none : &w->crossing[k]);
  if (watch == (int)NSDS_ROOT_OFF) return;
  nsds_archive_finite(a, object, "zero of a function", &w->zero, 1);
  for (int j = 0; j < 5; ++j) {
    double *sample = &ode->search.sample[(size_t)i + (size_t)j * (size_t)ode->problem.roots];
    if (!isfinite(*sample) && a->mode == NSDS_ARCHIVE_WRITE) *sample = 0.0; /* never sampled */
    nsds_archive_finite(a, object, "sample of a function", sample, 1);
  }
  if (!isfinite(ode->search.band[i]) && a->mode == NSDS_ARCHIVE_WRITE) ode->search.band[i] = 0.0;
  nsds_archive_finite(a, object, "band of a function", &ode->search.band[i], 1);
}

/* Archives the times of the last step and checks their order. */
static void ode_archive_times(nsds_archive *a, nsds_ode *ode) {
  double t0 = ode->t0, t1 = ode->t1, at = ode->at, from = ode->search.from, to = ode->search.to;
  double *const time[] = {&t0, &at, &t1, &from, &to};
  for (size_t k = 0; k < sizeof time / sizeof *time; ++k) nsds_archive_number(a, time[k]);
  if (!a->status && !(isfinite(t0) && isfinite(t1) && t0 <= at && at <= t1 && t0 <= from &&
                      from <= to && to <= t1))
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT,
                          "%s: %s: %s: its times %g, %g, %g, %g, %g are no step", a->call, a->path,
                          object, t0, at, t1, from, to);
  if (a->status || a->mode != NSDS_ARCHIVE_READ) return;
  ode->t0 = t0, ode->t1 = t1, ode->at = at, ode->search.from = from, ode->search.to = to;
}

void nsds_ode_archive(nsds_ode *ode, nsds_archive *a) {
  bool *const flag[] = {&ode->search.ahead, &ode->search.banded, &ode->search.sampled,
                        &ode->count.stiff};
  double *const number[] = {&ode->search.next, &ode->search.t_found};
  size_t n = (size_t)ode->problem.n;
  nsds_archive_same_text(a, object, "method", ode->method->name);
  nsds_archive_same(a, object, "states", n);
  nsds_archive_same(a, object, "functions", (uint64_t)ode->problem.roots);
  ode_archive_times(a, ode);
  nsds_archive_finite(a, object, "largest step", &ode->wish, 1);
  nsds_archive_finite(a, object, "state", ode->x1, n);
  nsds_archive_finite(a, object, "state", ode->x_at, n);
  for (size_t k = 0; k < sizeof flag / sizeof *flag; ++k) nsds_archive_bool(a, flag[k]);
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k) nsds_archive_doubles(a, number[k], 1);
  for (int i = 0; i < ode->problem.roots && !a->status; ++i) ode_archive_watched(a, ode, i);
  if (n > 0 && !a->status) ode->method->archive(ode, a);
  if (a->status || a->mode != NSDS_ARCHIVE_READ) return;
  if (isnan(ode->search.next) || ode->search.next < ode->at)
    nsds_search_set_ahead(&ode->search, false);
  nsds_ode_list_watched(ode);
  ode->search.nfound = 0;
  ode->cause = NSDS_ODE_FAILED_NOT;
  ode->phase = NSDS_ODE_STARTED;
}

bool nsds_ode_agrees(nsds_ode *ode) {
  size_t n = (size_t)ode->problem.n;
  if (n == 0) return true;
  if (ode->at == ode->t1) return memcmp(ode->x1, ode->x_at, n * sizeof *ode->x_at) == 0;
  ode->method->dense(ode, ode->at, ode->x_try);
  return memcmp(ode->x_try, ode->x_at, n * sizeof *ode->x_at) == 0;
}

void nsds_ode_within(nsds_ode *ode, double u, double *x) {
  double t = ode->t0 + u * (ode->t1 - ode->t0);
  nsds_ode_dense(ode, fmin(fmax(t, ode->at), ode->t1), x);
}

const double *nsds_ode_state(const nsds_ode *ode) { return ode->x_at; }

double nsds_ode_time(const nsds_ode *ode) { return ode->at; }
