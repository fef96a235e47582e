/*
 * A step of nonsmooth RATTLE:
 *
 *   do {
 *     places     v and q_{k+1} from the problem of the first half, about the iterate
 *   } while (v changes, or another gap closes)
 *   close        which rows are closed at q_{k+1}
 *   approach     if a gap has closed whose law remembers the speed: this speed, in two linear passes
 *   speeds       v_{k+1} from the problem of the second half, one linear pass
 *
 * The rows are in rattle_places.c and rattle_speeds.c, the systems in integrators/rattle.c.
 */
#include "kernel/stepping/rattle_step.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/plan_memory.h"
#include "kernel/modeling/label.h"
#include "kernel/stepping/rattle_places.h"
#include "kernel/stepping/rattle_speeds.h"
#include "kernel/stepping/rattle_springs.h"
#include "kernel/assembly/terms.h"

#include <float.h>

enum nsds_rattle_pass { places, end, approach, speeds };

static const double small =
    0x1p-45;                      /* change of v in the last iteration, relative to v and q / h */
static const double spare = 64.0; /* the rate of the next iteration may be so much worse */
/* Part of the solver's tolerance that laws may be off at the end of iterations. */
static const double share = 0.1;
static const double slow = 1e-9; /* a larger change that does not shrink has not converged */

static nsds_status advance_all(nsds_plan *plan) {
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = plan->slot[s].osi->advance(&plan->slot[s].on);
  return status;
}

/* Linearises a system at the iterate. *stands: with the impulses so far, the linear system gives the
 * iterate. */
static nsds_status aim_slot(const nsds_plan *plan, nsds_slot *slot, double size, bool *stands) {
  nsds_integration *on = &slot->on;
  nsds_status status = slot->osi->evaluate(on);
  if (!status) status = slot->osi->tangent(on);
  for (int k = 0; k < slot->nv; ++k) on->u_free[k] = plan->trial.p[slot->v0 + k];
  if (!status) status = slot->osi->solve(on);
  for (int k = 0; k < slot->nv; ++k) {
    slot->scratch[k] = on->u_free[k];
    on->u_free[k] = -on->residual[k];
  }
  if (!status) status = slot->osi->solve(on);
  for (int k = 0; k < slot->nv; ++k) {
    *stands = *stands && fabs(slot->scratch[k] + on->u_free[k]) <= small * size;
    on->u_free[k] += on->u_end[k];
  }
  return status;
}

static nsds_status aim_slots(nsds_time_stepping_driver *d, bool *stands) {
  nsds_plan *plan = &d->base.plan;
  bool pulled = plan->count.mixed > 0;
  nsds_status status = nsds_rattle_pull_first(plan, &d->halves, stands);
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (!slot->on.affine) status = aim_slot(plan, slot, d->halves.size[s], stands);
    else if (pulled) status = slot->osi->free(&slot->on);
  }
  return status;
}

/* Linearises systems and rows at the iterate. *stands: the next problem has the last solution, and
 * the iterate is that of its v. */
static nsds_status aim_places(nsds_time_stepping_driver *d, bool *stands) {
  double loose = share * nsds_solver_get(d->velocity.solver, "tolerance");
  nsds_status status = aim_slots(d, stands);
  return status ? status : nsds_rattle_aim(&d->velocity, &d->halves, small, loose, stands);
}

/* Returns true if one linear pass is enough for the first half. */
static bool is_linear(const nsds_plan *plan) {
  bool linear = plan->slots_affine && plan->count.mixed == 0;
  for (int c = 0; linear && c < plan->ncontact; ++c) linear = plan->contact[c].is.affine;
  return linear;
}

nsds_status nsds_rattle_begin(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  size_t nv = plan->model->size.nv;
  nsds_status status = nsds_rattle_reserve(plan, &d->halves);
  if (!status) status = nsds_plan_reserve_last(plan);
  d->solving = &d->velocity;
  d->pass = places;
  d->halves.change = INFINITY;
  info->newton_iterations = 1;
  info->newton_converged = is_linear(plan);
  d->reached = NSDS_PASS_SOLVED;
  nsds_copy_doubles(plan->trial.v, plan->model->state.v, nv);
  nsds_rattle_begin_springs(plan, &d->halves);
  bool stands = false;
  if (!status) status = nsds_rattle_pull_first(plan, &d->halves, &stands);
  for (int s = 0; !status && s < plan->nslot; ++s)
    if (plan->slot[s].on.affine) status = plan->slot[s].osi->free(&plan->slot[s].on);
  if (!status) status = advance_all(plan);
  if (!status) status = nsds_rattle_start(&d->velocity);
  if (status) return status;
  nsds_rattle_choose(&d->velocity, &d->halves);
  status = nsds_one_step_select(&d->velocity, 0.0, d->halves.tried);
  if (!status) status = aim_slots(d, &stands);
  if (!status) status = nsds_rattle_aim_first(&d->velocity, &d->halves);
  return status ? status : nsds_one_step_form(&d->velocity);
}

/* Computes the change of v in this iteration, relative to the sizes of v and q / h: the largest of
 * all systems. */
static double rattle_change(const nsds_plan *plan, double *sizes) {
  double most = 0.0;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    double change = 0.0, size = nsds_terms_size(plan, slot) * 4.0 * DBL_EPSILON / small,
           speed = 0.0;
    for (int k = slot->v0; k < slot->v0 + slot->nv; ++k) {
      nsds_raise(&change, fabs(plan->trial.v[k] - plan->v_last[k]));
      nsds_raise(&speed, fabs(plan->trial.v[k]));
      nsds_raise(&speed, fabs(plan->v_free[k]));
    }
    nsds_raise(&size, speed);
    sizes[s] = size;
    if (change > 0.0) nsds_raise(&most, change / size);
  }
  return most;
}

