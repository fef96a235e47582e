/*
 * From event to event along the smooth motion, from top to bottom:
 *
 *     start        settle as at an event, if the model was changed from outside
 *     do {
 *       integrate  to the next time of the clock, or a root before         (event_motion.c)
 *       mark       rows at zero                                            (event_motion.c, here)
 *       impacts    velocities after impacts                                (event_settle.c)
 *       modes      of all rows; lambda and rates                           (event_settle.c)
 *       project    return closed gaps to zero                              (gap_projection.c)
 *     } while (gaps were at zero only by errors of the integration)
 *     outputs      forces, reactions; numbers not finite fail the step
 *     accept       copy the trial state to the model; on failure the model stays as it was,
 *                  and the integration is made again from its start        (event_retry.c)
 *
 * If events cannot be resolved, a window of time stepping passes them, see event_window.c. Times of
 * the grid are read from the dense output and do not disturb the integration. A program may call
 * the two halves of an event one by one.
 */
#include "kernel/events/event.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/look.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/start_contacts.h"
#include "kernel/assembly/tracked_contact.h"
#include "kernel/events/event_archive.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_modes.h"
#include "kernel/events/event_checkpoint.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/event_retry.h"
#include "kernel/events/event_past.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/event_settle.h"
#include "kernel/events/event_switches.h"
#include "kernel/events/event_window.h"
#include "kernel/events/jamming_impact.h"
#include "kernel/events/reactions.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/turns.h"
#include "kernel/modeling/state.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/overflow.h"
#include "kernel/simulation/queue.h"
#include "kernel/simulation/saved.h"
#include "kernel/simulation/snapshot.h"
#include "numerics/ode/advance.h"

/* ---- events that make no progress ------------------------------------------------------------ */

/* Names the first row that has come to zero, or the first switch that turns, for messages. */
static const char *name_row_at_zero(const nsds_event_driver *d, char label[nsds_label_size]) {
  const nsds_event_rows *s = &d->rows;
  for (int k = 0; k < s->nrow; ++k) {
    const nsds_row_mark *mark = &s->row[k].mark;
    if (nsds_row_at_zero(&s->row[k]) || mark->bound != NSDS_BOUND_NONE || mark->gate_due)
      return nsds_contact_label(&s->plan->contact[s->row[k].contact], label);
  }
  return s->plan->count.gated > 0 ? "a switch" : "no row";
}

/* Returns true if more than `many` events follow each other so fast that they make no progress. */
static bool no_progress(const nsds_event_driver *d, long many) {
  const double part = 1e-6;
  return d->crowd.count > many && d->crowd.last - d->crowd.since < part * nsds_event_interval(d);
}

static nsds_status event_crowded(nsds_event_driver *d) {
  enum { most = 100 };
  nsds_context *context = d->base.context;
  char label[nsds_label_size];
  if (nsds_stops(context)) return NSDS_STOPPED;
  double t = d->motion.elapsed, now = d->base.plan.trial.t;
  if (t > d->crowd.since + nsds_event_interval(d)) {
    d->crowd.since = t;
    d->crowd.count = 0;
  }
  d->crowd.repeats = t == d->crowd.last ? d->crowd.repeats + 1 : 0;
  d->crowd.near = t - d->crowd.last <= nsds_event_instant * fabs(t) ? d->crowd.near + 1 : 0;
  d->crowd.last = t;
  bool many = ++d->crowd.count > d->def.max_events || no_progress(d, 2000);
  d->chatters = many || d->crowd.repeats > most;
  if (many)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "event at t = %.17g: more than %ld events since t = %.17g, the last of %s; "
                     "give switches a hysteresis, allow a window%s",
                     now, d->crowd.count - 1, d->base.t0 + d->crowd.since,
                     name_row_at_zero(d, label),
                     d->crowd.count > d->def.max_events ? ", or more by max_events" : "");
  if (d->crowd.repeats > most)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "event at t = %.17g: contacts open and close %d times at this instant, the "
                     "last of %s; their forces and accelerations do not decide",
                     now, (int)most, name_row_at_zero(d, label));
  return NSDS_OK;
}

