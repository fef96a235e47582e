/*
 * Along the smooth motion, from the state that has been reached to the time of the clock, or to a root
 * before it: a mode of a row ends there, or contacts may be near that sets have not found. Closed gaps
 * that drift apart on the way are returned.
 */
#include "kernel/events/integrate_to_root.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/gap_projection.h"
#include "kernel/events/jamming_impact.h"
#include "kernel/events/row_values.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/queue.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"

/* Where nothing is wanted on the grid, the step leads to what is scheduled, or the end. */
void nsds_event_aim_further(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  if (d->def.h > 0.0) return;
  bool scheduled = event && event->tick < sim->end;
  sim->tick_next = scheduled ? event->tick : sim->end;
  sim->t_next = scheduled ? nsds_event_time(event) : sim->t1;
}

/* The right-hand side holds until then: something may be changed there. */
static double horizon(const nsds_simulation *sim, bool *scheduled) {
  const nsds_event *event = nsds_queue_next(&sim->queue);
  *scheduled = event && event->tick < sim->end;
  return *scheduled ? fmax(nsds_event_time(event), sim->t_next) : sim->t1;
}

/* The clock for an event at t, before the time aimed at. */
void nsds_event_stop_at(nsds_simulation *sim, double t) {
  if (t >= sim->t_next) return;
  int64_t tick = nsds_clock_tick(&sim->clock, t);
  if (tick >= sim->tick_next) tick = sim->tick_next - 1;
  if (tick < sim->clock.tick) tick = sim->clock.tick;
  sim->tick_next = tick;
  sim->t_next = t;
}

/* Closed contacts that have drifted apart. */
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

/* Along the motion to t_next or a root; over places where drift is taken back. */
static int follow_motion(nsds_event_driver *d, double *elapsed) {
  double t0 = d->base.t0;
  for (long returns = 0;; ++returns) {
    int outcome = nsds_ode_advance(d->motion.ode, d->base.t_next - t0, elapsed, d->motion.x);
    if (outcome != NSDS_ODE_ROOT || !nsds_motion_drifts(d)) return outcome;
    if (returns == d->def.max_steps) return drifts_too_often(d, t0 + *elapsed);
    nsds_motion_arrive(d, *elapsed, t0 + *elapsed);
    nsds_status status = nsds_event_rates(&d->rows, NULL);
    if (!status) status = nsds_rows_outputs(&d->rows);
    if (!status) status = return_to_gaps(d);
    if (status) return status;
  }
}

static NSDS_NOINLINE nsds_status searched_in_vain(const nsds_event_driver *d, double t) {
  return nsds_fail(d->base.context, NSDS_ERROR_VALUE,
                   "event-driven: bodies move by the reach of a contact set within the rounding of "
                   "t = %.17g, so that contacts would be searched for ever; give a larger reach",
                   t);
}

/* lambda, and y and dy/dt, of the trial state. */
nsds_status nsds_event_evaluate(nsds_event_rows *s) {
  nsds_status status = s->facts.loaded || s->facts.driven ? nsds_event_rates(s, NULL) : NSDS_OK;
  return status ? status : nsds_rows_outputs(s);
}

/* Where no step was small enough: whether friction makes a force grow without bound there. Then that is
 * an event. */
static NSDS_NOINLINE nsds_status stop_at_pole(nsds_event_driver *d, double elapsed, int failed,
                                              bool clean) {
  nsds_simulation *sim = &d->base;
  nsds_ode_cause cause = nsds_ode_failure(d->motion.ode);
  nsds_status status = d->motion.refused ? d->motion.refused : (nsds_status)failed;
  bool any = false, small = cause == NSDS_ODE_FAILED_STEP_SIZE || status == NSDS_ERROR_SINGULAR;
  if (!d->rows.facts.friction || !small || elapsed - d->crowd.last <= nsds_instant * fabs(elapsed))
    return status;
  nsds_motion_arrive(d, elapsed, sim->t0 + elapsed);
  if (nsds_jam_find_poles(&d->rows, &any) || !any) return status;
  if (clean) nsds_error_clear(sim->context);
  nsds_event_stop_at(sim, sim->t0 + elapsed);
  d->reached = NSDS_REACHED_ROOT;
  return NSDS_OK;
}

/* To the time of the clock or a root, whichever comes first. */
nsds_status nsds_integrate_to_root(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  nsds_event_rows *s = &d->rows;
  double elapsed;
  nsds_event_aim_further(d);
  bool scheduled;
  double until = horizon(sim, &scheduled);
  nsds_motion_limit(d, until, scheduled);
  bool clean = nsds_error(sim->context) == NSDS_OK;
  d->motion.refused = NSDS_OK;
  int outcome = follow_motion(d, &elapsed);
  if (outcome < 0) return stop_at_pole(d, elapsed, outcome, clean);
  if (d->motion.refused && clean) nsds_error_clear(sim->context); /* smaller steps went well */
  double t = outcome == NSDS_ODE_ROOT ? sim->t0 + elapsed : sim->t_next;
  nsds_motion_arrive(d, elapsed, t);
  if (outcome == NSDS_ODE_ROOT) {
    nsds_event_stop_at(sim, t);
    nsds_event_want_search(d, nsds_motion_strays(d));
    d->reached = d->searches ? NSDS_REACHED_SEARCH : NSDS_REACHED_ROOT;
    if (!d->searches) return NSDS_OK;
    if (elapsed - d->times.searched <= nsds_instant * fmax(elapsed, nsds_event_interval(d)))
      return searched_in_vain(d, t);
    d->event.kind |= NSDS_EVENT_SEARCH;
  }
  nsds_status status = nsds_event_evaluate(s);
  if (status || s->closed.n == 0) return status;
  return nsds_gaps_drift(s, s->scales.drift) ? return_to_gaps(d) : NSDS_OK;
}

bool nsds_motion_is_untouched(const nsds_event_driver *d) {
  const nsds_model *model = d->base.model;
  bool scheduled, earlier; /* than was looked ahead, by more than rounding */
  bool room = d->base.plan.trial.y_capacity >= model->size.ny; /* what others found may need more */
  earlier =
      d->times.horizon - horizon(&d->base, &scheduled) > nsds_instant * fabs(d->times.horizon);
  unsigned missed = nsds_versions_missed(&d->base.plan.seen.of, &model->now, NSDS_NEW_GRAPH);
  return nsds_event_under_way(d) && room && !earlier && nsds_event_is_current(d) && !missed &&
         model->stepper == &d->base.plan && !d->base.plan.seen.stale;
}
