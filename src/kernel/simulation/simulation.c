/*
 * Functions of all drivers except stepping: creation and destruction, end, h, solver, samplers and
 * events, report.
 */
#include "kernel/simulation/simulation.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/list.h"
#include "kernel/modeling/modeling.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/queue.h"
#include "kernel/simulation/saved.h"
#include "numerics/linear/with_y.h"
#include "numerics/solver_run.h"

#include <stdio.h>

void nsds_simulation_new_grid(nsds_simulation *sim, double h) {
  nsds_clock_start(&sim->clock, h);
  nsds_queue_restart(&sim->queue, &sim->clock);
  sim->end = nsds_clock_tick(&sim->clock, sim->t1);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void simulation_destroy(nsds_borrower *borrower) {
  nsds_simulation *sim = (nsds_simulation *)(void *)borrower;
  unsigned busy = sim->model->busy;
  nsds_simulation_enter(sim); /* `destroy` of a user's solver */
  nsds_list_remove(&sim->model->borrower, borrower);
  if (sim->driver->destroy) sim->driver->destroy(sim);
  nsds_plan_destroy(&sim->plan);
  nsds_solver_free(sim->solver);
  nsds_release(sim->context, sim->work);
  nsds_queue_destroy(sim->context, &sim->queue);
  nsds_saved_destroy(sim->context, &sim->saved);
  nsds_release(sim->context, sim->memory.data);
  nsds_release(sim->context, (char *)(uintptr_t)sim->every.path);
  nsds_with_y_release(&sim->lent.with_y);
  nsds_release(sim->context, sim->lent.scale);
  if (sim->model->stepper == &sim->plan) sim->model->stepper = NULL;
  sim->model->busy = busy;
  nsds_release(sim->context, sim);
}

void nsds_simulation_abandon(nsds_simulation *sim) {
  sim->driver->reject(sim);
  sim->stage = NSDS_STAGE_NONE;
  sim->model->state.t = sim->t_of_model;
}

void nsds_simulation_destroy(nsds_simulation *sim) {
  const char *call = "nsds_simulation_destroy";
  if (!sim) return;
  bool own_step = sim->stage != NSDS_STAGE_NONE; /* a step in stages ends with the simulation */
  if (own_step ? nsds_check_quiet(sim->model, call) : nsds_check_idle(sim->model, call)) return;
  if (sim->borrower.busy) {
    nsds_fail(sim->context, NSDS_ERROR_STATE,
              "%s: called from a function that a step of this simulation has called; nothing is "
              "destroyed",
              call);
    return;
  }
  if (sim->stage != NSDS_STAGE_NONE) nsds_simulation_abandon(sim);
  simulation_destroy(&sim->borrower);
}

static nsds_status keep_shown(nsds_simulation *sim) {
  const nsds_model *model = sim->model;
  size_t ny = sim->before.ny = model->size.ny;
  sim->before.t = model->state.t;
  sim->before.settled = model->settled;
  if (ny == 0) return NSDS_OK;
  sim->before.y = NSDS_NEW_ARRAY(sim->context, double, 2 * ny);
  if (!sim->before.y) return NSDS_ERROR_MEMORY;
  nsds_copy_doubles(sim->before.y, model->state.y, ny);
  nsds_copy_doubles(sim->before.y + ny, model->state.ydot, ny);
  return NSDS_OK;
}

bool nsds_simulation_take(const nsds_model *model, const nsds_type *type, const void *def,
                          void *own) {
  nsds_context *context = nsds_model_context(model);
  if (model && def && nsds_error(context) != NSDS_OK) {
    nsds_log(context, NSDS_LOG_ERROR,
             "%s: refused, because an earlier call failed (%s); handle it and call "
             "nsds_error_clear()",
             type->call, nsds_error_message(context));
    return false;
  }
  return nsds_definition_take(model, type, def, own);
}

nsds_status nsds_simulation_init(nsds_simulation *sim, const nsds_driver *driver, nsds_model *model,
                                 double t0, double t1, double h) {
  nsds_context *context = model->context;
  sim->borrower.destroy = simulation_destroy;
  sim->driver = driver;
  sim->model = model;
  sim->context = context;
  sim->plan.context = context;
  sim->plan.model = model;
  sim->t0 = t0;
  sim->t1 = t1;
  sim->clock.t = t0;
  sim->gridless = !(h > 0.0);
  nsds_simulation_new_grid(sim, sim->gridless ? (t1 - t0) * nsds_gridless : h);
  nsds_status status = keep_shown(sim);
  if (!status) status = nsds_list_push(context, &model->borrower, sim);
  if (!status) model->state.t = t0;
  else nsds_release(context, sim->before.y);
  return status;
}

/* Restores y and the time of the model after a failed constructor. */
static void show_as_before(nsds_simulation *sim) {
  nsds_model *model = sim->model;
  size_t ny = sim->before.ny < model->size.ny ? sim->before.ny : model->size.ny;
  model->state.t = sim->before.t;
  model->settled = sim->before.settled;
  if (ny == 0) return;
  nsds_copy_doubles(model->state.y, sim->before.y, ny);
  nsds_copy_doubles(model->state.ydot, sim->before.y + sim->before.ny, ny);
  for (size_t c = 0; c < model->interaction.count; ++c)
    ((nsds_interaction *)model->interaction.item[c])->shown = 0;
}

nsds_simulation *nsds_simulation_made(nsds_simulation *sim, nsds_status status) {
  if (status) show_as_before(sim);
  nsds_release(sim->context, sim->before.y);
  sim->before.y = NULL;
  if (!status) return sim;
  nsds_simulation_destroy(sim);
  return NULL;
}

/* ---- settings and report --------------------------------------------------------------------- */

double nsds_time(const nsds_simulation *sim) {
  if (!sim) return NAN;
  return sim->stage == NSDS_STAGE_MET ? sim->t_next : sim->clock.t;
}

long nsds_step_count(const nsds_simulation *sim) { return sim ? sim->steps : 0; }
nsds_solver *nsds_simulation_solver(nsds_simulation *sim) { return sim ? sim->solver : NULL; }

const nsds_step_info *nsds_simulation_info(const nsds_simulation *sim) {
  return sim ? &sim->info : NULL;
}

/* Returns true if t is before now. Times that differ only in rounding are equal. */
static bool is_past(const nsds_simulation *sim, double t) {
  return t < sim->clock.t && nsds_clock_tick(&sim->clock, t) < sim->clock.tick;
}

/* Refuses periods shorter than a tick, which the clock cannot tell apart. */
static nsds_status check_period(nsds_simulation *sim, const char *call, double period, double h) {
  double least = h / nsds_ticks;
  if (period == 0.0 || period >= least) return NSDS_OK;
  return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                   "%s: a sampling period of %g is too short for the step h = %g; it must be at "
                   "least %g",
                   call, period, h, least);
}

