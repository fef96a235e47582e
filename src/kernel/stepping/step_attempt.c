/*
 * One attempt at a step of time stepping: the stages start, solve and update on the trial state, and
 * what becomes of it, accepted or rejected.
 */
#include "kernel/stepping/step_attempt.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/parallel.h"
#include "kernel/assembly/dependent.h"
#include "kernel/assembly/detect.h"
#include "kernel/assembly/diagnose.h"
#include "kernel/assembly/least_reactions.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/overlap_correction.h"
#include "kernel/assembly/parallel_slots.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/reduced.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "kernel/simulation/overflow.h"
#include "kernel/stepping/half_explicit.h"
#include "kernel/stepping/newton_passes.h"
#include "kernel/stepping/projection.h"
#include "kernel/stepping/time_stepping.h"

nsds_status nsds_attempt_start(nsds_time_stepping_driver *d, const nsds_scheme *scheme) {
  nsds_simulation *sim = &d->base;
  nsds_plan *plan = &sim->plan;
  sim->info.solver.solver = NULL;
  d->velocity.formed = false;
  sim->model->busy |= NSDS_BUSY_STEP;
  nsds_status status = nsds_plan_update(plan, scheme);
  if (!status) status = nsds_plan_detect(plan);
  if (status) return status;
  plan->trial.t = scheme->t_next;
  if (NSDS_UNLIKELY(d->half_explicit)) return nsds_half_explicit_begin(d);
  if (d->projects && (status = nsds_projection_begin(d))) return status;
  status = nsds_one_step_select(&d->velocity, d->def.gamma_prediction * scheme->h);
  sim->info.active = d->velocity.nactive;
  sim->info.rows = d->velocity.rows;
  if (!status) status = nsds_pass_begin(d);
  return !status && d->velocity.form->check ? d->velocity.form->check(&d->velocity) : status;
}

/* The next attempt leaves out joints that follow from others, if it is they. */
static NSDS_NOINLINE nsds_status unsolved(nsds_time_stepping_driver *d,
                                          const nsds_solver_info *info) {
  const nsds_one_step *o = &d->velocity;
  if (info->outcome == NSDS_REFUSED)
    return nsds_problem_refused(d->base.context, "step to", d->base.plan.scheme->t_next, o->rows,
                                o->solver);
  char label[nsds_label_size] = "none", drive[nsds_diagnosis_size] = "";
  int worst = info->worst_block >= 0 ? nsds_one_step_contact(o, info->worst_block) : -1;
  const nsds_plan *plan = &d->base.plan;
  if (worst >= 0) {
    nsds_ds_label(plan->slot[plan->contact[worst].reach[0].slot].ds, label);
    nsds_describe_drive(plan, &plan->contact[worst], drive);
  }
  bool before = o->dependent.sought;
  nsds_status status = before ? NSDS_OK : nsds_one_step_seek_dependent(&d->velocity);
  if (status) return status;
  return nsds_fail(
      d->base.context, NSDS_ERROR_SOLVER,
      "step to t = %.17g: the one-step problem of %d rows was not solved: %s by %s, "
      "residual %g, tolerance %g, worst at interaction #%d (first system: %s), row "
      "%d of the problem: error %g, terms %g%s%s%s%s",
      d->base.plan.scheme->t_next, o->rows, nsds_outcome_text(info->outcome), info->solver,
      info->residual, nsds_solver_get(o->solver, "tolerance"), worst, label, info->worst_row,
      info->worst_error, info->worst_scale, info->path[0] ? "; tried " : "", info->path,
      before ? "; joints depend on each other: a smaller h, or D of the joints" : "", drive);
}

/* No function of the model is being called meanwhile. */
static NSDS_NOINLINE nsds_verdict step_attempt_ask(nsds_time_stepping_driver *d,
                                                   const nsds_solver_info *info) {
  nsds_model *model = d->base.model;
  model->busy = NSDS_BUSY_STEP;
  nsds_verdict verdict = d->def.check_solver(&d->base, info, d->def.check_solver_user);
  model->busy = NSDS_BUSY_STEP | NSDS_BUSY_CALL;
  return verdict;
}

