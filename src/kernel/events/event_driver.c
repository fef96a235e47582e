/* The event-driven driver: definition with checks and defaults, creation, report. event.c takes the
 * steps. */
#include "kernel/events/event_driven.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/events/event.h"
#include "kernel/events/event_archive.h"
#include "kernel/events/event_driver.h"
#include "kernel/events/event_checkpoint.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_retry.h"
#include "kernel/events/event_type.h"
#include "kernel/events/event_past.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/event_window.h"
#include "kernel/events/row_listing.h"
#include "kernel/integrators/system_rates.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/queue.h"
#include "kernel/simulation/saved.h"
#include "kernel/simulation/simulation.h"
#include "numerics/ode/ode.h"
#include "numerics/solver_run.h"

#include <limits.h>

static void event_driven_destroy(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  nsds_window_destroy(d);
  nsds_checkpoints_destroy(d);
  nsds_event_rows_destroy(&d->rows);
  nsds_ode_destroy(d->motion.ode);
  nsds_saved_destroy(sim->context, &d->saved);
  nsds_release(sim->context, d->motion.x);
  nsds_release(sim->context, d->motion.struck);
  nsds_release(sim->context, d->reported);
  nsds_archive_release(&d->going);
  nsds_release(sim->context, d->window.sum);
  nsds_solver_free(d->impact_solver);
  nsds_release(sim->context, d->past.record);
  nsds_release(sim->context, d->past.step);
}

/* Gives the problem of the last event, or of the last step of a window. */
static bool event_driven_solved(nsds_simulation *sim, nsds_solved *last) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  const nsds_event_problem *p = &d->rows.problem;
  if (d->event.kind & NSDS_EVENT_WINDOW)
    return d->window.stepping->driver->solved(d->window.stepping, last);
  const nsds_kept_problem *kept = p->impacts ? &p->impact : &p->motion;
  *last = (nsds_solved){&kept->problem, kept->z};
  return kept->there;
}

static void event_driven_archive(nsds_simulation *sim, nsds_archive *a) {
  if (a->mode == NSDS_ARCHIVE_WRITE) nsds_retry_before_archive(nsds_event_driver_of(sim));
  nsds_event_archive(sim, a);
}

static const nsds_driver driver = {.name = "event-driven simulation",
                                   .advance = nsds_event_advance,
                                   .meet = nsds_event_pass_to,
                                   .process = nsds_event_pass_through,
                                   .window = nsds_event_pass_window,
                                   .solved = event_driven_solved,
                                   .reject = nsds_event_give_up,
                                   .archive = event_driven_archive,
                                   .resume = nsds_event_resume,
                                   .destroy = event_driven_destroy};

nsds_event_driver *nsds_event_driver_if(const nsds_simulation *sim) {
  bool events = sim && sim->driver == &driver;
  return events ? nsds_event_driver_of((nsds_simulation *)(uintptr_t)sim) : NULL;
}

/* ---- definition ------------------------------------------------------------------------------ */

static const char call[] = "nsds_event_driven";

MAKER(nsds_event_driven, nsds_event_driven_def)

#define DEF nsds_event_driven_def
const nsds_type nsds_event_driven_type = {
    .type = "event_driven",
    .help = "Smooth motion between events that are located exactly.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, t0, "s", NULL, "0", "Start."),
            NUMBER_OF(DEF, t1, "s", NULL, NULL, "End."),
            NUMBER_OF(DEF, output_period, "s", "> 0", "auto",
                      "Distance of rows of output between events; auto: none."),
            CHOICE_TEXT_OF(DEF, integrator, "auto dormand_prince esdirk arkode cvode", "auto",
                           "Integrator of the smooth motion."),
            NUMBER_OF(DEF, relative_tolerance, "1", "(0, 0.01]", "1e-9",
                      "Limit of the error of a step of integration."),
            NUMBER_OF(DEF, absolute_tolerance, NULL, "(0, 1000000]", "1e-11",
                      "The same, in units of the state."),
            NUMBER_OF(DEF, largest_step, "s", "(0, inf]", "auto",
                      "Largest step of integration; auto: no limit."),
            NUMBER_OF(DEF, root_tolerance, "1", "(0, 0.01]", "auto",
                      "Tolerance of the time of an event; auto: rounding."),
            INTEGER_OF(DEF, root_panels, ">= 1", "1",
                       "Parts in which a step is searched for events."),
            NUMBER_OR_NONE_OF(DEF, accumulation, NSDS_ACCUMULATE_NEVER, "1", "[0, 1]", "1e-8",
                              "Ratio of flights at which a series of impacts is taken to its "
                              "limit; 0: never."),
            INTEGER_OF(DEF, max_events, ">= 1", "100000", "Most events within output_period."),
            NUMBER_OF(DEF, window, "s", "> 0", "auto",
                      "Window of time stepping where events crowd; auto: none."),
            INTEGER_OF(DEF, window_steps, ">= 1", "100", "Steps of a window."),
            INTEGER_OF(DEF, max_steps, ">= 1", "1000000",
                       "Most steps of integration between events."),
            CHOICE_OF(DEF, coordinates, "maximal joint", "maximal",
                      "In which bodies with joints move; joint: in those of their joints."),
            SOLVER_OF(DEF), END},
    .call = call,
    DEFINITION(DEF),
    .make = make_nsds_event_driven};

