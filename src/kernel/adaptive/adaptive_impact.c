/*
 * Impacts. At a time at which gaps close, velocities jump:
 *
 *   v+ = v- + M^-1 H^T P,   0 <= dy/dt(v+) + e dy/dt(v-)  perpendicular to  P >= 0    closed gaps
 *                           dy/dt(v+) = 0                                             equalities
 *
 * This is the one-step problem with the gains M^-1 of an instant. States of first order stay, as no relation gives them an
 * impulse.
 */
#include "kernel/adaptive/adaptive_impact.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/adaptive/adaptive_switches.h"
#include "kernel/adaptive/implicit_evaluate.h"
#include "kernel/adaptive/implicit_second.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/reduced.h"
#include "kernel/modeling/modeling.h"
#include "numerics/linear/product.h"

/* Writes dy/dt before the impact to q, with the memory of laws. */
static void impact_constant_term(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const nsds_entry *entry = &o->op.entry[o->set.active[a]];
    const unsigned char *on = entry->more->on;
    int rows = o->reduced.row[a + 1] - o->reduced.row[a], r = 0;
    double *q = o->q + o->reduced.row[a];
    nsds_zero_doubles(o->z + o->reduced.row[a], (size_t)rows);
    for (int i = 0; i < contact->m; ++i)
      if (!on || on[i / contact->size]) q[r++] = contact->is.affine ? 0.0 : entry->offset[i];
    for (int e = o->reduced.first_edge[a]; e < o->reduced.first_edge[a + 1]; ++e)
      nsds_add_product(rows, o->reduced.edge[e].size, o->reduced.edge[e].H, rows,
                       plan->v_free + o->reduced.edge[e].column, q);
    for (int i = 0; contact->restitution && i < rows; ++i) { /* laws of gaps have one row */
      double before = q[i];
      contact->restitution(contact->law_self, &before, q + i);
    }
  }
}

nsds_status nsds_impact_prepare(nsds_adaptive_driver *d) {
  nsds_one_step *o = &d->bodies.impact;
  nsds_displacement *drift = &d->bodies.drift;
  if (!o->op.plan) { /* what a shortage of memory has left out comes with the next call */
    nsds_one_step_create(&d->base.plan, true, o);
    d->bodies.form = (nsds_formulation){.name = "impacts of adaptive steps",
                                        .prepare = nsds_reduced_prepare,
                                        .assemble = nsds_reduced_assemble,
                                        .form_matrix = nsds_reduced_form_matrix,
                                        .constant_term = impact_constant_term,
                                        .apply = nsds_reduced.apply};
    o->form = &d->bodies.form;
  }
  o->solver = d->base.solver;
  if (!drift->problem.op.plan) nsds_displacement_create(&d->base.plan, false, true, drift);
  nsds_status status = drift->nearest ? NSDS_OK : nsds_displacement_solvers(drift);
  return status ? status : nsds_displacement_reserve(drift);
}

/* Evaluates w and y at the present state. */
static nsds_status evaluate_gaps(nsds_adaptive_driver *d) {
  nsds_implicit_motion *motion = &d->stage.rows.motion;
  nsds_copy_doubles(motion->q, d->now.q, (size_t)motion->nq);
  nsds_status status = nsds_implicit_laws(
      &d->stage.rows, fmin(fmax(d->now.t, d->piece.from), d->piece.to), d->now.z, d->now.w);
  if (!status) nsds_copy_doubles(d->now.gap, motion->gap, (size_t)d->stage.rows.ny);
  return status;
}

/* Closes gaps. Returns whether a closed one would go on closing. */
static bool close_gaps(nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  const double wide = 4.0; /* surely those whose closing was located */
  bool strikes = false;
  for (int k = 0; k < r->ny; ++k) {
    if (r->motion.kind[k] != NSDS_ROW_OF_GAP) continue;
    double y = d->now.gap[k], rate = d->now.w[k],
           slack = d->bodies.closed[k] ? d->def.settling * d->bounds[r->ny + k] : 0.0;
    bool comes = rate < 0.0 && y + wide * nsds_near_gap(d, rate) * rate <= 0.0;
    d->bodies.closed[k] = y <= slack || comes;
    strikes = strikes || (d->bodies.closed[k] && rate < 0.0);
  }
  nsds_switches_bounds(d);
  return strikes;
}

