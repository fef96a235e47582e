/*
 * The smooth motion of an event-driven simulation, for the integrator: x = (q, v) of all systems.
 * Rates keep closed rows at zero. Root functions end the modes of rows. The integration runs from
 * the accepted state to the time of the clock or to a root before. At a root a mode ends, or
 * contacts may be near that sets have not found. Closed gaps that drift apart on the way are
 * returned to zero.
 */
#include "kernel/events/event_motion.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/detect.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_check.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/assembly/tree_rates.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_functions.h"
#include "kernel/events/event_checkpoint.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/event_settle.h"
#include "kernel/events/event_switches.h"
#include "kernel/events/gap_projection.h"
#include "kernel/events/jamming_impact.h"
#include "kernel/events/row_listing.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/turns.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/queue.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/mark.h"
#include "numerics/ode/ode.h"
#include "numerics/ode/ode_archive.h"

#include <float.h>

/* ---- what is integrated ---------------------------------------------------------------------- */

void nsds_motion_straighten(const nsds_event_driver *d, double *q) {
  const nsds_plan *plan = &d->base.plan;
  for (int k = 0; k < plan->nslot; ++k) {
    if (!plan->slot[k].ds->type.take_q) continue;
    double *p = q + plan->slot[k].q0 + nsds_body_nq - 4;
    double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    double length = fabs(square - 1.0) > 4.0 * DBL_EPSILON ? sqrt(square) : 1.0;
    for (int i = 0; i < 4; ++i) p[i] /= length;
  }
}

static void event_motion_take(nsds_event_driver *d, double elapsed, double t, const double *x) {
  nsds_plan *plan = &d->base.plan;
  const nsds_state_size *size = &plan->model->size;
  d->motion.elapsed = elapsed;
  d->scheme.t = d->scheme.t_next = plan->trial.t =
      nsds_smaller(nsds_larger(t, d->rows.scales.from), d->rows.scales.until);
  nsds_copy_doubles(plan->trial.q, x, size->nq);
  nsds_copy_doubles(plan->trial.v, x + size->nq, size->nv);
  if (NSDS_UNLIKELY(plan->tree != NULL)) nsds_tree_rates_settle(plan, plan->trial.q, plan->trial.v);
}

void nsds_motion_take(nsds_event_driver *d, double elapsed, const double *x) {
  event_motion_take(d, elapsed, d->base.t0 + elapsed, x);
}

void nsds_motion_arrive(nsds_event_driver *d, double elapsed, double t) {
  if (!d->base.plan.slots_aligned) nsds_motion_straighten(d, d->motion.x);
  event_motion_take(d, elapsed, t, d->motion.x);
  nsds_state *trial = &d->base.plan.trial;
  nsds_turns_follow(d->base.model, trial, trial->t, trial->q, trial->v);
}

static void event_motion_give(const nsds_event_driver *d, double *x) {
  const nsds_plan *plan = &d->base.plan;
  const nsds_state_size *size = &plan->model->size;
  nsds_copy_doubles(x, plan->trial.q, size->nq);
  nsds_copy_doubles(x + size->nq, plan->trial.v, size->nv);
}

/* Translates a status for the integrator. A failure that may vanish at an earlier time asks for a
 * smaller step. */
static int answer(nsds_event_driver *d, nsds_status status) {
  bool local = status == NSDS_ERROR_CALLBACK || status == NSDS_ERROR_SINGULAR ||
               status == NSDS_ERROR_VALUE || status == NSDS_ERROR_NEWTON;
  if (local) d->motion.refused = status;
  if (status == NSDS_STOPPED) nsds_ode_stop(d->motion.ode);
  return local ? 1 : (int)status;
}

static int event_motion_rhs(void *self, double elapsed, const double *x, double *dx) {
  nsds_event_driver *d = self;
  nsds_motion_take(d, elapsed, x);
  return answer(d, nsds_event_rates(&d->rows, dx));
}

static int event_motion_root(void *self, double elapsed, const double *x, double *g) {
  nsds_event_driver *d = self;
  nsds_motion_take(d, elapsed, x);
  return answer(d, nsds_event_functions(&d->rows, g));
}

/* Takes errors of the integration out of quaternions and joints. */
static NSDS_NOINLINE void straighten_all(const nsds_event_driver *d, double *x) {
  const nsds_plan *plan = &d->base.plan;
  nsds_motion_straighten(d, x);
  if (plan->tree) nsds_tree_rates_settle(plan, x, x + plan->model->size.nq);
}

