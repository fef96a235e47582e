/*
 * Adaptive steps, from top to bottom:
 *
 *   behind a corner or an event:   settle (adaptive_settle.c)
 *   otherwise:   try a step with all modes frozen (adaptive_stage.c)
 *                error too large or no solution: a shorter one
 *                a mode ends within the step (adaptive_modes.c): shorten the step to where it ends, then settle;
 *                    or, with by_laws, make the step by the laws, if its error allows
 */
#include "kernel/adaptive/adaptive_step.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/adaptive/adaptive_impact.h"
#include "kernel/adaptive/adaptive_modes.h"
#include "kernel/adaptive/adaptive_parts.h"
#include "kernel/adaptive/adaptive_settle.h"
#include "kernel/adaptive/adaptive_stage.h"
#include "kernel/adaptive/adaptive_state.h"
#include "kernel/adaptive/adaptive_switches.h"
#include "kernel/assembly/look.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

#include <float.h>

static const double located =
    1e-3; /* part of the settling length within which events are located */

static const double doubted =
    10.0; /* a guess this many times nearer than the bracket says is doubted */

enum { most_tries = 60, most_interpolated = 8 };
enum { no_guide = 2 }; /* steps that fell short before the line is mistrusted */

/*
 * The step by the laws, of order 1, after a mode has ended in a step of length h. If the error is too large, gives the
 * length to try next in *again. The next step goes up to the end of the mode, or is a short one around that end. The
 * error of a step with a kink grows with the length. Jumps have no shorter step than that which settles.
 */
static nsds_status step_by_laws(nsds_adaptive_driver *d, double h, double end, double *again) {
  const double safety = 0.8, at_kinks = 80.0; /* see docs/measurements.md */
  nsds_status status =
      nsds_adaptive_solve(d, h, d->now.t + h, d->now.z, d->now.z, false, &d->trial);
  if (status) return status;
  double error = nsds_adaptive_error_by_laws(d, h) / at_kinks;
  if (error > 1.0 && h > d->def.settling) {
    double enough = fmax(safety * h / error, d->def.settling), before = end - 0.5 * enough;
    *again = fmin(before > d->def.settling ? before : enough, 0.5 * h);
    return NSDS_OK;
  }
  nsds_adaptive_take_modes(d, d->trial.z);
  d->course.settled = !nsds_switches_move(d, &d->trial);
  nsds_adaptive_accept(d, 0.0);
  return NSDS_OK;
}

/*
 * Returns where to look for the end of a mode, after the first try from a start. `end` is where the line between both ends
 * of the try is zero. If a margin bends, a series of steps may fall short with `end` hardly nearer. Then the margin at
 * the far end counts for less and less, as in the Illinois method (M. Dowell, P. Jarratt, BIT 11 (1971)).
 */
static double look_further(nsds_adaptive_driver *d, double h, double end) {
  nsds_adaptive_course *c = &d->course;
  bool hardly = end <= c->reach && end >= 0.5 * c->reach;
  c->reach = end;
  if (!hardly) c->short_of = 0;
  else if (c->short_of < nsds_adaptive_levels) ++c->short_of;
  int turns = c->short_of - no_guide;
  if (turns <= 0) return end;
  double further = h * end / (end + ldexp(h - end, -2 * turns));
  return fmax(end, fmin(further, 0.5 * h));
}

/* Accepts a step in which no mode ends. */
static nsds_status accept_step(nsds_adaptive_driver *d, bool shortened) {
  nsds_adaptive_accept(d, 1.0 - nsds_gamma_stage);
  if (!shortened) d->course.reach = 0.0;
  return shortened && d->course.short_of > 0 ? nsds_adaptive_progress(d) : NSDS_OK;
}

/* Returns the time to which the closing of a gap is located, by its slower rate at both ends of the try. */
static double near_closing(const nsds_adaptive_driver *d, int row) {
  double start = d->now.w[row], end = d->trial.w[row];
  return nsds_near_gap(d, start < 0.0 && start > end ? start : end);
}

