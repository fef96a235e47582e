/*
 * Steps along the clock, whole or in stages: finds the end of a step, calls due events, and checks
 * the order of calls. The driver makes the step.
 */
#include "kernel/simulation/timeline.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/overlap_correction.h"
#include "kernel/assembly/reduced_rows.h"
#include "kernel/assembly/velocity_error.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/queue.h"
#include "kernel/simulation/saved.h"
#include "kernel/simulation/simulation.h"
#include "kernel/simulation/snapshot.h"
#include "kernel/simulation/snapshot_calls.h"
#include "numerics/linear/with_y.h"

#include <nsds/event_driven.h>

/* ---- the end of the next step ---------------------------------------------------------------- */

/* Aims at an event or the end, if one lies before the grid point. */
static NSDS_NOINLINE void aim_before(nsds_simulation *sim) {
  const nsds_clock *clock = &sim->clock;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  int64_t end = sim->end;
  if (event && event->tick < sim->tick_next && event->tick < end) {
    double due = nsds_event_time(event);
    sim->tick_next = event->tick;
    sim->t_next = due > clock->t ? due : nsds_clock_time(clock, event->tick); /* never back */
    sim->h_next = sim->t_next - clock->t;
  } else if (end <= sim->tick_next) {
    if (end < sim->tick_next) sim->h_next = sim->t1 - clock->t;
    sim->tick_next = end;
    sim->t_next = sim->t1;
  }
}

/* Aims at the next grid point, or at an event or the end before this point. */
static void timeline_aim(nsds_simulation *sim) {
  const nsds_clock *clock = &sim->clock;
  sim->tick_next = nsds_clock_next(clock->tick);
  sim->t_next = nsds_clock_time(clock, sim->tick_next);
  sim->h_next = nsds_clock_on_grid(clock->tick) ? clock->h : sim->t_next - clock->t;
  if (sim->queue.count > 0 || sim->end <= sim->tick_next) aim_before(sim);
}

static bool timeline_at_end(const nsds_simulation *sim) { return sim->end <= sim->clock.tick; }

static void timeline_arrive(nsds_simulation *sim) {
  sim->clock.tick = sim->tick_next;
  sim->clock.t = sim->info.t = sim->t_next;
  sim->info.snapshot = NSDS_OK;
  sim->info.h = sim->h_next;
  ++sim->steps;
}

static NSDS_NOINLINE nsds_status timeline_end(nsds_simulation *sim) {
  if (sim->ended)
    nsds_log(sim->context, NSDS_LOG_WARNING,
             "nsds_step: the end t1 = %.17g is reached; nsds_simulation_set_end() moves it",
             sim->t1);
  sim->ended = true;
  return NSDS_END;
}

static NSDS_NOINLINE nsds_status timeline_begin(nsds_simulation *sim) {
  return sim->driver->begin ? sim->driver->begin(sim) : NSDS_OK;
}

/* Calls due events, and prepares a first step or a step after changes by the program. NSDS_END:
 * nothing to do. */
static inline nsds_status timeline_prepare(nsds_simulation *sim) {
  if (timeline_at_end(sim)) return timeline_end(sim);
  nsds_status status = nsds_run_events(sim);
  bool first = sim->steps == 0 || !nsds_model_is_settled(sim->model);
  if (!status && NSDS_UNLIKELY(first)) status = timeline_begin(sim);
  if (status) return status;
  sim->t_of_model = sim->model->state.t;
  sim->model->state.t = sim->clock.t; /* another simulation of the model may have moved it */
  return NSDS_OK;
}

/* Restores the time of the model after a step that was not made. */
static void restore_time(nsds_simulation *sim) { sim->model->state.t = sim->t_of_model; }

static nsds_status timeline_step(nsds_simulation *sim) {
  if (nsds_stops(sim->context)) return NSDS_STOPPED;
  nsds_status status = timeline_prepare(sim);
  if (status) return status;
  timeline_aim(sim);
  status = sim->driver->advance(sim, sim->t_next, sim->h_next);
  if (NSDS_UNLIKELY(status)) {
    restore_time(sim);
    return status;
  }
  timeline_arrive(sim);
  return nsds_run_events(sim);
}

