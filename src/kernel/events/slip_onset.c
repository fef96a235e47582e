/*
 * Slip that begins in space. With s the slip, u its direction and F(u) its rate while friction acts
 * along -u,
 *
 *   |s| u' = (I - u u^T) F(u)
 *
 * is singular at rest, and then stiff: u settles at the rate mu N G / |s|, G the inverse mass that
 * slip sees. So, while slip is small, u is not s / |s| but the slow solution to which s / |s|
 * settles:
 *
 *   first    u0 with (I - u0 u0^T) F(u0) = 0, F along u0
 *   ahead    the same a short time ahead along the motion; the difference is u0'
 *   then     u with (I - u u^T) F(u) = |s| u0'
 *
 * with an error of the order r^2, r = |s| |u0'| / (mu N G). The onset ends when slip reaches
 * `longest`, at which r is about the root of the tolerance. Broyden's method solves for the angles
 * of all contacts with an onset together. The first Jacobian has the derivatives of each contact by
 * itself. If Broyden's method fails, Newton's method follows.
 *
 * Source of the methods: Kelley, Iterative methods for linear and nonlinear equations (1995), ch.
 * 5, 7.
 */
#include "kernel/events/slip_onset.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_values.h"
#include "kernel/events/trial_ahead.h"
#include "kernel/modeling/modeling.h"

enum { most = 40 }; /* evaluations */

/* Tolerances of angles. An error d of an angle changes the friction force by mu N d across slip.
 *
 *     enough   Wanted: 500 eps. Rounding allows this if friction is at most some hundred times the
 *              rest of the forces.
 *     fine     Taken if rounding allows no better: 5e5 eps, a tenth of the usual relative
 *              tolerance.
 *     coarse   Taken from Newton's method, the last resort. Contacts may depend so strongly on each
 *              other that angles are known to the root of eps or worse. This is above the
 *              tolerance, but an error of 1e-7 mu N, only in an onset, is better than the end of
 *              the run. */
static const double enough = 1e-13, fine = 1e-10, coarse = 1e-7;
static const double large = 0.5; /* largest step of angles */
/* Time of differences, relative to the time over which relations change little. */
static const double shortest = 1.0 / 4096.0, longest = 1.0 / 128.0;
/* Longest time, in the same unit, in which friction undoes the slip at the end of an onset. */
static const double lasting = 64.0;

static bool begins(const nsds_row *row) {
  return row->span == 2 && row->mode == NSDS_MODE_BEGINNING;
}

nsds_status nsds_onset_reserve(nsds_event_rows *s, int contacts) {
  nsds_context *context = s->plan->context;
  size_t n = (size_t)contacts;
  nsds_status status = NSDS_OK;
  if (contacts == 0) return NSDS_OK;
  status = nsds_grow(context, &s->onsets.onset, &s->onsets.capacity, n, sizeof *s->onsets.onset);
  if (!status)
    status = nsds_grow(context, &s->onsets.step, &s->onsets.step_capacity, (most + 1) * n,
                       sizeof *s->onsets.step);
  return status;
}

/* ---- one solution ---------------------------------------------------------------------------- */

static void direct_all(nsds_event_rows *s, bool without) {
  for (nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; k < end; ++k) {
    s->row[k->row].slipping.direction = without ? 0.0 : cos(k->angle);
    s->row[k->row + 1].slipping.direction = without ? 0.0 : sin(k->angle);
  }
}

/* Computes rates for the present directions, and F, slip and pull. `without`: no friction at
 * onsets. */
static nsds_status slip_onset_measure(nsds_event_rows *s, bool without) {
  direct_all(s, without);
  nsds_copy_doubles(s->rate, s->plan->v_free, s->plan->model->size.nv);
  nsds_status status = nsds_rows_close(s);
  for (nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; !status && k < end; ++k) {
    const nsds_row *x = &s->row[k->row], *y = x + 1;
    double cx = -sin(k->angle), cy = cos(k->angle); /* across u */
    double G = cx * cx * nsds_rows_product(s, x, x) + cy * cy * nsds_rows_product(s, y, y) +
               cx * cy * (nsds_rows_product(s, x, y) + nsds_rows_product(s, y, x));
    k->rate[0] = nsds_row_acceleration(s, x);
    k->rate[1] = nsds_row_acceleration(s, y);
    k->slip = nsds_row_value(s, x) * cy - nsds_row_value(s, y) * cx;
    k->pull = x->mu * x[-x->normal].lambda * G;
  }
  return status;
}

