/*
 * One event: impacts, the modes after it, and the report. Series of impacts whose flights shrink
 * geometrically are taken to their limit: a flight of length D after which the speed has fallen by
 * the ratio r is followed by D r, D r^2, ..., so that they end at t + D r / (1 - r); when D r is
 * below a small fraction of the longest flight of the series the impact is made without
 * restitution.
 */
#include "event_driven.h"

#include <float.h>

static double kinetic_energy(const nsds_plan *plan, const double *v) {
  double sum = 0.0;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    if (slot->ds->order == 1) continue;
    for (int j = 0; j < slot->nv; ++j) slot->scratch[j] = 0.0;
    nsds_mass_multiply(slot, 0.5, v + slot->v0, slot->scratch);
    for (int j = 0; j < slot->nv; ++j) sum += v[slot->v0 + j] * slot->scratch[j];
  }
  return sum;
}

static bool is_kept(const nsds_row *row) {
  return row->mode == NSDS_MODE_CLOSED || row->mode == NSDS_MODE_IDLE;
}

/* The state before the event, in the report's rows. */
static void note_before(nsds_event_driver *d) {
  nsds_smooth *s = &d->smooth;
  const nsds_state *at = &s->plan->trial;
  size_t nv = s->plan->model->size.nv;
  for (size_t k = 0; k < nv; ++k) d->v_before[k] = at->v[k];
  for (int r = 0; r < s->nrow; ++r) {
    const nsds_row *row = &s->row[r];
    bool first = s->plan->contact[row->contact].C;
    d->row[r] = (nsds_event_row){.closed_before = is_kept(row),
                                 .ydot_before = first ? at->y[row->y] : at->ydot[row->y],
                                 .limit_time = NAN};
    s->row[r].before = fabs(at->ydot[row->y]);
  }
  d->event.kinetic_before = kinetic_energy(s->plan, at->v);
}

static void go_back(nsds_event_driver *d) {
  nsds_smooth *s = &d->smooth;
  nsds_copy_doubles(s->plan->trial.v, d->v_before, s->plan->model->size.nv);
  for (int r = 0; r < s->nrow; ++r) s->row[r].impulse = 0.0;
}

/* Whether the row's flights have come to their limit; until when they would go on. */
static bool at_limit(const nsds_event_driver *d, const nsds_row *row, double *until) {
  double t = d->smooth.plan->trial.t, flight = t - row->last;
  double speed = d->smooth.plan->trial.ydot[row->y], ratio = speed / row->speed;
  if (row->degree != 2 || row->impulse == 0.0 || !(row->last > -INFINITY)) return false;
  if (!(speed > 0.0) || !(ratio < 1.0)) return false;
  double least = fmax(d->def.accumulation * row->longest, 1e5 * DBL_EPSILON * fabs(t));
  *until = t + flight * ratio / (1.0 - ratio);
  return flight * ratio < least;
}

/* The same of a row that leaves, where its flight would not rise beyond the rounding of positions.
 */
static bool unresolved(const nsds_event_driver *d, const nsds_row *row, double *until) {
  const nsds_smooth *s = &d->smooth;
  double speed = s->plan->trial.ydot[row->y], acceleration;
  if (row->degree != 2 || row->impulse == 0.0 || !row->moving || row->resting) return false;
  acceleration = nsds_smooth_acceleration(s, row);
  if (!(acceleration < 0.0) || !(speed > 0.0)) return false;
  double height = 0.5 * speed * speed / -acceleration, ratio = speed / row->before;
  if (!(height < nsds_modes_resolution(s, row))) return false;
  *until = d->smooth.plan->trial.t + 2.0 * speed / -acceleration / (1.0 - fmin(ratio, 1.0));
  return true;
}

/* Marks the rows whose series end here; true if there are any. */
static bool end_series(nsds_event_driver *d,
                       bool (*ends)(const nsds_event_driver *, const nsds_row *, double *)) {
  bool any = false;
  for (int r = 0; r < d->smooth.nrow; ++r) {
    nsds_row *row = &d->smooth.row[r];
    double until = NAN;
    if (!ends(d, row, &until)) continue;
    row->resting = any = true;
    d->row[r].limit_time = until;
  }
  return any;
}

