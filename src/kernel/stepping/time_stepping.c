/*
 * The time-stepping driver: its definition with checks and defaults, creation, stages. Steps are in
 * time_step.c.
 */
#include "kernel/stepping/time_stepping_driver.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/assembly/consistency.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/overlap_correction.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/stepping/rattle_speeds.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/schatzman_paoli_rows.h"
#include "kernel/integrators/d1_minus.h"
#include "kernel/integrators/euler_moreau.h"
#include "kernel/integrators/moreau_jean.h"
#include "kernel/integrators/rattle.h"
#include "kernel/integrators/schatzman_paoli.h"
#include "kernel/integrators/step_ratio.h"
#include "kernel/integrators/zero_order_hold.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/scheme.h"
#include "kernel/simulation/saved.h"
#include "kernel/simulation/simulation.h"
#include "kernel/stepping/initial_lambda.h"
#include "kernel/stepping/projection.h"
#include "kernel/stepping/step_halving.h"
#include "kernel/stepping/time_step.h"

/* Returns the constant weights of the schemes. */
static nsds_scheme weights(const nsds_time_stepping_def *def) {
  const nsds_discretisation *first = &def->first_order, *second = &def->second_order;
  double rho = first->kind == NSDS_THETA_GAMMA ? first->gamma : 1.0;
  bool moreau_jean = second->kind == NSDS_MOREAU_JEAN;
  bool mass_apart = second->options & NSDS_OPTION_GAMMA_MASS;
  double gamma = moreau_jean ? second->gamma : 1.0, mass = mass_apart ? second->gamma_mass : gamma;
  return (nsds_scheme){
      .theta = second->kind == NSDS_D1_MINUS || second->kind == NSDS_RATTLE ? 0.5 : second->theta,
      .gamma = gamma,
      .gamma_mass = mass,
      .input_new = rho,
      .input_old = 1.0 - rho,
      .relation_weight = first->kind == NSDS_FULL_THETA_GAMMA ? first->gamma
                         : second->kind == NSDS_RATTLE        ? 0.5
                                                              : 1.0,
      .predict_once = second->options & NSDS_OPTION_PREDICT_ONCE,
      .f_at_theta = first->options & NSDS_OPTION_F_AT_THETA,
      .input_at_theta = first->options & NSDS_OPTION_INPUT_AT_THETA};
}

static nsds_status start_stage(nsds_simulation *sim, double t_next, double h) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_set_interval(d, sim->model->state.t, t_next, h);
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
  return nsds_time_stepping_of(sim)->solving;
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

/* Archives whether dependent joints are sought, so that a restored run has the same bits. */
static void archive(nsds_simulation *sim, nsds_archive *a) {
  nsds_dependent_rows *dependent = &nsds_time_stepping_of(sim)->velocity.dependent;
  nsds_archive_bool(a, &dependent->sought);
  if (a->mode == NSDS_ARCHIVE_READ) dependent->of.graph = 0;
}