/* Notes that a mode has ended at time t. A gap counts as closed from here on, also where joints that are led back open it a
 * little. */
static void note_event(nsds_adaptive_driver *d, int row, double t) {
  if (row < d->stage.rows.ny && nsds_gap_is_open(d, row)) d->bodies.closed[row] = 1;
  d->course.info.event = t;
  ++d->course.info.events;
  d->course.reach = 0.0;
  d->course.settled = false;
}

/* After a step of length h that was tried with success: accepts it, or gives the length to try next
 * in *again. */
static nsds_status judge_step(nsds_adaptive_driver *d, double h, int attempt, double *again) {
  bool shortened = *again > 0.0;
  *again = 0.0;
  nsds_mode_end first = nsds_adaptive_find_end(d, h);
  double end = first.t;
  if (first.row < 0) return accept_step(d, shortened);
  d->course.ended = first.row;
  bool gap = first.row < d->stage.rows.ny && nsds_gap_is_open(d, first.row);
  if (d->def.by_laws && !gap) return step_by_laws(d, h, first.guess, again);
  double near = gap ? near_closing(d, first.row) : located * d->def.settling, guess = first.guess;
  if (h - guess <= near && h - end > doubted * near) guess = end;
  if (gap && guess <= near) end = 0.0; /* no step is so short */
  if (h - guess > near && end > 0.0) {
    *again = (shortened || gap ? guess : look_further(d, h, end)) + 0.5 * near;
    /* where the line between start and end is no guide, as behind a jump that settling has not seen */
    if (attempt >= most_interpolated) *again = fmin(*again, 0.5 * h);
    return NSDS_OK;
  }
  double t = d->now.t + guess;
  if (end > 0.0 || h <= near)
    nsds_adaptive_accept(d, 1.0 - nsds_gamma_stage); /* else: it has ended already */
  note_event(d, first.row, t);
  return NSDS_OK;
}

/* Returns a length at which there is no use in shortening steps further. */
static double shortest_step(const nsds_adaptive_driver *d) {
  return fmax(ldexp(d->def.largest_step, -nsds_adaptive_levels),
              8.0 * DBL_EPSILON * fabs(d->now.t));
}

/* Longer and shorter steps by the error; whether the step has to be made again. */
static bool control_step(nsds_adaptive_driver *d, double h) {
  double error = nsds_adaptive_error(d, h), level = ldexp(d->def.largest_step, -d->course.level);
  if (error > 1.0 && h > shortest_step(d)) {
    while (level > 0.99 * h) level *= 0.5, ++d->course.level; /* h may be a little longer */
    return true;
  }
  if (error < 0.06 && h > 0.6 * level && d->course.level > 0) --d->course.level;
  return false;
}

/* Takes the next corners of relations whose coefficients are not constant. */
static nsds_status find_relation_corner(nsds_adaptive_driver *d, bool *cut, double *end) {
  const nsds_plan *plan = &d->base.plan;
  double start = d->now.t;
  for (int c = 0; plan->count.varying > 0 && c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_relation *relation = contact->interaction->relation;
    if (contact->is.affine || !relation->ops->next_corner) continue;
    double corner = relation->ops->next_corner(relation->self, start);
    char label[nsds_label_size];
    if (!(corner > start))
      return nsds_fail(d->base.context, NSDS_ERROR_CALLBACK,
                       "adaptive step at t = %.17g: next_corner of the relation of %s returned %g; "
                       "valid are later times and HUGE_VAL",
                       start, nsds_interaction_label(contact->interaction, label), corner);
    if (corner <= *end) *end = corner, *cut = true;
  }
  return NSDS_OK;
}

