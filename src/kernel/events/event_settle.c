/*
 * One event: impacts, the modes after them, and the report. A series of impacts with geometrically
 * shrinking flights is taken to its limit. If a flight of length D ends with speed lower by the
 * ratio r, flights D r, D r^2, ... follow, and the series ends at t + D r / (1 - r). The contact
 * closes when D r is below a small fraction of the longest flight of the series. A contact also
 * closes if its flight would not rise beyond the rounding of positions. Errors of the integration
 * may end a flight while the gap still grows: then the contact closes too.
 */
#include "kernel/events/event_settle.h"

#include "base/arena.h"
#include "base/base.h"
#include "kernel/assembly/lifting.h"
#include "kernel/assembly/slot.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/degree_zero_rows.h"
#include "kernel/events/event_modes.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_problems.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/event_switches.h"
#include "kernel/events/gap_projection.h"
#include "kernel/events/impact.h"
#include "kernel/events/impact_rule.h"
#include "kernel/events/jamming_impact.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"
#include "kernel/events/state_jump.h"
#include "kernel/modeling/modeling.h"
#include "numerics/ode/locate.h"

#include <float.h>

static double kinetic_energy(const nsds_event_rows *s, const double *v) {
  const nsds_plan *plan = s->plan;
  double sum = 0.0;
  for (int k = 0; s->sizes.single && k < plan->nslot; ++k)
    sum += 0.5 * (plan->slot[k].M ? *plan->slot[k].M : 1.0) * v[k] * v[k];
  if (s->sizes.single) return sum;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    if (nsds_is_first_order(slot->ds)) continue;
    if (slot->nv == 1) {
      sum += 0.5 * (slot->M ? *slot->M : 1.0) * v[slot->v0] * v[slot->v0];
      continue;
    }
    for (int j = 0; j < slot->nv; ++j) slot->scratch[j] = 0.0;
    nsds_mass_multiply(slot, 0.5, v + slot->v0, slot->scratch);
    for (int j = 0; j < slot->nv; ++j) sum += v[slot->v0 + j] * slot->scratch[j];
  }
  return sum;
}

/* Notes the state before the event. */
static void note_before(nsds_event_driver *d) {
  nsds_event_rows *s = &d->rows;
  const nsds_state *at = &s->plan->trial;
  const double *y = at->y, *ydot = at->ydot;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    bool first = (row->degree < 2 && nsds_acts_on_states(s->plan->contact[row->contact].kind)) ||
                 nsds_row_is_placed(s, row);
    double speed = ydot[row->y];
    row->report = (nsds_row_report){.closed_before = nsds_row_keeps_zero(row),
                                    .ydot_before = first ? y[row->y] : speed,
                                    .limit_time = NAN};
    row->flights.before = fabs(speed);
    row->flights.vain = nsds_row_at_zero(row) && row->degree == 2 && row->mode == NSDS_MODE_LOWER &&
                        speed > nsds_rounding * nsds_row_speed_terms(s, row);
  }
  d->event.kinetic_before = kinetic_energy(s, at->v);
}

static bool strikes(const nsds_row *row) {
  return row->degree == 2 && row->flights.impulse != 0.0 && !row->report.closed_before;
}

/* Returns the height below which the integration does not resolve flights: the rounding of
 * positions. If a gap that grows has come to zero, the errors of the steps are larger than the
 * flight. */
static double own_resolution(const nsds_event_driver *d, const nsds_row *row, bool vain) {
  static const double many = 100.0; /* steps of a flight, each with an error of the tolerance */
  const nsds_event_rows *s = &d->rows;
  if (!vain || !row->flights.vain) return nsds_row_resolution(s, row);
  return many * (d->def.relative_tolerance * nsds_row_gap_terms(s, row) +
                 d->def.absolute_tolerance * nsds_row_norm(s, row));
}

static bool share_a_system(const nsds_event_rows *s, const nsds_row *row, const nsds_row *other) {
  const nsds_contact *own = &s->plan->contact[row->contact],
                     *of = &s->plan->contact[other->contact];
  bool any = false;
  for (int a = 0; a < own->nds; ++a)
    for (int b = 0; b < of->nds; ++b)
      any = any || nsds_plan_leader(s->plan, own->reach[a].slot) ==
                       nsds_plan_leader(s->plan, of->reach[b].slot);
  return any;
}

/* Returns true if this row, or one that flies with it, does not resolve a height. Rows of one body
 * round differently, but its feet must come to rest together. If some of them flew on, the body
 * would rest on the others. */
