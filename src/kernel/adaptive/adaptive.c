/* The adaptive driver: rows of its definition, creation, queries. */
#include "kernel/adaptive/adaptive_driver.h"

#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/adaptive/adaptive_impact.h"
#include "kernel/adaptive/adaptive_parts.h"
#include "kernel/adaptive/adaptive_rest.h"
#include "kernel/adaptive/adaptive_state.h"
#include "kernel/adaptive/adaptive_step.h"
#include "kernel/adaptive/adaptive_switches.h"
#include "kernel/adaptive/stage_integrator.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "numerics/solver_run.h"

static void adaptive_destroy(nsds_simulation *sim) {
  nsds_adaptive_driver *d = nsds_adaptive_of(sim);
  nsds_displacement_destroy(&d->bodies.drift);
  nsds_one_step_destroy(&d->bodies.impact);
  nsds_implicit_destroy(&d->stage);
  nsds_switches_release(d);
  nsds_release(sim->context, d->memory);
  nsds_release(sim->context, d->mode);
  nsds_release(sim->context, d->kept);
  nsds_release(sim->context, (double *)(uintptr_t)d->def.size);
}

static bool adaptive_solved(nsds_simulation *sim, nsds_solved *last) {
  (void)sim, (void)last;
  return false;
}

/* The archive has the present state, unless the program had changed it before the save. */
static void adaptive_resume(nsds_simulation *sim, bool same) {
  nsds_adaptive_driver *d = nsds_adaptive_of(sim);
  bool as_saved = same && nsds_model_is_settled(sim->model);
  d->seen = as_saved ? sim->model->now : (nsds_versions){0};
  d->now.weight = d->middle.weight = 0.0;
}

static const nsds_driver driver = {.name = "adaptive simulation",
                                   .advance = nsds_adaptive_advance,
                                   .solved = adaptive_solved,
                                   .archive = nsds_adaptive_archive,
                                   .resume = adaptive_resume,
                                   .destroy = adaptive_destroy};

/* ---- creation ------------------------------------------------------------------------------- */

MAKER(nsds_adaptive, nsds_adaptive_def)

#define DEF nsds_adaptive_def
const nsds_type nsds_adaptive_type = {
    .type = "adaptive",
    .help =
        "Steps of order 2 whose length follows their error, for stiff circuits and controllers.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, t0, "s", NULL, "0", "Start."),
            NUMBER_OF(DEF, t1, "s", NULL, NULL, "End."),
            NUMBER_OF(DEF, output_period, "s", "> 0", "auto",
                      "Distance of rows of output; auto: a row for each step."),
            NUMBER_OF(DEF, largest_step, "s", "> 0", "auto",
                      "Largest step; auto: output_period, at most (t1 - t0)/50."),
            NUMBER_OR_NONE_OF(DEF, tolerance, (int)NSDS_EQUAL_STEPS, "1", "[0, 1]", "1e-4",
                              "Error of a step, relative to the largest value so far; 0: equal "
                              "steps."),
            NUMBER_OF(DEF, settling, "s", "> 0", "auto",
                      "Length of the two steps behind an event; auto: largest_step/10000."),
            TRUTH_OF(DEF, by_laws, "false",
                     "Does not locate events, but for gaps that close; for very many modes."),
            SOLVER_KEYS(DEF), RESIDUAL_OF(DEF, solver_tolerance), END},
    .call = "nsds_adaptive",
    DEFINITION(DEF),
    .make = make_nsds_adaptive};

/* Checks switches and kept numbers: they are of functions, and no row has them. */
static bool adaptive_check_counts(nsds_context *context, const nsds_adaptive_def *d) {
  const char *call = nsds_adaptive_type.call;
  if (d->nswitch < 0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: nswitch is %d; valid are numbers >= 0", call,
              d->nswitch);
    return false;
  }
  if (d->nkept < 0 || (d->nkept > 0 && !d->keep)) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              d->nkept < 0 ? "%s: nkept is %d; valid are numbers >= 0"
                           : "%s: nkept is %d; give keep too",
              call, d->nkept);
    return false;
  }
  if (d->nswitch > 0 && (!d->switched || !d->margin)) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: nswitch is %d; give switched and margin too", call,
              d->nswitch);
    return false;
  }
  return true;
}