static NSDS_NOINLINE nsds_status event_touched_in_vain(nsds_event_driver *d) {
  d->chatters = true;
  return nsds_fail(d->base.context, NSDS_ERROR_VALUE,
                   "event at t = %.17g: more than max_events = %d times since t = %.17g gaps have "
                   "come to zero by the errors of the integration alone; give a smaller "
                   "relative_tolerance, or a window",
                   d->base.plan.trial.t, d->def.max_events, d->base.clock.t);
}

/* ---- an event -------------------------------------------------------------------------------- */

/* Returns true if the force of a sliding contact has come to zero or to a pole. The two may look
 * alike. */
static bool ends_sliding(const nsds_event_rows *s) {
  bool any = false;
  for (const nsds_row *row = s->row, *end = row + s->nrow; s->listed.friction && row < end; ++row) {
    if (row->tangents == 0 || !nsds_row_any_slides(row)) continue;
    any = any || row->mark.bound != NSDS_BOUND_NONE;
  }
  return any;
}

/* Treats the event at a root. *any is false if gaps came to zero by errors of the integration alone
 * and open again. `touched` counts how often in a row. An event that was `met` before always counts. */
static NSDS_NOINLINE nsds_status nonsmooth(nsds_event_driver *d, bool met, int touched, bool *any) {
  bool impact = false, poles, gaps = nsds_motion_mark(d);
  nsds_status status = event_crowded(d);
  if (NSDS_UNLIKELY(d->rows.listed.bends) && !status) {
    /* A second half that has failed may have begun the next integration in motion.x. */
    const nsds_state *before = &d->base.model->state;
    status =
        nsds_soft_take_points(&d->rows, met ? before->v : d->motion.x + d->base.model->size.nq);
  }
  if (!status && ends_sliding(&d->rows)) status = nsds_jam_find_poles(&d->rows, &poles);
  d->rows.here.again = d->crowd.near > 1;
  d->rows.here.stuck = d->crowd.near > 1 || no_progress(d, 50);
  if (!status) status = nsds_settle(d, false, &impact);
  d->rows.here.again = d->rows.here.stuck = false;
  if (status) return status;
  *any = met || !gaps || impact || d->event.count > 0;
  if (*any) d->event.kind |= NSDS_EVENT_NONSMOOTH;
  else nsds_modes_yield(&d->rows, touched);
  d->event.nonsmooth += *any;
  double left = 1.0;
  if (d->rows.search.sets) status = nsds_follow_left(&d->base.plan, d->rows.search.start, &left);
  d->searches = left < 0.5; /* the integration begins anyway */
  return status ? status : nsds_motion_start(d);
}

/* Passes the first event after the time reached. */
static nsds_status pass_event(nsds_event_driver *d, bool met) {
  nsds_simulation *sim = &d->base;
  nsds_status status = NSDS_OK;
  int touched = 0;
  for (bool any = false; !status && d->reached == NSDS_REACHED_ROOT;) {
    status = nonsmooth(d, met, touched, &any);
    if (status || any) break;
    if (++touched > d->def.max_events) return event_touched_in_vain(d);
    sim->t_next = d->t_aim;
    sim->tick_next = d->tick_aim;
    d->reached = NSDS_REACHED_TIME;
    status = nsds_motion_to_root(d);
  }
  return status;
}

/* Returns the kinds of the time reached by the clock. */
static unsigned kind_of_time(const nsds_event_driver *d) {
  const nsds_simulation *sim = &d->base;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  unsigned kind = 0;
  if (d->def.output_period > 0.0 && nsds_clock_on_grid(sim->tick_next)) kind |= NSDS_EVENT_GRID;
  if (event && event->tick <= sim->tick_next) kind |= NSDS_EVENT_SCHEDULED;
  if (sim->tick_next >= sim->end) kind |= NSDS_EVENT_END;
  return kind;
}

static NSDS_NOINLINE nsds_status complete_joints(nsds_event_rows *s, bool event) {
  bool evaluated = event || s->facts.loaded || s->listed.driven;
  nsds_status status = evaluated ? NSDS_OK : nsds_event_rates(s, NULL);
  return status ? status : nsds_find_joint_forces(s, event);
}