/* Judges the iterate. The error left is the next change, by the rate of the last two. */
static nsds_status rattle_test(nsds_time_stepping_driver *d) {
  nsds_step_info *info = &d->base.info;
  double before = d->halves.change, change = rattle_change(&d->base.plan, d->halves.size);
  bool stands = change > 0.5 * before;
  double left = isfinite(before) && !stands ? fmin(1.0, spare * change / before) * change : change;
  d->halves.change = change;
  info->newton_increment = change;
  info->newton_converged = left <= small || (stands && change <= slow);
  if (info->newton_converged) return NSDS_OK;
  if (info->newton_iterations < d->def.newton.max_iterations) {
    ++info->newton_iterations;
    return NSDS_OK;
  }
  if (d->def.newton.accept) {
    info->newton_converged = true;
    return NSDS_OK;
  }
  return nsds_fail(d->base.context, NSDS_ERROR_NEWTON,
                   "RATTLE step to t = %.17g: the first half did not converge in %d iterations: v "
                   "changes by %g of its size; valid are a shorter step, or more "
                   "newton.max_iterations",
                   d->base.plan.scheme->t_next, info->newton_iterations, change);
}

/* Forms the problem of the second half. */
static nsds_status form_speeds(nsds_time_stepping_driver *d) {
  nsds_status status = nsds_rattle_form_speeds(&d->halves);
  d->base.info.active = d->halves.speeds.set.nactive;
  d->base.info.rows = d->halves.speeds.set.rows;
  if (!status) d->pass = speeds;
  return status;
}

/* Forms the problem of the velocities with which the first gap closes. */
static nsds_status form_approach(nsds_time_stepping_driver *d) {
  double part = nsds_rattle_part(&d->base.plan, &d->halves);
  nsds_status status = nsds_rattle_form_approach(&d->halves, part);
  if (!status) d->pass = approach;
  return status;
}

/* Fails if impulses close a gap along a gradient that is not its own any more. */
static nsds_status check_ways(const nsds_time_stepping_driver *d) {
  const nsds_contact *contact = nsds_rattle_astray(&d->velocity);
  char label[nsds_label_size];
  if (!contact) return NSDS_OK;
  nsds_contact_label(contact, label);
  return nsds_fail(
      d->base.context, NSDS_ERROR_NEWTON,
      "RATTLE step to t = %.17g: %s passes to another place of its shapes so fast that "
      "its gap does not follow its gradient; valid is a shorter step",
      d->base.plan.scheme->t_next, label);
}

/* Ends the first half and forms the next problem. `aimed`: the rows were evaluated at the iterate. */
static nsds_status end_places(nsds_time_stepping_driver *d, bool aimed) {
  nsds_status status = nsds_rattle_measure(&d->velocity, &d->halves, aimed);
  if (!status) status = check_ways(d);
  if (status) return status;
  bool strikes = nsds_rattle_close(&d->velocity, &d->halves);
  status = nsds_rattle_end(&d->halves);
  if (!status) status = strikes ? nsds_rattle_form_approach(&d->halves, 1.0) : form_speeds(d);
  if (status) return status;
  if (strikes) d->pass = end;
  d->solving = &d->halves.speeds;
  return NSDS_OK;
}

static nsds_status end_iterate(nsds_time_stepping_driver *d, bool aimed) {
  d->base.info.newton_converged = true;
  nsds_status status = end_places(d, aimed);
  if (!status) d->reached = NSDS_PASS_SOLVED;
  return status;
}

/* Ends an iteration of the first half. Called again after a failure, goes on after the work done. */
static nsds_status update_places(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_status status = NSDS_OK;
  if (d->reached == NSDS_PASS_SOLVED) {
    nsds_copy_doubles(plan->v_last, plan->trial.v, plan->model->size.nv);
    nsds_one_step_apply_anew(&d->velocity);
    d->reached = NSDS_PASS_APPLIED;
  }
  if (d->reached == NSDS_PASS_APPLIED) {
    status = advance_all(plan);
    if (!status && !d->base.info.newton_converged) status = rattle_test(d);
    if (status) return status;
    d->reached = NSDS_PASS_TESTED;
  }
  bool done = d->base.info.newton_converged, grown = false;
  status = nsds_rattle_widen(&d->velocity, &d->halves, &grown);
  if (status) return status;
  if (done && !grown) return end_iterate(d, false);
  if (grown) {
    d->base.info.newton_converged = is_linear(plan);
    status = nsds_one_step_select(&d->velocity, 0.0, d->halves.tried);
  }
  bool stands = !grown;
  if (!status) status = aim_places(d, &stands);
  if (!status && stands) {
    --d->base.info.newton_iterations;
    return end_iterate(d, true);
  }
  if (!status) status = nsds_one_step_form(&d->velocity);
  if (!status) d->reached = NSDS_PASS_SOLVED;
  return status;
}

nsds_status nsds_rattle_update(nsds_time_stepping_driver *d) {
  nsds_status status = NSDS_OK;
  if (d->pass == speeds) {
    nsds_rattle_apply(&d->halves);
    return NSDS_OK;
  }
  if (d->pass == places) {
    status = update_places(d);
  } else {
    nsds_rattle_approach(&d->halves);
    status = d->pass == end ? form_approach(d) : form_speeds(d);
  }
  return status ? status : NSDS_AGAIN;
}
