/*
 * Theta-gamma schemes for one first-order system over [t_k, t_{k+1}], h = t_{k+1} - t_k:
 *
 *   R(x) = M (x - x_k) - h theta f(t_{k+1},x) - h (1-theta) f_k - h (1-gamma) r_k - h rho r
 *   W = M - h theta df/dx,   M at t_k + theta h
 *   Newton:  x_free = x^a - W^-1 R_free(x^a)
 *   affine:  x_free = x_k + W^-1 [h theta (A_{k+1} x_k + b_{k+1}) + h (1-theta) f_k
 *                                 + h (1-gamma) r_k]
 *
 * The gain of an input r is h rho W^-1, and h rho is part of the input matrices. The standard scheme
 * has rho = gamma; where r is taken at t_{k+gamma}, or gamma = 1, rho = 1 and r_k does not enter.
 * Source: Acary and Brogliato (2008), ch. 9 and 11.
 */
#include "simulation.h"

static nsds_in at_state(const nsds_slot *slot, double t, const double *x) {
  return nsds_ds_in(slot->ds, t, x, x);
}

static bool time_invariant(const nsds_slot *slot) {
  return slot->affine && (!slot->K || slot->ds->stiffness.constant);
}

static nsds_status update_mass(nsds_simulation *sim, nsds_slot *slot) {
  if (!slot->M || slot->ds->mass.constant) return NSDS_OK;
  double t = sim->t + sim->def.theta * sim->h_now;
  nsds_in in = at_state(slot, t, sim->model->v + slot->v0);
  return slot->ds->first->mass(slot->ds->self, &in, slot->M);
}

static nsds_status update_jacobian(const nsds_slot *slot, const nsds_in *in) {
  if (!slot->K || slot->ds->stiffness.constant) return NSDS_OK;
  return slot->ds->first->jacobian(slot->ds->self, in, slot->K);
}

/* f(t,x), or b(t) alone for a time-invariant system. */
static nsds_status right_side(nsds_slot *slot, double t, const double *x, double *f) {
  nsds_in in = at_state(slot, t, x);
  nsds_status status = slot->ds->first->rhs(slot->ds->self, &in, f);
  if (!status && slot->ds->affine && !time_invariant(slot)) {
    status = update_jacobian(slot, &in);
    nsds_shape_multiply(&slot->ds->stiffness, slot->nv, slot->K, 1.0, x, f);
  }
  return status;
}

static nsds_status refresh(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  const double *x = sim->model->v + slot->v0;
  nsds_in in = at_state(slot, sim->t, x);
  nsds_status status = NSDS_OK;
  if (slot->M && ds->mass.constant) status = ds->first->mass(ds->self, &in, slot->M);
  if (!status && slot->K && ds->stiffness.constant)
    status = ds->first->jacobian(ds->self, &in, slot->K);
  if (!status) status = right_side(slot, sim->t, x, slot->force);
  if (!status && slot->fixed_w) {
    nsds_slot_form_w(slot, 0.0, -sim->h_now * sim->def.theta);
    status = nsds_slot_factor_w(sim, slot);
  }
  return status;
}

static nsds_status free_affine(nsds_simulation *sim, nsds_slot *slot) {
  nsds_ds *ds = slot->ds;
  int n = slot->nv;
  double h = sim->h_now, theta = sim->def.theta;
  const double *x = sim->model->v + slot->v0, *r = sim->model->p + slot->v0;
  double *out = sim->plan.v_free + slot->v0;
  nsds_in in = at_state(slot, sim->t_next, x);
  nsds_status status = NSDS_OK;
  const double *end = slot->force;
  bool invariant = time_invariant(slot);
  if (!invariant || !ds->force_constant) {
    status = ds->first->rhs(ds->self, &in, slot->force_end);
    end = slot->force_end;
  }
  if (!status) status = update_jacobian(slot, &in);
  if (status) return status;
  for (int k = 0; k < n; ++k)
    out[k] = h * theta * end[k] + h * (1.0 - theta) * slot->force[k] + h * sim->old * r[k];
  nsds_shape_multiply(&ds->stiffness, n, slot->K, invariant ? h : h * theta, x, out);
  if (!slot->fixed_w) {
    status = update_mass(sim, slot);
    nsds_slot_form_w(slot, 0.0, -h * theta);
    if (!status) status = nsds_slot_factor_w(sim, slot);
    if (status) return status;
  }
  nsds_slot_solve_w(slot, 1, out);
  for (int k = 0; k < n; ++k) out[k] += x[k];
  return NSDS_OK;
}

static nsds_status evaluate(nsds_simulation *sim, nsds_slot *slot) {
  int n = slot->nv;
  double h = sim->h_now, theta = sim->def.theta;
  const double *xk = sim->model->v + slot->v0, *r = sim->model->p + slot->v0;
  const double *x = sim->plan.v + slot->v0;
  nsds_status status = right_side(slot, sim->t_next, x, slot->force_end);
  if (!status) status = update_mass(sim, slot);
  if (status) return status;
  for (int k = 0; k < n; ++k) {
    slot->residual[k] = -h * theta * slot->force_end[k] - h * (1.0 - theta) * slot->force[k] -
                        h * sim->old * r[k];
    slot->scratch[k] = x[k] - xk[k];
  }
  nsds_mass_multiply(slot, 1.0, slot->scratch, slot->residual);
  return NSDS_OK;
}

static nsds_status tangent(nsds_simulation *sim, nsds_slot *slot) {
  nsds_in in = at_state(slot, sim->t_next, sim->plan.v + slot->v0);
  nsds_status status = update_jacobian(slot, &in);
  if (!status && !slot->fixed_w) nsds_slot_form_w(slot, 0.0, -sim->h_now * sim->def.theta);
  return status;
}

static void apply(const nsds_slot *slot, int nrhs, double *b) { nsds_slot_solve_w(slot, nrhs, b); }

/* f at the end of the step; what is kept of b(t) was computed on the way. */
static nsds_status finish(nsds_simulation *sim, nsds_slot *slot) {
  if (!slot->affine || time_invariant(slot)) return NSDS_OK;
  nsds_shape_multiply(&slot->ds->stiffness, slot->nv, slot->K, 1.0, sim->plan.v + slot->v0,
                      slot->force_end);
  return NSDS_OK;
}

const nsds_integrator nsds_euler_moreau = {.name = "Euler-Moreau",
                                           .refresh = refresh,
                                           .free_affine = free_affine,
                                           .evaluate = evaluate,
                                           .tangent = tangent,
                                           .apply = apply,
                                           .finish = finish};