/* Completes the trial state: impulses of this event, present forces. */
static nsds_status event_complete(nsds_event_driver *d) {
  nsds_event_rows *s = &d->rows;
  const nsds_plan *plan = &d->base.plan;
  const nsds_state *trial = &plan->trial;
  const nsds_state_size *size = &plan->model->size;
  nsds_status status = s->listed.driven ? nsds_find_reactions(s) : NSDS_OK;
  if (status) return status;
  bool event = (d->event.kind & NSDS_EVENT_NONSMOOTH) != 0, idle = !event && !s->facts.loaded;
  bool rows = s->nrow > 0 || s->search.sets, loads = !idle || !s->idle;
  if (rows && loads) nsds_rows_forces(s, event);
  if (NSDS_UNLIKELY(plan->tree != NULL)) status = complete_joints(s, event);
  if (!status && s->listed.damped && event) status = nsds_damped_show(s);
  if (status) return status;
  s->idle = idle;
  double zero = nsds_zero_if_finite(trial->q, (int)size->nq);
  zero += nsds_zero_if_finite(trial->v, (int)size->nv);
  if (loads || s->listed.driven) /* else they are unchanged */
    zero += nsds_zero_if_pairs_finite(trial->p, trial->reaction, (int)size->nv);
  if (rows) zero += nsds_zero_if_pairs_finite(trial->y, trial->ydot, (int)size->ny);
  if (rows && loads) zero += nsds_zero_if_pairs_finite(trial->impulse, trial->force, (int)size->ny);
  if (NSDS_UNLIKELY(zero != 0.0)) return nsds_check_shown(plan, trial, "event at", trial->t);
  return NSDS_LIKELY(!d->end_work) ? NSDS_OK : nsds_plan_look(plan, trial, trial->impulse);
}

static void note_time(nsds_event_driver *d) {
  d->event.previous = d->event.t;
  d->event.t = d->base.t_next;
}

/* Accepts the switches. Behind a corner a new integration begins. */
static NSDS_NOINLINE void accept_switches(nsds_event_driver *d) {
  nsds_gates_accept(&d->base.plan);
  if (!d->at_corner) return;
  d->integration = NSDS_INTEGRATION_NONE;
  d->event.kind |= NSDS_EVENT_SCHEDULED;
}

static void event_accept(nsds_event_driver *d, bool met) {
  nsds_simulation *sim = &d->base;
  nsds_model *model = sim->model;
  const nsds_ode_counters *count = nsds_ode_count(d->motion.ode);
  nsds_state_copy(sim->context, &model->state, &sim->plan.trial, &model->size);
  model->state.t = sim->t_next;
  nsds_follow_places(&sim->plan);
  nsds_settle_show(d);
  d->rows.after_window = false;
  nsds_model_accept(model);
  d->times.seen = model->now;
  d->times.accepted = d->motion.elapsed;
  nsds_checkpoint_accept(d);
  if (NSDS_UNLIKELY(d->end_work)) accept_switches(d);
  sim->h_next = sim->t_next - sim->clock.t;
  d->event.kind |= kind_of_time(d);
  if (!met) note_time(d);
  if (d->def.history > 0) nsds_past_note(d);
  d->event.stiff = count->stiff;
  d->event.steps = count->steps;
  d->event.evaluations = count->rhs;
}

static void clear_info(nsds_step_info *info) {
  if (info->solver.solver) *info = (nsds_step_info){0}; /* the struct is large, and seldom used */
  info->t = info->h = 0.0;
  info->predicted = 0;
  info->substeps = info->newton_iterations = 1;
  info->newton_converged = true;
}

static void nothing_happened(nsds_event_driver *d) {
  d->event.count = d->event.undecided = 0;
  d->event.kinetic_before = d->event.kinetic_after = NAN;
}