nsds_status nsds_step(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_step", "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, "nsds_step");
  if (status) return status;
  nsds_simulation_enter(sim);
  status = timeline_step(sim);
  nsds_simulation_leave(sim);
  return nsds_answer(sim->context, "nsds_step", nsds_step_done(sim, status));
}

nsds_status nsds_run(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_run", "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, "nsds_run");
  while (status == NSDS_OK) status = nsds_step(sim);
  return status;
}

/* ---- a step in stages ------------------------------------------------------------------------ */

static nsds_status check_stage(nsds_simulation *sim, const char *call, nsds_stage stage,
                               const char *wanted) {
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  if (nsds_check_hook(sim->context, call)) return NSDS_ERROR_STATE;
  if (sim->borrower.busy || sim->stage != stage)
    return nsds_fail(sim->context, NSDS_ERROR_STATE, "%s: it comes after %s", call, wanted);
  return NSDS_OK;
}

nsds_status nsds_step_begin(nsds_simulation *sim) {
  const char *call = "nsds_step_begin";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, call);
  if (status) return status;
  if (!sim->driver->start)
    return nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                     "%s: this %s has no such stages; use nsds_step()", call, sim->driver->name);
  nsds_simulation_enter(sim);
  status = timeline_prepare(sim);
  if (!status) {
    timeline_aim(sim);
    status = sim->driver->start(sim, sim->t_next, sim->h_next);
    if (status) {
      sim->driver->reject(sim);
      restore_time(sim);
    } else {
      sim->stage = NSDS_STAGE_FORMED;
    }
  }
  nsds_simulation_leave(sim);
  return nsds_answer(sim->context, call, status);
}

nsds_status nsds_step_solve(nsds_simulation *sim) {
  nsds_status status = check_stage(sim, "nsds_step_solve", NSDS_STAGE_FORMED,
                                   "nsds_step_begin(), or nsds_step_update() that returned "
                                   "NSDS_AGAIN");
  if (status) return status;
  nsds_simulation_enter(sim);
  status = sim->driver->solve(sim);
  nsds_simulation_leave(sim);
  if (!status) sim->stage = NSDS_STAGE_SOLVED;
  return nsds_answer(sim->context, "nsds_step_solve", status);
}

/* Certifies z as a solution of the present problem. Writes w to sim->work. */
static nsds_status timeline_certify(nsds_simulation *sim, const double *z,
                                    nsds_certificate *certificate) {
  const nsds_problem *problem = &sim->driver->problem(sim)->problem;
  *certificate = (nsds_certificate){0};
  if (problem->n == 0) return NSDS_OK;
  size_t work = nsds_problem_work(problem);
  nsds_status status =
      nsds_grow(sim->context, &sim->work, &sim->work_capacity, work, sizeof *sim->work);
  if (!status) nsds_certify(problem, z, sim->work, certificate);
  return status;
}

nsds_status nsds_step_take(nsds_simulation *sim, const double *z) {
  const char *call = "nsds_step_take";
  nsds_status status = check_stage(sim, call, NSDS_STAGE_FORMED, "nsds_step_begin()");
  if (status) return status;
  nsds_one_step *o = sim->driver->problem(sim);
  const nsds_problem *problem = &o->problem;
  if (!z && problem->n > 0) return nsds_fail_null(sim->context, call, "z");
  nsds_certificate certificate;
  if ((status = timeline_certify(sim, z, &certificate))) return status;
  if (problem->n > 0) {
    double tolerance = nsds_solver_get(sim->solver, "tolerance");
    if (certificate.residual <= tolerance) {
      memcpy(o->z, z, (size_t)problem->n * sizeof *z);
      memcpy(o->w, sim->work, (size_t)problem->n * sizeof *z);
    } else {
      status = nsds_fail(sim->context, NSDS_ERROR_SOLVER,
                         "%s: z has a residual of %g; it must be at most the tolerance, %g", call,
                         certificate.residual, tolerance);
    }
  }
  if (!status) sim->stage = NSDS_STAGE_SOLVED;
  return status;
}

