/*
 * The passes of one step. A model whose systems and relations are linear takes one. Others take
 * Newton's method on the residuals of the systems, with the relations linearised at Q* and the
 * nonsmooth problem solved in every iteration. Start: u = u_i, q = q_i + h v_i.
 */
#include "kernel/stepping/newton_passes.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/cluster.h"
#include "kernel/assembly/dependent.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/parallel_slots.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/slot_mass.h"
#include "kernel/stepping/newton.h"
#include "kernel/stepping/time_stepping.h"

static nsds_status advance_slot(nsds_slot *slot) {
  return slot->osi->advance ? slot->osi->advance(&slot->on) : NSDS_OK;
}

static nsds_status newton_passes_advance(nsds_plan *plan) {
  const nsds_state *now = &plan->model->state, *end = &plan->trial;
  const nsds_integrator *flat = plan->integrator[2];
  if (plan->slots_aligned && flat->advance_flat) {
    flat->advance_flat(plan->scheme, plan->model->size.nq, now->q, now->v, end->v, end->q);
    return NSDS_OK;
  }
  return nsds_plan_each(plan, advance_slot);
}

/* Values of relations and residuals of systems at the iterate. Where systems make parts of the step
 * these depend on the inputs. */
static nsds_status newton_passes_evaluate(nsds_plan *plan) {
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (!plan->contact[c].affine && plan->contact[c].ops->evaluate)
      status = plan->contact[c].ops->evaluate(plan, &plan->contact[c]);
  if (!status && plan->nown > 0 && plan->count.first > 0) nsds_first_order_inputs(plan);
  for (int s = 0; !status && s < plan->nslot; ++s)
    if (!plan->slot[s].affine) status = plan->slot[s].osi->evaluate(&plan->slot[s].on);
  return status;
}

static nsds_status free_slot(nsds_slot *slot) {
  return slot->affine ? slot->osi->free(&slot->on) : NSDS_OK;
}

/* Free unknowns of the systems that are not affine, and relations, at the iterate. */
static nsds_status newton_passes_linearise(nsds_plan *plan, nsds_one_step *o) {
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && !plan->slots_affine && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->affine) continue;
    status = slot->osi->tangent(&slot->on);
    for (int k = 0; k < slot->nv; ++k) slot->on.u_free[k] = -slot->on.residual[k];
  }
  if (!status) status = nsds_one_step_linearise(o);
  for (int s = 0; !status && !plan->slots_affine && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    bool alone = slot->cluster < 0 || nsds_slot_by_gain(slot);
    if (!slot->affine && alone) status = slot->osi->solve(&slot->on);
  }
  for (int k = 0; !status && k < plan->ncluster; ++k) {
    status = nsds_cluster_factor(plan, &plan->cluster[k]);
    if (!status) nsds_cluster_solve_free(plan, &plan->cluster[k]);
  }
  for (int s = 0; !plan->slots_affine && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    for (int k = 0; !slot->affine && k < slot->nv; ++k) slot->on.u_free[k] += slot->on.u_end[k];
  }
  return status;
}

/* The start of a step in which something has to be linearised. */
static NSDS_NOINLINE nsds_status begin_varying(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  size_t nv = plan->model->size.nv;
  nsds_status status = NSDS_OK;
  nsds_copy_doubles(plan->trial.v, plan->model->state.v, nv);
  nsds_zero_doubles(plan->trial.p, nv);
  bool placed = d->newton || plan->count.compliant > 0 || plan->count.mixed > 0;
  if (placed) status = newton_passes_advance(plan); /* positions of the iterate */
  if (d->newton) {
    nsds_copy_doubles(plan->v_last, plan->trial.v, nv);
  }
  if (!status) status = newton_passes_evaluate(plan);
  if (!status) status = nsds_plan_each(plan, free_slot);
  if (!status) status = newton_passes_linearise(plan, &d->velocity);
  if (status || !d->velocity.dependent.sought) return status;
  status = nsds_one_step_leave_out(&d->velocity); /* joints turn */
  return status ? status : nsds_one_step_linearise(&d->velocity);
}

