/*
 * From event to event along the smooth motion. A step
 *   settles     the start, where the model was changed from outside
 *   integrates  to the next time of the clock, or a root before it: what a mode ends with
 *   settles     the event there, and starts the integration anew
 * on the trial state; what is accepted is copied into the model, and a step that fails leaves it as
 * it was. Times of the grid are read from the dense output, and leave the integration alone.
 */
#include "kernel/events/event_step.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/tracked_contact.h"
#include "kernel/events/event_archive.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_mark.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_retry.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/event_settle.h"
#include "kernel/events/event_window.h"
#include "kernel/events/gap_projection.h"
#include "kernel/events/jamming_impact.h"
#include "kernel/events/reactions.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/overflow.h"
#include "kernel/simulation/queue.h"
#include "kernel/simulation/saved.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"

/* Where nothing is wanted on the grid, the step leads to what is scheduled, or the end. */
static void aim_further(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  if (d->def.h > 0.0) return;
  bool scheduled = event && event->tick < sim->end;
  sim->tick_next = scheduled ? event->tick : sim->end;
  sim->t_next = scheduled ? nsds_event_time(event) : sim->t1;
}

/* The first row that has come to zero, for messages. */
static const char *name_row_at_zero(const nsds_event_driver *d, char label[nsds_label_size]) {
  const nsds_smooth *s = &d->smooth;
  for (int k = 0; k < s->nrow; ++k)
    if (s->row[k].at_zero || s->row[k].at_lower || s->row[k].at_upper)
      return nsds_contact_label(&s->plan->contact[s->row[k].contact], label);
  return "no row";
}

/* Events that follow each other so fast that max_events of them would be nowhere. */
static bool no_progress(const nsds_event_driver *d, double t) {
  const long many = 2000;
  const double part = 1e-6;
  return d->crowd > many && t - d->since < part * nsds_event_interval(d);
}

static nsds_status crowded(nsds_event_driver *d) {
  enum { most = 100 };
  nsds_context *context = d->base.context;
  char label[nsds_label_size];
  double t = d->elapsed, now = d->base.plan.trial.t;
  if (t > d->since + nsds_event_interval(d)) {
    d->since = t;
    d->crowd = 0;
  }
  d->repeats = t == d->last ? d->repeats + 1 : 0;
  d->near = t - d->last <= nsds_event_instant * fabs(t) ? d->near + 1 : 0;
  d->last = t;
  bool many = ++d->crowd > d->def.max_events || no_progress(d, t);
  d->chatters = many || d->repeats > most;
  if (many)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "event at t = %.17g: more than %ld events since t = %.17g, the last of %s; "
                     "allow more by max_events, or a window",
                     now, d->crowd - 1, d->base.t0 + d->since, name_row_at_zero(d, label));
  if (d->repeats > most)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "event at t = %.17g: contacts open and close %d times at this instant, the "
                     "last of %s; their forces and accelerations do not decide",
                     now, (int)most, name_row_at_zero(d, label));
  return NSDS_OK;
}

/* The clock for an event at t, before the time aimed at. */
static void stop_at(nsds_simulation *sim, double t) {
  if (t >= sim->t_next) return;
  int64_t tick = nsds_clock_tick(&sim->clock, t);
  if (tick >= sim->tick_next) tick = sim->tick_next - 1;
  if (tick < sim->clock.tick) tick = sim->clock.tick;
  sim->tick_next = tick;
  sim->t_next = t;
}

/* Closed contacts that have drifted apart. */
static NSDS_NOINLINE nsds_status return_to_gaps(nsds_event_driver *d) {
  nsds_status status = nsds_modes_project(&d->smooth, false);
  if (!status) status = nsds_smooth_rates(&d->smooth, NULL);
  return status ? status : nsds_motion_start(d);
}

static NSDS_NOINLINE nsds_status drifts_too_often(const nsds_event_driver *d, double t) {
  return nsds_fail(d->base.context, NSDS_ERROR_INTEGRATION,
                   "event-driven: closed contacts have drifted apart more than max_steps = %ld "
                   "times since t = %.17g, up to t = %.17g; give a smaller relative_tolerance",
                   d->def.max_steps, d->base.clock.t, t);
}