static void stepped(void *self, double elapsed, double *x) {
  nsds_event_driver *d = self;
  const nsds_model *model = d->base.model;
  if (!d->base.plan.slots_aligned) straighten_all(d, x);
  nsds_rows_note_sizes(&d->rows, x, x + model->size.nq);
  nsds_turns_follow(model, &d->base.plan.trial, d->base.t0 + elapsed, x, x + model->size.nq);
  if (!d->rows.uniform) nsds_rows_note_rates(&d->rows);
}

void nsds_motion_watch(nsds_event_driver *d) {
  nsds_ode_rows rows;
  bool stand = nsds_event_functions_stand(&d->rows);
  bool quadratic = d->rows.uniform && d->base.plan.slots_aligned;
  nsds_ode_quadratic(d->motion.ode, quadratic ? d->rows.rate : NULL);
  nsds_ode_affine(d->motion.ode, nsds_event_functions_affine(&d->rows, &rows) ? &rows : NULL);
  if (stand) return;
  for (int r = 0; r < d->rows.nrow; ++r) {
    bool watched[2];
    nsds_event_functions_watched(&d->rows, &d->rows.row[r], watched);
    for (int k = 0; k < 2; ++k) {
      nsds_ode_side(d->motion.ode, 2 * r + k, 1); /* inside the mode */
      nsds_ode_watch(d->motion.ode, 2 * r + k, watched[k] ? NSDS_ROOT_FALLING : NSDS_ROOT_OFF);
    }
  }
  int last = nsds_function_of_drift(&d->rows);
  bool drift = nsds_event_functions_watch_drift(&d->rows);
  nsds_ode_side(d->motion.ode, last, 1);
  nsds_ode_watch(d->motion.ode, last, drift ? NSDS_ROOT_FALLING : NSDS_ROOT_OFF);
  nsds_rows_know_functions(&d->rows, true);
  for (int k = last + 1; k < nsds_function_count(&d->rows); ++k) { /* searches, switches */
    nsds_ode_side(d->motion.ode, k, 1);
    nsds_ode_watch(d->motion.ode, k, NSDS_ROOT_FALLING);
  }
}

/* Returns what root k of the integration ends. *of: the row or the switch. */
static nsds_function_kind root_kind(const nsds_event_driver *d, int k, int *of) {
  return nsds_function_kind_of(&d->rows, nsds_ode_root_at(d->motion.ode, k).index, of);
}

bool nsds_motion_drifts(const nsds_event_driver *d) {
  return nsds_ode_root_count(d->motion.ode) == 1 &&
         nsds_ode_root_at(d->motion.ode, 0).index == nsds_function_of_drift(&d->rows);
}

bool nsds_motion_strays(const nsds_event_driver *d) {
  int drift = nsds_function_of_drift(&d->rows), gates = nsds_function_of_switch(&d->rows, 0);
  bool strays = false;
  for (int k = 0; k < nsds_ode_root_count(d->motion.ode); ++k) {
    int index = nsds_ode_root_at(d->motion.ode, k).index;
    if (index < drift || index >= gates) return false;
    strays = strays || index > drift;
  }
  return strays;
}

/* Frees contacts that have left their overlap. Returns true if nothing else has happened. */
static bool frees(nsds_event_driver *d) {
  bool only = nsds_ode_root_count(d->motion.ode) > 0;
  for (int of, k = 0; k < nsds_ode_root_count(d->motion.ode); ++k) {
    bool free = nsds_ode_root_at(d->motion.ode, k).index % 2 != 0 && /* the second of a row */
                root_kind(d, k, &of) == NSDS_FUNCTION_FREE;
    if (free) d->rows.row[of].base = d->rows.row[of].held = 0.0;
    only = only && free;
  }
  return only;
}