static NSDS_NOINLINE nsds_status refuse_direction(const nsds_event_rows *s, const nsds_row *row) {
  char label[nsds_label_size];
  return nsds_fail(
      s->plan->context, NSDS_ERROR_SINGULAR,
      "event-driven: slip of %s begins at t = %.17g in no direction that is determined: friction "
      "there does not act against the slip that it answers; valid are smaller coefficients, or a "
      "window of time stepping",
      nsds_contact_label(&s->plan->contact[row->contact], label), s->plan->trial.t);
}

/* Computes the residuals z of the equations, each divided by its own derivative. *size: the
 * largest, infinite if friction does not act against slip. */
static nsds_status find_left(nsds_event_rows *s, double *z, double *size) {
  nsds_status status = slip_onset_measure(s, false);
  *size = 0.0;
  for (int j = 0; !status && j < s->onsets.n; ++j) {
    const nsds_onset *k = &s->onsets.onset[j];
    double c = cos(k->angle), d = sin(k->angle);
    double along = k->rate[0] * c + k->rate[1] * d, across = k->rate[1] * c - k->rate[0] * d;
    z[j] = (across - k->slip * k->turn) / (along + k->pull);
    bool acts = along + k->pull > 0.0 && isfinite(z[j]);
    *size = acts ? fmax(*size, fabs(z[j])) : INFINITY;
  }
  return status;
}

static void swap_numbers(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

static void slip_onset_add(int n, double factor, const double *a, double *b) {
  for (int j = 0; j < n; ++j) b[j] += factor * a[j];
}

/* Computes Broyden's next step from the residual z behind step[last]. Returns false to start
 * again. */
static bool improve(int n, const double *step, int last, double *z) {
  const double *newest = step + (ptrdiff_t)last * n;
  for (int j = 0; j < last; ++j) {
    const double *a = step + (ptrdiff_t)j * n;
    slip_onset_add(n, dot(n, a, z) / dot(n, a, a), a + n, z);
  }
  double left = 1.0 - dot(n, newest, z) / dot(n, newest, newest);
  if (!(fabs(left) > 0.1)) return false;
  for (int j = 0; j < n; ++j) z[j] /= left;
  return true;
}

/* Solves (I - u u^T) F(u) = |s| turn n, n across u, from the present angles. Computes rates and
 * lambda. *found: converged. */
static nsds_status solve_by_broyden(nsds_event_rows *s, bool *found) {
  int n = s->onsets.n, last = 0;
  double *step = s->onsets.step, size;
  nsds_status status = find_left(s, step, &size);
  for (int j = 0; j < n; ++j)
    nsds_copy_doubles(s->onsets.onset[j].before, s->onsets.onset[j].rate, 2);
  *found = false;
  for (int count = 1; !status && size > enough; ++count) {
    if (isinf(size)) return NSDS_OK;
    double *now = step + (ptrdiff_t)last * n, *z = now + n, most_of = 0.0, before = size;
    for (int j = 0; j < n; ++j) most_of = fmax(most_of, fabs(now[j]));
    bool far = most_of > large;
    for (int j = 0; j < n; ++j) {
      if (far) now[j] *= large / most_of;
      s->onsets.onset[j].angle += now[j];
    }
    status = find_left(s, z, &size);
    *found = size < fine && size >= 0.5 * before; /* only rounding is left */
    if (status || *found || count == most) return status;
    if (!far && improve(n, step, last, z)) ++last;
    else { /* start again from here */ status = find_left(s, step, &size);
      last = 0;
    }
  }
  *found = !status;
  return status;
}

/* Solves J d = -r. J is column-major and overwritten, r is replaced by d. Returns false if J is
 * singular. */
static bool eliminate_step(int n, double *J, double *r) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(J[i + k * n]) > fabs(J[best + k * n])) best = i;
    if (!(fabs(J[best + k * n]) > 0.0)) return false;
    for (int j = k; j < n; ++j) swap_numbers(&J[k + j * n], &J[best + j * n]);
    swap_numbers(&r[k], &r[best]);
    for (int i = k + 1; i < n; ++i) {
      double factor = J[i + k * n] / J[k + k * n];
      for (int j = k; j < n; ++j) J[i + j * n] -= factor * J[k + j * n];
      r[i] -= factor * r[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) r[k] += J[k + j * n] * r[j];
    r[k] /= -J[k + k * n];
  }
  return true;
}

