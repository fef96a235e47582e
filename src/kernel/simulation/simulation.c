/*
 * What all drivers share: from event to event along the clock, the end, the stages of a step, saved
 * states, the report.
 */
#include "simulation.h"

#include <stdio.h>

/* ---- where the next step leads --------------------------------------------------------------- */

typedef struct target {
  double t, h;
  int64_t tick;
} target;

/* The next grid point, or an event or the end that lies before it. */
static target next_target(const nsds_simulation *sim) {
  const nsds_clock *clock = &sim->clock;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  target to = {.tick = nsds_clock_next(clock->tick)};
  to.t = nsds_clock_time(clock, to.tick);
  to.h = nsds_clock_on_grid(clock->tick) ? clock->h : to.t - clock->t;
  int64_t end = sim->end;
  if (event && event->tick < to.tick && event->tick < end) {
    to.tick = event->tick;
    to.t = nsds_event_time(event);
    to.h = to.t - clock->t;
  } else if (end <= to.tick) {
    if (end < to.tick) to.h = sim->t1 - clock->t;
    to.tick = end;
    to.t = sim->t1;
  }
  return to;
}

static bool at_end(const nsds_simulation *sim) {
  return sim->end <= sim->clock.tick;
}

static void arrive(nsds_simulation *sim, target to) {
  sim->clock.tick = to.tick;
  sim->clock.t = to.t;
  ++sim->steps;
  sim->info.t = to.t;
  sim->info.h = to.h;
}

static nsds_status run_events(nsds_simulation *sim) {
  if (sim->queue.count == 0) return NSDS_OK;
  sim->model->state.t = sim->clock.t; /* what events read is of their time */
  return nsds_queue_run(sim, sim->context, &sim->queue, &sim->clock);
}

/* A call that may not come from inside a step, nor between its stages. */
static nsds_status check_idle(nsds_simulation *sim, const char *call) {
  if (sim->busy)
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: called from a function that a step of this simulation has called", call);
  if (sim->stage != NSDS_STAGE_NONE)
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: a step is under way in stages; nsds_step_accept() or nsds_step_reject() "
                     "ends it",
                     call);
  return nsds_check_idle(sim->model, call); /* of another simulation */
}

/* What is due now, and what a first step needs. NSDS_END where there is nothing to do. */
static nsds_status prepare(nsds_simulation *sim) {
  if (at_end(sim)) {
    if (sim->ended)
      nsds_log(sim->context, NSDS_LOG_WARNING,
               "nsds_step: the end t1 = %.17g is reached; nsds_simulation_set_end() moves it",
               sim->t1);
    sim->ended = true;
    return NSDS_END;
  }
  nsds_status status = run_events(sim);
  if (!status && NSDS_UNLIKELY(sim->steps == 0) && sim->driver->begin)
    status = sim->driver->begin(sim);
  sim->model->state.t = sim->clock.t; /* another simulation of the model may have moved it */
  return status;
}

static nsds_status step(nsds_simulation *sim) {
  nsds_status status = prepare(sim);
  if (status) return status;
  target to = next_target(sim);
  status = sim->driver->advance(sim, to.t, to.h);
  if (status) return status;
  arrive(sim, to);
  return run_events(sim);
}

nsds_status nsds_step(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_step", "simulation");
  nsds_status status = check_idle(sim, "nsds_step");
  if (status) return status;
  sim->busy = true;
  status = step(sim);
  sim->busy = false;
  return status;
}

nsds_status nsds_run(nsds_simulation *sim) {
  nsds_status status;
  do status = nsds_step(sim);
  while (status == NSDS_OK);
  return status;
}

/* ---- a step in stages ------------------------------------------------------------------------ */

static nsds_status check_stage(nsds_simulation *sim, const char *call, nsds_stage stage,
                               const char *wanted) {
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  if (sim->busy || sim->stage != stage)
    return nsds_fail(sim->context, NSDS_ERROR_STATE, "%s: it comes after %s", call, wanted);
  return NSDS_OK;
}