/* What the next closing of a row is compared with. */
static void note_flights(nsds_event_driver *d) {
  double t = d->smooth.plan->trial.t;
  for (int r = 0; r < d->smooth.nrow; ++r) {
    nsds_row *row = &d->smooth.row[r];
    if (row->degree != 2 || row->impulse == 0.0) continue;
    double flight = t - row->last;
    if (isfinite(flight) && flight > row->longest) row->longest = flight;
    row->last = t;
    row->speed = d->smooth.plan->trial.ydot[row->y];
  }
}

static nsds_status impacts(nsds_event_driver *d, bool *any) {
  nsds_modes_touch(&d->smooth);
  return nsds_modes_impact(&d->smooth, &d->base.info.solver, any);
}

/* Impacts, with rows that have come to rest made inelastic, and the modes after them. */
static nsds_status solve(nsds_event_driver *d, bool *any, int *undecided) {
  nsds_smooth *s = &d->smooth;
  nsds_status status = impacts(d, any);
  bool again = !status && *any && end_series(d, at_limit);
  for (;;) {
    if (again) {
      go_back(d);
      d->event.kind |= NSDS_EVENT_ACCUMULATION;
      status = nsds_smooth_outputs(s);
      if (!status) status = impacts(d, any);
    }
    *undecided = 0;
    if (!status) status = nsds_modes_find(s, &d->base.info.solver, undecided);
    if (status || !*any || !end_series(d, unresolved)) break;
    again = true; /* more rows rest each time */
  }
  if (!status && *any) note_flights(d);
  return status;
}

/* Rows to which something happened, moved to the front. */
static void report(nsds_event_driver *d) {
  const nsds_smooth *s = &d->smooth;
  const nsds_state *at = &s->plan->trial;
  int count = 0;
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    const nsds_contact *contact = &s->plan->contact[row->contact];
    nsds_event_row one = d->row[r];
    one.interaction = contact->interaction;
    one.row = row->i;
    one.closed_after = is_kept(row);
    one.ydot_after = contact->C ? at->y[row->y] : at->ydot[row->y];
    one.impulse = row->impulse;
    if (one.closed_after) row->last = -INFINITY, row->longest = 0.0;
    bool happened = one.closed_after != one.closed_before || one.impulse != 0.0;
    if (happened) d->row[count++] = one;
  }
  d->event.count = count;
  d->event.row = d->row;
  d->event.kinetic_after = kinetic_energy(s->plan, at->v);
}

/* Which interactions are closed, or were hit. */
static void show_activity(const nsds_smooth *s) {
  nsds_contact *contact = s->plan->contact;
  for (int c = 0; c < s->plan->ncontact; ++c) contact[c].shown_active = false;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (is_kept(row) || row->impulse != 0.0) contact[row->contact].shown_active = true;
  for (int c = 0; c < s->plan->ncontact; ++c)
    if (contact[c].interaction) contact[c].interaction->active = contact[c].shown_active;
}

nsds_status nsds_settle(nsds_event_driver *d, bool *impact) {
  nsds_smooth *s = &d->smooth;
  s->solver = d->base.solver;
  *impact = false;
  nsds_status status = nsds_smooth_rates(s, NULL); /* M at this position */
  if (!status) status = nsds_smooth_linearise(s);
  if (!status) status = nsds_smooth_outputs(s);
  if (status) return status;
  note_before(d);
  int undecided = 0;
  status = solve(d, impact, &undecided);
  if (!status) status = nsds_modes_project(s);
  if (!status) status = nsds_smooth_rates(s, NULL);
  if (status) return status;
  nsds_modes_leave(s);
  nsds_smooth_forces(s);
  report(d);
  show_activity(s);
  d->event.undecided = undecided;
  if (*impact) d->event.kind |= NSDS_EVENT_IMPACT;
  return NSDS_OK;
}