static NSDS_NOINLINE nsds_status step_attempt_solve_rows(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_solver_info *info = &sim->info.solver;
  enum { max_retries = 10 };
  for (int attempt = 0; attempt <= max_retries; ++attempt) {
    nsds_status status = nsds_one_step_solve(&d->velocity, info);
    if (status != NSDS_OK && status != NSDS_ERROR_SOLVER) return status;
    nsds_verdict verdict = d->def.check_solver ? step_attempt_ask(d, info) : NSDS_CONTINUE;
    if (verdict == NSDS_ACCEPT) return NSDS_OK;
    if (verdict == NSDS_STOP) return NSDS_STOPPED;
    if (verdict == NSDS_CONTINUE && status == NSDS_OK) {
      nsds_one_step_least(&d->velocity, info);
      return NSDS_OK;
    }
    if (verdict == NSDS_CONTINUE) return unsolved(d, info);
  }
  return nsds_fail(sim->context, NSDS_ERROR_SOLVER,
                   "step to t = %.17g: check_solver asked for more than %d repeated solves",
                   d->base.plan.scheme->t_next, max_retries);
}

/* No method is given numbers of which it can make nothing. */
static NSDS_NOINLINE nsds_status problem_overflow(nsds_simulation *sim, int row) {
  const nsds_one_step *o = &nsds_time_stepping_of(sim)->velocity;
  const nsds_plan *plan = &sim->plan;
  char system[nsds_label_size] = "", contact[nsds_label_size] = "the systems";
  int block = 0;
  for (int end = o->problem.block[0].size; end <= row; end += o->problem.block[block].size) ++block;
  int c = nsds_one_step_contact(o, block);
  if (c >= 0) nsds_contact_label(&plan->contact[c], contact);
  for (int s = 0; s < plan->nslot && !system[0]; ++s)
    if (nsds_first_nonfinite(plan->v_free + plan->slot[s].v0, plan->slot[s].nv) >= 0)
      nsds_ds_label(plan->slot[s].ds, system);
  return nsds_fail(
      sim->context, NSDS_ERROR_VALUE,
      "step to t = %.17g: the one-step problem is not finite at %s (overflow%s%s); the "
      "state at the start of the step is kept",
      plan->scheme->t_next, contact, system[0] ? " of the forces or the state of " : "", system);
}

nsds_status nsds_attempt_solve(nsds_simulation *sim) {
  const nsds_problem *problem = &nsds_time_stepping_of(sim)->velocity.problem;
  if (problem->n == 0) return NSDS_OK;
  int bad = nsds_first_nonfinite(problem->q, problem->n);
  return NSDS_UNLIKELY(bad >= 0) ? problem_overflow(sim, bad) : step_attempt_solve_rows(sim);
}

static NSDS_NOINLINE nsds_status overflow(const nsds_simulation *sim) {
  return nsds_check_shown(&sim->plan, &sim->plan.trial, "step to", sim->plan.scheme->t_next);
}

/* Of found contacts; and whether they are finite. */
typedef struct outputs {
  nsds_plan *plan;
  double zero[nsds_most_parts];
} outputs;

static inline double zero_if_finite(const nsds_plan *plan, const nsds_contact *contact) {
  const nsds_state *at = &plan->trial;
  int row = contact->y0, m = contact->m;
  return nsds_zero_if_pairs_finite(at->y + row, at->ydot + row, m) +
         nsds_zero_if_pairs_finite(at->impulse + row, at->force + row, m);
}

static void put_out_part(void *self, int part, int parts) {
  outputs *t = self;
  nsds_plan *plan = t->plan;
  int first = plan->ninteraction, found = plan->ncontact - first;
  int end = first + nsds_part_begin(found, part + 1, parts);
  double zero = 0.0;
  for (int c = first + nsds_part_begin(found, part, parts); c < end; ++c) {
    plan->contact[c].ops->output(plan, &plan->contact[c]); /* products alone */
    zero += zero_if_finite(plan, &plan->contact[c]);
  }
  t->zero[part] = zero;
}

/* y and dy/dt of found contacts at the trial state, then of interactions, as bodies may have to be
 * led out of overlap; zero is 0 where they are finite, impulses and forces too, NaN elsewhere. */
static nsds_status put_out(nsds_time_stepping_driver *d, double *zero) {
  enum { few = 128 }; /* contacts that are not worth being shared */
  nsds_plan *plan = &d->base.plan;
  int found = plan->ncontact - plan->ninteraction, parts = nsds_parts(found, few);
  nsds_status status = NSDS_OK;
  *zero = 0.0;
  if (found > 0) {
    outputs t = {.plan = plan};
    nsds_share_out(plan->context, parts, put_out_part, &t);
    for (int part = 0; part < parts; ++part) *zero += t.zero[part];
  }
  if (found > 0 && d->leads_out && *zero == 0.0 && d->velocity.form == &nsds_reduced)
    status = nsds_overlap_correct(&d->overlap, &d->velocity, d->def.overlap_sweeps);
  if (d->overlap.moved) *zero += nsds_zero_if_finite(plan->trial.q, (int)plan->model->size.nq);
  for (nsds_contact *c = plan->contact, *end = c + plan->ninteraction; !status && c < end; ++c) {
    status = c->ops->output(plan, c);
    *zero += zero_if_finite(plan, c);
  }
  return status;
}

