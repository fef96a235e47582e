/*
 * One step of time stepping, from top to bottom:
 *
 *     prepare                  the plan; contacts of sets are found
 *     do {
 *       select                 the rows of active contacts
 *       do {
 *         free motion          without impulses, about the iterate
 *         form, solve, apply   the one-step problem; its impulses move velocities and positions
 *       } while (Newton's method has not converged)
 *       project                positions, if the definition asks for it
 *     } while (more contacts have closed)
 *     outputs                  local variables and reactions; numbers not finite fail the step
 *     accept                   or reject
 *
 * A program may take a step in stages, so the loops are cut at the solve: NSDS_AGAIN from
 * nsds_time_step_update() asks for another solve. D1-minus steps have other passes, see
 * half_explicit.c.
 */
#include "kernel/stepping/time_step.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/parallel.h"
#include "kernel/assembly/detect.h"
#include "kernel/assembly/kept_states.h"
#include "kernel/assembly/least_reactions.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/local_second.h"
#include "kernel/assembly/look.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/overlap_correction.h"
#include "kernel/assembly/parallel_slots.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_memory.h"
#include "kernel/assembly/plan_renew.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/tree_reactions.h"
#include "kernel/assembly/rest.h"
#include "kernel/assembly/start_contacts.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "kernel/modeling/turns.h"
#include "kernel/simulation/overflow.h"
#include "kernel/simulation/saved.h"
#include "kernel/stepping/half_explicit.h"
#include "kernel/stepping/newton_iteration.h"
#include "kernel/stepping/projection.h"
#include "kernel/stepping/rattle_speeds.h"
#include "kernel/stepping/rattle_step.h"
#include "kernel/stepping/step_failure.h"
#include "kernel/stepping/step_switches.h"
#include "kernel/stepping/time_stepping_driver.h"

/* ---- prepare, select, linearise, form -------------------------------------------------------- */

/* Selects the contacts that count as closed after the time tau. */
static nsds_status select_contacts(nsds_time_stepping_driver *d, double tau) {
  nsds_status status = nsds_one_step_select(&d->velocity, tau, d->chosen);
  d->base.info.active = d->velocity.set.nactive;
  d->base.info.rows = d->velocity.set.rows;
  return status;
}

static nsds_status advance_slot(nsds_slot *slot) {
  bool moves = slot->osi->advance && !slot->is.jointed;
  return moves ? slot->osi->advance(&slot->on) : NSDS_OK;
}

/* Computes positions of the end from velocities of the end. */
static nsds_status move_positions(nsds_plan *plan) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  const nsds_integrator *flat = plan->schemes.integrator[2];
  if (plan->slots_aligned && flat->advance_flat) {
    flat->advance_flat(plan->scheme, plan->model->size.nq, now->q, now->v, end->v, end->q);
    return NSDS_OK;
  }
  nsds_status status = nsds_slots_each(plan, advance_slot);
  if (!status && NSDS_UNLIKELY(plan->tree != NULL)) nsds_plan_tree_move(plan);
  return status;
}

static nsds_status free_slot(nsds_slot *slot) {
  return slot->on.affine ? slot->osi->free(&slot->on) : NSDS_OK;
}

/* Sets up the first iterate, if anything has to be linearised. */
static NSDS_NOINLINE nsds_status first_iterate(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  size_t nv = plan->model->size.nv;
  nsds_copy_doubles(plan->trial.v, plan->model->state.v, nv);
  nsds_zero_doubles(plan->trial.p, nv);
  if (NSDS_UNLIKELY(plan->tree != NULL)) nsds_plan_tree_begin(plan);
  bool placed = d->newton || plan->count.compliant > 0 || plan->count.mixed > 0;
  nsds_status status = nsds_plan_reserve_last(plan);
  if (!status && d->newton) status = nsds_plan_reserve_probe(plan);
  if (status) return status;
  if (placed) status = move_positions(plan);
  if (d->newton) nsds_copy_doubles(plan->v_last, plan->trial.v, nv);
  return status ? status : nsds_newton_evaluate(plan);
}

