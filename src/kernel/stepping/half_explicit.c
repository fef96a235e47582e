/*
 * The passes of a D1-minus step, each with a problem of its own over the same rows:
 *
 *   start    v* = v_k + h a_k + M_k^-1 H^T P_a,      0 <= H v*  perpendicular to  P_a >= 0
 *                                                    on rows with y_k <= 0 <= H v_k
 *            q_{k+1} = q_k (+) h/2 (v_k + v*)
 *   end      v- = (v_k + v*) / 2 + h/2 a_{k+1} + M_{k+1}^-1 H^T P_b,   a_{k+1} at q_{k+1} and v*
 *            0 <= H v-  perpendicular to  P_b >= 0   on these rows with y_{k+1} <= 0
 *   impact   v_{k+1} = v- + M_{k+1}^-1 H^T P_c,      0 <= H v_{k+1} + e H v-  perpendicular to
 *                                                    P_c >= 0 on rows with y_{k+1} <= 0
 *
 * P_a = h lambda_k+ and P_b = h/2 lambda_{k+1}-; the impulse of the step is P_a / 2 + P_b + P_c.
 * Equalities are in all passes. Rows that approach at the start, in a state that you set, are left
 * to the impact at the end.
 */
#include "kernel/stepping/half_explicit.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan_memory.h"
#include "kernel/assembly/schatzman_paoli_rows.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/terms.h"

static const double slack = 1e-6; /* relative to the way and the velocity of a free step */

/* Returns true if row i of an affine contact is closed at a state, up to rounding summed over many
 * steps. `rests`: the row must not approach either. */
static bool is_closed(const nsds_plan *plan, const nsds_contact *contact, int i,
                      const nsds_state *at, bool rests) {
  double place = nsds_terms_of_gap_at(plan, contact, contact->H, at, i), speed = 0.0;
  const double *H = contact->H + i;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = 0; k < r->size; ++k, H += contact->m)
      speed += fabs(*H * plan->v_free[r->column + k]);
  double near = 0x1p-46 * place + slack * plan->scheme->h * speed;
  return at->y[contact->y0 + i] <= near && (!rests || at->ydot[contact->y0 + i] >= -slack * speed);
}

/* Forms the problem of the rows that are closed at a state. `lasting`: only of rows of the last
 * problem. */
static nsds_status half_explicit_choose(nsds_time_stepping_driver *d, const nsds_state *at,
                                        bool lasting) {
  const nsds_plan *plan = &d->base.plan;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    for (int i = 0; i < contact->m; ++i) {
      unsigned char *closed = &d->closed[contact->y0 + i];
      *closed = (*closed || !lasting) && is_closed(plan, contact, i, at, d->pass == 0);
    }
  }
  nsds_status status = nsds_one_step_select(&d->velocity, 0.0, d->closed);
  d->base.info.active = d->velocity.set.nactive;
  d->base.info.rows = d->velocity.set.rows;
  return status ? status : nsds_one_step_form(&d->velocity);
}

static nsds_status half_explicit_reserve(nsds_time_stepping_driver *d) {
  size_t nv = d->base.model->size.nv, ny = d->base.model->size.ny;
  nsds_context *context = d->base.context;
  nsds_status status = nsds_grow(context, &d->closed, &d->closed_capacity, ny, sizeof *d->closed);
  if (!status)
    status =
        nsds_grow(context, &d->passed, &d->passed_capacity, 2 * nv + 2 * ny, sizeof *d->passed);
  if (!status) status = nsds_plan_reserve_last(&d->base.plan);
  if (status) return status;
  nsds_zero_doubles(d->passed, 2 * nv + 2 * ny);
  return NSDS_OK;
}

/* Adds weight times the impulses of the pass. */
static void add_pass(nsds_time_stepping_driver *d, double weight) {
  const nsds_plan *plan = &d->base.plan;
  size_t nv = plan->model->size.nv, ny = plan->model->size.ny;
  double *p = d->passed, *impulse = p + nv;
  for (size_t k = 0; k < nv; ++k) p[k] += weight * plan->trial.p[k];
  for (size_t k = 0; k < ny; ++k) impulse[k] += weight * plan->trial.impulse[k];
}