bool nsds_motion_mark(nsds_event_driver *d) {
  bool gaps = true;
  for (int of, k = 0; k < nsds_ode_root_count(d->motion.ode); ++k) {
    nsds_function_kind kind = root_kind(d, k, &of);
    if (kind == NSDS_FUNCTION_DRIFT || kind == NSDS_FUNCTION_SEARCH || kind == NSDS_FUNCTION_FREE)
      continue; /* treated anyway */
    nsds_row *row = kind == NSDS_FUNCTION_SWITCH ? NULL : &d->rows.row[of];
    gaps = gaps && row && row->degree == 2 && row->mode == NSDS_MODE_LOWER;
    if (!row) nsds_gates_mark(&d->rows, of);
    else if (kind == NSDS_FUNCTION_LENGTH) nsds_row_pass_length(row);
    else if (kind == NSDS_FUNCTION_ZERO) nsds_row_locate(row, true);
    else if (kind == NSDS_FUNCTION_LOWER) nsds_row_reach_bound(row, NSDS_BOUND_LOWER);
    else if (kind == NSDS_FUNCTION_UPPER) nsds_row_reach_bound(row, NSDS_BOUND_UPPER);
  }
  return gaps;
}

/* ---- the model as it is now ------------------------------------------------------------------ */

static nsds_status check_integrators(const nsds_event_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  char label[nsds_label_size];
  for (int s = 0; s < plan->nslot; ++s)
    if (plan->slot[s].ds->own.integrator)
      return nsds_fail(d->base.context, NSDS_ERROR_UNSUPPORTED,
                       "event-driven: %s has an integrator of its own, which is for time stepping",
                       nsds_ds_label(plan->slot[s].ds, label));
  return NSDS_OK;
}

static nsds_status event_motion_resize(nsds_event_driver *d) {
  const nsds_state_size *size = &d->base.model->size;
  nsds_context *context = d->base.context;
  int n = (int)(size->nq + size->nv), nroot = nsds_function_count(&d->rows);
  nsds_status status =
      nsds_grow(context, &d->motion.x, &d->motion.x_capacity, (size_t)n, sizeof *d->motion.x);
  if (!status)
    status = nsds_grow(context, &d->motion.struck, &d->motion.struck_capacity, size->nv,
                       sizeof *d->motion.struck);
  if (!status) status = nsds_checkpoints_reserve(d);
  if (!status)
    status = nsds_grow(context, &d->reported, &d->reported_capacity, (size_t)d->rows.nrow,
                       sizeof *d->reported);
  if (status) return status;
  if (!d->motion.ode) {
    nsds_ode_problem problem = {.n = n,
                                .roots = nroot,
                                .self = d,
                                .rhs = event_motion_rhs,
                                .root = event_motion_root,
                                .stepped = stepped};
    nsds_ode_options options = {.method = d->def.integrator,
                                .relative_tolerance = d->def.relative_tolerance,
                                .absolute_tolerance = d->def.absolute_tolerance,
                                .largest_step = d->def.largest_step,
                                .root_tolerance = d->def.root_tolerance,
                                .root_panels = d->def.root_panels,
                                .max_steps = d->def.max_steps};
    d->motion.ode = nsds_ode_create(context, &problem, &options);
    if (!d->motion.ode) return nsds_error(context) ? nsds_error(context) : NSDS_ERROR_MEMORY;
  } else if (n != d->motion.n || nroot != d->motion.nroot) {
    status = nsds_ode_resize(d->motion.ode, n, nroot);
  }
  for (int k = 0; !status && k < 2; ++k)
    status = nsds_ode_mark_reserve(d->motion.ode, &d->checkpoints.at[k].ode);
  d->motion.n = status ? -1 : n; /* a failed resize is tried again */
  d->motion.nroot = nroot;
  return status;
}

/* Returns the first time after t at which a function of a system or relation jumps. */
static NSDS_NOINLINE double next_corner(const nsds_event_driver *d, double t) {
  const nsds_model *model = d->base.model;
  double next = INFINITY;
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    if (nsds_is_first_order(ds) && ds->first->next_corner)
      next = fmin(next, ds->first->next_corner(ds->self, t));
  }
  for (size_t c = 0; c < model->interaction.count; ++c) {
    const nsds_relation *relation =
        ((const nsds_interaction *)model->interaction.item[c])->relation;
    if (relation->ops->next_corner && !relation->affine)
      next = fmin(next, relation->ops->next_corner(relation->self, t));
  }
  return next;
}

/* Notes whether a function of a system or relation jumps in time. */
static void look_for_corners(nsds_event_driver *d) {
  const nsds_model *model = d->base.model;
  d->cornered = false;
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    d->cornered = d->cornered || (nsds_is_first_order(ds) && ds->first->next_corner);
  }
  for (size_t c = 0; c < model->interaction.count; ++c) {
    const nsds_relation *relation =
        ((const nsds_interaction *)model->interaction.item[c])->relation;
    d->cornered = d->cornered || (relation->ops->next_corner && !relation->affine);
  }
}