/* Along the motion to t_next or a root; over places where drift is taken back. */
static int event_step_follow(nsds_event_driver *d, double *elapsed) {
  double t0 = d->base.t0;
  for (long returns = 0;; ++returns) {
    int outcome = nsds_ode_advance(d->ode, d->base.t_next - t0, elapsed, d->x);
    if (outcome != NSDS_ODE_ROOT || !nsds_motion_drifts(d)) return outcome;
    if (returns == d->def.max_steps) return drifts_too_often(d, t0 + *elapsed);
    nsds_motion_arrive(d, *elapsed, t0 + *elapsed);
    nsds_status status = nsds_smooth_rates(&d->smooth, NULL);
    if (!status) status = nsds_smooth_outputs(&d->smooth);
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
static nsds_status event_step_evaluate(nsds_smooth *s) {
  nsds_status status = s->loaded || s->driven ? nsds_smooth_rates(s, NULL) : NSDS_OK;
  return status ? status : nsds_smooth_outputs(s);
}

/* Where no step was small enough: whether friction makes a force grow without bound there. Then that is
 * an event. */
static NSDS_NOINLINE nsds_status stop_at_pole(nsds_event_driver *d, double elapsed, int failed,
                                              bool clean) {
  nsds_simulation *sim = &d->base;
  nsds_ode_cause cause = nsds_ode_failure(d->ode);
  nsds_status status = d->refused ? d->refused : (nsds_status)failed;
  bool any = false, small = cause == NSDS_ODE_FAILED_STEP_SIZE || status == NSDS_ERROR_SINGULAR;
  if (!d->smooth.friction || !small || elapsed - d->last <= nsds_event_instant * fabs(elapsed))
    return status;
  nsds_motion_arrive(d, elapsed, sim->t0 + elapsed);
  if (nsds_modes_find_poles(&d->smooth, &any) || !any) return status;
  if (clean) nsds_error_clear(sim->context);
  stop_at(sim, sim->t0 + elapsed);
  d->at_root = true;
  return NSDS_OK;
}

/* To the time of the clock or a root, whichever comes first. */
static nsds_status event_step_integrate(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  nsds_smooth *s = &d->smooth;
  double elapsed;
  aim_further(d);
  nsds_motion_limit(d);
  bool clean = nsds_error(sim->context) == NSDS_OK;
  d->refused = NSDS_OK;
  int outcome = event_step_follow(d, &elapsed);
  if (outcome < 0) return stop_at_pole(d, elapsed, outcome, clean);
  if (d->refused && clean) nsds_error_clear(sim->context); /* smaller steps went well */
  double t = outcome == NSDS_ODE_ROOT ? sim->t0 + elapsed : sim->t_next;
  nsds_motion_arrive(d, elapsed, t);
  if (outcome == NSDS_ODE_ROOT) {
    stop_at(sim, t);
    d->searches = nsds_motion_strays(d);
    d->at_root = !d->searches;
    if (d->at_root) return NSDS_OK;
    if (elapsed - d->searched <= nsds_event_instant * fmax(elapsed, nsds_event_interval(d)))
      return searched_in_vain(d, t);
    d->event.kind |= NSDS_EVENT_SEARCH;
  }
  nsds_status status = event_step_evaluate(s);
  if (status || s->closed.n == 0) return status;
  return nsds_modes_drift(s, s->drift) ? return_to_gaps(d) : NSDS_OK;
}

/* Whether the force of a contact that slides has come to zero, or to a pole, which may look like it. */
static bool ends_sliding(const nsds_smooth *s) {
  bool any = false;
  for (const nsds_row *row = s->row, *end = row + s->nrow; s->friction && row < end; ++row) {
    if (row->tangents == 0 || row[1].mode != NSDS_MODE_SLIDING) continue;
    any = any || row->at_lower || row->at_upper;
  }
  return any;
}

/* The event at a root. It is none, and *any false, where gaps have come to zero within the errors
 * of the integration and open again, unless it has been met already. */
static NSDS_NOINLINE nsds_status nonsmooth(nsds_event_driver *d, bool met, bool *any) {
  bool impact = false, poles, gaps = nsds_motion_mark(d);
  nsds_status status = crowded(d);
  if (!status && ends_sliding(&d->smooth)) status = nsds_modes_find_poles(&d->smooth, &poles);
  d->smooth.again = d->near > 1;
  d->smooth.stuck = d->near > 1;
  if (!status) status = nsds_settle(d, false, &impact);
  d->smooth.again = d->smooth.stuck = false;
  if (status) return status;
  *any = met || !gaps || impact || d->event.count > 0;
  if (*any) d->event.kind |= NSDS_EVENT_NONSMOOTH;
  d->event.nonsmooth += *any;
  double left = 1.0;
  if (d->smooth.follows) status = nsds_follow_left(&d->base.plan, d->smooth.start, &left);
  d->searches = left < 0.5; /* the integration begins anyway */
  return status ? status : nsds_motion_start(d);
}

static NSDS_NOINLINE nsds_status touched_in_vain(nsds_event_driver *d) {
  d->chatters = true;
  return nsds_fail(d->base.context, NSDS_ERROR_VALUE,
                   "event at t = %.17g: more than max_events = %d times since t = %.17g gaps have "
                   "come to zero by the errors of the integration alone; give a smaller "
                   "relative_tolerance, or a window",
                   d->base.plan.trial.t, d->def.max_events, d->base.clock.t);
}

/* To the first event, from the time that has been reached. */
static nsds_status pass_event(nsds_event_driver *d, bool met) {
  nsds_simulation *sim = &d->base;
  nsds_status status = NSDS_OK;
  int touched = 0;
  for (bool any = false; !status && d->at_root;) {
    status = nonsmooth(d, met, &any);
    if (status || any) break;
    if (++touched > d->def.max_events) return touched_in_vain(d);
    sim->t_next = d->t_aim;
    sim->tick_next = d->tick_aim;
    status = event_step_integrate(d);
  }
  return status;
}

/* What the clock says of the time reached. */
static unsigned kind_of_time(const nsds_event_driver *d) {
  const nsds_simulation *sim = &d->base;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  unsigned kind = 0;
  if (d->def.h > 0.0 && nsds_clock_on_grid(sim->tick_next)) kind |= NSDS_EVENT_GRID;
  if (event && event->tick <= sim->tick_next) kind |= NSDS_EVENT_SCHEDULED;
  if (sim->tick_next >= sim->end) kind |= NSDS_EVENT_END;
  return kind;
}

/* The trial state, and what is not a state in it: impulses of this event, forces now. */
static nsds_status event_step_complete(nsds_event_driver *d) {
  nsds_smooth *s = &d->smooth;
  const nsds_plan *plan = &d->base.plan;
  const nsds_state *trial = &plan->trial;
  const nsds_state_size *size = &plan->model->size;
  nsds_status status = s->driven ? nsds_find_reactions(s) : NSDS_OK;
  if (status) return status;
  bool event = (d->event.kind & NSDS_EVENT_NONSMOOTH) != 0, idle = !event && !s->loaded;
  bool rows = s->nrow > 0 || s->follows, loads = !idle || !s->idle;
  if (rows && loads) nsds_smooth_forces(s, event);
  s->idle = idle;
  double zero = nsds_zero_if_finite(trial->q, (int)size->nq);
  zero += nsds_zero_if_finite(trial->v, (int)size->nv);
  if (loads || s->driven) /* else they are what they were */
    zero += nsds_zero_if_pairs_finite(trial->p, trial->reaction, (int)size->nv);
  if (rows) zero += nsds_zero_if_pairs_finite(trial->y, trial->ydot, (int)size->ny);
  if (rows && loads) zero += nsds_zero_if_pairs_finite(trial->impulse, trial->force, (int)size->ny);
  return NSDS_LIKELY(zero == 0.0) ? NSDS_OK : nsds_check_shown(plan, trial, "event at", trial->t);
}

static void note_time(nsds_event_driver *d) {
  d->event.previous = d->event.t;
  d->event.t = d->base.t_next;
}

static void event_step_accept(nsds_event_driver *d, bool met) {
  nsds_simulation *sim = &d->base;
  nsds_model *model = sim->model;
  const nsds_ode_counters *count = nsds_ode_count(d->ode);
  nsds_state_copy(sim->context, &model->state, &sim->plan.trial, &model->size);
  model->state.t = sim->t_next;
  nsds_settle_show(d);
  model->moved = false;
  model->settled = model->accepted = ++model->change;
  d->seen = model->change;
  d->accepted = d->elapsed;
  nsds_retry_accept(d);
  sim->h_next = sim->t_next - sim->clock.t;
  d->event.kind |= kind_of_time(d);
  if (!met) note_time(d);
  d->event.stiff = count->stiff;
  d->event.steps = count->steps;
  d->event.evaluations = count->rhs;
}

static void clear_info(nsds_step_info *info) {
  if (info->solver.solver) *info = (nsds_step_info){0}; /* long, and seldom used */
  info->t = info->h = 0.0;
  info->predicted = 0;
  info->substeps = info->newton_iterations = 1;
  info->newton_converged = true;
}

static void nothing_happened(nsds_event_driver *d) {
  d->event.count = d->event.undecided = 0;
  d->event.kinetic_before = d->event.kinetic_after = NAN;
}

/* The next event; true in *there where it is the start itself, and done. */
static nsds_status event_step_reach(nsds_event_driver *d, bool *there) {
  nsds_simulation *sim = &d->base;
  clear_info(&sim->info);
  d->t_aim = sim->t_next;
  d->tick_aim = sim->tick_next;
  d->event.kind = 0;
  nothing_happened(d);
  d->at_root = *there = false;
  nsds_retry_begin(d);
  nsds_status status = d->resumes ? nsds_event_go_on(d) : NSDS_OK;
  if (!status && d->returns && nsds_motion_untouched(d)) status = nsds_retry_return(d);
  if (status) return status;
  bool outside = !nsds_motion_untouched(d);
  d->begin.outside = outside;
  if (outside || d->searches || d->begin.resumes) nsds_retry_note(d);
  status = outside || d->searches ? nsds_motion_settle(d, outside, there) : NSDS_OK;
  if (status) return status;
  if (!*there) {
    nothing_happened(d); /* a start that settles is no event */
    return event_step_integrate(d);
  }
  d->event.kind |= NSDS_EVENT_NONSMOOTH;
  ++d->event.nonsmooth;
  sim->tick_next = sim->clock.tick;
  sim->t_next = sim->clock.t;
  return NSDS_OK;
}

/* What rows were marked with belongs to an event that has not been. */
static void forget(nsds_event_driver *d) {
  d->under_way = d->settled = d->returns = false;
  for (nsds_row *row = d->smooth.row, *end = row + d->smooth.nrow; row < end; ++row)
    row->at_zero = row->at_lower = row->at_upper = false;
}

static nsds_status event_step_finish(nsds_event_driver *d, nsds_status status, bool met) {
  if (!status) status = pass_event(d, met);
  if (!status) status = event_step_complete(d);
  nsds_contact_sets_end(d->base.model, !status);
  d->base.model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  if (!status) event_step_accept(d, met);
  else nsds_retry_fail(d);
  return status;
}

/* Time stepping from the accepted state, up to the next time of the clock at the furthest. */
static NSDS_NOINLINE nsds_status pass_window(nsds_event_driver *d, double length, int steps) {
  nsds_simulation *sim = &d->base;
  double end = sim->clock.t + length;
  clear_info(&sim->info);
  sim->t_next = d->t_aim;
  sim->tick_next = d->tick_aim;
  aim_further(d);
  stop_at(sim, end);
  nsds_status status = nsds_window_take(d, sim->t_next, steps);
  if (status) return status;
  sim->model->moved = false;
  sim->model->settled = sim->model->accepted = ++sim->model->change;
  sim->h_next = sim->t_next - sim->clock.t;
  d->event.kind = kind_of_time(d) | NSDS_EVENT_WINDOW;
  note_time(d);
  nothing_happened(d);
  d->since = d->last = -INFINITY;
  ++d->event.windows;
  return NSDS_OK;
}

/* What time stepping may pass where events cannot be. */
static bool worth_a_window(const nsds_event_driver *d, nsds_status status) {
  bool undecided = status == NSDS_ERROR_SOLVER || status == NSDS_ERROR_SINGULAR;
  bool at_rest = status == NSDS_ERROR_UNSUPPORTED && d->smooth.higher;
  return status < 0 && d->def.window > 0.0 &&
         (d->chatters || undecided || at_rest || status == NSDS_ERROR_INTEGRATION);
}

nsds_status nsds_event_advance(nsds_simulation *sim, double t_next, double h) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  bool there, clean = nsds_error(sim->context) == NSDS_OK;
  (void)t_next, (void)h; /* sim->t_next, which an event moves */
  sim->model->busy |= NSDS_BUSY_STEP;
  d->chatters = d->smooth.higher = false;
  nsds_status status = event_step_finish(d, event_step_reach(d, &there), false);
  if (NSDS_LIKELY(!worth_a_window(d, status))) return status;
  if (clean) nsds_error_clear(sim->context);
  return pass_window(d, d->def.window, d->def.window_steps);
}

nsds_status nsds_event_pass_window(nsds_simulation *sim, double length, int steps) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  nsds_status status = nsds_window_reserve(d, length / steps);
  d->t_aim = sim->t_next;
  d->tick_aim = sim->tick_next;
  return status ? status : pass_window(d, length, steps);
}

