/*
 * The time-stepping driver: its definition with checks and defaults, creation, stages. Steps are in
 * time_step.c.
 */
#include "kernel/stepping/time_stepping.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/consistency.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/overlap_correction.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/schatzman_paoli_rows.h"
#include "kernel/integrators/d1_minus.h"
#include "kernel/integrators/euler_moreau.h"
#include "kernel/integrators/moreau_jean.h"
#include "kernel/integrators/schatzman_paoli.h"
#include "kernel/integrators/step_ratio.h"
#include "kernel/integrators/zero_order_hold.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/simulation/saved.h"
#include "kernel/simulation/simulation.h"
#include "kernel/stepping/initial_lambda.h"
#include "kernel/stepping/projection.h"
#include "kernel/stepping/time_step.h"

/* The weights of the schemes, which stay. */
static nsds_scheme weights(const nsds_time_stepping_def *def) {
  double rho = def->scheme == NSDS_THETA_GAMMA ? def->gamma : 1.0;
  return (nsds_scheme){.theta = def->theta,
                       .gamma = def->gamma,
                       .gamma_mass = def->gamma_mass,
                       .input_new = rho,
                       .input_old = 1.0 - rho,
                       .relation_weight = def->scheme == NSDS_FULL_THETA_GAMMA ? def->gamma : 1.0,
                       .predict_once = def->predict_once,
                       .f_at_theta = def->f_at_theta,
                       .input_at_theta = def->input_at_theta};
}

static nsds_status start_stage(nsds_simulation *sim, double t_next, double h) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_set_interval(&d->scheme, sim->model->state.t, t_next, h);
  sim->info.substeps = sim->info.predicted = 0;
  return nsds_time_step_begin(d, &d->scheme);
}

static void accept_stage(nsds_simulation *sim) {
  nsds_time_step_accept(sim);
  sim->info.substeps = 1;
}

static void reject_stage(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_time_step_reject(sim);
  if (d->lambda_found) nsds_time_step_undo_lambda(d);
}

static nsds_one_step *time_stepping_problem(nsds_simulation *sim) {
  return &nsds_time_stepping_of(sim)->velocity;
}

static bool time_stepping_solved(nsds_simulation *sim, nsds_solved *last) {
  const nsds_one_step *o = time_stepping_problem(sim);
  *last = (nsds_solved){&o->problem, o->z};
  return o->formed;
}

static const double *displacement(const nsds_simulation *sim, const nsds_ds *ds) {
  const nsds_time_stepping_driver *d = (const nsds_time_stepping_driver *)(const void *)sim;
  bool there = d->projects && d->position.way && ds->v_offset + ds->nv <= (int)d->position.count &&
               d->position.rearranged == ds->model->systems.rearranged;
  return there ? d->position.way + ds->v_offset : NULL;
}

/* Whether dependent joints are sought: the same steps have the same bits. */
static void archive(nsds_simulation *sim, nsds_archive *a) {
  nsds_dependent_rows *dependent = &nsds_time_stepping_of(sim)->velocity.dependent;
  nsds_archive_bool(a, &dependent->sought);
  if (a->mode == NSDS_ARCHIVE_READ) dependent->of.graph = 0;
}

static void time_stepping_destroy(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_one_step_destroy(&d->velocity);
  nsds_projection_destroy(d);
  nsds_overlap_destroy(&d->overlap, sim->context);
  nsds_saved_destroy(sim->context, &d->whole);
  nsds_saved_destroy(sim->context, &d->before_lambda);
  nsds_release(sim->context, d->sum);
  nsds_release(sim->context, d->passed);
}

static const nsds_driver driver = {.name = "time-stepping simulation",
                                   .begin = nsds_initial_lambda,
                                   .advance = nsds_time_step,
                                   .start = start_stage,
                                   .solve = nsds_time_step_solve,
                                   .update = nsds_time_step_update,
                                   .accept = accept_stage,
                                   .reject = reject_stage,
                                   .problem = time_stepping_problem,
                                   .solved = time_stepping_solved,
                                   .displacement = displacement,
                                   .archive = archive,
                                   .destroy = time_stepping_destroy};

static bool time_stepping_check(nsds_context *context, const nsds_time_stepping_def *d) {
  const char *call = "nsds_time_stepping";
  if (!isfinite(d->t0) || !isfinite(d->t1) || !(d->t1 > d->t0)) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: t1 is %g; it must be finite and after t0 = %g", call,
              d->t1, d->t0);
    return false;
  }
  if (!(d->h > 0.0) || !isfinite(d->h) || d->t0 + d->h == d->t0) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: h is %g; it must be positive, finite and large enough to advance t0 = %g", call,
              d->h, d->t0);
    return false;
  }
  if (!isfinite(d->newton_residual) || d->newton_residual < 0.0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: newton_residual is %g; valid are values >= 0", call,
              d->newton_residual);
    return false;
  }
  if ((int)d->scheme < NSDS_EULER_MOREAU || d->scheme > NSDS_ZERO_ORDER_HOLD) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: scheme is %d, not one of nsds_first_order_scheme",
              call, (int)d->scheme);
    return false;
  }
  if ((int)d->second_order_scheme < NSDS_MOREAU_JEAN || d->second_order_scheme > NSDS_D1_MINUS) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: second_order_scheme is %d, not one of nsds_second_order_scheme", call,
              (int)d->second_order_scheme);
    return false;
  }
  if (d->second_order_scheme != NSDS_MOREAU_JEAN && d->projection.kind != NSDS_PROJECTION_NONE) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "%s: projection needs NSDS_MOREAU_JEAN; second_order_scheme is %d", call,
              (int)d->second_order_scheme);
    return false;
  }
  if ((d->input_at_theta && d->scheme > NSDS_THETA_GAMMA) ||
      (d->f_at_theta && d->scheme == NSDS_ZERO_ORDER_HOLD)) {
    nsds_fail(
        context, NSDS_ERROR_ARGUMENT,
        "%s: input_at_theta is for NSDS_EULER_MOREAU and NSDS_THETA_GAMMA, f_at_theta for these "
        "and NSDS_FULL_THETA_GAMMA; scheme is %d",
        call, (int)d->scheme);
    return false;
  }
  return nsds_check_range(context, call, "theta", d->theta, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma", d->gamma, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma_mass", d->gamma_mass, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma_prediction", d->gamma_prediction, 0.0, 1e6) &&
         nsds_check_range(context, call, "activation_tolerance", d->activation_tolerance, 0.0,
                          1.0) &&
         nsds_check_range(context, call, "newton_increment", d->newton_increment, 0.0, HUGE_VAL) &&
         nsds_check_range(context, call, "tolerance", d->tolerance, 0.0, 1.0) &&
         nsds_check_count(context, call, "newton_max_iterations", d->newton_max_iterations, 1) &&
         nsds_check_range(context, call, "overlap_sweeps", d->overlap_sweeps, -1, 1000) &&
         nsds_check_range(context, call, "max_halvings", d->max_halvings, -1, 30) &&
         nsds_projection_check(context, call, &d->projection);
}