const nsds_problem *nsds_step_problem(nsds_simulation *sim) {
  if (!sim || sim->stage != NSDS_STAGE_FORMED) return NULL;
  const nsds_one_step *o = sim->driver->problem(sim);
  if (!o->form->whole || o->problem.n == 0) return NULL;
  sim->in_factors = o->problem;
  sim->in_factors.M.storage = NSDS_FACTORED;
  sim->in_factors.M.factored = &o->reduced.factored;
  return &sim->in_factors;
}

int nsds_step_contact(nsds_simulation *sim, int a, nsds_contact_set **set) {
  if (!nsds_step_problem(sim)) return -1;
  const nsds_one_step *o = sim->driver->problem(sim);
  if (a < 0 || a >= o->set.nactive) return -1;
  const nsds_contact *contact = &sim->plan.contact[o->set.active[a]];
  if (!contact->found.set) return -1;
  if (set) *set = nsds_place_handle(contact->found.set);
  return contact->found.place;
}

nsds_status nsds_step_embed(nsds_simulation *sim, const double *z, nsds_complete_fn complete,
                            void *user) {
  const char *call = "nsds_step_embed";
  nsds_status status = check_stage(sim, call, NSDS_STAGE_FORMED, "nsds_step_begin()");
  if (status) return status;
  nsds_one_step *o = sim->driver->problem(sim);
  int n = o->problem.n;
  if (!z && n > 0) return nsds_fail_null(sim->context, call, "z");
  if (!nsds_check_finite(sim->context, call, "z", z, n)) return NSDS_ERROR_VALUE;
  if (n > 0) memcpy(o->z, z, (size_t)n * sizeof *z);
  sim->complete = complete;
  sim->complete_user = user;
  sim->stage = NSDS_STAGE_SOLVED;
  return NSDS_OK;
}

nsds_status nsds_step_update(nsds_simulation *sim) {
  nsds_status status = check_stage(sim, "nsds_step_update", NSDS_STAGE_SOLVED,
                                   "nsds_step_solve() or nsds_step_take()");
  if (status) return status;
  nsds_simulation_enter(sim);
  status = sim->driver->update(sim);
  sim->complete = NULL;
  nsds_simulation_leave(sim);
  if (status == NSDS_AGAIN) sim->stage = NSDS_STAGE_FORMED;
  if (status == NSDS_OK) sim->stage = NSDS_STAGE_ENDED;
  return nsds_answer(sim->context, "nsds_step_update", status);
}

/* Returns the problem of a step that has ended, with contacts of sets in factors. */
static nsds_one_step *ended_problem(nsds_simulation *sim, const char *call, nsds_status *status) {
  *status = check_stage(sim, call, NSDS_STAGE_ENDED, "nsds_step_update() that returned NSDS_OK");
  if (*status) return NULL;
  nsds_one_step *o = sim->driver->problem(sim);
  if (o->form->whole && !sim->plan.search.follows) return o;
  *status = nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                      "%s: the scheme has no factors; valid is nsds_moreau_jean()", call);
  return NULL;
}

nsds_status nsds_step_gaps(nsds_simulation *sim, int capacity, nsds_step_gap *gap, int *count) {
  const char *call = "nsds_step_gaps";
  nsds_status status;
  const nsds_one_step *o = ended_problem(sim, call, &status);
  if (!o) return status;
  if (!count) return nsds_fail_null(sim->context, call, "count");
  int found = nsds_overlap_list(o, capacity, gap);
  if (found < 0) return nsds_error(sim->context);
  *count = found;
  return NSDS_OK;
}