/* The two halves apart: the model has the state before the event. An impact at the start is undone until
 * it is processed. */
nsds_status nsds_event_pass_to(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  nsds_event_info reported = d->event;
  nsds_status status = nsds_saved_take(sim, &d->before);
  if (status) return status;
  sim->model->busy |= NSDS_BUSY_STEP;
  status = event_step_reach(d, &d->starts);
  if (!status && d->at_root) status = event_step_evaluate(&d->smooth);
  if (!status && !d->starts) status = event_step_complete(d);
  nsds_contact_sets_end(sim->model, !status && !d->starts);
  if (status || d->starts) nsds_retry_fail(d);
  if (status) sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  if (status) return status;
  d->reported = reported;
  note_time(d);
  nothing_happened(d);
  if (d->starts) d->event.kind = 0;
  if (d->starts) return NSDS_OK;
  nsds_state_copy(sim->context, &sim->model->state, &sim->plan.trial, &sim->model->size);
  sim->model->state.t = sim->t_next;
  nsds_settle_show(d);
  nsds_event_mark_take(d, &d->mark[d->marked],
                       false); /* the other half may fail and be made again */
  sim->model->moved = false;
  sim->model->settled = sim->model->accepted = ++sim->model->change;
  return NSDS_OK;
}

/* The impact at the start that has been met. */
static nsds_status reach_start(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  bool there;
  sim->t_next = d->t_aim;
  sim->tick_next = d->tick_aim;
  nsds_status status = event_step_reach(d, &there);
  if (status || there) sim->t_next = sim->clock.t, sim->tick_next = sim->clock.tick;
  return status;
}

nsds_status nsds_event_pass_through(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  nsds_status status = d->starts ? reach_start(d) : NSDS_OK;
  if (!d->starts) /* of a first attempt */
    nsds_state_copy(sim->context, &sim->plan.trial, &sim->model->state, &sim->model->size);
  status = event_step_finish(d, status, true);
  if (status) sim->model->busy |= NSDS_BUSY_STEP;
  return status;
}

void nsds_event_give_up(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  if (!d->starts) nsds_saved_restore(sim, &d->before);
  d->event = d->reported;
  d->event.count = 0; /* rows have been written over */
  forget(d);
}