/* The definition with its zeros replaced by the defaults. */
static nsds_time_stepping_def time_stepping_with_defaults(const nsds_time_stepping_def *def) {
  nsds_time_stepping_def given = *def;
  nsds_projection_defaults(&given.projection);
  given.theta = nsds_or_default(given.theta, 0.5);
  given.gamma = nsds_or_default(given.gamma, 1.0);
  given.gamma_mass = nsds_or_default(given.gamma_mass, given.gamma);
  given.gamma_prediction = nsds_or_default(given.gamma_prediction, 0.5);
  given.activation_tolerance =
      nsds_or_default(given.activation_tolerance, nsds_activation_rounding);
  given.newton_increment = nsds_or_default(given.newton_increment, 1e-8);
  given.newton_max_iterations = given.newton_max_iterations == 0 ? 50 : given.newton_max_iterations;
  given.overlap_sweeps = given.overlap_sweeps == 0 ? 8 : given.overlap_sweeps;
  return given;
}

/* Integrators, the problem and the first numbers of a simulation just made. */
static nsds_status time_stepping_set_up(nsds_time_stepping_driver *d,
                                        const nsds_time_stepping_def *given) {
  nsds_simulation *sim = &d->base;
  sim->plan.schemes.integrator[1] =
      given->scheme == NSDS_ZERO_ORDER_HOLD ? &nsds_zero_order_hold : &nsds_euler_moreau;
  static const nsds_integrator *const second[] = {&nsds_moreau_jean, &nsds_schatzman_paoli,
                                                  &nsds_d1_minus};
  static const nsds_formulation *const form[] = {&nsds_reduced, &nsds_weighted, &nsds_held};
  sim->plan.schemes.integrator[2] = second[given->second_order_scheme];
  sim->plan.schemes.in_parts[1] = &nsds_step_ratio_first;
  sim->plan.schemes.in_parts[2] = &nsds_step_ratio_second;
  sim->plan.search.looks_ahead = !given->contacts_at_start;
  nsds_status status = nsds_one_step_create(&sim->plan, false, &d->velocity);
  d->velocity.form = form[given->second_order_scheme];
  d->velocity.set.tolerance = given->activation_tolerance;
  d->scheme = weights(given);
  nsds_set_interval(&d->scheme, given->t0, given->t0 + given->h, given->h);
  nsds_simulation_enter(sim); /* user functions are called, as in a step */
  if (!status && d->projects) status = nsds_projection_create(d);
  if (!status) status = nsds_simulation_choose(sim, given->solver, given->tolerance);
  if (!status) status = nsds_plan_update(&sim->plan, &d->scheme);
  if (!status) status = nsds_check_consistency(&sim->plan);
  if (!status) status = nsds_initial_lambda(sim);
  nsds_lambda_forget(d); /* it stays where the first step fails */
  nsds_simulation_leave(sim);
  return status;
}

nsds_simulation *nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), "nsds_time_stepping", model ? "def" : "model");
    return NULL;
  }
  if (nsds_check_reserved(model->context, "nsds_time_stepping", "", NSDS_TAIL(def))) return NULL;
  nsds_context *context = model->context;
  if (nsds_error(context) != NSDS_OK) {
    nsds_log(context, NSDS_LOG_ERROR,
             "nsds_time_stepping: refused, because an earlier call failed (%s); handle it and call "
             "nsds_error_clear()",
             nsds_error_message(context));
    return NULL;
  }
  nsds_time_stepping_def given = time_stepping_with_defaults(def);
  if (!time_stepping_check(context, &given) || nsds_check_idle(model, "nsds_time_stepping"))
    return NULL;
  nsds_time_stepping_driver *d = NSDS_NEW(context, nsds_time_stepping_driver);
  if (!d) return NULL;
  d->def = given;
  d->def.solver = NULL;
  d->half_explicit = given.second_order_scheme == NSDS_D1_MINUS;
  d->projects = given.projection.kind != NSDS_PROJECTION_NONE;
  d->leads_out =
      given.overlap_sweeps > 0 && !d->projects && given.second_order_scheme == NSDS_MOREAU_JEAN;
  nsds_simulation *sim = &d->base;
  if (nsds_simulation_init(sim, &driver, model, given.t0, given.t1, given.h)) {
    nsds_release(context, d);
    return NULL;
  }
  return nsds_simulation_made(sim, time_stepping_set_up(d, &given));
}