/* Forms the problem of the first pass, which is the only one for a linear model. */
static nsds_status first_problem(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  d->newton = !nsds_plan_linear(plan);
  d->reached = NSDS_PASS_SOLVED;
  info->newton_iterations = 1;
  info->newton_converged = !d->newton;
  info->newton_residual = info->newton_residual_y = info->newton_residual_r = 0.0;
  info->newton_increment = 0.0;
  bool varying = d->newton || plan->count.varying > 0;
  nsds_status status = varying ? first_iterate(d) : NSDS_OK;
  if (!status) status = nsds_slots_each(plan, free_slot);
  if (!status && varying) status = nsds_newton_linearise_first(d);
  return status ? status : nsds_one_step_form(&d->velocity);
}

/* Updates the plan and finds the contacts. */
static nsds_status prepare(nsds_time_stepping_driver *d, const nsds_scheme *scheme) {
  nsds_simulation *sim = &d->base;
  sim->info.solver.solver = NULL;
  nsds_one_step_unform(&d->velocity);
  sim->model->busy |= NSDS_BUSY_STEP;
  nsds_status status = nsds_plan_update(&sim->plan, scheme);
  if (!status) status = nsds_plan_detect(&sim->plan);
  if (!status && NSDS_UNLIKELY(!sim->plan.search.start_seen))
    status = nsds_start_contacts_warn(&sim->plan, &d->velocity.op, nsds_is_rattle(d));
  if (!status && NSDS_UNLIKELY(sim->plan.count.gated > 0)) status = nsds_step_switches(d, scheme);
  if (status) return status;
  sim->plan.trial.t = scheme->t_next;
  nsds_turns_begin(sim->model, &sim->plan.trial, scheme->t, scheme->theta);
  return NSDS_OK;
}

nsds_status nsds_time_step_begin(nsds_time_stepping_driver *d, const nsds_scheme *scheme) {
  nsds_status status = prepare(d, scheme);
  if (status) return status;
  if (NSDS_UNLIKELY(d->in_passes))
    return nsds_is_rattle(d) ? nsds_rattle_begin(d) : nsds_half_explicit_begin(d);
  if (d->projects && (status = nsds_projection_begin(d))) return status;
  status = select_contacts(d, d->def.activation.gamma_prediction * scheme->h);
  if (!status) status = first_problem(d);
  return !status && d->velocity.form->check ? d->velocity.form->check(&d->velocity) : status;
}

/* ---- solve ----------------------------------------------------------------------------------- */

/* Asks check_solver of the program. No function of the model is running meanwhile. */
static NSDS_NOINLINE nsds_verdict ask_program(nsds_time_stepping_driver *d,
                                              const nsds_solver_info *info) {
  nsds_model *model = d->base.model;
  model->busy = NSDS_BUSY_STEP;
  nsds_verdict verdict = d->def.check_solver(&d->base, info, d->def.check_solver_user);
  model->busy = NSDS_BUSY_STEP | NSDS_BUSY_CALL;
  return verdict;
}

static NSDS_NOINLINE nsds_status solve_rows(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_solver_info *info = &sim->info.solver;
  enum { max_retries = 10 };
  nsds_one_step_keep_start(d->solving);
  for (int attempt = 0; attempt <= max_retries; ++attempt) {
    nsds_status status = nsds_kept_states_solve(d->solving, info);
    if (status != NSDS_STOPPED) status = nsds_rest_seek(d->solving, status, info);
    if (status != NSDS_OK && status != NSDS_ERROR_SOLVER) return status;
    nsds_verdict verdict = d->def.check_solver ? ask_program(d, info) : NSDS_CONTINUE;
    if (verdict == NSDS_ACCEPT) return NSDS_OK;
    if (verdict == NSDS_STOP) return NSDS_STOPPED;
    if (verdict == NSDS_CONTINUE && status == NSDS_OK) {
      nsds_one_step_least(d->solving, info);
      return NSDS_OK;
    }
    if (verdict == NSDS_CONTINUE) return nsds_fail_unsolved(d, info);
  }
  return nsds_fail(sim->context, NSDS_ERROR_SOLVER,
                   "step to t = %.17g: check_solver asked for more than %d repeated solves",
                   d->base.plan.scheme->t_next, max_retries);
}

