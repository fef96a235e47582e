/*
 * Values, linearisation and test of an iterate of Newton's method on the residuals of the systems.
 * Each iteration linearises the relations at Q* and solves the nonsmooth problem. The loop is in
 * time_step.c. Start: u = u_i, q = q_i + h v_i.
 */
#include "kernel/stepping/newton_iteration.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/cluster.h"
#include "kernel/assembly/dependent.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_tree.h"
#include "kernel/assembly/slot_mass.h"
#include "kernel/stepping/newton_test.h"
#include "kernel/stepping/time_stepping_driver.h"

nsds_status nsds_newton_evaluate(nsds_plan *plan) {
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (!plan->contact[c].is.affine && plan->contact[c].ops->evaluate)
      status = plan->contact[c].ops->evaluate(plan, &plan->contact[c]);
  if (!status && plan->schemes.nown > 0 && plan->count.first > 0) nsds_first_order_inputs(plan);
  for (int s = 0; !status && s < plan->nslot; ++s)
    if (!plan->slot[s].on.affine) status = plan->slot[s].osi->evaluate(&plan->slot[s].on);
  return status;
}

nsds_status nsds_newton_linearise(nsds_plan *plan, nsds_one_step *o) {
  nsds_status status = NSDS_OK;
  nsds_slot *first = plan->slot, *end = plan->slots_affine ? first : first + plan->nslot;
  for (nsds_slot *slot = first; !status && slot < end; ++slot) {
    if (slot->on.affine || (slot->is.jointed && nsds_plan_tree_keeps(plan))) continue;
    status = slot->osi->tangent(&slot->on);
    if (slot->is.jointed) continue;
    for (int k = 0; k < slot->nv; ++k) slot->on.u_free[k] = -slot->on.residual[k];
  }
  if (!status && plan->tree) status = nsds_plan_tree_factor(plan);
  if (!status) status = nsds_one_step_linearise(o);
  if (!status && plan->count.first > 0) nsds_first_order_load_free(o);
  for (nsds_slot *slot = first; !status && slot < end; ++slot) {
    bool alone = (slot->cluster < 0 || nsds_slot_by_gain(slot)) && !slot->is.jointed;
    if (!slot->on.affine && alone) status = slot->osi->solve(&slot->on);
  }
  for (int k = 0; !status && k < plan->ncluster; ++k) {
    status = nsds_cluster_factor(plan, &plan->cluster[k]);
    if (!status) nsds_cluster_solve_free(plan, &plan->cluster[k]);
  }
  for (nsds_slot *slot = first; !status && slot < end; ++slot) {
    if (slot->on.affine || slot->is.jointed) continue;
    for (int k = 0; k < slot->nv; ++k) slot->on.u_free[k] += slot->on.u_end[k];
  }
  return status;
}

nsds_status nsds_newton_linearise_first(nsds_time_stepping_driver *d) {
  nsds_status status = nsds_newton_linearise(&d->base.plan, &d->velocity);
  const nsds_plan_tree *tree = d->base.plan.tree;
  if (status || !(d->velocity.dependent.sought || (tree && tree->loops))) return status;
  status = nsds_dependent_leave_out(&d->velocity); /* dependence changes as joints turn */
  return status ? status : nsds_one_step_linearise(&d->velocity);
}

static nsds_status newton_unconverged(nsds_time_stepping_driver *d) {
  nsds_context *context = d->base.context;
  const nsds_step_info *info = &d->base.info;
  if (d->def.newton.accept) {
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

/* Adds contacts that the iterate closes. If there are any, the iteration goes on. */
static nsds_status update_index_set(nsds_time_stepping_driver *d) {
  nsds_step_info *info = &d->base.info;
  bool grown;
  double tau = d->def.activation.gamma_prediction * d->base.plan.scheme->h;
  nsds_status status = nsds_one_step_widen(&d->velocity, tau, &grown);
  info->newton_converged = info->newton_converged && !grown;
  info->active = d->velocity.set.nactive;
  info->rows = d->velocity.set.rows;
  return status;
}

/* Lets relations bound the new lambda, from that of the linearisation. Returns whether any did. */
static bool newton_limit(nsds_plan *plan) {
  bool changed = false;
  for (int c = 0; plan->count.first > 0 && c < plan->ninteraction; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_relation *relation = contact->interaction->relation;
    if (contact->kind != NSDS_RELATION_FIRST_ORDER || !contact->first->lambda ||
        !relation->ops->limit)
      continue;
    double *lambda = plan->trial.impulse + contact->y0;
    changed |= relation->ops->limit(relation->self, contact->first->lambda, lambda);
    nsds_copy_doubles(plan->trial.force + contact->y0, lambda, (size_t)contact->m);
  }
  return changed;
}

nsds_status nsds_newton_test(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  if (nsds_first_nonfinite(plan->trial.v, (int)plan->model->size.nv) >= 0)
    return newton_unconverged(d);
  bool limited = newton_limit(plan);
  nsds_status status = nsds_newton_evaluate(plan);
  if (status) return status;
  info->newton_converged = nsds_newton_converged(d) && !limited;
  if (d->def.update_prediction) status = update_index_set(d);
  if (status || info->newton_converged) return status;
  if (info->newton_iterations >= d->def.newton.max_iterations) return newton_unconverged(d);
  ++info->newton_iterations;
  nsds_copy_doubles(plan->v_last, plan->trial.v, plan->model->size.nv);
  d->reached = NSDS_PASS_TESTED;
  return NSDS_OK;
}