/* Takes the next corners of systems. */
static nsds_status find_system_corner(const nsds_adaptive_driver *d, bool *cut, double *end) {
  const nsds_model *model = d->base.model;
  double start = d->now.t;
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    if (nsds_is_second_order(ds) || !ds->first->next_corner) continue;
    double corner = ds->first->next_corner(ds->self, start);
    char label[nsds_label_size];
    if (!(corner > start))
      return nsds_fail(d->base.context, NSDS_ERROR_CALLBACK,
                       "adaptive step at t = %.17g: next_corner of %s returned %g; valid are later "
                       "times and HUGE_VAL",
                       start, nsds_ds_label(ds, label), corner);
    if (corner <= *end) *end = corner, *cut = true;
  }
  return NSDS_OK;
}

/* Finds where the next step must end: at `limit` or a corner before it. */
static nsds_status find_corner(nsds_adaptive_driver *d, double limit, bool *cut, double *end) {
  double start = d->now.t;
  *end = limit;
  if (d->def.next_corner) {
    double corner = d->def.next_corner(start, d->def.user);
    if (!(corner > start))
      return nsds_fail(d->base.context, NSDS_ERROR_CALLBACK,
                       "adaptive step at t = %.17g: next_corner returned %g; valid are later times "
                       "and HUGE_VAL",
                       start, corner);
    if (corner <= limit) *end = corner, *cut = true;
  }
  nsds_status status = find_relation_corner(d, cut, end);
  if (!status) status = find_system_corner(d, cut, end);
  d->piece.from = start;
  d->piece.to = *cut ? *end - 8.0 * DBL_EPSILON * fabs(*end) : HUGE_VAL;
  return status;
}

/* Returns true if a step of length h was to end at the closing of a gap, so near that joints do not resolve the step. The
 * gap counts as closed then, at the start of the step. */
static bool closes_at_once(nsds_adaptive_driver *d, double h) {
  int row = d->course.ended;
  if (h > located * d->def.settling || row < 0 || row >= d->stage.rows.ny) return false;
  if (!nsds_gap_is_open(d, row)) return false;
  note_event(d, row, d->now.t);
  return true;
}

/* Tries steps until one is accepted. `cut`: `end` is a corner. */
static nsds_status step_to(nsds_adaptive_driver *d, double end, bool cut) {
  double start = d->now.t, again = 0.0, shorter = 1.0;
  nsds_status status = NSDS_OK;
  d->course.tried.row = -1;
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    double h = again > 0.0 ? again : shorter * ldexp(d->def.largest_step, -d->course.level);
    bool last = start + h * (1.0 + 1e-6) >= end;
    if (last) h = end - start;
    if (nsds_stops(d->base.context)) return NSDS_STOPPED;
    status = nsds_adaptive_try(d, h);
    if (!status && again == 0.0 && control_step(d, h)) {
      ++d->course.info.rejected;
      continue;
    }
    if (!status && last) d->trial.t = end;
    if (!status) status = judge_step(d, h, attempt, &again);
    if (!status && again == 0.0) {
      if (d->now.t >= end && cut) d->course.settled = false;
      return NSDS_OK;
    }
    if (status && !nsds_adaptive_may_shorten(status)) return status;
    ++d->course.info.rejected;
    if (status && again > 0.0 && closes_at_once(d, h)) {
      nsds_adaptive_forgive(d, status);
      return NSDS_OK;
    }
    if (status && h <= shortest_step(d)) break;
    if (status) shorter *= 0.25, again = 0.0;
    nsds_adaptive_forgive(d, status);
  }
  return nsds_adaptive_failed(d, status ? status : NSDS_ERROR_SOLVER);
}