nsds_status nsds_time_step_solve(nsds_simulation *sim) {
  const nsds_problem *problem = &nsds_time_stepping_of(sim)->solving->problem;
  if (problem->n == 0) return NSDS_OK;
  int bad = nsds_first_nonfinite(problem->q, problem->n);
  return NSDS_UNLIKELY(bad >= 0) ? nsds_fail_problem_overflow(sim, bad) : solve_rows(sim);
}

/* ---- apply, iterate, project ------------------------------------------------------------------ */

/* Computes velocities and positions from the impulses. NSDS_AGAIN: solve the problem of another
 * linearisation. Called again after a failure, continues after the work done, because a failed
 * linearisation has overwritten data of the velocities. */
static nsds_status apply(nsds_time_stepping_driver *d) {
  nsds_status status = NSDS_OK;
  if (d->reached == NSDS_PASS_SOLVED) {
    nsds_one_step_apply(&d->velocity);
    if (NSDS_UNLIKELY(d->base.plan.tree != NULL)) nsds_plan_tree_apply(&d->base.plan);
    if (NSDS_UNLIKELY(d->base.complete != NULL))
      d->base.complete(d->base.plan.v_free, d->base.plan.trial.v, d->base.complete_user);
    status = move_positions(&d->base.plan);
  }
  if (status || !d->newton) return status;
  if (d->reached == NSDS_PASS_SOLVED) d->reached = NSDS_PASS_APPLIED;
  if (d->reached == NSDS_PASS_APPLIED) status = nsds_newton_test(d);
  if (status || d->reached == NSDS_PASS_APPLIED) return status; /* converged */
  status = nsds_newton_linearise(&d->base.plan, &d->velocity);
  if (!status) status = nsds_one_step_form(&d->velocity);
  if (status) return status;
  d->reached = NSDS_PASS_SOLVED;
  return NSDS_AGAIN;
}

/* Projects positions. NSDS_AGAIN: contacts have closed, and the step starts again with them. */
static nsds_status project(nsds_time_stepping_driver *d) {
  bool closed = false;
  nsds_status status = nsds_projection_update(d, &closed);
  if (status || !closed) return status;
  status = select_contacts(d, 0.0);
  if (!status) status = first_problem(d);
  return status ? status : NSDS_AGAIN;
}

/* ---- outputs ---------------------------------------------------------------------------------- */

static NSDS_NOINLINE nsds_status time_step_overflow(const nsds_simulation *sim) {
  return nsds_check_shown(&sim->plan, &sim->plan.trial, "step to", sim->plan.scheme->t_next);
}

/* Outputs of found contacts. zero[part] is 0 if all outputs of the part are finite. */
typedef struct outputs {
  nsds_plan *plan;
  double zero[nsds_most_parts];
} outputs;

/* Rows of the contacts first .. end - 1 of the plan, which follow each other. */
typedef struct rows {
  int first, count;
} rows;

static inline rows rows_of(const nsds_plan *plan, int first, int end) {
  if (first >= end) return (rows){0, 0};
  const nsds_contact *last = &plan->contact[end - 1];
  int row = plan->contact[first].y0;
  return (rows){row, last->y0 + last->m - row};
}

/* Returns 0 if the impulses and forces of these rows are finite, else NaN. */
static inline double zero_if_loads_finite(const nsds_plan *plan, rows r) {
  const nsds_state *at = &plan->trial;
  return nsds_zero_if_pairs_finite(at->impulse + r.first, at->force + r.first, r.count);
}

/* Does the same for y, dy/dt, impulses and forces. */
static inline double zero_if_rows_finite(const nsds_plan *plan, rows r) {
  const nsds_state *at = &plan->trial;
  return nsds_zero_if_pairs_finite(at->y + r.first, at->ydot + r.first, r.count) +
         zero_if_loads_finite(plan, r);
}

static void put_out_part(void *self, int part, int parts) {
  outputs *t = self;
  nsds_plan *plan = t->plan;
  int first = plan->ninteraction, found = plan->ncontact - first;
  int end = first + nsds_part_begin(found, part + 1, parts);
  first += nsds_part_begin(found, part, parts);
  double zero = 0.0;
  for (int c = first; c < end; ++c) /* only products, which cannot fail */
    plan->contact[c].ops->output(plan, &plan->contact[c]);
  while (first < end) { /* the rows of a set follow each other */
    int last = first + 1;
    while (last < end && plan->contact[last].found.set == plan->contact[first].found.set) ++last;
    zero += zero_if_rows_finite(plan, rows_of(plan, first, last));
    first = last;
  }
  t->zero[part] = zero;
}