nsds_status nsds_step_displace(nsds_simulation *sim, const double *way) {
  const char *call = "nsds_step_displace";
  nsds_status status;
  const nsds_one_step *o = ended_problem(sim, call, &status);
  if (!o) return status;
  if (!way) return nsds_fail_null(sim->context, call, "way");
  return nsds_overlap_displace(o, &sim->plan, way);
}

nsds_status nsds_step_accept(nsds_simulation *sim) {
  nsds_status status = check_stage(sim, "nsds_step_accept", NSDS_STAGE_ENDED,
                                   "nsds_step_update() that returned NSDS_OK");
  if (status) return status;
  sim->driver->accept(sim);
  sim->stage = NSDS_STAGE_NONE;
  timeline_arrive(sim);
  nsds_simulation_enter(sim);
  status = nsds_run_events(sim);
  nsds_simulation_leave(sim);
  return nsds_answer(sim->context, "nsds_step_accept", nsds_step_done(sim, status));
}

nsds_status nsds_step_reject(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_step_reject", "simulation");
  if (nsds_check_hook(sim->context, "nsds_step_reject")) return NSDS_ERROR_STATE;
  if (sim->borrower.busy || sim->stage == NSDS_STAGE_NONE)
    return nsds_fail(
        sim->context, NSDS_ERROR_STATE,
        "nsds_step_reject: no step is under way in stages; call nsds_step_begin() first");
  nsds_simulation_abandon(sim);
  sim->complete = NULL;
  return NSDS_OK;
}

/* ---- events in two halves -------------------------------------------------------------------- */

bool nsds_event_ahead(const nsds_simulation *sim) { return sim && !timeline_at_end(sim); }

nsds_status nsds_event_meet(nsds_simulation *sim) {
  const char *call = "nsds_event_meet";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, call);
  if (status) return status;
  if (!sim->driver->meet)
    return nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                     "%s: this %s has no events; nsds_event_driven() makes a simulation that has",
                     call, sim->driver->name);
  nsds_simulation_enter(sim);
  status = timeline_prepare(sim);
  if (!status) {
    timeline_aim(sim);
    status = sim->driver->meet(sim);
    if (!status) sim->stage = NSDS_STAGE_MET;
    else restore_time(sim);
  }
  nsds_simulation_leave(sim);
  return nsds_answer(sim->context, call, status);
}

nsds_status nsds_event_process(nsds_simulation *sim) {
  nsds_status status = check_stage(sim, "nsds_event_process", NSDS_STAGE_MET, "nsds_event_meet()");
  if (status) return status;
  nsds_simulation_enter(sim);
  status = sim->driver->process(sim);
  if (!status) {
    sim->stage = NSDS_STAGE_NONE;
    timeline_arrive(sim);
    status = nsds_run_events(sim);
  }
  nsds_simulation_leave(sim);
  return nsds_answer(sim->context, "nsds_event_process", nsds_step_done(sim, status));
}

nsds_status nsds_event_window(nsds_simulation *sim, double length, int steps) {
  const char *call = "nsds_event_window";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, call);
  if (status) return status;
  if (!sim->driver->window)
    return nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                     "%s: this %s locates no events; nsds_event_driven() makes one that does", call,
                     sim->driver->name);
  if (!(length > 0.0) || sim->clock.t + length / steps == sim->clock.t || !isfinite(length))
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: length is %g s in %d steps; it must be positive, finite and long enough "
                     "to advance t = %g",
                     call, length, steps, sim->clock.t);
  if (steps < 1)
    return nsds_fail(sim->context, NSDS_ERROR_SIZE, "%s: steps is %d; at least 1 is needed", call,
                     steps);
  nsds_simulation_enter(sim);
  status = timeline_prepare(sim);
  if (!status) {
    timeline_aim(sim);
    status = sim->driver->window(sim, length, steps);
    if (!status) {
      timeline_arrive(sim);
      status = nsds_run_events(sim);
    } else {
      restore_time(sim);
    }
  }
  nsds_simulation_leave(sim);
  return nsds_answer(sim->context, "nsds_event_window", nsds_step_done(sim, status));
}