/* Writes H, and dh/dt, of contacts that are not affine. */
static nsds_status linearise_impact(nsds_adaptive_driver *d) {
  const nsds_one_step *o = &d->bodies.impact;
  nsds_status status = NSDS_OK;
  for (int a = 0; !status && a < o->set.nactive; ++a) {
    int c = o->set.active[a];
    const nsds_contact *contact = &d->base.plan.contact[c];
    nsds_entry *entry = &o->op.entry[c];
    const double *H;
    if (contact->is.affine) continue;
    status =
        nsds_implicit_second_rates(&d->stage.rows, contact, d->now.t, d->now.z, entry->offset, &H);
    if (!status) nsds_copy_doubles(entry->H, H, (size_t)contact->m * (size_t)contact->nv);
  }
  return status;
}

/* Selects joints and closed gaps. */
static nsds_status select_held(nsds_adaptive_driver *d) {
  nsds_one_step *o = &d->bodies.impact;
  return nsds_one_step_select(o, 0.0, d->bodies.closed);
}

static nsds_status solve_impact(nsds_adaptive_driver *d) {
  nsds_plan *plan = &d->base.plan;
  nsds_one_step *o = &d->bodies.impact;
  const nsds_state at = {.t = d->now.t, .q = d->now.q, .v = d->now.z};
  nsds_copy_doubles(plan->v_free, d->now.z, plan->model->size.nv);
  nsds_zero_doubles(plan->trial.impulse, plan->model->size.ny);
  nsds_status status = nsds_contact_operator_gains(&o->op, &at);
  if (!status) status = select_held(d);
  if (!status) status = linearise_impact(d);
  if (!status) status = nsds_one_step_form(o);
  if (!status && o->problem.n > 0) status = nsds_one_step_solve(o, &d->stage.info);
  if (status) return status;
  nsds_one_step_apply_anew(o);
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    if (nsds_is_second_order(slot->ds))
      nsds_copy_doubles(d->now.z + slot->v0, plan->trial.v + slot->v0, (size_t)slot->nv);
  }
  for (int k = 0; k < d->stage.rows.ny; ++k)
    if (d->stage.rows.motion.kind[k] != NSDS_ROW_OF_Y)
      d->bodies.impulse[k] += plan->trial.impulse[k];
  return NSDS_OK;
}

nsds_status nsds_impact_strike(nsds_adaptive_driver *d) {
  nsds_status status = evaluate_gaps(d);
  if (status || !close_gaps(d)) return status;
  status = solve_impact(d);
  return status ? status : evaluate_gaps(d);
}

/* Returns true if joints or closed gaps have left zero by more than rounding. */
static bool has_drifted(const nsds_adaptive_driver *d) {
  const nsds_implicit_motion *motion = &d->stage.rows.motion;
  const double rounding = 1e-13; /* of the largest coordinate */
  for (int k = 0; k < d->stage.rows.ny; ++k)
    if (motion->kind[k] != NSDS_ROW_OF_Y && !nsds_gap_is_open(d, k) &&
        fabs(d->now.gap[k]) > rounding * d->bodies.farthest)
      return true;
  return false;
}

nsds_status nsds_impact_correct_drift(nsds_adaptive_driver *d) {
  nsds_state *trial = &d->base.plan.trial;
  nsds_displacement *drift = &d->bodies.drift;
  size_t nq = (size_t)d->stage.rows.motion.nq;
  double violation;
  if (!has_drifted(d)) return NSDS_OK;
  trial->t = d->now.t;
  nsds_copy_doubles(trial->q, d->now.q, nq);
  nsds_copy_doubles(trial->v, d->now.z, (size_t)d->stage.rows.nx);
  nsds_status status = select_held(d);
  if (!status) status = nsds_displacement_choose(drift, &d->bodies.impact, NULL);
  if (!status) status = nsds_displacement_measure(drift, INFINITY, &violation);
  if (!status) status = nsds_displacement_move(drift);
  if (status) return status;
  nsds_copy_doubles(d->now.q, trial->q, nq);
  return evaluate_gaps(d);
}

double nsds_impact_ahead(const nsds_adaptive_driver *d) {
  double first = HUGE_VAL;
  for (int k = 0; nsds_adaptive_moves(d) && k < d->stage.rows.ny; ++k) {
    double rate = nsds_gap_is_open(d, k) ? d->now.w[k] : 0.0;
    if (rate < 0.0 && d->now.gap[k] > 0.0) first = fmin(first, d->now.gap[k] / -rate);
  }
  return first;
}