/* Returns the distance that separates times before and after a scheduled event at t. Functions that
 * tell corners by rounding need more. */
static double beside(const nsds_event_driver *d, double t) {
  return (d->cornered ? 32.0 : 4.0) * DBL_EPSILON * fabs(t);
}

bool nsds_motion_turns(const nsds_event_driver *d) {
  static const double before = 1e-11; /* relative: corners closer than that may count as one */
  double t = d->base.clock.t;
  return next_corner(d, t - before * fabs(t)) <= t;
}

void nsds_motion_limit(nsds_event_driver *d, double horizon, bool scheduled) {
  d->times.horizon = horizon;
  d->times.called = d->base.queue.called;
  d->rows.scales.until = scheduled ? horizon - beside(d, horizon) : INFINITY;
  nsds_ode_limit(d->motion.ode, horizon - d->base.t0);
}

nsds_status nsds_motion_renew(nsds_event_driver *d, bool search) {
  nsds_simulation *sim = &d->base;
  nsds_event_rows *s = &d->rows;
  double t = sim->clock.t;
  d->motion.elapsed = nsds_event_elapsed(d);
  if (nsds_versions_missed(&sim->plan.seen.of, &sim->model->now, NSDS_NEW_GRAPH))
    look_for_corners(d);
  s->scales.from = t > sim->t0   ? t + beside(d, t)
                   : d->cornered ? t + 4.0 * DBL_EPSILON * fmax(fabs(t), sim->t1 - t)
                                 : -INFINITY;
  s->scales.until = INFINITY;
  d->scheme.t = d->scheme.t_next = fmax(t, s->scales.from);
  nsds_status status = nsds_plan_update(&sim->plan, &d->scheme);
  if (!status) status = check_integrators(d);
  const nsds_counts *count = &sim->plan.count;
  d->end_work = d->cornered || count->gated > 0 || count->looking > 0 || sim->plan.lists.nlook > 0;
  if (!status && search) status = nsds_plan_detect(&sim->plan);
  if (!status) status = nsds_plan_check_solver(&sim->plan, sim->solver);
  if (!status && d->impact_solver) status = nsds_plan_check_solver(&sim->plan, d->impact_solver);
  if (search) d->times.searched = d->motion.elapsed;
  if (status) return status;
  sim->plan.trial.t = d->scheme.t;
  nsds_copy_doubles(sim->plan.trial.q, sim->model->state.q, sim->model->size.nq);
  nsds_copy_doubles(sim->plan.trial.v, sim->model->state.v, sim->model->size.nv);
  nsds_turns_begin(sim->model, &sim->plan.trial, sim->plan.trial.t, 0.5);
  nsds_event_choose_solvers(d);
  if (!nsds_event_rows_stand(s)) status = nsds_event_rows_renew(s);
  s->search.t = sim->model->state.t;
  d->rows.uniform = false;
  nsds_rows_know_functions(&d->rows, false);
  d->rows.scales.time = nsds_event_interval(d);
  d->rows.scales.drift = 10.0 * d->def.relative_tolerance;
  d->rows.scales.absolute = d->def.absolute_tolerance;
  return status ? status : event_motion_resize(d);
}

nsds_status nsds_motion_start(nsds_event_driver *d) {
  nsds_state *trial = &d->base.plan.trial;
  nsds_turns_follow(d->base.model, trial, trial->t, trial->q, trial->v);
  nsds_event_rows *s = &d->rows;
  s->slack = nsds_event_functions_watch_drift(s) ? nsds_gaps_drifted(s) : 0.0;
  nsds_motion_watch(d);
  event_motion_give(d, d->motion.x);
  nsds_status status = nsds_ode_start(d->motion.ode, d->motion.elapsed, d->motion.x);
  d->integration = status ? NSDS_INTEGRATION_NONE : NSDS_INTEGRATION_UNDER_WAY;
  if (!status) nsds_checkpoint_start(d);
  return status;
}

void nsds_motion_continue(nsds_event_driver *d, nsds_archive *ode) {
  nsds_motion_watch(d);
  nsds_ode_archive(d->motion.ode, ode);
  nsds_rows_know_functions(&d->rows, false);
}