/* Returns the last one-step problem of velocities, or NULL. */
static const nsds_one_step *last_problem(nsds_simulation *sim) {
  const nsds_one_step *o = sim && sim->driver->problem ? sim->driver->problem(sim) : NULL;
  return o && o->formed ? o : NULL;
}

/* Adds the scale of the rows to a problem. Steps need none, so it is written on request. */
static const nsds_problem *give_scale(nsds_simulation *sim, const nsds_one_step *o,
                                      const nsds_problem *given) {
  nsds_lent *lent = &sim->lent;
  size_t n = (size_t)given->n;
  if (nsds_grow(sim->context, &lent->scale, &lent->capacity, n, sizeof *lent->scale)) return NULL;
  nsds_reduced_scale(o, lent->scale);
  lent->problem = *given;
  lent->problem.scale = lent->scale;
  return &lent->problem;
}

const nsds_problem *nsds_simulation_problem(nsds_simulation *sim) {
  nsds_solved last;
  if (!sim || !sim->driver->solved(sim, &last)) return NULL;
  const nsds_problem *given = nsds_give_y(sim->context, &sim->lent.with_y, last.problem);
  const nsds_one_step *o = last_problem(sim);
  bool scaled = o && last.problem == &o->problem && o->form->whole;
  return given && scaled && given->n > 0 ? give_scale(sim, o, given) : given;
}

const double *nsds_simulation_solution(nsds_simulation *sim) {
  nsds_solved last;
  return sim && sim->driver->solved(sim, &last) ? last.z : NULL;
}

double nsds_simulation_velocity_error(nsds_simulation *sim) {
  const char *call = "nsds_simulation_velocity_error";
  if (!sim) {
    nsds_fail_null(NULL, call, "simulation");
    return NAN;
  }
  const nsds_one_step *o = last_problem(sim);
  if (nsds_check_quiet(sim->model, call) || !o) return NAN;
  if (nsds_versions_missed(&sim->plan.seen.of, &sim->model->now, NSDS_NEW_GRAPH)) return NAN;
  nsds_certificate certificate;
  nsds_status status = timeline_certify(sim, o->z, &certificate);
  return status ? NAN : nsds_one_step_velocity_error(o, certificate.residual);
}

/* ---- saved states ---------------------------------------------------------------------------- */

nsds_status nsds_simulation_save(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_simulation_save", "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, "nsds_simulation_save");
  if (status) return status;
  status = nsds_saved_take(sim, &sim->saved);
  if (!status) status = nsds_saved_take_own(sim, &sim->saved);
  if (!status) status = nsds_queue_mark(sim->context, &sim->queue);
  if (status) nsds_saved_forget(&sim->saved);
  return nsds_answer(sim->context, "nsds_simulation_save", status);
}

nsds_status nsds_simulation_restore(nsds_simulation *sim) {
  const char *call = "nsds_simulation_restore";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = nsds_simulation_check_idle(sim, call);
  if (status) return status;
  if (!sim->saved.there)
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: no state is saved; nsds_simulation_save() comes before", call);
  if (nsds_versions_missed(&sim->saved.seen, &sim->model->now, NSDS_NEW_GRAPH))
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: systems or interactions came or went since the state was saved; call "
                     "nsds_simulation_save() after such changes",
                     call);
  double h;
  if ((status = nsds_simulation_check_back(sim, call, &sim->saved.clock, &h))) return status;
  if ((status = nsds_saved_check_own(sim, &sim->saved)))
    return nsds_answer(sim->context, call, status);
  bool same = !nsds_versions_missed(&sim->saved.seen, &sim->model->now, NSDS_NEW_VALUES);
  nsds_queue_return(sim->context, &sim->queue);
  nsds_saved_restore(sim, &sim->saved);
  if (h != sim->clock.h) nsds_simulation_new_grid(sim, h); /* the end was moved since */
  nsds_saved_restore_own(sim, &sim->saved, same);
  return NSDS_OK;
}