static bool is_too_low(const nsds_event_driver *d, const nsds_row *row, double height, bool vain) {
  static const double coarser = 1e4; /* than its own, at most, is the resolution of other feet */
  const nsds_event_rows *s = &d->rows;
  double own = own_resolution(d, row, vain);
  if (height < own) return true;
  if (NSDS_LIKELY(height > coarser * own)) return false;
  for (const nsds_row *other = s->row, *end = other + s->nrow; other < end; ++other) {
    bool flies = strikes(other) || (other->degree == 2 && nsds_row_moves(other));
    if (other == row || !flies || !share_a_system(s, row, other)) continue;
    if (height < own_resolution(d, other, vain)) return true;
  }
  return false;
}

/* Returns the length of the next flight if flights shrink geometrically, else NaN. Sets *until to the
 * end of the series. */
static double next_flight(const nsds_event_driver *d, const nsds_row *row, double *until) {
  double t = d->motion.elapsed, flight = t - row->flights.last;
  double speed = d->rows.plan->trial.ydot[row->y], ratio = speed / row->flights.speed;
  if (row->degree != 2 || row->flights.impulse == 0.0 || !(row->flights.flight > 0.0)) return NAN;
  if (!(speed > 0.0) || !(ratio < 1.0)) return NAN;
  double shrunk = flight / row->flights.flight, next = flight * ratio; /* as the speeds */
  if (!(shrunk > 0.5 * ratio && shrunk < 2.0 * ratio)) return NAN;
  *until = d->base.t0 + (t + next / (1.0 - ratio));
  return next;
}

/* Returns true if the flights of a row have come to their limit. The next flight is then short
 * compared with the longest, or below the rounding of positions. */
static bool at_limit(const nsds_event_driver *d, const nsds_row *row, double *until) {
  double next = next_flight(d, row, until), speed = d->rows.plan->trial.ydot[row->y];
  if (isnan(next)) return false;
  return next < d->def.accumulation * row->flights.longest ||
         is_too_low(d, row, 0.25 * speed * next, false);
}

/* Returns true if the flight of a leaving row would not be resolved. */
static bool unresolved(const nsds_event_driver *d, const nsds_row *row, double *until) {
  const nsds_event_rows *s = &d->rows;
  double speed = s->plan->trial.ydot[row->y], acceleration;
  if (row->degree != 2 || !nsds_row_moves(row) || !(speed > 0.0)) return false;
  acceleration = nsds_row_acceleration(s, row);
  if (!(acceleration < 0.0)) return false;
  if (!is_too_low(d, row, 0.5 * speed * speed / -acceleration, true)) return false;
  if (!row->flights.vain && !isnan(next_flight(d, row, until))) return true;
  *until = s->plan->trial.t;
  if (row->flights.impulse != 0.0 && speed < row->flights.before)
    *until += 2.0 * speed / -acceleration / (1.0 - speed / row->flights.before);
  return true;
}

static bool has_come_to_rest(const nsds_event_driver *d, const nsds_row *row, double *until) {
  return at_limit(d, row, until) || unresolved(d, row, until);
}

/* Returns true if the flights of all striking rows have come to their end. The impact is then
 * repeated without restitution, so that friction follows the law with the whole closing impulse.
 * All rows must end, because Newton's law could add energy beside contacts with restitution. */
static bool find_ends(nsds_event_driver *d) {
  bool any = false;
  nsds_row *first = d->rows.row, *end = first + d->rows.nrow;
  for (nsds_row *row = first; row < end; ++row) {
    double until;
    if (!strikes(row)) continue;
    const nsds_contact *contact = &d->rows.plan->contact[row->contact];
    const nsds_impact_rule *rule = contact->law->impact.rule;
    if (row->flights.ends || (rule && !rule->solves) || !has_come_to_rest(d, row, &until))
      return false;
    any = true;
  }
  for (nsds_row *row = first; any && row < end; ++row)
    if (strikes(row)) row->flights.ends = has_come_to_rest(d, row, &row->report.limit_time);
  if (any) d->event.kind |= NSDS_EVENT_ACCUMULATION;
  return any;
}

/* Marks rows whose flights have ended as at rest. Returns true if there are any. The return of
 * closed rows to zero removes the rest of their speed. */
static bool end_flights(nsds_event_driver *d) {
  bool any = false;
  for (int r = 0; r < d->rows.nrow; ++r) {
    nsds_row *row = &d->rows.row[r];
    double until = NAN;
    if (!nsds_row_moves(row) || !has_come_to_rest(d, row, &until)) continue;
    nsds_row_move(row, false);
    any = true;
    row->report.limit_time = until;
  }
  if (any) d->event.kind |= NSDS_EVENT_ACCUMULATION;
  return any;
}