/* Finds h for the end t1. Without a grid h only sets the length of ticks, which must reach the
 * end. */
static nsds_status find_h(nsds_simulation *sim, const char *call, const nsds_clock *clock,
                          double t1, double *h) {
  bool far = sim->gridless && nsds_clock_tick(clock, t1) == nsds_never, back = clock != &sim->clock;
  *h = far ? (t1 - clock->t) * nsds_gridless : clock->h;
  return check_period(sim, call, nsds_queue_shortest(&sim->queue, back), *h);
}

nsds_status nsds_simulation_check_back(nsds_simulation *sim, const char *call,
                                       const nsds_clock *clock, double *h) {
  return find_h(sim, call, clock, sim->t1, h);
}

double nsds_simulation_end(const nsds_simulation *sim) { return sim ? sim->t1 : (double)NAN; }

nsds_status nsds_simulation_set_end(nsds_simulation *sim, double t1) {
  const char *call = "nsds_simulation_set_end";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  if (!isfinite(t1) || is_past(sim, t1))
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: t1 is %g; it must be finite and not before the current time %.17g", call,
                     t1, sim->clock.t);
  nsds_status status = nsds_check_idle(sim->model, call);
  if (status) return status;
  double h;
  if ((status = find_h(sim, call, &sim->clock, t1, &h))) return status;
  bool left = sim->ended && !nsds_clock_on_grid(sim->clock.tick); /* after a shortened last step */
  if (h != sim->clock.h || left) nsds_simulation_new_grid(sim, h);
  sim->t1 = t1;
  sim->end = nsds_clock_tick(&sim->clock, t1);
  nsds_simulation_go_on(sim);
  return NSDS_OK;
}