/* Computes y and dy/dt of contacts first .. end - 1, of any kind. */
static NSDS_NOINLINE nsds_status put_any_out(nsds_plan *plan, int first, int end, double *zero) {
  nsds_status status = NSDS_OK;
  for (int c = first; !status && c < end; ++c)
    if (!plan->contact[c].is.built_in)
      status = plan->contact[c].ops->output(plan, &plan->contact[c]);
  *zero += zero_if_rows_finite(plan, rows_of(plan, first, end));
  return status;
}

/* Computes y and dy/dt of found contacts at the trial state, and leads bodies out of overlap. Adds to
 * *zero 0 if the outputs and the moved bodies are finite, else NaN. */
static NSDS_NOINLINE nsds_status put_found_out(nsds_time_stepping_driver *d, double *zero) {
  enum { few = 128 }; /* too few contacts to share among threads */
  nsds_plan *plan = &d->base.plan;
  if (plan->search.follows) {
    nsds_rattle_put_out(&d->halves);
    *zero += zero_if_rows_finite(plan, rows_of(plan, plan->ninteraction, plan->ncontact));
    return NSDS_OK;
  }
  int parts = nsds_parts(plan->ncontact - plan->ninteraction, few);
  outputs t = {.plan = plan};
  nsds_status status = NSDS_OK;
  nsds_share_out(plan->context, parts, put_out_part, &t);
  for (int part = 0; part < parts; ++part) *zero += t.zero[part];
  if (d->leads_out && *zero == 0.0 && d->velocity.form->whole)
    status = nsds_overlap_correct(&d->overlap, &d->velocity, d->def.overlap_sweeps);
  if (d->overlap.moved) *zero += nsds_zero_if_finite(plan->trial.q, (int)plan->model->size.nq);
  return status;
}

/* Computes y and dy/dt at the trial state: first of found contacts, since their overlap may move
 * bodies, then of interactions. Adds to *zero 0 if these, impulses and forces are finite, else
 * NaN. */
static inline nsds_status put_out(nsds_time_stepping_driver *d, double *zero) {
  nsds_plan *plan = &d->base.plan;
  nsds_status status = NSDS_OK;
  if (plan->ncontact > plan->ninteraction) status = put_found_out(d, zero);
  if (status || plan->ninteraction == 0) return status;
  if (plan->count.plain < plan->ninteraction) {
    if (plan->tree) status = nsds_tree_reactions(&d->velocity); /* joints are not plain */
    return status ? status : put_any_out(plan, 0, plan->ninteraction, zero);
  }
  *zero += nsds_plain_outputs(&plan->trial, plan->contact, plan->ninteraction);
  if (!d->velocity.set.idle)
    *zero += zero_if_loads_finite(plan, rows_of(plan, 0, plan->ninteraction));
  return NSDS_OK;
}

static nsds_status finish_slot(nsds_slot *slot) {
  return slot->is.finishing ? slot->osi->finish(&slot->on) : NSDS_OK;
}

/* Evaluates the inputs of first order, and ends the step of the integrators. */
static NSDS_NOINLINE nsds_status finish_slots(nsds_plan *plan) {
  if (plan->count.first > 0) nsds_first_order_inputs(plan);
  return plan->lists.nfinish > 0 ? nsds_slots_each(plan, finish_slot) : NSDS_OK;
}

/* Returns 0 if impulses of systems and forces on prescribed unknowns are finite, else NaN. */
static inline double zero_if_reactions_finite(const nsds_time_stepping_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  int nv = (int)plan->model->size.nv;
  if (plan->lists.nfinish > 0)
    return nsds_zero_if_pairs_finite(plan->trial.p, plan->trial.reaction, nv);
  return d->velocity.set.idle ? 0.0 : nsds_zero_if_finite(plan->trial.p, nv);
}