static void time_stepping_destroy(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_one_step_destroy(&d->velocity);
  nsds_one_step_destroy(&d->halves.speeds);
  nsds_rattle_release(sim->context, &d->halves);
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

nsds_activation_test nsds_activation(double gamma_prediction, double tolerance) {
  return (nsds_activation_test){
      .given = true, .gamma_prediction = gamma_prediction, .tolerance = tolerance};
}

/* ---- catalogue ------------------------------------------------------------------------------- */

static const char call[] = "nsds_time_stepping";

MAKER(nsds_time_stepping, nsds_time_stepping_def)

#define DEF nsds_activation_test
const nsds_type nsds_activation_type = {
    .help = "The test by which a step takes contacts for closed.",
    .field = (const nsds_field[]){NUMBER_OF(DEF, gamma_prediction, "1", "[0, 1e6]", "0.5",
                                            "How far a step looks ahead."),
                                  NUMBER_OF(DEF, tolerance, "1", "[0, 1]", "1e-12",
                                            "Tolerance of a gap, relative to its terms."),
                                  END},
    .call = call,
    DEFINITION(DEF)};
#undef DEF
#define DEF nsds_newton_def
const nsds_type nsds_newton_type = {
    .help = "Newton's method in a step.",
    .field = (const nsds_field[]){NUMBER_OF(DEF, residual, "N s", "> 0", "auto",
                                            "Limit of the residual; auto: relative, 1e-10."),
                                  NUMBER_OF(DEF, increment, "1", "(0, inf]", "auto",
                                            "Limit of the increment as a fraction; auto: 1e-8."),
                                  INTEGER_OF(DEF, max_iterations, ">= 1", "auto",
                                             "Most iterations; auto: 50."),
                                  TRUTH_OF(DEF, accept, "false",
                                           "Accepts a step that has not converged, with a "
                                           "warning."),
                                  END},
    .call = call,
    DEFINITION(DEF)};
#undef DEF
#define DEF nsds_time_stepping_def
const nsds_type nsds_time_stepping_type = {
    .type = "time_stepping",
    .help = "Equal steps, each of which may have any number of impacts and switches.",
    .field =
        (const nsds_field[]){
            NUMBER_OF(DEF, t0, "s", NULL, "0", "Start."),
            NUMBER_OF(DEF, t1, "s", NULL, NULL, "End."),
            NUMBER_OF(DEF, h, "s", "> 0", NULL, "Step."),
            OBJECT_OF(DEF, first_order, "scheme", "{type: euler_moreau, theta: 0.5}",
                      "Scheme of first-order systems."),
            OBJECT_OF(DEF, second_order, "scheme", "{type: moreau_jean, theta: 0.5, gamma: 1}",
                      "Scheme of second-order systems."),
            OBJECT_OF(DEF, activation, "activation", "auto",
                      "Test of contacts; auto: gamma_prediction 0.5, tolerance 1e-12."),
            TRUTH_OF(DEF, contacts_at_start, "false",
                     "Contacts of sets are taken where bodies are at the start of a step."),
            TRUTH_OF(DEF, update_prediction, "false",
                     "Repeats the activation test in every iteration of Newton's method."),
            OBJECT_OF(DEF, newton, "newton", "auto", "Newton's method in a step."),
            COUNT_OR_NONE_OF(DEF, max_halvings, NSDS_HALVE_NEVER, "[0, 30]", "auto",
                             "How often a failed step is halved; auto: 10 where Newton's method "
                             "fails."),
            COUNT_OR_NONE_OF(DEF, overlap_sweeps, NSDS_OVERLAP_STAYS, "[0, 1000]", "auto",
                             "Sweeps that lead bodies out of overlap; 0: none; auto: as many as "
                             "needed, or 8 for more than 256 contacts."),
            OBJECT_OF(DEF, projection, "projection", "auto",
                      "Projection on constraints; auto: none."),
            CHOICE_OF(DEF, coordinates, "maximal joint", "maximal",
                      "In which bodies with joints move; joint: in those of their joints."),
            SOLVER_OF(DEF),
            TRUTH("accept_unsolved", "false",
                  "Takes answers of the solver that are not certified."),
            END},
    .call = call,
    DEFINITION(DEF),
    .make = make_nsds_time_stepping};

/* ---- checks and defaults --------------------------------------------------------------------- */

static bool activation_is_said(const nsds_activation_test *a) {
  for (int k = 0; k < NSDS_RESERVED; ++k)
    if (a->reserved[k] != 0) return true;
  return a->given || a->gamma_prediction != 0.0 || a->tolerance != 0.0;
}

static bool check_activation(nsds_context *context, const nsds_activation_test *activation) {
  if (nsds_check_reserved(context, call, "activation.", NSDS_TAIL(activation))) return false;
  if (activation->given)
    return nsds_definition_check_values(context, call, "activation", nsds_activation_type.field,
                                        activation);
  nsds_fail(context, NSDS_ERROR_ARGUMENT,
            "%s: activation has values, but nsds_activation() has not made it", call);
  return false;
}

static bool coordinates_suit(nsds_context *context, const nsds_time_stepping_def *d) {
  if (d->coordinates == NSDS_COORDINATES_MAXIMAL) return true;
  if (d->second_order.kind != NSDS_MOREAU_JEAN) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "%s: coordinates is NSDS_COORDINATES_JOINT and second_order is %s; valid is "
              "nsds_moreau_jean()",
              call, nsds_scheme_name(d->second_order.kind));
    return false;
  }
  if (d->projection.metric == NSDS_METRIC_MASS) return true;
  nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
            "%s: coordinates is NSDS_COORDINATES_JOINT and projection.metric is %d; valid is "
            "NSDS_METRIC_MASS",
            call, (int)d->projection.metric);
  return false;
}