/* Notes the flights, to which the next closing of a row is compared. */
static void note_flights(nsds_event_driver *d) {
  double t = d->motion.elapsed;
  for (int r = 0; r < d->rows.nrow; ++r) {
    nsds_row *row = &d->rows.row[r];
    if (row->degree != 2 || row->flights.impulse == 0.0) continue;
    row->flights.flight = isfinite(row->flights.last) ? t - row->flights.last : 0.0;
    row->flights.longest = fmax(row->flights.longest, row->flights.flight);
    nsds_raise(&row->flights.way, row->flights.flight * row->flights.size);
    row->flights.last = t;
    row->flights.speed = d->rows.plan->trial.ydot[row->y];
    row->flights.size = fmax(row->flights.terms, nsds_row_speed_terms(&d->rows, row));
  }
}

/* Returns true if contacts that came to rest push others that are at zero. */
static bool pushed(nsds_event_rows *s) {
  bool any = false;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree != 2 || !nsds_row_at_zero(row) || nsds_row_keeps_zero(row)) continue;
    double speed = nsds_row_speed(s, row);
    bool before = nsds_row_moves(row) && speed < 0.0;
    nsds_row_move(row, fabs(speed) > nsds_rounding * row->speed_terms + 4.0 * DBL_MIN);
    any = any || (nsds_row_moves(row) && speed < 0.0 && !before);
  }
  return any;
}

/* Solves the first impacts. *ended: all were the last of their series. */
static nsds_status event_settle_strike(nsds_event_driver *d, bool outside, bool *any, bool *ended) {
  nsds_event_rows *s = &d->rows;
  nsds_state *at = &s->plan->trial;
  size_t nv = s->plan->model->size.nv;
  nsds_copy_doubles(d->motion.struck, at->v, nv);
  for (;;) {
    nsds_impact_touch(s, outside);
    nsds_status status = nsds_impact_settle(s, &d->base.info.solver, any);
    if (status || !find_ends(d)) return status;
    *ended = true;
    nsds_copy_doubles(at->v, d->motion.struck, nv);
    status = nsds_rows_outputs(s);
    if (status) return status;
  }
}

/* Returns true if a bounce is so low that it may end with others of its body. */
static bool is_low(const nsds_event_driver *d, const nsds_row *row) {
  static const double coarser = 1e4; /* than the resolution of its own */
  double speed = d->rows.plan->trial.ydot[row->y], acceleration;
  acceleration = nsds_row_acceleration(&d->rows, row);
  if (!(speed > 0.0)) return true;
  return acceleration < 0.0 &&
         0.5 * speed * speed / -acceleration < coarser * own_resolution(d, row, false);
}

/* Repeats an impact without restitution whose flights have ended and left slip that no acceleration
 * allows. A contact in which slip and approach are one motion has neither at rest. Returns
 * false if nothing has ended, or a contact flies on. */
static bool repeat_at_rest(nsds_event_driver *d, bool clean, nsds_status *status) {
  nsds_event_rows *s = &d->rows;
  bool any = false, impact = false;
  nsds_row *first = s->row, *end = first + s->nrow;
  for (nsds_row *row = first; row < end; ++row) {
    if (!strikes(row)) continue;
    if (row->flights.ends || !is_low(d, row)) return false;
    any = any || (row->tangents > 0 && isfinite(row->report.limit_time));
  }
  if (!any) return false;
  for (nsds_row *row = first; row < end; ++row)
    if (strikes(row)) row->flights.ends = true;
  if (clean) nsds_error_clear(d->base.context);
  nsds_copy_doubles(s->plan->trial.v, d->motion.x, s->plan->model->size.nv);
  *status = nsds_rows_outputs(s);
  if (!*status) nsds_impact_touch(s, false);
  if (!*status) *status = nsds_impact_settle(s, &d->base.info.solver, &impact);
  return true;
}

/* Treats accelerations without a solution: by an impulse without collision, which may cause
 * impacts, or by contacts that leave. If neither helps, the error stays. */
static nsds_status jam_or_leave(nsds_event_driver *d, nsds_status failed, bool clean, bool *any) {
  nsds_event_rows *s = &d->rows;
  nsds_solver_info *info = &d->base.info.solver;
  bool moved, left, impact = false;
  if (!s->listed.friction) return failed;
  nsds_status status = nsds_jam_settle(s, info, &moved, &left);
  if (status == NSDS_ERROR_SOLVER || (!status && !moved && !left)) return failed;
  if (status) return status;
  if (clean) nsds_error_clear(d->base.context);
  *any = *any || moved;
  return nsds_impact_settle(s, info, &impact);
}