static bool check_integrator(nsds_context *context, const nsds_event_driven_def *d) {
  char names[nsds_ode_names_size];
  if (!d->integrator) return true;
  for (int k = 0; nsds_ode_method_name(k); ++k)
    if (strcmp(d->integrator, nsds_ode_method_name(k)) == 0) return true;
  nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: integrator '%s' is not built in; valid are %s", call,
            d->integrator, nsds_ode_method_names(names));
  return false;
}

static bool event_driven_check(nsds_context *context, const nsds_event_driven_def *d) {
  if (d->t1 <= d->t0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: t0 is %g and t1 %g; t1 must be later than t0", call,
              d->t0, d->t1);
    return false;
  }
  return check_integrator(context, d) &&
         nsds_check_range(context, call, "output_period", d->output_period, 0.0, d->t1 - d->t0) &&
         nsds_check_range(context, call, "window", d->window, 0.0, d->t1 - d->t0) &&
         nsds_check_count(context, call, "problems", d->problems, 0) &&
         nsds_check_count(context, call, "history", d->history, 0);
}

/* ---- creation -------------------------------------------------------------------------------- */

static nsds_status event_driven_set_up(nsds_event_driver *d) {
  nsds_simulation *sim = &d->base;
  sim->plan.at_instant = sim->plan.search.follows = true;
  sim->plan.schemes.in_joints = d->def.coordinates == NSDS_COORDINATES_JOINT;
  sim->plan.schemes.integrator[1] = &nsds_system_rates_first;
  sim->plan.schemes.integrator[2] = &nsds_system_rates_second;
  d->scheme = (nsds_scheme){.theta = 1.0,
                            .gamma = 1.0,
                            .input_new = 1.0,
                            .relation_weight = 1.0,
                            .uniform = true,
                            .t = sim->t0,
                            .t_next = sim->t0};
  nsds_event_rows_create(&sim->plan, &d->rows);
  d->rows.problem.all.places = d->def.problems;
  d->rows.scheme = &d->scheme;
  nsds_simulation_enter(sim); /* user functions are called, as in a step */
  nsds_status status = nsds_simulation_choose(sim, d->def.solver, d->def.tolerance);
  if (!status && d->def.impact_solver)
    status =
        nsds_simulation_make_solver(sim, d->def.impact_solver, d->def.tolerance, &d->impact_solver);
  if (!status) status = nsds_past_reserve(d);
  if (!status) status = nsds_motion_renew(d, false);
  nsds_simulation_leave(sim);
  if (!status && d->def.window > 0.0)
    status = nsds_window_reserve(d, d->def.window / d->def.window_steps);
  return status;
}

nsds_simulation *nsds_event_driven(nsds_model *model, const nsds_event_driven_def *def) {
  nsds_event_driven_def given;
  nsds_context *context = nsds_model_context(model);
  if (!nsds_simulation_take(model, &nsds_event_driven_type, def, &given) ||
      !event_driven_check(context, &given) || nsds_check_idle(model, call))
    return NULL;
  if (given.accumulation == NSDS_ACCUMULATE_NEVER) given.accumulation = 0.0;
  given.tolerance = def->tolerance; /* 0: that of the solver */
  nsds_event_driver *d = NSDS_NEW(context, nsds_event_driver);
  if (!d) return NULL;
  d->def = given;
  d->crowd.since = d->crowd.last = -INFINITY;
  d->event.t = d->event.previous = NAN;
  nsds_simulation *sim = &d->base;
  d->interval = (given.t1 - given.t0) / 4096.0;
  if (nsds_simulation_init(sim, &driver, model, given.t0, given.t1, given.output_period)) {
    nsds_release(context, d);
    return NULL;
  }
  nsds_status status = event_driven_set_up(d);
  d->def.solver = d->def.impact_solver = d->def.integrator = NULL;
  return nsds_simulation_made(sim, status);
}

double nsds_event_next(const nsds_simulation *sim) {
  if (!nsds_simulation_event(sim) || !nsds_event_ahead(sim)) return NAN;
  const nsds_event_driver *d = (const nsds_event_driver *)(const void *)sim;
  const nsds_event *event = nsds_queue_next(&sim->queue);
  double t = sim->t1;
  if (d->def.output_period > 0.0)
    t = fmin(t, nsds_clock_time(&sim->clock, nsds_clock_next(sim->clock.tick)));
  return event ? fmin(t, nsds_event_time(event)) : t;
}

const nsds_event_info *nsds_simulation_event(const nsds_simulation *sim) {
  const nsds_event_driver *d = nsds_event_driver_if(sim);
  return d ? &d->event : NULL;
}