nsds_status nsds_motion_settle(nsds_event_driver *d, bool outside, bool *impact) {
  nsds_status status = nsds_motion_renew(d, true);
  d->searches = false;
  if (!status) status = nsds_settle(d, outside, impact);
  if (!status) nsds_ode_forget(d->motion.ode);
  return status ? status : nsds_motion_start(d);
}

/* ---- to a root ----------------------------------------------------------------------------------- */

void nsds_motion_aim_further(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  if (d->def.output_period > 0.0) return;
  bool scheduled = event && event->tick < sim->end;
  sim->tick_next = scheduled ? event->tick : sim->end;
  sim->t_next = scheduled ? nsds_event_time(event) : sim->t1;
}

/* Returns the time of the next scheduled event, or the end. */
static double scheduled_horizon(const nsds_simulation *sim, bool *scheduled) {
  const nsds_event *event = nsds_queue_next(&sim->queue);
  *scheduled = event && event->tick < sim->end;
  return *scheduled ? fmax(nsds_event_time(event), sim->t_next) : sim->t1;
}

/* Returns the next corner, or `until` if that is earlier. */
static NSDS_NOINLINE double corner_before(const nsds_event_driver *d, double until,
                                          bool *scheduled) {
  double corner = next_corner(d, d->base.clock.t);
  *scheduled = *scheduled || corner < until;
  return fmin(until, corner);
}

/* Returns the time until which the right-hand side holds: the next scheduled event or corner, or the
 * end. */
static double horizon(const nsds_event_driver *d, bool *scheduled) {
  double until = scheduled_horizon(&d->base, scheduled);
  return NSDS_LIKELY(!d->cornered) ? until : corner_before(d, until, scheduled);
}

void nsds_motion_stop_at(nsds_simulation *sim, double t) {
  if (t >= sim->t_next) return;
  int64_t tick = nsds_clock_tick(&sim->clock, t);
  if (tick >= sim->tick_next) tick = sim->tick_next - 1;
  if (tick < sim->clock.tick) tick = sim->clock.tick;
  sim->tick_next = tick;
  sim->t_next = t;
}

/* Returns drifted gaps of closed contacts to zero. */
static NSDS_NOINLINE nsds_status return_to_gaps(nsds_event_driver *d) {
  nsds_status status = nsds_gaps_project(&d->rows, false);
  if (!status) status = nsds_event_rates(&d->rows, NULL);
  return status ? status : nsds_motion_start(d);
}

static NSDS_NOINLINE nsds_status drifts_too_often(const nsds_event_driver *d, double t) {
  return nsds_fail(d->base.context, NSDS_ERROR_INTEGRATION,
                   "event-driven: closed contacts have drifted apart more than max_steps = %ld "
                   "times since t = %.17g, up to t = %.17g; give a smaller relative_tolerance",
                   d->def.max_steps, d->base.clock.t, t);
}

/* Integrates to t_next or a root. Takes back drift of joints and frees contacts on the way. */
static int follow_motion(nsds_event_driver *d, double *elapsed) {
  double t0 = d->base.t0;
  for (long returns = 0;; ++returns) {
    int outcome = nsds_ode_advance(d->motion.ode, d->base.t_next - t0, elapsed, d->motion.x);
    if (outcome != NSDS_ODE_ROOT) return outcome;
    bool freed = frees(d);
    if (!freed && !nsds_motion_drifts(d)) return outcome;
    if (returns == d->def.max_steps) return drifts_too_often(d, t0 + *elapsed);
    nsds_motion_arrive(d, *elapsed, t0 + *elapsed);
    nsds_status status = nsds_event_rates(&d->rows, NULL);
    if (!status) status = nsds_rows_outputs(&d->rows);
    if (!status) status = freed ? nsds_motion_start(d) : return_to_gaps(d);
    if (status) return status;
  }
}

static NSDS_NOINLINE nsds_status searched_in_vain(const nsds_event_driver *d, double t) {
  return nsds_fail(d->base.context, NSDS_ERROR_VALUE,
                   "event-driven: bodies move by the reach of a contact set within the rounding of "
                   "t = %.17g, so that contacts would be searched for ever; give a larger reach",
                   t);
}

/* Returns true if searches at one instant lead nowhere. Features of several contacts may change
 * together. */
static bool searches_again(nsds_event_driver *d, double elapsed) {
  enum { most = 100 };
  double instant = nsds_event_instant * fmax(elapsed, nsds_event_interval(d));
  d->times.vain = elapsed - d->times.searched <= instant ? d->times.vain + 1 : 0;
  return d->times.vain > most;
}