/* Returns true if states beside a singular M miss their constraints. */
static bool strays(const nsds_event_rows *s, nsds_status *status) {
  return s->groups.algebraic && nsds_groups_stray(s, status) > s->scales.drift;
}

/* Lets states jump that have no modes, or that miss constraints. */
static nsds_status jump(nsds_event_driver *d, bool clean, bool *any) {
  if (clean) nsds_error_clear(d->base.context);
  *any = true;
  return nsds_states_jump(&d->rows, &d->base.info.solver);
}

static nsds_status find_modes(nsds_event_driver *d, bool *any, int *undecided) {
  enum { most = 3 };   /* rows that jam together jam in one pass */
  bool jumped = false; /* a second jump would be as far */
  for (int pass = 0;; ++pass) {
    bool clean = nsds_error(d->base.context) == NSDS_OK;
    *undecided = 0;
    nsds_status status = nsds_modes_find(&d->rows, &d->base.info.solver, undecided);
    bool denied = !jumped && !d->rows.listed.bends &&
                  (status ? d->rows.here.denied : strays(&d->rows, &status));
    if ((status != NSDS_ERROR_SOLVER && !denied) || pass == most) return status;
    if (!denied && repeat_at_rest(d, clean, &status)) {
      if (status) return status;
      continue;
    }
    jumped = jumped || denied;
    status = denied ? jump(d, clean, any) : jam_or_leave(d, status, clean, any);
    if (status) return status;
  }
}

/* Finds the modes, and moves switches until they stand still. Each moves once at most. */
static NSDS_NOINLINE nsds_status find_modes_of_switches(nsds_event_driver *d, bool *any,
                                                        int *undecided) {
  nsds_event_rows *s = &d->rows;
  bool moved = false;
  nsds_status status = nsds_gates_move(s, &moved);
  do {
    bool jumped = false;
    if (!status && moved) status = nsds_impact_settle(s, &d->base.info.solver, &jumped);
    *any = *any || jumped;
    if (!status) status = find_modes(d, any, undecided);
    if (!status) status = nsds_event_rates(s, NULL);
    if (!status) status = nsds_rows_outputs(s);
    if (!status) status = nsds_gates_move(s, &moved);
  } while (!status && moved);
  return status ? status : nsds_gates_begin(s);
}

/* Returns true if a row has opened whose gap had drifted, which then is no overlap. */
static bool opens_with_drift(const nsds_event_driver *d) {
  const nsds_event_rows *s = &d->rows;
  for (int r = 0; r < s->nrow; ++r) {
    const nsds_row *row = &s->row[r];
    if (row->degree != 2 || !row->report.closed_before || nsds_row_keeps_zero(row)) continue;
    if (fabs(nsds_row_drift(s, row)) > s->scales.drift * nsds_row_gap_terms(s, row)) return true;
  }
  return false;
}

/* Solves the impacts, and the modes after them. */
static nsds_status event_settle_solve(nsds_event_driver *d, bool outside, bool *any,
                                      int *undecided) {
  enum { most = 10 };
  nsds_event_rows *s = &d->rows;
  nsds_solver_info *info = &d->base.info.solver;
  bool again = true, ended = false, gated = s->plan->count.gated > 0;
  nsds_status status = event_settle_strike(d, outside, any, &ended);
  for (int pass = 0; !status && again && pass < most; ++pass, ended = false) {
    bool impact = false;
    if (pass > 0) status = nsds_impact_settle(s, info, &impact);
    *any = *any || impact;
    do {
      if (!status)
        status = gated ? find_modes_of_switches(d, any, undecided) : find_modes(d, any, undecided);
      again = !status && end_flights(d);
      ended = ended || again;
    } while (again);
    if (!status) status = nsds_gaps_return(s, ended);
    s->here.returns = NSDS_RETURN_DRIFT;
    again = !status && ended && pushed(s);
  }
  if (!status && !outside && opens_with_drift(d)) status = nsds_gaps_align(s);
  if (!status && *any) note_flights(d);
  return status;
}