/* Computes Newton's step d from angles with residual z, with J by differences. */
static nsds_status newton_step(nsds_event_rows *s, double *J, const double *z, double *d,
                               bool *found) {
  const double h = 1e-6;
  int n = s->onsets.n;
  double size;
  nsds_status status = NSDS_OK;
  for (int j = 0; !status && j < n; ++j) {
    double *column = J + (ptrdiff_t)j * n, angle = s->onsets.onset[j].angle;
    s->onsets.onset[j].angle += h;
    status = find_left(s, column, &size);
    s->onsets.onset[j].angle = angle;
    if (isinf(size)) *found = false;
    for (int i = 0; i < n; ++i) column[i] = (column[i] - z[i]) / h;
  }
  for (int i = 0; i < n; ++i) d[i] = z[i];
  *found = *found && !status && eliminate_step(n, J, d);
  return status;
}

/* Does the same by Newton's method, for contacts so strongly coupled that their own derivatives do
 * not help. */
static nsds_status solve_by_newton(nsds_event_rows *s, bool *found) {
  enum { passes = 20, halvings = 8 };
  int n = s->onsets.n;
  double *J = s->onsets.step, *z = J + (ptrdiff_t)n * n, *d = z + n, size, next = 0.0;
  *found = false;
  if (n + 2 > most) return NSDS_OK;
  nsds_status status = find_left(s, z, &size);
  for (int j = 0; j < n; ++j)
    nsds_copy_doubles(s->onsets.onset[j].before, s->onsets.onset[j].rate, 2);
  for (int pass = 0; !status && size > enough && pass < passes && isfinite(size); ++pass) {
    bool there = true;
    double length = 1.0, longest_step = 0.0;
    status = newton_step(s, J, z, d, &there);
    if (status || !there) return status;
    for (int j = 0; j < n; ++j) longest_step = fmax(longest_step, fabs(d[j]));
    if (longest_step > large) length = large / longest_step;
    for (int j = 0; j < n; ++j) s->onsets.onset[j].angle += length * d[j];
    status = find_left(s, z, &next);
    for (int k = 0; !status && !(next < size) && k < halvings; ++k) {
      length *= 0.5;
      for (int j = 0; j < n; ++j) s->onsets.onset[j].angle -= length * d[j];
      status = find_left(s, z, &next);
    }
    if (!(next < size)) break;
    size = next;
  }
  *found = !status && size < coarse;
  return status;
}

static nsds_status slip_onset_solve(nsds_event_rows *s, bool *found) {
  return s->onsets.newton ? solve_by_newton(s, found) : solve_by_broyden(s, found);
}

/* The first directions. FROM_SLIP: along slip, or along free motion without friction if slip is too
 * small. FROM_FREE: along free motion. FROM_HEADING: as at the start of the integration. */
typedef enum onset_start { FROM_SLIP, FROM_FREE, FROM_HEADING } onset_start;

static nsds_status slip_onset_start(nsds_event_rows *s, onset_start from) {
  nsds_status status = slip_onset_measure(s, true);
  for (nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; !status && k < end; ++k) {
    const nsds_row *x = &s->row[k->row], *y = x + 1;
    double vx = nsds_row_value(s, x), vy = nsds_row_value(s, y);
    bool slips = from == FROM_SLIP && hypot(vx, vy) > nsds_slipping * x->slipping.length;
    k->angle = slips ? atan2(vy, vx) : atan2(k->rate[1], k->rate[0]);
    if (from == FROM_HEADING) k->angle = atan2(y->slipping.heading, x->slipping.heading);
  }
  return status;
}