nsds_status nsds_motion_evaluate(nsds_event_rows *s) {
  nsds_status status = s->facts.loaded || s->listed.driven ? nsds_event_rates(s, NULL) : NSDS_OK;
  return status ? status : nsds_rows_outputs(s);
}

/* Treats a failed integration. If friction makes a force grow without bound here, this is an
 * event. */
static NSDS_NOINLINE nsds_status stop_at_pole(nsds_event_driver *d, double elapsed, int failed,
                                              bool clean) {
  nsds_simulation *sim = &d->base;
  nsds_ode_cause cause = nsds_ode_failure(d->motion.ode);
  nsds_status status = d->motion.refused ? d->motion.refused : (nsds_status)failed;
  bool any = false, small = cause == NSDS_ODE_FAILED_STEP_SIZE || status == NSDS_ERROR_SINGULAR;
  if (!d->rows.listed.friction || !small ||
      elapsed - d->crowd.last <= nsds_event_instant * fabs(elapsed))
    return status;
  nsds_motion_arrive(d, elapsed, sim->t0 + elapsed);
  if (nsds_jam_find_poles(&d->rows, &any) || !any) return status;
  if (clean) nsds_error_clear(sim->context);
  nsds_motion_stop_at(sim, sim->t0 + elapsed);
  d->reached = NSDS_REACHED_ROOT;
  return NSDS_OK;
}

/* Aims at the next corner, if it comes first. Returns the horizon. */
static NSDS_NOINLINE double stop_at_corner(nsds_event_driver *d, double until, bool *scheduled) {
  double corner = next_corner(d, d->base.clock.t);
  nsds_motion_stop_at(&d->base, corner);
  d->at_corner = d->base.t_next >= corner;
  return corner_before(d, until, scheduled);
}

nsds_status nsds_motion_to_root(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  nsds_event_rows *s = &d->rows;
  double elapsed;
  nsds_motion_aim_further(d);
  bool scheduled;
  double until = scheduled_horizon(sim, &scheduled);
  if (NSDS_UNLIKELY(d->cornered)) until = stop_at_corner(d, until, &scheduled);
  nsds_motion_limit(d, until, scheduled);
  if (s->listed.damped) nsds_damped_clear(s);
  bool clean = nsds_is_clean(sim->context);
  d->motion.refused = NSDS_OK;
  int outcome = follow_motion(d, &elapsed);
  if (outcome == NSDS_ODE_STOPPED) return NSDS_STOPPED;
  if (outcome < 0) return stop_at_pole(d, elapsed, outcome, clean);
  if (d->motion.refused && clean) nsds_error_clear(sim->context); /* smaller steps went well */
  double t = outcome == NSDS_ODE_ROOT ? sim->t0 + elapsed : sim->t_next;
  nsds_motion_arrive(d, elapsed, t);
  if (outcome == NSDS_ODE_ROOT) {
    d->at_corner = false;
    nsds_motion_stop_at(sim, t);
    d->searches = nsds_motion_strays(d);
    d->reached = d->searches ? NSDS_REACHED_SEARCH : NSDS_REACHED_ROOT;
    if (!d->searches) return NSDS_OK;
    if (searches_again(d, elapsed)) return searched_in_vain(d, t);
    d->event.kind |= NSDS_EVENT_SEARCH;
  }
  nsds_status status = nsds_motion_evaluate(s);
  if (status || s->closed.n == 0) return status;
  return nsds_gaps_drift(s, s->scales.drift) ? return_to_gaps(d) : NSDS_OK;
}

bool nsds_motion_is_untouched(const nsds_event_driver *d) {
  const nsds_model *model = d->base.model;
  bool scheduled, earlier; /* the horizon is earlier than that of the integration */
  bool room = d->base.plan.trial.y_capacity >= model->size.ny; /* others may find more contacts */
  earlier = d->times.horizon - horizon(d, &scheduled) > nsds_event_instant * fabs(d->times.horizon);
  unsigned missed = nsds_versions_missed(&d->base.plan.seen.of, &model->now, NSDS_NEW_GRAPH);
  return nsds_event_under_way(d) && room && !earlier && nsds_event_is_current(d) && !missed &&
         model->stepper == &d->base.plan && !d->base.plan.seen.stale;
}