static nsds_status finish_slot(nsds_slot *slot) {
  return slot->finishes ? slot->osi->finish(&slot->on) : NSDS_OK;
}

/* Local variables and reactions of the trial state; nothing non-finite may pass. */
static nsds_status fill_in(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_state *trial = &plan->trial;
  const nsds_state_size *size = &sim->model->size;
  sim->info.t_lambda =
      plan->scheme->t_next - (1.0 - plan->scheme->relation_weight) * plan->scheme->h;
  double zero = nsds_zero_if_finite(trial->q, (int)size->nq); /* aligned: q = ... + h theta v */
  if (!plan->slots_aligned) zero += nsds_zero_if_finite(trial->v, (int)size->nv);
  if (NSDS_UNLIKELY(zero != 0.0)) return overflow(sim);
  nsds_status status = put_out(nsds_time_stepping_of(sim), &zero);
  if (!status && NSDS_UNLIKELY(zero != 0.0)) status = overflow(sim);
  if (status) return status;
  if (plan->count.first > 0) nsds_first_order_inputs(plan);
  if (plan->nfinish > 0) status = nsds_plan_each(plan, finish_slot);
  zero = nsds_zero_if_pairs_finite(trial->p, trial->reaction, (int)size->nv);
  return NSDS_UNLIKELY(zero != 0.0 && !status) ? overflow(sim) : status;
}

/* The same; after a failure it can be made again. */
static nsds_status step_attempt_complete(nsds_time_stepping_driver *d) {
  d->overlap.moved = false;
  d->overlap.lifted = 0.0;
  nsds_status status = fill_in(&d->base);
  if (NSDS_UNLIKELY(status)) nsds_overlap_undo(&d->overlap, &d->base.plan);
  d->base.info.lifted = d->overlap.lifted;
  return status;
}

nsds_status nsds_attempt_update(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_status status = d->half_explicit ? nsds_half_explicit_end(d) : nsds_pass_end(d);
  if (!d->projects) return status ? status : step_attempt_complete(d);
  if (!status) status = nsds_projection_update(d);
  if (!status) status = step_attempt_complete(d);
  if (!status) nsds_projection_outputs(d);
  return status;
}

/* The whole of one step, but for what becomes of it. */
nsds_status nsds_attempt(nsds_time_stepping_driver *d, const nsds_scheme *scheme) {
  nsds_status status = nsds_attempt_start(d, scheme);
  if (status) return status;
  do {
    status = nsds_attempt_solve(&d->base);
    if (!status) status = nsds_attempt_update(&d->base);
  } while (status == NSDS_AGAIN);
  return status;
}

void nsds_attempt_reject(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  nsds_contact_sets_end(sim->model, false);
  plan->stale = true; /* what functions have said goes with the step that they may have failed */
}

/* Which interactions were active, in the model. A step in pieces has the activity of all of them.
 */
static NSDS_NOINLINE void show_activity(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  const nsds_one_step *o = &d->velocity;
  bool whole = d->base.info.substeps == 0;
  for (int c = 0, a = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    bool now = a < o->nactive && o->active[a] == c;
    a += now;
    if (now == contact->shown_active || (!now && !whole)) continue;
    contact->shown_active = now;
    if (contact->interaction) contact->interaction->active = now;
    else contact->set->active[contact->place] = now;
  }
  d->velocity.changed = d->velocity.changed && !whole;
}

void nsds_attempt_accept(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  nsds_state_copy(model->context, &model->state, &plan->trial, &model->size);
  nsds_contact_sets_end(model, true);
  for (const int *k = plan->forced, *end = k + plan->nforced; k < end; ++k) {
    nsds_slot *slot = &plan->slot[*k];
    double *swap = slot->on.force;
    slot->on.force = slot->on.force_end;
    slot->on.force_end = swap;
  }
  if (d->velocity.changed || sim->info.substeps > 0) show_activity(d);
  model->moved = d->lambda_found = false;
  model->settled = model->accepted =
      ++model->change; /* y and dy/dt hold, and other simulations see a change */
  model->busy &= ~(unsigned)NSDS_BUSY_STEP;
}