nsds_status nsds_step_begin(nsds_simulation *sim) {
  const char *call = "nsds_step_begin";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = check_idle(sim, call);
  if (status) return status;
  if (!sim->driver->start)
    return nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED, "%s: a %s has no such stages", call,
                     sim->driver->name);
  sim->busy = true;
  status = prepare(sim);
  if (!status) {
    target to = next_target(sim);
    sim->t_next = to.t;
    sim->h_next = to.h;
    sim->tick_next = to.tick;
    status = sim->driver->start(sim, to.t, to.h);
    if (status) sim->driver->reject(sim);
    else sim->stage = NSDS_STAGE_FORMED;
  }
  sim->busy = false;
  return status;
}

nsds_status nsds_step_solve(nsds_simulation *sim) {
  nsds_status status = check_stage(sim, "nsds_step_solve", NSDS_STAGE_FORMED,
                                   "nsds_step_begin(), or nsds_step_update() that returned "
                                   "NSDS_AGAIN");
  if (status) return status;
  sim->busy = true;
  status = sim->driver->solve(sim);
  sim->busy = false;
  if (!status) sim->stage = NSDS_STAGE_SOLVED;
  return status;
}

nsds_status nsds_step_take(nsds_simulation *sim, const double *z) {
  const char *call = "nsds_step_take";
  nsds_status status = check_stage(sim, call, NSDS_STAGE_FORMED, "nsds_step_begin()");
  if (status) return status;
  nsds_one_step *o = sim->driver->problem(sim);
  const nsds_problem *problem = &o->problem;
  if (!z && problem->n > 0) return nsds_fail_null(sim->context, call, "z");
  if (problem->n > 0) {
    size_t work = nsds_problem_work(problem);
    double *scratch = NSDS_NEW_ARRAY(sim->context, double, work);
    if (!scratch) return NSDS_ERROR_MEMORY;
    nsds_certificate certificate;
    nsds_certify(problem, z, scratch, &certificate);
    double tolerance = nsds_solver_get(sim->solver, "tolerance");
    if (certificate.residual <= tolerance) {
      memcpy(o->z, z, (size_t)problem->n * sizeof *z);
      memcpy(o->w, scratch, (size_t)problem->n * sizeof *z);
    } else {
      status = nsds_fail(sim->context, NSDS_ERROR_SOLVER,
                         "%s: z has a residual of %g; the tolerance is %g", call,
                         certificate.residual, tolerance);
    }
    nsds_release(sim->context, scratch);
  }
  if (!status) sim->stage = NSDS_STAGE_SOLVED;
  return status;
}

nsds_status nsds_step_update(nsds_simulation *sim) {
  nsds_status status = check_stage(sim, "nsds_step_update", NSDS_STAGE_SOLVED,
                                   "nsds_step_solve() or nsds_step_take()");
  if (status) return status;
  sim->busy = true;
  status = sim->driver->update(sim);
  sim->busy = false;
  if (status == NSDS_AGAIN) sim->stage = NSDS_STAGE_FORMED;
  if (status == NSDS_OK) sim->stage = NSDS_STAGE_ENDED;
  return status;
}

nsds_status nsds_step_accept(nsds_simulation *sim) {
  nsds_status status = check_stage(sim, "nsds_step_accept", NSDS_STAGE_ENDED,
                                   "nsds_step_update() that returned NSDS_OK");
  if (status) return status;
  sim->driver->accept(sim);
  sim->stage = NSDS_STAGE_NONE;
  arrive(sim, (target){.t = sim->t_next, .h = sim->h_next, .tick = sim->tick_next});
  sim->busy = true;
  status = run_events(sim);
  sim->busy = false;
  return status;
}

nsds_status nsds_step_reject(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_step_reject", "simulation");
  if (sim->busy || sim->stage == NSDS_STAGE_NONE)
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "nsds_step_reject: no step is under way in stages");
  sim->driver->reject(sim);
  sim->stage = NSDS_STAGE_NONE;
  return NSDS_OK;
}

const nsds_problem *nsds_simulation_problem(nsds_simulation *sim) {
  if (!sim || !sim->driver->problem) return NULL;
  const nsds_one_step *o = sim->driver->problem(sim);
  return o->formed ? &o->problem : NULL;
}

const double *nsds_simulation_solution(nsds_simulation *sim) {
  return nsds_simulation_problem(sim) ? sim->driver->problem(sim)->z : NULL;
}