/* Reaches the next event. *there: the event is at the start, and done. */
static nsds_status event_reach(nsds_event_driver *d, bool *there) {
  nsds_simulation *sim = &d->base;
  clear_info(&sim->info);
  d->t_aim = sim->t_next;
  d->tick_aim = sim->tick_next;
  d->event.kind = 0;
  nothing_happened(d);
  d->reached = NSDS_REACHED_TIME;
  *there = false;
  nsds_checkpoint_begin(d);
  d->checkpoints.begin.outside = false;
  bool packed = d->integration == NSDS_INTEGRATION_PACKED;
  nsds_status status = packed ? nsds_event_go_on(d) : NSDS_OK;
  bool failed = d->integration == NSDS_INTEGRATION_FAILED;
  if (!status && failed && nsds_motion_is_untouched(d)) status = nsds_retry_return(d);
  if (status) return status;
  bool outside = !nsds_motion_is_untouched(d);
  d->checkpoints.begin.outside = outside;
  if (outside || d->searches || d->checkpoints.begin.resumes) nsds_checkpoint_note(d);
  status = outside || d->searches ? nsds_motion_settle(d, outside, there) : NSDS_OK;
  if (NSDS_UNLIKELY(d->cornered) && !status && outside && nsds_motion_turns(d)) {
    d->at_corner = false;
    *there = *there || d->event.count > 0;
  }
  if (!status && NSDS_UNLIKELY(!sim->plan.search.start_seen))
    status = nsds_start_contacts_warn(&sim->plan, &d->rows.op, false);
  if (status) return status;
  if (!*there) {
    nothing_happened(d); /* settling a start is no event */
    return nsds_motion_to_root(d);
  }
  d->event.kind |= NSDS_EVENT_NONSMOOTH;
  ++d->event.nonsmooth;
  sim->tick_next = sim->clock.tick;
  sim->t_next = sim->clock.t;
  return NSDS_OK;
}

/* Forgets the marks of rows, which belong to an event that was given up. */
static void forget(nsds_event_driver *d) {
  if (nsds_event_under_way(d)) d->integration = NSDS_INTEGRATION_NONE;
  nsds_settle_drop(d);
  for (nsds_row *row = d->rows.row, *end = row + d->rows.nrow; row < end; ++row)
    nsds_row_forget(row);
}

/* Returns to the state before a failed step. */
static NSDS_NOINLINE void event_return(nsds_event_driver *d) {
  nsds_checkpoint_fail(d);
  nsds_gates_return(&d->base.plan);
}

static nsds_status event_finish(nsds_event_driver *d, nsds_status status, bool met) {
  if (!status) status = pass_event(d, met);
  if (!status) status = event_complete(d);
  nsds_contact_sets_end(d->base.model, !status);
  d->base.model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  if (!status) event_accept(d, met);
  else event_return(d);
  return status;
}

/* Passes a window of time stepping from the accepted state, at most up to the next time of the
 * clock. */
static NSDS_NOINLINE nsds_status pass_window(nsds_event_driver *d, double length, int steps) {
  nsds_simulation *sim = &d->base;
  double end = sim->clock.t + length;
  clear_info(&sim->info);
  sim->t_next = d->t_aim;
  sim->tick_next = d->tick_aim;
  nsds_motion_aim_further(d);
  nsds_motion_stop_at(sim, end);
  nsds_status status = nsds_window_take(d, sim->t_next, steps);
  if (status) return status;
  nsds_model_accept(sim->model);
  sim->h_next = sim->t_next - sim->clock.t;
  d->event.kind = kind_of_time(d) | NSDS_EVENT_WINDOW;
  note_time(d);
  nothing_happened(d);
  d->crowd.since = d->crowd.last = -INFINITY;
  ++d->event.windows;
  if (d->def.history > 0) nsds_past_note(d);
  return NSDS_OK;
}

/* Returns true if time stepping may pass this failure of events. */
static bool worth_a_window(const nsds_event_driver *d, nsds_status status) {
  bool undecided = status == NSDS_ERROR_SOLVER || status == NSDS_ERROR_SINGULAR;
  bool at_rest = status == NSDS_ERROR_UNSUPPORTED && d->rows.here.higher;
  return status < 0 && d->def.window > 0.0 &&
         (d->chatters || undecided || at_rest || status == NSDS_ERROR_INTEGRATION);
}