/* Checks times against each other, which rows cannot. */
static bool adaptive_check_times(nsds_context *context, const nsds_adaptive_def *d) {
  const char *call = nsds_adaptive_type.call;
  double whole = d->t1 - d->t0;
  if (d->t1 <= d->t0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: t0 is %g and t1 %g; t1 must be later than t0", call,
              d->t0, d->t1);
    return false;
  }
  return nsds_check_range(context, call, "output_period", d->output_period, 0.0, whole) &&
         nsds_check_range(context, call, "largest_step", d->largest_step, 0.0, whole) &&
         nsds_check_range(context, call, "settling", d->settling, 0.0, d->largest_step);
}

static double usual_step(const nsds_adaptive_def *d) {
  double fiftieth = (d->t1 - d->t0) / 50.0;
  return d->output_period > 0.0 ? fmin(fiftieth, d->output_period) : fiftieth;
}

/* Checks a definition, and puts defaults in place of zeros. */
static bool adaptive_take(const nsds_model *model, const nsds_adaptive_def *def,
                          nsds_adaptive_def *own) {
  if (!nsds_definition_take(model, &nsds_adaptive_type, def, own)) return false;
  own->solver_tolerance = def->solver_tolerance; /* 0: that of the solver */
  if (own->largest_step == 0.0) own->largest_step = usual_step(own);
  return adaptive_check_times(model->context, own) && adaptive_check_counts(model->context, own);
}

static nsds_status keep_sizes(nsds_adaptive_driver *d, const char *call, const double *size) {
  nsds_context *context = d->base.context;
  size_t count = d->base.model->size.nv;
  for (size_t k = 0; size && k < count; ++k)
    if (!(size[k] >= 0.0))
      return nsds_fail(context, NSDS_ERROR_VALUE, "%s: size[%zu] is %g; valid are numbers >= 0",
                       call, k, size[k]);
  double *kept = size ? nsds_copy(context, size, count, sizeof *size) : NULL;
  if (size && !kept) return NSDS_ERROR_MEMORY;
  nsds_release(context, (double *)(uintptr_t)d->def.size);
  d->def.size = kept;
  d->given.nsize = (int)count;
  return NSDS_OK;
}

static nsds_status adaptive_set_up(nsds_adaptive_driver *d, const nsds_adaptive_def *given) {
  nsds_simulation *sim = &d->base;
  sim->plan.schemes.integrator[1] = &nsds_stage_integrator;
  sim->plan.schemes.integrator[2] = &nsds_second_stage_integrator;
  d->stage.context = sim->context;
  d->scheme = (nsds_scheme){.theta = 1.0,
                            .gamma = 1.0,
                            .input_new = 1.0,
                            .relation_weight = 1.0,
                            .uniform = true,
                            .t = sim->t0,
                            .t_next = sim->t0,
                            .h = d->def.largest_step};
  nsds_status status = nsds_adaptive_check_parts(sim->model);
  if (status) return status;
  status = keep_sizes(d, nsds_adaptive_type.call, given->size);
  if (!status) status = nsds_switches_take(d, given);
  if (!status && given->nkept > 0) {
    d->kept = NSDS_NEW_ARRAY(sim->context, double, given->nkept);
    if (!d->kept) status = NSDS_ERROR_MEMORY;
  }
  if (status) return status;
  nsds_simulation_enter(sim); /* user functions are called, as in a step */
  status = nsds_simulation_choose(sim, d->def.solver, d->def.solver_tolerance);
  d->stage.solver = sim->solver;
  if (!status && given->solver) d->stage.careful = nsds_solver_create(sim->context, "auto");
  if (!status && given->solver && !d->stage.careful) status = NSDS_ERROR_MEMORY;
  if (!status && sim->model->size.nq > 0) status = nsds_impact_prepare(d);
  if (!status) status = nsds_plan_update(&sim->plan, &d->scheme);
  if (!status) status = nsds_adaptive_update(d);
  nsds_simulation_leave(sim);
  if (status == NSDS_STOPPED)
    return nsds_fail(sim->context, NSDS_ERROR_ABORTED,
                     "nsds_adaptive: a function of the model asked to stop; use nsds_adaptive() "
                     "again if you want to go on");
  return status;
}