/* Writes the report: the rows with changes. */
static void event_settle_report(nsds_event_driver *d) {
  const nsds_event_rows *s = &d->rows;
  const nsds_state *at = &s->plan->trial;
  int count = 0;
  for (int r = 0; r < s->nrow; ++r) {
    nsds_row *row = &s->row[r];
    const nsds_row_report *before = &row->report;
    bool closed = nsds_row_keeps_zero(row);
    row->flights.ends = false;
    if (closed) {
      row->flights.last = -INFINITY;
      row->flights.flight = row->flights.longest = row->flights.way = 0.0;
      row->slipping.length = 0.0;
    }
    if (closed == before->closed_before && row->flights.impulse == 0.0 &&
        !isfinite(before->limit_time))
      continue;
    const nsds_contact *contact = &s->plan->contact[row->contact];
    nsds_contact_set *set = contact->found.set;
    d->reported[count++] = (nsds_event_row){
        .interaction = set ? NULL : nsds_place_handle(contact->interaction),
        .set = set ? nsds_place_handle(set) : NULL,
        .key = set ? contact->serial : 0,
        .row = row->i,
        .closed_before = before->closed_before,
        .closed_after = closed,
        .ydot_before = before->ydot_before,
        .ydot_after = nsds_acts_on_states(contact->kind) || nsds_row_is_placed(s, row)
                          ? at->y[row->y]
                          : at->ydot[row->y],
        .impulse = row->flights.impulse,
        .limit_time = before->limit_time};
  }
  d->event.count = count;
  d->event.row = d->reported;
  d->event.kinetic_after = kinetic_energy(s, at->v);
}

void nsds_settle_show(nsds_event_driver *d) {
  const nsds_event_rows *s = &d->rows;
  const nsds_plan *plan = s->plan;
  const nsds_row *row = s->row, *end = row + s->nrow;
  for (int c = 0; d->settled && c < plan->ncontact; ++c) {
    bool active = false;
    for (; row < end && row->contact == c; ++row)
      active = active || nsds_row_keeps_zero(row) || row->flights.impulse != 0.0;
    nsds_contact_show(&plan->contact[c], active);
  }
  d->settled = false;
}

/* Returns true if the force of a closed row has come to its bound. The place of this event is known
 * to the error of the drift, so drift stays until the row has left. */
static bool any_at_bound(const nsds_event_rows *s) {
  bool any = false;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    any = any || row->mark.bound != NSDS_BOUND_NONE;
  return any;
}

/* Returns constraints of states to zero, and evaluates rates and outputs anew. */
static NSDS_NOINLINE nsds_status return_states(nsds_event_rows *s) {
  bool any = false;
  nsds_degree_zero_return(s, &any);
  nsds_status status = any ? nsds_event_rates(s, NULL) : NSDS_OK;
  return status || !any ? status : nsds_rows_outputs(s);
}

nsds_status nsds_settle(nsds_event_driver *d, bool outside, bool *impact) {
  nsds_event_rows *s = &d->rows;
  nsds_event_choose_solvers(d);
  *impact = false;
  s->here.returns = outside && s->after_window ? NSDS_RETURN_ALL : NSDS_RETURN_DRIFT;
  s->idle = false;
  nsds_event_problems_forget(s);
  if (s->listed.damped) nsds_damped_clear(s);
  nsds_status status = nsds_event_rates(s, NULL); /* for M at this position */
  if (!status) status = nsds_rows_linearise(s);
  if (!status) status = nsds_rows_outputs(s);
  if (NSDS_UNLIKELY(s->groups.algebraic) && !status && !outside) status = return_states(s);
  if (status) return status;
  nsds_rows_note_rates(s);
  s->scales.instant = outside ? 0.0 : nsds_root_tolerance(d->motion.ode, d->motion.elapsed);
  s->scales.elapsed = outside ? -INFINITY : d->motion.elapsed;
  if (s->facts.shared && !outside)
    status = nsds_gaps_project(s, false); /* so that joints do not contradict each other */
  else if (s->closed.n > 0 && !outside && !any_at_bound(s) && nsds_gaps_drift(s, s->scales.drift))
    status = nsds_gaps_project(s, false); /* else drift is taken for motion, and a row opens */
  if (!status && !outside && nsds_impact_in_doubt(s)) status = nsds_gaps_align(s);
  if (status) return status;
  note_before(d);
  int undecided = 0;
  status = event_settle_solve(d, outside, impact, &undecided);
  if (!status) status = nsds_event_rates(s, NULL);
  if (NSDS_UNLIKELY(s->groups.algebraic) && !status) {
    status = nsds_rows_outputs(s);
    if (!status) status = return_states(s);
  }
  if (status) return status;
  nsds_modes_leave(s);
  event_settle_report(d);
  d->settled = true;
  d->event.undecided = undecided;
  if (*impact) d->event.kind |= NSDS_EVENT_IMPACT;
  return NSDS_OK;
}