static bool check_schemes(nsds_context *context, const nsds_time_stepping_def *d) {
  const unsigned options = NSDS_OPTION_GAMMA_MASS | NSDS_OPTION_INPUT_AT_THETA |
                           NSDS_OPTION_F_AT_THETA | NSDS_OPTION_INITIAL_LAMBDA |
                           NSDS_OPTION_PREDICT_ONCE;
  if (nsds_scheme_check(context, call, "first_order", 1, options, &d->first_order) ||
      nsds_scheme_check(context, call, "second_order", 2, options, &d->second_order))
    return false;
  bool moreau_jean = d->second_order.kind == NSDS_MOREAU_JEAN;
  if (!moreau_jean && d->projection.kind != NSDS_PROJECTION_NONE) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "%s: projection needs nsds_moreau_jean(); second_order is %s", call,
              nsds_scheme_name(d->second_order.kind));
    return false;
  }
  return coordinates_suit(context, d);
}

static bool check_times(nsds_context *context, const nsds_time_stepping_def *d) {
  if (!(d->t1 > d->t0)) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: t1 is %g; it must be after t0 = %g", call, d->t1,
              d->t0);
    return false;
  }
  if (d->t0 + d->h > d->t0) return true;
  nsds_fail(context, NSDS_ERROR_VALUE,
            "%s: h is %g; it must be positive, finite and large enough to advance t0 = %g", call,
            d->h, d->t0);
  return false;
}

/* Refuses an activation test with a scheme that does not use it. */
static bool check_use_of_activation(nsds_context *context, const nsds_time_stepping_def *d) {
  nsds_scheme_kind second = d->second_order.kind;
  if (second == NSDS_SCHEME_UNSAID || second == NSDS_MOREAU_JEAN ||
      !activation_is_said(&d->activation))
    return true;
  nsds_fail(context, NSDS_ERROR_ARGUMENT,
            "%s: activation is for nsds_moreau_jean(), and second_order is %s; valid "
            "is an activation that says nothing",
            call, nsds_scheme_name(second));
  return false;
}

/* Checks the parts of the definition and replaces zeros by defaults. */
static bool take_parts(nsds_context *context, nsds_time_stepping_def *d) {
  if (!check_use_of_activation(context, d)) return false;
  if (nsds_scheme_is_unsaid(&d->first_order)) d->first_order = nsds_euler_moreau(0.5);
  if (nsds_scheme_is_unsaid(&d->second_order)) d->second_order = nsds_moreau_jean(0.5, 1.0);
  if (!activation_is_said(&d->activation))
    d->activation = nsds_activation(0.5, nsds_activation_rounding);
  if (!check_times(context, d) || !check_schemes(context, d) ||
      !check_activation(context, &d->activation) ||
      !nsds_definition_check_part(context, &nsds_newton_type, "newton.", &d->newton) ||
      !nsds_projection_take(context, &d->projection))
    return false;
  d->newton.increment = nsds_or_default(d->newton.increment, 1e-8);
  if (d->newton.max_iterations == 0) d->newton.max_iterations = 50;
  return true;
}