nsds_status nsds_event_advance(nsds_simulation *sim, double t_next, double h) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  bool there, clean = nsds_is_clean(sim->context);
  (void)t_next, (void)h; /* sim->t_next, which an event moves, replaces these */
  sim->model->busy |= NSDS_BUSY_STEP;
  d->chatters = false;
  nsds_rows_begin_step(&d->rows);
  nsds_status status = event_finish(d, event_reach(d, &there), false);
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

/* Makes a failed integration again, so that it can be archived. */
static nsds_status repeat_failed(nsds_event_driver *d) {
  nsds_model *model = d->base.model;
  if (d->integration != NSDS_INTEGRATION_FAILED || !nsds_motion_is_untouched(d)) return NSDS_OK;
  nsds_checkpoint_begin(d);
  d->checkpoints.begin.outside = false;
  model->busy |= NSDS_BUSY_STEP;
  nsds_status status = nsds_retry_return(d);
  if (status) nsds_checkpoint_fail(d);
  model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  return status;
}

/* Takes the first half of an event: the model gets the state before the event. An impact at the
 * start is undone until the second half. */
nsds_status nsds_event_pass_to(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  nsds_event_info reported = d->event;
  nsds_saved *before = &d->saved;
  nsds_status status = repeat_failed(d);
  if (!status) status = nsds_saved_take(sim, before);
  if (!status) status = nsds_saved_take_own(sim, before);
  if (status) return status;
  sim->model->busy |= NSDS_BUSY_STEP;
  status = event_reach(d, &d->halves.starts);
  if (!status && d->reached == NSDS_REACHED_ROOT) status = nsds_motion_evaluate(&d->rows);
  if (!status && !d->halves.starts) status = event_complete(d);
  nsds_contact_sets_end(sim->model, !status && !d->halves.starts);
  if (status || d->halves.starts) event_return(d);
  if (status) sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  if (status) return status;
  d->halves.reported = reported;
  note_time(d);
  nothing_happened(d);
  if (d->halves.starts) d->event.kind = 0;
  if (d->halves.starts) return NSDS_OK;
  nsds_state_copy(sim->context, &sim->model->state, &sim->plan.trial, &sim->model->size);
  sim->model->state.t = sim->t_next;
  nsds_follow_places(&sim->plan);
  nsds_settle_show(d);
  nsds_gates_accept(&sim->plan);
  nsds_checkpoint_halve(d);
  nsds_model_accept(sim->model);
  return NSDS_OK;
}

/* Repeats the impact at the start that the first half has met. */
static nsds_status reach_start(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  bool there;
  sim->t_next = d->t_aim;
  sim->tick_next = d->tick_aim;
  nsds_status status = event_reach(d, &there);
  if (status || there) sim->t_next = sim->clock.t, sim->tick_next = sim->clock.tick;
  return status;
}

/* Gives the trial state the accepted state, from which the first half of an event starts. */
static void begin_again(nsds_simulation *sim) {
  const nsds_model *model = sim->model;
  nsds_state_copy(sim->context, &sim->plan.trial, &model->state, &model->size);
  nsds_turns_begin(model, &sim->plan.trial, model->state.t, 0.5);
}

nsds_status nsds_event_pass_through(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  nsds_status status = d->halves.starts ? reach_start(d) : NSDS_OK;
  if (!d->halves.starts) /* the state before a first try */
    begin_again(sim);
  status = event_finish(d, status, true);
  if (status) sim->model->busy |= NSDS_BUSY_STEP;
  return status;
}

void nsds_event_give_up(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  bool kept = true;
  if (!d->halves.starts) {
    kept = nsds_saved_check_own(sim, &d->saved) == NSDS_OK;
    nsds_saved_restore(sim, &d->saved);
    if (kept) nsds_saved_restore_own(sim, &d->saved, true);
  }
  d->event = d->halves.reported;
  d->event.count = 0; /* rows have been overwritten */
  if (!kept) forget(d);
}