nsds_simulation *nsds_adaptive(nsds_model *model, const nsds_adaptive_def *def) {
  const char *call = nsds_adaptive_type.call;
  nsds_adaptive_def given;
  nsds_context *context = nsds_model_context(model);
  if (model && def && nsds_error(context) != NSDS_OK) {
    nsds_log(context, NSDS_LOG_ERROR,
             "%s: refused, because an earlier call failed (%s); handle it and call "
             "nsds_error_clear()",
             call, nsds_error_message(context));
    return NULL;
  }
  if (!adaptive_take(model, def, &given) || nsds_check_idle(model, call)) return NULL;
  nsds_adaptive_driver *d = NSDS_NEW(context, nsds_adaptive_driver);
  if (!d) return NULL;
  d->def = given;
  d->given.step = given.largest_step;
  d->given.settling = given.settling;
  d->def.size = NULL;
  d->def.switched = NULL;
  d->def.on = NULL;
  d->course.info.event = NAN;
  d->course.info.moved = d->course.ended = -1;
  d->course.watched = given.t0;
  nsds_simulation *sim = &d->base;
  if (nsds_simulation_init(sim, &driver, model, given.t0, given.t1, given.output_period)) {
    nsds_release(context, d);
    return NULL;
  }
  nsds_status status = adaptive_set_up(d, &given);
  d->def.solver = NULL;
  return nsds_simulation_made(sim, status);
}

/* Returns the driver of an adaptive simulation between steps; else NULL, with a message. */
static nsds_adaptive_driver *adaptive_idle(nsds_simulation *sim, const char *call,
                                           nsds_status *status) {
  if (!sim) {
    *status = nsds_fail_null(NULL, call, "simulation");
    return NULL;
  }
  *status = nsds_simulation_check_idle(sim, call);
  if (!*status && sim->driver != &driver)
    *status = nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                        "%s: this is no adaptive simulation; use nsds_adaptive()", call);
  return *status ? NULL : nsds_adaptive_of(sim);
}

nsds_status nsds_adaptive_rest(nsds_simulation *sim, double t, double length) {
  const char *call = "nsds_adaptive_rest";
  nsds_status status;
  nsds_adaptive_driver *d = adaptive_idle(sim, call, &status);
  if (!d) return status;
  if (!isfinite(t))
    return nsds_fail(sim->context, NSDS_ERROR_VALUE, "%s: t is %g; it must be finite", call, t);
  if (!nsds_check_range(sim->context, call, "length", length, 0.0, HUGE_VAL))
    return NSDS_ERROR_VALUE;
  if (sim->model->size.nq > 0)
    return nsds_fail(sim->context, NSDS_ERROR_UNSUPPORTED,
                     "%s: the model has second-order systems; valid are models of first-order "
                     "systems. A circuit begins at its own rest by nsds_circuit_def::at_rest",
                     call);
  nsds_simulation_enter(sim);
  sim->model->busy |= NSDS_BUSY_STEP;
  status = nsds_adaptive_find_rest(d, t, length);
  sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  nsds_simulation_leave(sim);
  return nsds_answer(sim->context, call, status);
}

nsds_status nsds_adaptive_set_size(nsds_simulation *sim, const double *size) {
  const char *call = "nsds_adaptive_set_size";
  nsds_status status;
  nsds_adaptive_driver *d = adaptive_idle(sim, call, &status);
  if (!d) return status;
  status = keep_sizes(d, call, size);
  if (!status && d->memory) nsds_adaptive_take_sizes(d);
  return nsds_answer(sim->context, call, status);
}

int nsds_adaptive_stages(const nsds_simulation *sim, nsds_adaptive_stage stage[2]) {
  if (!sim || sim->driver != &driver) return 0;
  const nsds_adaptive_driver *d = (const nsds_adaptive_driver *)(const void *)sim;
  const nsds_adaptive_instant *at[2] = {&d->middle, &d->now};
  int count = 0;
  for (int k = 0; k < 2; ++k)
    if (at[k]->weight > 0.0)
      stage[count++] = (nsds_adaptive_stage){.t = at[k]->t,
                                             .weight = at[k]->weight,
                                             .x = at[k]->z,
                                             .rate = at[k]->rate,
                                             .lambda = at[k]->z + d->stage.rows.nx,
                                             .y = at[k]->w,
                                             .q = at[k]->q};
  return count;
}

bool nsds_adaptive_is_on(const nsds_simulation *sim, int k) {
  if (!sim || sim->driver != &driver) return false;
  const nsds_adaptive_driver *d = (const nsds_adaptive_driver *)(const void *)sim;
  return k >= 0 && k < d->switches.count && d->switches.on[k];
}

const nsds_adaptive_info *nsds_simulation_adaptive(const nsds_simulation *sim) {
  if (!sim || sim->driver != &driver) return NULL;
  return &((const nsds_adaptive_driver *)(const void *)sim)->course.info;
}