nsds_status nsds_half_explicit_begin(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  const nsds_state *now = &plan->model->state;
  double h = plan->scheme->h;
  nsds_step_info *info = &d->base.info;
  info->newton_iterations = 1;
  info->newton_converged = true;
  d->pass = 0;
  nsds_status status = half_explicit_reserve(d);
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = plan->slot[s].osi->free(&plan->slot[s].on);
  if (status) return status;
  for (size_t k = 0; k < plan->model->size.nv; ++k)
    plan->v_free[k] = now->v[k] + h * plan->v_free[k];
  d->velocity.form = &nsds_held;
  return half_explicit_choose(d, now, false);
}

/* Ends the first pass: predicts q_{k+1} and evaluates the rates there. */
static nsds_status end_start(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  const nsds_state *now = &plan->model->state;
  size_t nv = plan->model->size.nv;
  double h = plan->scheme->h, *way = d->passed + nv + 2 * plan->model->size.ny;
  nsds_one_step_apply_anew(&d->velocity);
  for (size_t k = 0; k < nv; ++k) way[k] = 0.5 * h * (now->v[k] + plan->trial.v[k]);
  nsds_copy_doubles(plan->trial.q, now->q, plan->model->size.nq);
  nsds_status status = nsds_slots_move(plan, way);
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = plan->slot[s].osi->evaluate(&plan->slot[s].on);
  for (int c = 0; !status && c < plan->ncontact; ++c)
    status = plan->contact[c].ops->output(plan, &plan->contact[c]);
  if (status) return status;
  add_pass(d, 0.5);
  for (size_t k = 0; k < nv; ++k) plan->v_free[k] = way[k] / h + 0.5 * h * plan->v_free[k];
  d->pass = 1;
  return half_explicit_choose(d, &plan->trial, true);
}

/* Ends the second pass: velocities before the impact, and lambda. */
static nsds_status end_end(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  size_t nv = plan->model->size.nv, ny = plan->model->size.ny;
  double *lambda = d->passed + nv + ny;
  nsds_one_step_apply_anew(&d->velocity);
  add_pass(d, 1.0);
  for (size_t k = 0; k < ny; ++k) lambda[k] = 2.0 * plan->trial.impulse[k] / plan->scheme->h;
  nsds_copy_doubles(plan->v_free, plan->trial.v, nv);
  d->velocity.form = &nsds_struck;
  d->pass = 2;
  return half_explicit_choose(d, &plan->trial, false);
}

/* Ends the third pass: sums up the impulses of the step. */
static void end_impact(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  size_t nv = plan->model->size.nv, ny = plan->model->size.ny;
  nsds_one_step_apply_anew(&d->velocity);
  for (size_t k = 0; k < nv; ++k) plan->trial.p[k] += d->passed[k];
  for (size_t k = 0; k < ny; ++k) plan->trial.impulse[k] += d->passed[nv + k];
  nsds_copy_doubles(plan->trial.force, d->passed + nv + ny, ny);
}

nsds_status nsds_half_explicit_end(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  if (!d->velocity.formed)
    return nsds_fail(d->base.context, NSDS_ERROR_STATE,
                     "D1-minus: the next pass was not formed; nsds_step_reject() ends the step");
  if (d->pass == 2) {
    end_impact(d);
    return NSDS_OK;
  }
  int pass = d->pass;
  nsds_copy_doubles(plan->v_last, plan->v_free, plan->model->size.nv);
  nsds_status status = pass == 0 ? end_start(d) : end_end(d);
  if (status && d->pass == pass) /* the pass can be ended again */
    nsds_copy_doubles(plan->v_free, plan->v_last, plan->model->size.nv);
  else if (status) nsds_one_step_unform(&d->velocity);
  return status ? status : NSDS_AGAIN;
}