nsds_status nsds_simulation_set_h(nsds_simulation *sim, double h) {
  const char *call = "nsds_simulation_set_h";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  if (!(h > 0.0) || !isfinite(h) || sim->clock.t + h == sim->clock.t)
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: h is %g; it must be positive, finite and large enough to advance t = %g",
                     call, h, sim->clock.t);
  if (sim->gridless)
    return nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                     "%s: an adaptive simulation without output_period chooses its steps; give "
                     "nsds_adaptive_def::largest_step or output_period",
                     call);
  nsds_status status = check_period(sim, call, nsds_queue_shortest(&sim->queue, false), h);
  if (!status) status = nsds_check_idle(sim->model, call);
  if (status) return status;
  nsds_simulation_new_grid(sim, h);
  return NSDS_OK;
}

nsds_status nsds_simulation_make_solver(nsds_simulation *sim, const char *name, double tolerance,
                                        nsds_solver **made) {
  bool clean = nsds_error(sim->context) == NSDS_OK;
  nsds_solver *solver = nsds_solver_create(sim->context, name);
  if (!solver) return clean ? nsds_error(sim->context) : NSDS_ERROR_ARGUMENT;
  nsds_status status = nsds_solver_check_kind(solver, false, "simulation");
  if (!status && tolerance != 0.0) status = nsds_solver_set(solver, "tolerance", tolerance);
  if (status) {
    nsds_solver_destroy(solver);
    return status;
  }
  nsds_solver_lend(solver);
  *made = solver;
  return NSDS_OK;
}

nsds_status nsds_simulation_choose(nsds_simulation *sim, const char *name, double tolerance) {
  nsds_solver *solver;
  if (tolerance == 0.0 && sim->solver) tolerance = nsds_solver_get(sim->solver, "tolerance");
  nsds_status status = nsds_simulation_make_solver(sim, name, tolerance, &solver);
  if (status) return status;
  nsds_solver_free(sim->solver);
  sim->solver = solver;
  for (nsds_one_step *o = sim->plan.problem; o; o = o->next) {
    if (o->op.displaces) continue; /* a problem of positions has its own solver */
    nsds_one_step_take_solver(o, solver);
  }
  nsds_plan_go_stale(&sim->plan); /* the next update reserves its workspace */
  return NSDS_OK;
}