/* Sets the integrators of all systems, and those that single systems may have. */
static void time_stepping_integrators(nsds_time_stepping_driver *d,
                                      const nsds_time_stepping_def *given) {
  static const nsds_integrator *const all[] = {
      [NSDS_EULER_MOREAU] = &nsds_euler_moreau_integrator,
      [NSDS_THETA_GAMMA] = &nsds_euler_moreau_integrator,
      [NSDS_FULL_THETA_GAMMA] = &nsds_euler_moreau_integrator,
      [NSDS_ZERO_ORDER_HOLD] = &nsds_zero_order_hold_integrator,
      [NSDS_MOREAU_JEAN] = &nsds_moreau_jean_integrator,
      [NSDS_SCHATZMAN_PAOLI] = &nsds_schatzman_paoli_integrator,
      [NSDS_D1_MINUS] = &nsds_d1_minus_integrator,
      [NSDS_RATTLE] = &nsds_rattle_integrator};
  nsds_plan_schemes *schemes = &d->base.plan.schemes;
  for (int k = NSDS_EULER_MOREAU; k <= NSDS_MOREAU_JEAN; ++k) schemes->of[k] = all[k];
  schemes->kind[1] = given->first_order.kind;
  schemes->kind[2] = given->second_order.kind;
  schemes->integrator[1] = all[schemes->kind[1]];
  schemes->integrator[2] = all[schemes->kind[2]];
  schemes->in_parts[1] = &nsds_step_ratio_first;
  schemes->in_parts[2] = &nsds_step_ratio_second;
  schemes->first = &d->first;
  schemes->in_joints = given->coordinates == NSDS_COORDINATES_JOINT;
}

/* Sets up the problem and the first values of a new simulation. */
static nsds_status time_stepping_set_up(nsds_time_stepping_driver *d,
                                        const nsds_time_stepping_def *given) {
  nsds_simulation *sim = &d->base;
  nsds_scheme_kind second = given->second_order.kind;
  time_stepping_integrators(d, given);
  bool rattle = second == NSDS_RATTLE; /* follows found contacts from the start of each step */
  sim->plan.search =
      (nsds_plan_search){.follows = rattle, .looks_ahead = !given->contacts_at_start && !rattle};
  nsds_one_step_create(&sim->plan, false, &d->velocity);
  d->velocity.form = second == NSDS_SCHATZMAN_PAOLI ? &nsds_weighted
                     : second == NSDS_D1_MINUS      ? &nsds_held
                     : second == NSDS_RATTLE        ? &nsds_rattle_places
                                                    : &nsds_reduced;
  if (rattle) nsds_one_step_create(&sim->plan, true, &d->halves.speeds);
  if (rattle) d->halves.speeds.form = &nsds_rattle_speeds;
  d->velocity.set.tolerance = given->activation.tolerance;
  d->scheme = d->first = weights(given);
  d->first.theta = given->first_order.kind == NSDS_ZERO_ORDER_HOLD ? 0.5 : given->first_order.theta;
  nsds_set_interval(d, given->t0, given->t0 + given->h, given->h);
  nsds_simulation_enter(sim); /* user functions are called, as in a step */
  nsds_status status = d->projects ? nsds_projection_create(d) : NSDS_OK;
  if (!status) status = nsds_simulation_choose(sim, given->solver, given->tolerance);
  if (!status) status = nsds_plan_update(&sim->plan, &d->scheme);
  if (!status) status = nsds_consistency_check(&sim->plan);
  if (!status) status = nsds_initial_lambda(sim);
  nsds_lambda_forget(d); /* a first step that fails keeps it */
  nsds_simulation_leave(sim);
  return status;
}

nsds_simulation *nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def) {
  nsds_time_stepping_def given;
  nsds_context *context = nsds_model_context(model);
  if (!nsds_simulation_take(model, &nsds_time_stepping_type, def, &given) ||
      !take_parts(context, &given) || nsds_check_idle(model, call))
    return NULL;
  given.tolerance = def->tolerance; /* 0: that of the solver */
  nsds_time_stepping_driver *d = NSDS_NEW(context, nsds_time_stepping_driver);
  if (!d) return NULL;
  d->def = given;
  d->def.solver = NULL;
  d->in_passes = given.second_order.kind == NSDS_D1_MINUS || given.second_order.kind == NSDS_RATTLE;
  d->solving = &d->velocity;
  d->projects = given.projection.kind != NSDS_PROJECTION_NONE;
  d->leads_out =
      given.overlap_sweeps >= 0 && !d->projects && given.second_order.kind == NSDS_MOREAU_JEAN;
  nsds_simulation *sim = &d->base;
  if (nsds_simulation_init(sim, &driver, model, given.t0, given.t1, given.h)) {
    nsds_release(context, d);
    return NULL;
  }
  return nsds_simulation_made(sim, time_stepping_set_up(d, &given));
}