/* ---- saved states ---------------------------------------------------------------------------- */

nsds_status nsds_simulation_save(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_simulation_save", "simulation");
  nsds_status status = check_idle(sim, "nsds_simulation_save");
  if (!status) status = nsds_saved_take(sim, &sim->saved);
  if (!status) status = nsds_queue_mark(sim->context, &sim->queue);
  sim->saved.there = !status;
  sim->plan.stale = true; /* as after restoring: what plan and solver have kept is made anew */
  return status;
}

nsds_status nsds_simulation_restore(nsds_simulation *sim) {
  const char *call = "nsds_simulation_restore";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = check_idle(sim, call);
  if (status) return status;
  if (!sim->saved.there)
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: no state is saved; nsds_simulation_save() comes before", call);
  if (sim->saved.topology != sim->model->topology)
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: systems or interactions came or went since the state was saved", call);
  nsds_queue_return(sim->context, &sim->queue);
  nsds_saved_restore(sim, &sim->saved);
  return NSDS_OK;
}

/* A new grid from now on. */
static void restart(nsds_simulation *sim, double h) {
  nsds_clock_start(&sim->clock, h);
  nsds_queue_restart(&sim->queue, &sim->clock);
  sim->end = nsds_clock_tick(&sim->clock, sim->t1);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy(nsds_borrower *borrower) {
  nsds_simulation *sim = (nsds_simulation *)(void *)borrower;
  nsds_list_remove(&sim->model->borrower, borrower);
  if (sim->driver->destroy) sim->driver->destroy(sim);
  nsds_plan_destroy(&sim->plan);
  nsds_solver_destroy(sim->solver);
  nsds_queue_destroy(sim->context, &sim->queue);
  nsds_saved_destroy(sim->context, &sim->saved);
  if (sim->model->stepper == &sim->plan) sim->model->stepper = NULL;
  nsds_release(sim->context, sim);
}

void nsds_simulation_destroy(nsds_simulation *sim) {
  if (!sim) return;
  if (sim->busy) {
    nsds_fail(sim->context, NSDS_ERROR_STATE,
              "nsds_simulation_destroy: called from a function that a step of this simulation has "
              "called; nothing is destroyed");
    return;
  }
  if (sim->stage != NSDS_STAGE_NONE) nsds_step_reject(sim);
  destroy(&sim->borrower);
}

nsds_status nsds_simulation_init(nsds_simulation *sim, const nsds_driver *driver,
                                 nsds_model *model, double t0, double t1, double h) {
  nsds_context *context = model->context;
  sim->borrower.destroy = destroy;
  sim->driver = driver;
  sim->model = model;
  sim->context = context;
  sim->plan.context = context;
  sim->plan.model = model;
  sim->t0 = t0;
  sim->t1 = t1;
  sim->clock.t = t0;
  restart(sim, h);
  nsds_status status = nsds_list_push(context, &model->borrower, sim);
  if (!status) model->state.t = t0;
  return status;
}

/* ---- settings and report --------------------------------------------------------------------- */

double nsds_time(const nsds_simulation *sim) { return sim ? sim->clock.t : NAN; }
long nsds_step_count(const nsds_simulation *sim) { return sim ? sim->steps : 0; }
nsds_solver *nsds_simulation_solver(nsds_simulation *sim) { return sim ? sim->solver : NULL; }

const nsds_step_info *nsds_simulation_info(const nsds_simulation *sim) {
  return sim ? &sim->info : NULL;
}

nsds_status nsds_simulation_set_end(nsds_simulation *sim, double t1) {
  const char *call = "nsds_simulation_set_end";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  if (!isfinite(t1) || t1 < sim->clock.t)
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: t1 is %g; it must be finite and not before the current time %.17g", call,
                     t1, sim->clock.t);
  if (sim->ended && !nsds_clock_on_grid(sim->clock.tick)) {
    restart(sim, sim->clock.h); /* a shortened last step has left the grid */
  }
  sim->t1 = t1;
  sim->end = nsds_clock_tick(&sim->clock, t1);
  sim->ended = false;
  return NSDS_OK;
}