/* Takes one accepted step, or settles; not beyond `limit`. `cut`: the limit is a corner. */
static nsds_status step_once(nsds_adaptive_driver *d, double limit, bool cut) {
  double start = d->now.t, end;
  nsds_status status = find_corner(d, limit, &cut, &end);
  if (status) return status;
  if (d->course.settled) {
    status = step_to(d, end, cut);
    if (status || d->now.t > start) return status;
  } /* else the mode had ended already */
  status = d->course.info.steps == 0 ? nsds_adaptive_settle_start(d, end)
                                     : nsds_adaptive_settle(d, end, d->def.settling);
  if (!status) d->course.settled = true;
  return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Aims at the next scheduled event or the end, as there is no grid. */
static void aim_further(nsds_simulation *sim) {
  const nsds_event *event = nsds_queue_next(&sim->queue);
  bool scheduled = event && event->tick < sim->end;
  sim->tick_next = scheduled ? event->tick : sim->end;
  sim->t_next = scheduled ? nsds_event_time(event) : sim->t1;
}

static void stop_at(nsds_simulation *sim, double t) {
  if (t >= sim->t_next) return;
  int64_t tick = nsds_clock_tick(&sim->clock, t);
  if (tick >= sim->tick_next) tick = sim->tick_next - 1;
  if (tick < sim->clock.tick) tick = sim->clock.tick;
  sim->tick_next = tick;
  sim->t_next = t;
}

nsds_status nsds_adaptive_begin_call(nsds_adaptive_driver *d) {
  nsds_simulation *sim = &d->base;
  const nsds_versions *now = &sim->model->now;
  bool changed = nsds_versions_missed(&d->seen, now, NSDS_NEW_GRAPH | NSDS_NEW_CHANGE);
  nsds_status status = changed ? nsds_adaptive_check_parts(sim->model) : NSDS_OK;
  if (changed && !status) status = nsds_switches_find(d);
  if (!status && NSDS_UNLIKELY(sim->model->size.nq > 0)) status = nsds_impact_prepare(d);
  if (!status) status = nsds_plan_update(&sim->plan, &d->scheme);
  if (!status) status = nsds_adaptive_update(d);
  d->stage.solver = sim->solver; /* the program may have chosen another one */
  if (status || !changed) return status;
  nsds_adaptive_take(d);
  d->course.settled = false;
  return NSDS_OK;
}

/* Systems and relations look at the end of a step. */
static nsds_status look_at_step(nsds_adaptive_driver *d) {
  const nsds_state at = {.t = d->now.t, .q = d->now.q, .v = d->now.z};
  return nsds_plan_look(&d->base.plan, &at, d->now.z + d->stage.rows.nx);
}

/* Steps until t_next, or once if there is no grid. */
static nsds_status go_on(nsds_adaptive_driver *d) {
  nsds_simulation *sim = &d->base;
  bool cut = sim->gridless ? sim->tick_next < sim->end : !nsds_clock_on_grid(sim->tick_next);
  nsds_status status;
  nsds_adaptive_watch(d);
  do {
    status = step_once(d, sim->t_next, cut);
    if (!status && nsds_adaptive_moves(d)) status = nsds_impact_correct_drift(d);
    if (!status && NSDS_UNLIKELY(nsds_plan_looks(&sim->plan))) status = look_at_step(d);
    if (!status && nsds_failures(sim->context) != d->watched.failures) status = NSDS_ERROR_CALLBACK;
  } while (!status && !sim->gridless && d->now.t < sim->t_next);
  if (!status && sim->gridless) stop_at(sim, d->now.t);
  if (!status && d->def.after_step) status = d->def.after_step(sim, d->def.user);
  return status ? status : nsds_adaptive_show(d);
}

nsds_status nsds_adaptive_advance(nsds_simulation *sim, double t_next, double h) {
  nsds_adaptive_driver *d = nsds_adaptive_of(sim);
  (void)t_next, (void)h; /* sim->t_next, which a step without a grid moves */
  sim->model->busy |= NSDS_BUSY_STEP;
  nsds_status status = nsds_adaptive_begin_call(d);
  if (!status) {
    nsds_adaptive_keep(d);
    sim->info = (nsds_step_info){.substeps = 1, .newton_iterations = 1, .newton_converged = true};
    if (sim->gridless) aim_further(sim);
    status = go_on(d);
    if (status) nsds_adaptive_return(d);
  }
  sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  if (status) return status;
  nsds_switches_show(d);
  sim->h_next = sim->t_next - sim->clock.t;
  nsds_model_accept(sim->model);
  d->seen = sim->model->now;
  return NSDS_OK;
}