nsds_status nsds_simulation_set_solver(nsds_simulation *sim, const char *name, double tolerance) {
  const char *call = "nsds_simulation_set_solver";
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  nsds_status status = nsds_check_quiet(sim->model, call);
  if (status) return status;
  bool busy = sim->borrower.busy; /* check_solver and events may, operations of a solver may not */
  nsds_simulation_enter(sim);
  status = nsds_simulation_choose(sim, name, tolerance);
  nsds_simulation_leave_as(sim, busy);
  return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

int nsds_simulation_scheduled_count(const nsds_simulation *sim) {
  return sim ? (int)sim->queue.count : 0;
}

nsds_status nsds_simulation_scheduled_at(const nsds_simulation *sim, int k,
                                         nsds_scheduled *scheduled) {
  const char *call = "nsds_simulation_scheduled_at";
  if (!sim || !scheduled)
    return nsds_fail_null(sim ? sim->context : NULL, call, sim ? "scheduled" : "simulation");
  if (k < 0 || (size_t)k >= sim->queue.count)
    return nsds_fail(
        sim->context, NSDS_ERROR_ARGUMENT,
        "%s: k is %d; there are %zu samplers and user events, valid are indices from 0", call, k,
        sim->queue.count);
  const nsds_event *event = nsds_queue_at(&sim->queue, (size_t)k);
  *scheduled = (nsds_scheduled){
      .name = event->name, .time = nsds_event_time(event), .period = event->period};
  return NSDS_OK;
}

static nsds_status add_event(nsds_simulation *sim, const char *name, nsds_event event) {
  event.by_call = sim->borrower.busy;
  if (name) snprintf(event.name, sizeof event.name, "%s", name);
  return nsds_queue_add(sim->context, &sim->queue, &sim->clock, &event);
}

nsds_status nsds_simulation_sample(nsds_simulation *sim, const nsds_sampler_def *def) {
  const char *call = "nsds_simulation_sample";
  if (!sim || !def || !def->sample)
    return nsds_fail_null(sim ? sim->context : NULL, call,
                          !sim   ? "simulation"
                          : !def ? "def"
                                 : "def->sample");
  nsds_status status = nsds_check_reserved(sim->context, call, "", NSDS_TAIL(def));
  if (status) return status;
  if (!(def->period > 0.0) || !isfinite(def->period) || !(def->phase >= 0.0) ||
      !isfinite(def->phase))
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: period is %g and phase %g; the period must be positive, the phase >= 0",
                     call, def->period, def->phase);
  status = nsds_check_idle(sim->model, call);
  if (!status) status = check_period(sim, call, def->period, sim->clock.h);
  if (!status)
    status = add_event(sim, def->name,
                       (nsds_event){.kind = "sampler",
                                    .call = def->sample,
                                    .user = def->user,
                                    .first = sim->t0 + def->phase,
                                    .period = def->period});
  if (status || sim->borrower.busy) return status;
  sim->borrower.busy = true;
  status = nsds_run_events(sim);
  sim->borrower.busy = false;
  return status;
}

nsds_status nsds_simulation_at(nsds_simulation *sim, const nsds_event_def *def) {
  const char *call = "nsds_simulation_at";
  if (!sim || !def)
    return nsds_fail_null(sim ? sim->context : NULL, call, !sim ? "simulation" : "def");
  nsds_status status = nsds_check_reserved(sim->context, call, "", NSDS_TAIL(def));
  if (status) return status;
  if (!isfinite(def->time) || is_past(sim, def->time))
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "%s: time is %g; it must be finite and not before the current time %.17g",
                     call, def->time, sim->clock.t);
  status = nsds_check_idle(sim->model, call);
  if (status) return status;
  return add_event(
      sim, def->name,
      (nsds_event){.kind = "event", .call = def->call, .user = def->user, .first = def->time});
}

nsds_status nsds_refuse_between_stages(nsds_simulation *sim, const char *call) {
  if (sim->borrower.busy)
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: called from a function that a step of this simulation has called; call "
                     "it between steps",
                     call);
  return nsds_fail(sim->context, NSDS_ERROR_STATE,
                   "%s: a step is under way in stages; nsds_step_accept(), nsds_event_process() or "
                   "nsds_step_reject() ends it",
                   call);
}

nsds_status nsds_call_events(nsds_simulation *sim) {
  nsds_model *model = sim->model;
  unsigned call = model->busy & NSDS_BUSY_CALL; /* events may change the model */
  model->busy &= ~(unsigned)NSDS_BUSY_CALL;
  nsds_status status = nsds_queue_run(sim, sim->context, &sim->queue, &sim->clock, &model->state.t);
  model->busy |= call;
  return status;
}