/* Computes local variables and reactions of the trial state. Fails if a number is not finite. */
static inline nsds_status fill_in(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_state *trial = &plan->trial;
  const nsds_state_size *size = &plan->model->size;
  const nsds_scheme *scheme = plan->scheme;
  d->base.info.t_lambda = scheme->t_next - (1.0 - scheme->relation_weight) * scheme->h;
  double zero = nsds_zero_if_finite(trial->q, (int)size->nq); /* aligned: q = ... + h theta v */
  if (!plan->slots_aligned) zero += nsds_zero_if_finite(trial->v, (int)size->nv);
  if (NSDS_UNLIKELY(zero != 0.0)) return time_step_overflow(&d->base);
  nsds_status status = put_out(d, &zero);
  if (!status && NSDS_UNLIKELY(zero != 0.0)) return time_step_overflow(&d->base);
  if (!status && (plan->count.first > 0 || plan->lists.nfinish > 0)) status = finish_slots(plan);
  if (!status && NSDS_UNLIKELY(nsds_plan_looks(plan)))
    status = nsds_plan_look(plan, trial, trial->impulse);
  if (NSDS_UNLIKELY(status)) return status;
  zero = zero_if_reactions_finite(d);
  return NSDS_UNLIKELY(zero != 0.0) ? time_step_overflow(&d->base) : NSDS_OK;
}

/* Does the same, and can be called again after a failure. */
static inline nsds_status put_outputs(nsds_time_stepping_driver *d) {
  nsds_overlap_begin(&d->overlap);
  nsds_status status = fill_in(d);
  if (NSDS_UNLIKELY(status)) nsds_overlap_undo(&d->overlap, &d->base.plan);
  d->base.info.lifted = d->overlap.lifted;
  return status;
}

/* Ends a pass of a scheme with passes of its own. */
static NSDS_NOINLINE nsds_status end_pass(nsds_time_stepping_driver *d) {
  return nsds_is_rattle(d) ? nsds_rattle_update(d) : nsds_half_explicit_end(d);
}

nsds_status nsds_time_step_update(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_status status = NSDS_UNLIKELY(d->in_passes) ? end_pass(d) : apply(d);
  if (NSDS_UNLIKELY(d->projects) && !status) status = project(d);
  if (status) return status;
  status = put_outputs(d);
  if (NSDS_UNLIKELY(d->projects) && !status) nsds_projection_outputs(d);
  return status;
}

/* ---- accept or reject ------------------------------------------------------------------------- */

void nsds_time_step_reject(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  nsds_contact_sets_end(sim->model, false);
  if (plan->tree) nsds_plan_tree_reject(plan);
  nsds_plan_go_stale(plan); /* values of functions may belong to the failed step */
}

void nsds_time_step_undo_lambda(nsds_time_stepping_driver *d) {
  nsds_saved_restore(&d->base, &d->before_lambda);
  nsds_lambda_forget(d);
}

/* Notes in the model which interactions were active. A step in pieces has the activity of all
 * pieces. */
static NSDS_NOINLINE void show_activity(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  const nsds_one_step *o = &d->velocity;
  bool whole = d->base.info.substeps == 0;
  for (int c = 0, a = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    bool now = a < o->set.nactive && o->set.active[a] == c;
    a += now;
    now = now || contact->is.built_in;
    if (now == contact->is.shown_active || (!now && !whole)) continue;
    nsds_contact_show(contact, now);
  }
  d->velocity.set.changed = d->velocity.set.changed && !whole;
}

void nsds_time_step_accept(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  nsds_turns_follow(model, &plan->trial, plan->trial.t, plan->trial.q, plan->trial.v);
  nsds_state_copy(model->context, &model->state, &plan->trial, &model->size);
  nsds_contact_sets_end(model, true);
  if (NSDS_UNLIKELY(plan->count.gated > 0)) nsds_step_switches_accept(plan);
  for (int k = 0; k < plan->lists.nforced; ++k) {
    nsds_slot *slot = &plan->slot[plan->lists.forced[k]];
    double *swap = slot->on.force;
    slot->on.force = slot->on.force_end;
    slot->on.force_end = swap;
  }
  if (d->velocity.set.changed || sim->info.substeps > 0) show_activity(d);
  nsds_lambda_forget(d);
  nsds_model_accept(model);
  model->busy &= ~(unsigned)NSDS_BUSY_STEP;
}