/* Shorter periods than a tick could not be told apart. */
static nsds_status check_period(nsds_simulation *sim, const char *call, double period, double h) {
  double least = h / nsds_ticks;
  if (period == 0.0 || period >= least) return NSDS_OK;
  return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                   "%s: a sampling period of %g is too short for the step h = %g; it must be at "
                   "least %g",
                   call, period, h, least);
}

nsds_status nsds_simulation_set_h(nsds_simulation *sim, double h) {
  const char *call = "nsds_simulation_set_h";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  if (!(h > 0.0) || !isfinite(h) || sim->clock.t + h == sim->clock.t)
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: h is %g; it must be positive, finite and large enough to advance t = %g",
                     call, h, sim->clock.t);
  nsds_status status = check_period(sim, call, nsds_queue_shortest(&sim->queue), h);
  if (!status && sim->model->busy) status = nsds_check_idle(sim->model, call);
  if (status) return status;
  restart(sim, h);
  return NSDS_OK;
}

nsds_status nsds_simulation_set_solver(nsds_simulation *sim, const char *name, double tolerance) {
  const char *call = "nsds_simulation_set_solver";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  for (nsds_one_step *o = sim->plan.problem; o; o = o->next)
    if (o->solving)
      return nsds_fail(sim->context, NSDS_ERROR_STATE, "%s: called from the solver it replaces",
                       call);
  bool clean = nsds_error(sim->context) == NSDS_OK;
  nsds_solver *solver = nsds_solver_create(sim->context, name);
  if (!solver) return clean ? nsds_error(sim->context) : NSDS_ERROR_ARGUMENT;
  if (tolerance == 0.0 && sim->solver) tolerance = nsds_solver_get(sim->solver, "tolerance");
  nsds_status status = tolerance != 0.0 ? nsds_solver_set(solver, "tolerance", tolerance) : NSDS_OK;
  if (status) {
    nsds_solver_destroy(solver);
    return status;
  }
  nsds_solver_destroy(sim->solver);
  sim->solver = solver;
  for (nsds_one_step *o = sim->plan.problem; o; o = o->next) {
    o->solver = solver;
    o->reserved = false;
    o->rebuild = true;
  }
  sim->plan.stale = true; /* the next update reserves its workspace */
  return NSDS_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static nsds_status add_event(nsds_simulation *sim, const char *name, nsds_event event) {
  event.by_call = sim->busy;
  if (name) snprintf(event.name, sizeof event.name, "%s", name);
  return nsds_queue_add(sim->context, &sim->queue, &sim->clock, &event);
}

nsds_status nsds_simulation_sample(nsds_simulation *sim, const nsds_sampler_def *def) {
  const char *call = "nsds_simulation_sample";
  if (!sim || !def || !def->sample)
    return nsds_fail_null(sim ? sim->context : NULL, call,
                          !sim ? "simulation" : !def ? "def" : "def->sample");
  if (!(def->period > 0.0) || !isfinite(def->period) || !(def->phase >= 0.0) ||
      !isfinite(def->phase))
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: period is %g and phase %g; the period must be positive, the phase >= 0",
                     call, def->period, def->phase);
  nsds_status status = check_period(sim, call, def->period, sim->clock.h);
  if (!status)
    status = add_event(sim, def->name,
                       (nsds_event){.kind = "sampler",
                                    .call = def->sample,
                                    .user = def->user,
                                    .first = sim->t0 + def->phase,
                                    .period = def->period});
  if (status || sim->busy) return status;
  sim->busy = true;
  status = run_events(sim);
  sim->busy = false;
  return status;
}

nsds_status nsds_simulation_at(nsds_simulation *sim, const nsds_event_def *def) {
  const char *call = "nsds_simulation_at";
  if (!sim || !def || !def->call)
    return nsds_fail_null(sim ? sim->context : NULL, call,
                          !sim ? "simulation" : !def ? "def" : "def->call");
  if (!isfinite(def->time) || def->time < sim->clock.t)
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: time is %g; it must be finite and not before the current time %.17g",
                     call, def->time, sim->clock.t);
  return add_event(
      sim, def->name,
      (nsds_event){.kind = "event", .call = def->call, .user = def->user, .first = def->time});
}