nsds_status nsds_pass_begin(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  d->newton = !nsds_plan_linear(plan);
  d->reached = NSDS_PASS_SOLVED;
  info->newton_iterations = 1;
  info->newton_converged = !d->newton;
  info->newton_residual = info->newton_residual_y = info->newton_residual_r = 0.0;
  info->newton_increment = 0.0;
  bool varying = d->newton || plan->count.varying > 0;
  nsds_status status = varying ? begin_varying(d) : nsds_plan_each(plan, free_slot);
  return status ? status : nsds_one_step_form(&d->velocity);
}

static nsds_status newton_passes_unconverged(nsds_time_stepping_driver *d) {
  nsds_context *context = d->base.context;
  const nsds_step_info *info = &d->base.info;
  if (d->def.newton_accept) {
    nsds_log(context, NSDS_LOG_WARNING,
             "Newton's method did not converge in %d iterations; the step is accepted as asked",
             info->newton_iterations);
    return NSDS_OK;
  }
  nsds_status status = nsds_plan_check_masses(&d->base.plan, NSDS_ERROR_NEWTON);
  if (status) return status;
  return nsds_fail(context, NSDS_ERROR_NEWTON,
                   "step to t = %.17g: Newton's method did not converge in %d iterations: residual "
                   "of the dynamics %g, of y = h %g, of r = g %g, increment %g",
                   d->base.plan.scheme->t_next, info->newton_iterations, info->newton_residual,
                   info->newton_residual_y, info->newton_residual_r, info->newton_increment);
}

/* Contacts that the iterate closes; with any of them the iteration goes on. */
static nsds_status update_index_set(nsds_time_stepping_driver *d) {
  nsds_step_info *info = &d->base.info;
  bool grown;
  double tau = d->def.gamma_prediction * d->base.plan.scheme->h;
  nsds_status status = nsds_one_step_widen(&d->velocity, tau, &grown);
  info->newton_converged = info->newton_converged && !grown;
  info->active = d->velocity.nactive;
  info->rows = d->velocity.rows;
  return status;
}

/* Whether Newton's method has converged; where not, another iteration is counted. */
static nsds_status pass_test_newton(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  if (nsds_first_nonfinite(plan->trial.v, (int)plan->model->size.nv) >= 0)
    return newton_passes_unconverged(d);
  nsds_status status = newton_passes_evaluate(plan);
  if (status) return status;
  info->newton_converged = nsds_newton_converged(d);
  if (d->def.update_prediction) status = update_index_set(d);
  if (status || info->newton_converged) return status;
  if (info->newton_iterations >= d->def.newton_max_iterations) return newton_passes_unconverged(d);
  ++info->newton_iterations;
  nsds_copy_doubles(plan->v_last, plan->trial.v, plan->model->size.nv);
  d->reached = NSDS_PASS_TESTED;
  return NSDS_OK;
}

/* The next pass, where Newton's method has not converged. */
static NSDS_NOINLINE nsds_status end_newton(nsds_time_stepping_driver *d) {
  nsds_status status = NSDS_OK;
  if (d->reached == NSDS_PASS_APPLIED) status = pass_test_newton(d);
  if (status || d->reached == NSDS_PASS_APPLIED) return status;
  status = newton_passes_linearise(&d->base.plan, &d->velocity);
  if (!status) status = nsds_one_step_form(&d->velocity);
  if (status) return status;
  d->reached = NSDS_PASS_SOLVED;
  return NSDS_AGAIN;
}

/* Made again after a failure, it goes on behind what it has done: a linearisation that failed has
 * spoiled what the velocities were made of. */
nsds_status nsds_pass_end(nsds_time_stepping_driver *d) {
  nsds_status status = NSDS_OK;
  if (d->reached == NSDS_PASS_SOLVED) {
    nsds_one_step_apply(&d->velocity);
    status = newton_passes_advance(&d->base.plan);
  }
  if (status || !d->newton) return status;
  if (d->reached == NSDS_PASS_SOLVED) d->reached = NSDS_PASS_APPLIED;
  return end_newton(d);
}