/* ---- along the motion ------------------------------------------------------------------------ */

/* Returns the time ahead, or back (< 0) if an event is scheduled before: the time in which friction
 * undoes slip, within limits. */
static double time_ahead(const nsds_event_rows *s) {
  double time = shortest * s->scales.time, t = s->plan->trial.t;
  for (const nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; k < end; ++k)
    if (k->pull > 0.0) time = fmax(time, fabs(k->slip) / k->pull);
  time = fmin(time, longest * s->scales.time);
  return t + time > s->scales.until ? -time : time;
}

/* Computes u0' of all onsets, and the slip at which they end. *found: converged. */
static nsds_status find_turns(nsds_event_rows *s, bool *found) {
  double t = s->plan->trial.t, h = time_ahead(s), part = sqrt(s->scales.drift);
  for (nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; k < end; ++k) {
    k->first = k->angle;
    s->row[k->row].slipping.limit = k->pull;
    nsds_copy_doubles(k->here, k->rate, 2);
  }
  nsds_trial_keep(s);
  nsds_status status = nsds_trial_go(s, t, h);
  if (status) return status;
  status = nsds_rows_free_rates(s);
  if (!status) status = slip_onset_solve(s, found);
  nsds_trial_return(s, t);
  if (s->onsets.newton && !*found) { /* there is hardly any slip: assume no turn */
    for (nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; k < end; ++k) k->angle = k->first;
    *found = true;
  }
  for (nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; !status && *found && k < end; ++k) {
    nsds_row *first = &s->row[k->row];
    double pull = first->slipping.limit;
    double rising = hypot(k->before[0] - k->here[0], k->before[1] - k->here[1]) / fabs(h);
    double along = k->here[0] * cos(k->first) + k->here[1] * sin(k->first);
    double lag = (along + pull) / fmax(2.0 * along + pull, 0.5 * pull);
    k->turn = lag * remainder(k->angle - k->first, 2.0 * acos(-1.0)) / h;
    k->angle = k->first;
    first->slipping.limit = fmin(part * pull / (fabs(k->turn) + rising / pull),
                                 sqrt(part) * lasting * s->scales.time * pull);
  }
  return status ? status : nsds_rows_free_rates(s);
}

static nsds_status follow_from(nsds_event_rows *s, onset_start from, bool *found) {
  nsds_status status = slip_onset_start(s, from);
  if (!status) status = slip_onset_solve(s, found);
  if (!status && *found) status = find_turns(s, found);
  return status || !*found ? status : slip_onset_solve(s, found);
}

/* Sets all directions along slip. Returns false if one contact is at rest. */
static bool direct_by_slip(nsds_event_rows *s) {
  bool any = true;
  for (nsds_onset *k = s->onsets.onset, *end = k + s->onsets.n; k < end; ++k) {
    const nsds_row *x = &s->row[k->row], *y = x + 1;
    double vx = nsds_row_value(s, x), vy = nsds_row_value(s, y);
    k->angle = atan2(vy, vx);
    any = any && hypot(vx, vy) > nsds_rounding * (x->speed_terms + y->speed_terms);
  }
  return any;
}

/* Finds the directions of all onsets. Slip as small as integration errors does not give a
 * direction. If no start converges, friction brings slip back to rest, and slip keeps its own
 * direction. */
nsds_status nsds_onset_follow(nsds_event_rows *s) {
  bool found = false;
  nsds_status status = NSDS_OK;
  s->onsets.n = 0;
  for (int r = 0; r < s->nrow; ++r)
    if (begins(&s->row[r])) s->onsets.onset[s->onsets.n++] = (nsds_onset){.row = r};
  for (int newton = 0; !status && !found && newton < 2; ++newton)
    for (onset_start from = FROM_SLIP; !status && !found && from <= FROM_HEADING; ++from) {
      s->onsets.newton = newton;
      status = follow_from(s, from, &found);
    }
  if (status || found) return status;
  if (direct_by_slip(s)) return slip_onset_measure(s, false);
  return refuse_direction(s, &s->row[s->onsets.onset[0].row]);
}
